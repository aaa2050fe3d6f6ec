// The units of a fleet as a table: the alternative to the heat map for the keyboard and screen readers.
import { html, useMemo, useState } from './vendor/htm-preact.js';
import { STATES } from './heatmap.js';
import { Name, Table } from './parts.js';
import { Ago, count } from './time.js';

const PAGE = 100;

export function UnitTable({ live, names, selected, onSelect }) {
  const [text, setText] = useState('');
  const [state, setState] = useState('');
  const [page, setPage] = useState(0);
  const found = useMemo(() => names.filter((name) => {
    const row = live.rows.get(name);
    return (!state || row[1] === state) && (!text || name.includes(text) || row[0].includes(text));
  }), [names, live.version, text, state]);
  const last = Math.max(0, Math.ceil(found.length / PAGE) - 1);
  const shown = Math.min(page, last);
  return html`
    <div class="filters">
      <label class="field">Unit or worker contains
        <input type="search" name="filter" value=${text} autocomplete="off" onInput=${(event) => { setText(event.target.value); setPage(0); }} /></label>
      <label class="field">State
        <select name="state" value=${state} onChange=${(event) => { setState(event.target.value); setPage(0); }}>
          <option value="">any</option>
          ${Object.entries(STATES).map(([letter, name]) => html`<option value=${letter}>${name}</option>`)}
        </select></label>
    </div>
    <${Table} label="Units">
      <thead><tr><th scope="col">Unit</th><th scope="col">State</th><th scope="col">Worker</th><th scope="col" class="wide">Held for</th><th scope="col" class="wide">Note</th></tr></thead>
      <tbody>${found.slice(shown * PAGE, (shown + 1) * PAGE).map((name) => {
        const [worker, letter, grantedAt, note] = live.rows.get(name);
        return html`
          <tr key=${name} class=${name === selected ? 'chosen' : ''}>
            <td><button class="link" aria-pressed=${name === selected} onClick=${() => onSelect(name)}><${Name} text=${name} /></button></td>
            <td>${STATES[letter] ?? letter}</td>
            <td>${worker && html`<${Name} text=${worker} />`}</td>
            <td class="wide">${grantedAt > 0 && html`<${Ago} at=${new Date(grantedAt * 1000).toISOString()} bare />`}</td>
            <td class="wide"><bdi>${note}</bdi></td>
          </tr>`;
      })}</tbody>
    <//>
    <div class="foot">
      <p class="note" role="status">${count(found.length)} of ${count(names.length)} units${last > 0 ? `, page ${shown + 1} of ${last + 1}` : ''}.</p>
      <div class="actions">
        ${shown > 0 && html`<button onClick=${() => setPage(shown - 1)}>Previous</button>`}
        ${shown < last && html`<button onClick=${() => setPage(shown + 1)}>Next</button>`}
      </div>
    </div>`;
}
