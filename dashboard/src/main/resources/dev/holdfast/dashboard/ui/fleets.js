// The list of fleets.
import { html } from './vendor/htm-preact.js';
import { useLive } from './live.js';
import { Badge, Command, Empty, Heading, Loading, Name, Table, Trouble } from './parts.js';
import { href } from './route.js';
import { byName, count } from './time.js';

export function Fleets() {
  const live = useLive({ view: 'fleets' });
  const fleets = live.list().sort((a, b) => byName(a.fleet, b.fleet));
  return html`
    <${Heading} title="Fleets" />
    ${!live.head ? html`<${Loading} live=${live} />` : html`
      <${Trouble} live=${live} />
      ${fleets.length === 0 ? html`<${NoFleets} />` : html`
        <${Table} label="Fleets">
          <thead><tr>
            <th scope="col">Fleet</th><th scope="col" class="right">Workers</th><th scope="col" class="right">Units</th>
            <th scope="col" class="right">Held</th><th scope="col" class="wide">Share held</th><th scope="col" class="wide">Needs attention</th>
          </tr></thead>
          <tbody>${fleets.map((fleet) => html`<${Row} key=${fleet.fleet} fleet=${fleet} />`)}</tbody>
        <//>
        ${live.head.truncated && html`<p class="note">There are more fleets than these.</p>`}`}`}`;
}

function Row({ fleet }) {
  const share = fleet.units ? fleet.held / fleet.units : 0;
  const attention = html`
    ${fleet.unplaced > 0 && html`<${Badge} kind="bad">✕ ${count(fleet.unplaced)} unplaced<//>`}
    ${fleet.paused > 0 && html`<${Badge} kind="warn">❚❚ ${count(fleet.paused)} paused<//>`}
    ${fleet.frozen && html`<${Badge} kind="info">❄ frozen<//>`}
    ${fleet.workers === 0 && html`<${Badge} kind="bad">✕ no workers<//>`}`;
  return html`
    <tr>
      <td><a class="key" href=${href('fleet', { name: fleet.fleet })}><${Name} text=${fleet.fleet} /></a>
        <div class="badges narrow">${attention}</div></td>
      <td class="right num">${count(fleet.workers)}</td>
      <td class="right num">${count(fleet.units)}</td>
      <td class="right num">${count(fleet.held)}</td>
      <td class="wide"><svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="share-all" width="100" height="8" rx="2" /><rect class="share-part" width=${share * 100} height="8" rx="2" /></svg>
        <span class="num">${Math.floor(share * 100)} %</span></td>
      <td class="badges wide">${attention}</td>
    </tr>`;
}

const NoFleets = () => html`
  <${Empty} title="No fleets yet">
    <p>A fleet spreads units of work over its workers, and each unit has at most one worker at a time. Add units, then start workers:</p>
    <${Command}>${`seq -f shard-%g 0 399 | holdfast fleet units orders add - --store ${location.origin}
holdfast fleet join orders --store ${location.origin} -- ./consume.sh      # on each machine`}<//>
  <//>`;
