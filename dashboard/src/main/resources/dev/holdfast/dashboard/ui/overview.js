// The overview: readiness, counts, the last 15 minutes, and leases at risk.
import { html, useState } from './vendor/htm-preact.js';
import { LineChart } from './charts.js';
import { NoLeases } from './leases.js';
import { useLive } from './live.js';
import { Badge, Figure, Heading, KeyLink, Loading, Name, Panel, Table, Trouble } from './parts.js';
import { href } from './route.js';
import { Ago, Countdown, Instant, count, seconds, shortSpan, span } from './time.js';

const LOST_SHOWN = 10;

export function Overview() {
  const live = useLive({ view: 'overview' });
  const { head } = live;
  const rows = live.list();
  const of = (kind) => rows.filter((row) => row.kind === kind);
  return html`
    <${Heading} title="Overview">${head && html`<${Readiness} head=${head} />`}<//>
    ${!head ? html`<${Loading} live=${live} />` : html`
      <${Trouble} live=${live} />
      <${Counts} head=${head} />
      ${isEmpty(head) && html`<${NoLeases} />`}
      <${Charts} series=${head.series} />
      ${head.scope === 'some' && html`<p class="note">Your token may not read all namespaces. Counts and lists cover
        only those that it may read; the charts are of the whole server.</p>`}
      <h2 class="part">At risk now</h2>
      <div class="risk">
        <${Silent} rows=${of('silent')} />
        <${Late} rows=${of('late')} />
      </div>
      <${Lost} rows=${of('lost')} />`}`;
}

const Readiness = ({ head }) => (head.ready
  ? html`<${Badge} kind="good">✓ Ready<//>`
  : html`<${Badge} kind="bad">✕ Not ready: ${head.notReady}<//>`);

function Counts({ head }) {
  const { counts } = head;
  const figure = (label, state) => html`<${Figure} label=${label} value=${counts
    ? html`<a href=${href('leases', { state })}>${counts.complete ? '' : '≥ '}${count(counts[state])}</a>` : '…'} />`;
  return html`
    <dl class="figures">
      ${figure('Held', 'held')}
      <${Figure} label="Waiting requests" value=${html`<a href=${href('contention')}>${count(head.waiting)}</a>`} />
      ${figure('Done', 'done')}
      ${figure('Free', 'free')}
      <${Figure} label="Connections" value=${count(head.connections)} note=${head.sessions === 1 ? '1 session' : `${count(head.sessions)} sessions`} />
    </dl>
    <p class="note">${counted(counts)} Waiting requests and connections are those of this server.</p>`;
}

function counted(counts) {
  if (!counts) return 'The keys are being counted.';
  const age = seconds(counts.age) < 1 ? 'just now' : `${span(seconds(counts.age))} ago`;
  return counts.complete ? `Keys were counted ${age}.` : `${count(counts.searched)} keys were counted ${age}; there are more.`;
}

const isEmpty = ({ counts }) => counts?.complete && counts.held + counts.done + counts.free === 0;

function Charts({ series }) {
  const common = { stepSeconds: series.stepSeconds, end: series.end };
  return html`
    <div class="charts">
      <${LineChart} ...${common} title="Grants" unit="per second" lines=${[{ label: 'granted', values: series.grants, kind: 'a' }]} />
      <${LineChart} ...${common} title="Losses" unit="per second" lines=${[{ label: 'lost', values: series.losses, kind: 'c' }]} />
      <${LineChart} ...${common} title="Store latency" unit="milliseconds" lines=${[
        { label: 'p50', values: series.batchMillisP50, kind: 'a' }, { label: 'p99', values: series.batchMillisP99, kind: 'b' }]} />
      <${LineChart} ...${common} title="Batch size" unit="changes per write" lines=${[
        { label: 'mean', values: series.batchSize, kind: 'a' }]} />
    </div>`;
}

const None = ({ children }) => html`<p class="none"><span aria-hidden="true">✓</span> ${children}</p>`;

const Risk = ({ id, title, rows, note, none, children }) => html`
  <${Panel} id=${id} title=${html`${title} <span class="tally">${rows.length}</span>`} note=${note}>
    ${rows.length ? html`<ul class="rows">${children}</ul>` : html`<${None}>${none}<//>`}
  <//>`;

const Silent = ({ rows }) => html`
  <${Risk} id="silent" title="Silent holders" rows=${rows} none="All holders renew."
      note="Their renewal is overdue. Unless they renew, another client can have the key when the countdown ends.">
    ${[...rows].sort((a, b) => a.freeAt.localeCompare(b.freeAt)).map((row) => html`
      <li key=${row.namespace + row.name}>
        <div><${KeyLink} ...${row} /><span class="sub"><${Name} text=${row.holder} /> · last renewal ${shortSpan(row.sinceRenewal)} ago, term ${shortSpan(row.term)}</span></div>
        <span class="risk-time bad"><${Countdown} to=${row.freeAt} before="free in " over="free now" /></span>
      </li>`)}
  <//>`;

const Late = ({ rows }) => html`
  <${Risk} id="late" title="Late renewals" rows=${rows} none="All renewals are in time."
      note="Less than a quarter of the term was left at a renewal. After a slightly longer pause, the lease would be lost.">
    ${rows.map((row) => html`
      <li key=${row.namespace + row.name}>
        <div><${KeyLink} ...${row} /><span class="sub"><${Name} text=${row.holder} /> · renewed <${Ago} at=${row.renewedAt} /></span></div>
        <span class="risk-time warn num">${shortSpan(row.leastLeft ?? row.leftAtLast)} left of ${shortSpan(row.term)}</span>
      </li>`)}
  <//>`;

/** The losses, newest first: ten of them, or all. */
function Lost({ rows }) {
  const [all, setAll] = useState(false);
  const sorted = [...rows].sort((a, b) => b.at.localeCompare(a.at));
  return html`
    <${Panel} id="lost" title=${html`Losses of the last hour <span class="tally">${rows.length}</span>`}
        note="Leases that ended although their holder did not release them.">
      ${rows.length === 0 ? html`<${None}>No lease was lost in the last hour.<//>` : html`
        <${Table} label="Losses of the last hour">
          <thead><tr><th scope="col">Time</th><th scope="col">Key</th><th scope="col" class="wide">Holder</th><th scope="col" class="wide">Reason</th><th scope="col" class="wide">Detail</th></tr></thead>
          <tbody>${sorted.slice(0, all ? rows.length : LOST_SHOWN).map((row) => html`<${Loss} key=${row.namespace + row.name + row.at} row=${row} />`)}</tbody>
        <//>
        ${rows.length > LOST_SHOWN && html`<button class="more" onClick=${() => setAll(!all)}>${all ? 'Show fewer' : `Show all ${rows.length}`}</button>`}`}
    <//>`;
}

function Loss({ row }) {
  const reason = row.reason.toLowerCase().replaceAll('_', ' ');
  return html`
    <tr>
      <td><${Instant} at=${row.at} /></td>
      <td><${KeyLink} ...${row} />
        ${row.holder && html`<span class="sub narrow"><${Name} text=${row.holder} /></span>`}
        <span class="sub narrow"><b>${reason}</b>: ${row.detail}</span></td>
      <td class="wide">${row.holder && html`<${Name} text=${row.holder} />`}</td>
      <td class="wide"><${Badge} kind="bad">${reason}<//></td>
      <td class="wide"><bdi>${row.detail}</bdi></td>
    </tr>`;
}
