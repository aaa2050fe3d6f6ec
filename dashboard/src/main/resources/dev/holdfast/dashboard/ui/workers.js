// The workers of a fleet.
import { html } from './vendor/htm-preact.js';
import { askDrain } from './orders.js';
import { Badge, Command, Empty, Name, Panel, Table } from './parts.js';
import { count } from './time.js';

export function Workers({ head, mayOrder }) {
  const workers = [...head.workers].sort((a, b) => a.worker.localeCompare(b.worker, undefined, { numeric: true }));
  const has = (field) => workers.some((it) => it[field] !== null && it[field] !== undefined);
  const columns = {
    capacity: has('capacity'), load: has('load'), labels: workers.some((it) => Object.keys(it.labels ?? {}).length > 0),
  };
  return html`
    <${Panel} id="workers" title=${html`Workers <span class="tally">${count(workers.length)}</span>`}>
      ${workers.length === 0 ? html`
        <${Empty} title="No worker is joined"><p>Start one, on each machine that shall work for this fleet:</p>
          <${Command}>${`holdfast fleet join ${head.fleet} --store ${location.origin} -- ./consume.sh`}<//><//>` : html`
        <${Table} label="Workers">
          <thead><tr>
            <th scope="col">Worker</th><th scope="col" class="right">Units</th><th scope="col" class="right wide">To start</th>
            ${columns.capacity && html`<th scope="col" class="right wide">Capacity</th>`}
            ${columns.load && html`<th scope="col" class="right wide">Load</th>`}
            ${columns.labels && html`<th scope="col" class="wide">Labels</th>`}
            <th scope="col">State</th>${mayOrder && html`<th scope="col"><span class="hidden">Actions</span></th>`}
          </tr></thead>
          <tbody>${workers.map((it) => html`<${Row} key=${it.worker} worker=${it} head=${head} columns=${columns} mayOrder=${mayOrder} />`)}</tbody>
        <//>`}
    <//>`;
}

const order = (note) => `by ${note.by}${note.reason ? `: ${note.reason}` : ''}`;

function Row({ worker, head, columns, mayOrder }) {
  const { draining } = worker;
  return html`
    <tr>
      <td><${Name} text=${worker.worker} />${worker.worker === head.planner && html` <${Badge} kind="info">planner<//>`}</td>
      <td class="right num">${count(worker.units)}</td>
      <td class="right num wide">${worker.waiting > 0 ? count(worker.waiting) : ''}</td>
      ${columns.capacity && html`<td class="right num wide">${worker.capacity ?? '∞'}</td>`}
      ${columns.load && html`<td class="right num wide">${worker.load ?? ''}</td>`}
      ${columns.labels && html`<td class="wide">${Object.entries(worker.labels ?? {}).map(([name, value]) => html`<span class="label"><bdi>${name}=${value}</bdi></span> `)}</td>`}
      <td>${draining ? html`<${Badge} kind="warn" title=${order(draining)}>⇥ draining<//>` : worker.leaving ? html`<${Badge}>leaving<//>` : 'working'}</td>
      ${mayOrder && html`<td class="right"><button class="small" aria-label=${`${draining ? 'Undrain' : 'Drain'} ${worker.worker}`}
        onClick=${() => askDrain(head, worker.worker, Boolean(draining))}>${draining ? 'Undrain …' : 'Drain …'}</button></td>`}
    </tr>`;
}
