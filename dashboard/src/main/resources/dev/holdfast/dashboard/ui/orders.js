// Orders to a fleet: the dialogs that give and revoke them, and the list of those in force.
import { html, useState } from './vendor/htm-preact.js';
import { ask } from './dialogs.js';
import { Name, Panel } from './parts.js';
import { Ago, count } from './time.js';

const SHOWN = 8;

export function askFreeze(head) {
  const { fleet } = head;
  ask(head.frozen ? {
    title: `Thaw ${fleet}?`, confirm: 'Thaw', body: { action: 'thaw', fleet }, done: `${fleet} was thawed.`,
    effect: 'The planner moves units again, to balance the workers and to follow the orders that have waited.',
  } : {
    title: `Freeze ${fleet}?`, confirm: 'Freeze', body: { action: 'freeze', fleet }, done: `${fleet} was frozen.`,
    effect: 'No unit moves, except those of workers that die or leave. New units are still assigned. Drains and moves wait until the fleet is thawed.',
  });
}

export function askPause(head, unit, isPaused) {
  const { fleet } = head;
  ask(isPaused ? {
    title: `Resume ${unit}?`, confirm: 'Resume', body: { action: 'resume', fleet, units: [unit] }, done: `${unit} was resumed.`,
    effect: 'The planner assigns the unit to a worker again.',
  } : {
    title: `Pause ${unit}?`, confirm: 'Pause', danger: true, body: { action: 'pause', fleet, units: [unit] }, done: `${unit} was paused.`,
    effect: 'Its worker stops the unit as in any hand-over. No worker gets it until it is resumed.',
  });
}

export function askMove(head, unit, from) {
  const { fleet } = head;
  const options = head.workers.map((it) => it.worker).filter((it) => it !== from).sort();
  ask({
    title: `Move ${unit}?`, confirm: 'Move', body: { action: 'move', fleet, unit }, done: `${unit} moves to the chosen worker.`,
    choice: { label: 'To worker', field: 'worker', options },
    effect: `${from ? `${from} stops the unit, then` : 'Then'} the chosen worker starts it, and keeps it until the move is cancelled, or the worker leaves, dies or is drained. Another unit may move in exchange.`,
  });
}

/** Asks before a move is cancelled. */
export function askStay(head, unit) {
  ask({
    title: `Cancel the move of ${unit}?`, confirm: 'Cancel the move', body: { action: 'cancelMove', fleet: head.fleet, unit },
    effect: 'The planner is free again to choose the worker of this unit.', done: `The move of ${unit} was cancelled.`,
  });
}

export function askDrain(head, worker, isDraining) {
  const { fleet } = head;
  ask(isDraining ? {
    title: `Undrain ${worker}?`, confirm: 'Undrain', body: { action: 'undrain', fleet, worker }, done: `${worker} gets units again.`,
    effect: 'The worker gets units again.',
  } : {
    title: `Drain ${worker}?`, confirm: 'Drain', danger: true, body: { action: 'drain', fleet, worker }, done: `${worker} is draining.`,
    effect: 'Its units move to other workers, a few at a time, and it gets no more. It applies to the name, so also after a restart of the worker. A unit that no other worker can take stays.',
  });
}

export function Unplaced({ head, fleet }) {
  if (!head.unplaced?.length) return null;
  return html`
    <${Panel} id="unplaced" title=${html`Unplaced units <span class="tally">${count(head.units.unplaced)}</span>`}
        note="No worker can take these units now.">
      <ul class="rows">${head.unplaced.map((it) => html`
        <li key=${it.text}><div><b>${it.text}</b><span class="sub">${it.names.map((name, i) => html`${i > 0 && ', '}<a href=${`#/fleet?${new URLSearchParams({ name: fleet, unit: name })}`}><${Name} text=${name} /></a>`)}${it.count > it.names.length && ', …'}</span></div>
          <span class="num">${count(it.count)}</span></li>`)}</ul>
    <//>`;
}

/** The orders of a fleet. A server that does not list them sends frozen, draining workers and paused units. */
function ordersOf(head, rows) {
  const orders = head.orders ?? {
    drained: head.workers.filter((it) => it.draining).map((it) => ({ worker: it.worker, ...it.draining })),
    paused: [...rows].filter(([, row]) => row[1] === 'p').map(([unit]) => ({ unit })),
  };
  return [
    ...(head.frozen ? [{ id: 'freeze', text: 'Frozen', note: head.frozen, undo: ['Thaw …', () => askFreeze(head)] }] : []),
    ...(orders.drained ?? []).map((it) => ({ id: `d${it.worker}`, text: 'Draining', subject: it.worker, note: it, undo: ['Undrain …', () => askDrain(head, it.worker, true)] })),
    ...(orders.paused ?? []).map((it) => ({ id: `p${it.unit}`, text: 'Paused', subject: it.unit, note: it, undo: ['Resume …', () => askPause(head, it.unit, true)] })),
    ...(orders.moved ?? []).map((it) => ({ id: `m${it.unit}`, text: 'Moved', subject: `${it.unit} to ${it.worker}`, note: it, undo: ['Cancel …', () => askStay(head, it.unit)] })),
  ];
}

export function Orders({ head, rows, mayOrder }) {
  const orders = ordersOf(head, rows);
  const [all, setAll] = useState(false);
  return html`
    <${Panel} id="orders" title=${html`Orders in force <span class="tally">${count(orders.length + (head.orders?.more ?? 0))}</span>`}
        note="Orders survive every process, until they are revoked.">
      ${orders.length === 0 ? html`<p class="none">No orders: the planner spreads the units freely.</p>` : html`
        <ul class="rows orders">${orders.slice(0, all ? orders.length : SHOWN).map((it) => html`
          <li key=${it.id}>
            <div><b>${it.text}</b> ${it.subject && html`<${Name} text=${it.subject} />`}
              ${it.note.by && html`<span class="sub"><bdi>${it.note.by}</bdi>, <${Ago} at=${it.note.at} />${it.note.reason && html`: <bdi>${it.note.reason}</bdi>`}</span>`}</div>
            ${mayOrder && html`<button class="small" aria-label=${`${it.undo[0].replace(' …', '')} ${it.subject ?? ''}`} onClick=${it.undo[1]}>${it.undo[0]}</button>`}
          </li>`)}
        </ul>
        ${head.orders?.more > 0 && html`<p class="note">There are ${count(head.orders.more)} more.</p>`}
        ${orders.length > SHOWN && html`<button class="more" onClick=${() => setAll(!all)}>${all ? 'Show fewer' : `Show all ${count(orders.length)}`}</button>`}`}
    <//>`;
}
