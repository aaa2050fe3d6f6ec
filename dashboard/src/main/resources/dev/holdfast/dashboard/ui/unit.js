// The selected unit of a fleet: its state, and the orders that apply to it.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { STATES } from './heatmap.js';
import { askMove, askPause, askStay } from './orders.js';
import { Name } from './parts.js';
import { keyHref } from './route.js';
import { Ago, Countdown } from './time.js';

const iso = (epochSeconds) => new Date(epochSeconds * 1000).toISOString();

/** A field that finds a unit by its name, and the unit that is selected. */
export function Unit({ live, name, names, wanted, mayOrder, onSelect }) {
  const [text, setText] = useState(wanted ?? '');
  const [missing, setMissing] = useState(false);
  useEffect(() => setText(wanted ?? ''), [wanted]);
  function find(event) {
    event.preventDefault();
    const found = live.rows.has(text) ? text : names.find((it) => it.startsWith(text)) ?? names.find((it) => it.includes(text));
    setMissing(!found);
    if (found) onSelect(found);
  }
  return html`
    <div class="unit">
      <form class="unit-find" role="search" onSubmit=${find}>
        <label class="field inline">Unit
          <input type="search" name="unit" value=${text} placeholder="find by name" autocomplete="off" spellcheck=${false}
            onInput=${(event) => { setText(event.target.value); setMissing(false); }} /></label>
        <button class="small">Find</button>
        ${missing && html`<span class="note" role="status">No unit has this in its name.</span>`}
      </form>
      ${name && html`<${Selected} live=${live} name=${name} mayOrder=${mayOrder} onSelect=${onSelect} />`}
    </div>`;
}

function Selected({ live, name, mayOrder, onSelect }) {
  const { head } = live;
  const [worker, state, grantedAt, note] = live.rows.get(name);
  const moved = head.orders?.moved?.some((it) => it.unit === name);
  const isInstant = state === 'r' && !Number.isNaN(Date.parse(note));
  return html`
    <div class="unit-selected" role="group" aria-label="Selected unit">
      <div><a class="key" href=${keyHref(`fleet/${head.fleet}/units`, name)}><${Name} text=${name} /></a>
        <span class="sub">${STATES[state] ?? state}${worker && html` ${state === 'a' ? 'to' : 'on'} <${Name} text=${worker} />`}
          ${grantedAt > 0 && html`, for <${Ago} at=${iso(grantedAt)} bare />`}
          ${isInstant ? html`, tried again in <${Countdown} to=${note} />` : note && html` · <bdi>${note}</bdi>`}</span></div>
      <div class="actions">
        ${mayOrder && state !== 'd' && html`
          <button class="small" onClick=${() => askPause(head, name, state === 'p')}>${state === 'p' ? 'Resume …' : 'Pause …'}</button>
          <button class="small" onClick=${() => askMove(head, name, worker)}>Move …</button>
          ${moved && html`<button class="small" onClick=${() => askStay(head, name)}>Cancel move …</button>`}`}
        <button class="small" onClick=${() => onSelect('')}>Close</button>
      </div>
    </div>`;
}
