// The history of a key as a timeline, newest first.
import { html } from './vendor/htm-preact.js';
import { Badge, Name, Panel } from './parts.js';
import { Ago, Instant, count, span } from './time.js';

/** How a grant ended: the words for it, and whether it was lost. */
const ENDS = {
  released: ['released', ''], done: ['finished', 'good'], expired: ['expired', 'bad'], evicted: ['evicted', 'bad'],
  handed_over: ['handed over', ''], orphaned: ['ended with its anchor', 'warn'], undelivered: ['not delivered', 'warn'],
};

export function GrantHistory({ lease }) {
  const history = [...(lease?.history ?? [])].reverse();
  const isHeld = lease?.state === 'held';
  return html`
    <${Panel} id="history" title="History" note="The last grants of this key, newest first. A missing number is a grant that was not recorded.">
      ${!isHeld && history.length === 0 ? html`<p class="none">No past grant is recorded.</p>` : html`
        <ol class="timeline">
          ${isHeld && html`<li class="now" key="now">
            <${Line} number=${lease.grants} holder=${lease.holder} badge=${html`<${Badge} kind="info">● holds it now<//>`}>
              ${lease.grantedAt && html`since <${Instant} at=${lease.grantedAt} />, for <${Ago} at=${lease.grantedAt} bare />`}<//></li>`}
          ${history.map((grant) => html`<li key=${grant.number} class=${(ENDS[grant.end] ?? [])[1] ?? ''}><${Past} grant=${grant} /></li>`)}
        </ol>`}
    <//>`;
}

const Line = ({ number, holder, badge, children }) => html`
  <div class="grant"><span class="num grant-number">#${count(number)}</span>
    <span class="grant-body"><${Name} text=${holder} /> ${badge}<span class="sub">${children}</span></span></div>`;

function Past({ grant }) {
  const [word, kind] = ENDS[grant.end] ?? [grant.end, ''];
  const end = grant.endedAt ?? grant.endedBy;
  const lasted = (Date.parse(end) - Date.parse(grant.grantedAt)) / 1000;
  const by = grant.actor ? ` by ${grant.actor}` : '';
  return html`
    <${Line} number=${grant.number} holder=${grant.holder} badge=${html`<${Badge} kind=${kind}>${word}${by}<//>`}>
      <${Instant} at=${grant.grantedAt} /> – ${grant.endedAt ? '' : 'at the latest '}<${Instant} at=${end} />, ${span(lasted)}
      ${grant.reason && html`<span class="grant-reason">Reason: <bdi>${grant.reason}</bdi></span>`}<//>`;
}
