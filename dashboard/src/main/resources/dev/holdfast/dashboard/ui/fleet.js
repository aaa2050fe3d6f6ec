// One fleet: its state, the heat map or the table of its units, workers, and orders.
import { html, useMemo, useRef } from './vendor/htm-preact.js';
import { HeatMap } from './heatmapview.js';
import { useLive } from './live.js';
import { Orders, Unplaced, askFreeze } from './orders.js';
import { Badge, Command, Empty, Figure, Heading, Loading, Name, Panel, Trouble } from './parts.js';
import { go, href } from './route.js';
import { byName, count, seconds, span } from './time.js';
import { UnitTable } from './unittable.js';
import { Unit } from './unit.js';
import { Workers } from './workers.js';

export function Fleet({ name, params }) {
  const live = useLive({ view: 'fleet', fleet: name });
  const { head } = live;
  const mayOrder = Boolean(head?.mayAdminister && head.planned !== false);
  const crumb = html`<a href=${href('fleets')}>Fleets</a>`;
  return html`
    <${Heading} title=${name} crumb=${crumb}>
      ${head && html`<${Badges} head=${head} />
        ${mayOrder && html`<button onClick=${() => askFreeze(head)}>${head.frozen ? 'Thaw …' : 'Freeze …'}</button>`}`}
    <//>
    ${!head ? html`<${Loading} live=${live} />` : html`
      <${Trouble} live=${live} />
      <${Summary} head=${head} />
      ${head.units.total === 0 ? html`<${NoUnits} name=${name} />`
        : html`<${Units} live=${live} params=${params} mayOrder=${mayOrder} />`}
      <${Unplaced} head=${head} fleet=${name} />
      <${Orders} head=${head} rows=${live.rows} mayOrder=${mayOrder} />
      <${Workers} head=${head} mayOrder=${mayOrder} />`}`;
}

const Badges = ({ head }) => html`
  ${head.frozen && html`<${Badge} kind="info" title=${head.frozen.reason}>❄ Frozen<//>`}
  ${head.moves > 0 && html`<${Badge}>${count(head.moves)} moving<//>`}`;

function Summary({ head }) {
  const { units } = head;
  const planner = head.planned === false ? 'none: this table has no planner'
    : head.planner ? html`<${Name} text=${head.planner} />, planned ${span(seconds(head.planAge))} ago`
      : 'none now: the workers elect one within seconds';
  return html`
    <dl class="figures">
      <${Figure} label="Units" value=${count(units.total)} />
      <${Figure} label="Held" value=${count(units.held)} />
      <${Figure} label="Unplaced" value=${count(units.unplaced)} kind=${units.unplaced ? 'bad' : ''} />
      <${Figure} label="Paused" value=${count(units.paused)} kind=${units.paused ? 'warn' : ''} />
      <${Figure} label="Waiting" value=${count(units.waiting)} />
      <${Figure} label="Done" value=${count(units.done)} />
      <${Figure} label="Workers" value=${count(head.workers.length)} />
    </dl>
    <p class="note">Planner: ${planner}.
      ${head.oldWorkers?.length > 0 && html` <b>Workers of an older version ignore orders: ${head.oldWorkers.join(', ')}.</b>`}</p>`;
}

/** The units: as a heat map, or as a table with the same data. The address holds the choice and the selected unit. */
function Units({ live, params, mayOrder }) {
  const asTable = params.units === 'table';
  const change = (changes) => go('fleet', { ...params, ...changes }, { replace: true });
  const names = useSortedNames(live);
  const workerNames = live.head.workers.map((it) => it.worker).sort(byName).join('\0');
  const workers = useMemo(() => (workerNames ? workerNames.split('\0') : []), [workerNames]);
  const choose = (name) => change({ unit: name });
  const actions = html`
    <div class="segments" role="group" aria-label="Show units as">
      <button aria-pressed=${!asTable} onClick=${() => change({ units: '' })}>Heat map</button>
      <button aria-pressed=${asTable} onClick=${() => change({ units: 'table' })}>Table</button>
    </div>`;
  const selected = params.unit && live.rows.has(params.unit) ? params.unit : null;
  return html`
    <${Panel} id="units" title="Units by worker" actions=${actions}>
      <${Unit} live=${live} name=${selected} names=${names} wanted=${params.unit} mayOrder=${mayOrder} onSelect=${choose} />
      ${asTable
        ? html`<${UnitTable} live=${live} names=${names} selected=${selected} onSelect=${choose} />`
        : html`<${HeatMap} live=${live} names=${names} workers=${workers} selected=${selected} onSelect=${choose} />`}
    <//>`;
}

/** The names of all units, sorted again only if units were added or removed. */
function useSortedNames(live) {
  const cache = useRef({ version: -1, names: [] });
  const known = cache.current;
  if (known.version !== live.version) {
    known.version = live.version;
    const same = known.names.length === live.rows.size && known.names.every((name) => live.rows.has(name));
    if (!same) known.names = [...live.rows.keys()].sort(byName);
  }
  return known.names;
}

const NoUnits = ({ name }) => html`
  <${Empty} title="This fleet has no units">
    <p>Add some. The workers get them within seconds:</p>
    <${Command}>${`seq -f shard-%g 0 9 | holdfast fleet units ${name} add - --store ${location.origin}`}<//>
  <//>`;
