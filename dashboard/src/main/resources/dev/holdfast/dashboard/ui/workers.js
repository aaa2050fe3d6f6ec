// The workers of a fleet.
import { html, useState } from './vendor/htm-preact.js';
import { askDrain } from './orders.js';
import { Badge, Command, Empty, Name, Panel, Table } from './parts.js';
import { byName, count } from './time.js';

const SHOWN = 20;
/** The columns that sort the table, and their order. */
const SORTS = {
  worker: (a, b) => byName(a.worker, b.worker),
  units: (a, b) => b.units - a.units || byName(a.worker, b.worker),
  load: (a, b) => (b.load ?? -1) - (a.load ?? -1) || byName(a.worker, b.worker),
};

const Sorting = ({ name, title, sort, setSort, kind }) => html`
  <th scope="col" class=${kind} aria-sort=${sort === name ? (name === 'worker' ? 'ascending' : 'descending') : undefined}>
    <button class="sort" onClick=${() => setSort(name)}>${title}${sort === name && html`<span aria-hidden="true"> ${name === 'worker' ? '↑' : '↓'}</span>`}</button></th>`;

export function Workers({ head, mayOrder }) {
  const [sort, setSort] = useState('worker');
  const [all, setAll] = useState(false);
  const workers = [...head.workers].sort(SORTS[sort]);
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
            <${Sorting} name="worker" title="Worker" sort=${sort} setSort=${setSort} />
            <${Sorting} name="units" title="Units" kind="right" sort=${sort} setSort=${setSort} /><th scope="col" class="right wide">To start</th>
            ${columns.capacity && html`<th scope="col" class="right wide">Capacity</th>`}
            ${columns.load && html`<${Sorting} name="load" title="Load" kind="right wide" sort=${sort} setSort=${setSort} />`}
            ${columns.labels && html`<th scope="col" class="wide">Labels</th>`}
            <th scope="col">State</th>${mayOrder && html`<th scope="col"><span class="hidden">Actions</span></th>`}
          </tr></thead>
          <tbody>${workers.slice(0, all ? workers.length : SHOWN).map((it) => html`<${Row} key=${it.worker} worker=${it} head=${head} columns=${columns} mayOrder=${mayOrder} />`)}</tbody>
        <//>
        ${workers.length > SHOWN && html`<button class="more" onClick=${() => setAll(!all)}>${all ? 'Show fewer' : `Show all ${count(workers.length)}`}</button>`}`}
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
