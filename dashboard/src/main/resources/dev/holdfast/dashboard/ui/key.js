// One key: the explanation of its state, the line of waiting clients, attributes, history, and actions.
import { html, useEffect, useRef } from './vendor/htm-preact.js';
import { ask } from './dialogs.js';
import { GrantHistory } from './history.js';
import { useLive } from './live.js';
import { Heading, KeyLink, Loading, Name, Panel, State, Table, Trouble, keyText } from './parts.js';
import { href } from './route.js';
import { Ago, Instant, count, seconds, shortSpan, span } from './time.js';

const BASES = {
  free: 'no lease is in the way', store_clock: "by the store's clock", observation: 'by observation of the server',
  stored_end: 'by the end that is stored with the lease', done: 'the key is done',
};

export function KeyScreen({ namespace, name }) {
  const live = useLive({ view: 'key', namespace, name });
  const { head } = live;
  const why = head?.explanation;
  const crumb = html`<a href=${href('leases', { search: namespace ? `${namespace}/` : '' })}>Leases${namespace && html` in <${Name} text=${namespace} />`}</a>`;
  return html`
    <${Heading} title=${keyText(namespace, name)} crumb=${crumb}>${why?.lease && html`<${State} ...${why.lease} />`}<//>
    ${!head ? html`<${Loading} live=${live} />` : html`
      <${Trouble} live=${live} />
      <p class="why"><bdi>${why.summary}</bdi></p>
      <${Actions} live=${live} namespace=${namespace} name=${name} />
      <div class="columns">
        <${Facts} why=${why} at=${head.at} />
        <div>
          <${Waiting} why=${why} />
          <${AttributeList} attributes=${why.lease?.attributes ?? {}} />
        </div>
      </div>
      <${GrantHistory} lease=${why.lease} />`}`;
}

/** The actions that the state of a key allows. */
function actionsFor(lease, key) {
  const holder = lease.holder ?? 'its holder';
  if (lease.state === 'held') {
    return [{
      action: 'evict', button: 'Evict …', danger: true, title: `Evict ${holder} from ${key}?`, confirm: 'Evict',
      effect: `${holder} loses the lease at once. Its next renewal fails, and the next client in the line can acquire ${key}. `
        + 'Until it notices, it may still work: only the fence protects your resource from both.',
      done: `${holder} was evicted from ${key}.`,
    }, {
      action: 'release', button: 'Release …', danger: true, title: `Release ${key} for ${holder}?`, confirm: 'Release',
      effect: `The lease ends as if ${holder} had released it, and the next client in the line can acquire ${key}. `
        + 'Use it for a holder that is certainly gone.',
      done: `${key} was released.`,
    }];
  }
  const actions = lease.state === 'done' ? [{
    action: 'reopen', button: 'Reopen …', title: `Reopen ${key}?`, confirm: 'Reopen',
    effect: `${key} is no longer done. The next client that asks for it is granted it, and does its work again.`,
    done: `${key} was reopened.`,
  }] : [];
  return [...actions, {
    action: 'delete', button: 'Delete …', danger: true, title: `Delete ${key}?`, confirm: 'Delete',
    effect: `The key is removed with its attributes and its history.${lease.state === 'done' ? ' It is no longer done: the next client that asks for it does its work again.' : ''}`,
    done: `${key} was deleted.`,
  }];
}

function Actions({ live, namespace, name }) {
  const { mayAdminister, explanation } = live.head;
  const { lease } = explanation;
  const seen = useRef(lease?.state);
  useEffect(() => {
    // The button with the focus may have gone with the earlier state.
    const isChanged = seen.current !== lease?.state;
    seen.current = lease?.state;
    if (isChanged && document.activeElement === document.body) document.querySelector('h1').focus({ preventScroll: true });
  }, [lease?.state]);
  if (!lease) return null;
  if (!mayAdminister) return html`<p class="note">Read only: your token may not administer this namespace.</p>`;
  function open({ action, ...spec }) {
    const { fence, state } = lease;
    ask({
      ...spec, body: { action, namespace, name },
      warning() {
        const now = live.head?.explanation.lease;
        if (now?.fence === fence && now?.state === state) return null;
        const change = now?.state === 'held' ? `granted to ${now.holder}` : now?.state ?? 'deleted';
        return `The key has changed since you opened this dialog: it is now ${change}.`;
      },
    });
  }
  return html`<div class="actions key-actions">
    ${actionsFor(lease, keyText(namespace, name)).map((it) => html`
      <button key=${it.action} class=${it.danger ? 'danger-quiet' : ''} onClick=${() => open(it)}>${it.button}</button>`)}
  </div>`;
}

/** The label and the content of each fact that is known. */
function facts(why, at) {
  const { lease = {}, process = {} } = why;
  const held = lease.state === 'held' || lease.expired;
  const before = (text) => new Date(Date.parse(at) - seconds(text) * 1000).toISOString();
  const list = [
    [held ? 'Holder' : 'Last holder', lease.holder && html`<${Name} text=${lease.holder} />`],
    ['Host', process.host && html`<${Name} text=${process.host} />`],
    ['User', process.user && html`<${Name} text=${process.user} />`],
    ['Process', process.pid],
    ['Client', (process.client || process.address) && [process.client, process.address].filter(Boolean).join(' from ')],
    ['Granted', lease.grantedAt && html`<${Instant} at=${lease.grantedAt} /> (<${Ago} at=${lease.grantedAt} />)`],
    ['Done', lease.doneAt && html`<${Instant} at=${lease.doneAt} /> (<${Ago} at=${lease.doneAt} />)`],
    ['Term', lease.term && span(seconds(lease.term))],
    ['Last renewal', held && why.sinceRenewal && html`${why.sinceRenewalAtLeast ? 'at least ' : ''}<${Ago} at=${before(why.sinceRenewal)} />`],
    ['Left at renewals', why.leftAtRenewals?.length > 0 && `${why.leftAtRenewals.map(shortSpan).join(', ')} (newest first)`],
    ['Free at the earliest', held && why.earliest && `in ${span(seconds(why.earliest))}, ${BASES[why.earliestBasis] ?? why.earliestBasis}`],
    ['Held through', why.anchor && html`<${KeyLink} ...${why.anchor} />`],
    ['Fence', lease.fence !== undefined && html`<span class="num">${lease.fence}</span>`],
    ['Grants', lease.grants !== undefined && count(lease.grants)],
    ['Created', lease.createdAt && html`<${Instant} at=${lease.createdAt} />`],
    ...(why.facts ?? []).map((fact) => [fact.label[0].toUpperCase() + fact.label.slice(1), fact.text]),
  ];
  return list.filter(([, content]) => content);
}

const Facts = ({ why, at }) => html`
  <${Panel} id="facts" title="Facts">
    <dl class="facts">${facts(why, at).map(([label, content]) => html`<div key=${label}><dt>${label}</dt><dd>${content}</dd></div>`)}</dl>
  <//>`;

function Waiting({ why }) {
  const { waiting = [], waitingTotal = 0 } = why;
  return html`
    <${Panel} id="waiting" title=${html`Waiting clients <span class="tally">${count(waitingTotal)}</span>`}
        note="Only clients of this server; those of other servers of the same store are not visible.">
      ${waiting.length === 0 ? html`<p class="none">No client waits here.</p>` : html`
        <${Table} label="Waiting clients">
          <thead><tr><th scope="col">#</th><th scope="col">Client</th><th scope="col" class="right">Waits for</th><th scope="col" class="right">Gives up in</th></tr></thead>
          <tbody>${waiting.map((it, i) => html`
            <tr key=${i}><td class="num">${i + 1}</td><td><${Name} text=${it.holder} /></td>
              <td class="right num">${span(seconds(it.waited))}</td><td class="right num">${span(seconds(it.patience))}</td></tr>`)}</tbody>
        <//>
        ${waitingTotal > waiting.length && html`<p class="note">and ${count(waitingTotal - waiting.length)} more</p>`}`}
    <//>`;
}

function AttributeList({ attributes }) {
  const names = Object.keys(attributes).sort();
  return html`
    <${Panel} id="attributes" title="Attributes">
      ${names.length === 0 ? html`<p class="none">The key has no attributes.</p>` : html`
        <dl class="facts">${names.map((name) => html`
          <div key=${name}><dt><bdi>${name}</bdi></dt><dd><bdi class="value-text">${text(attributes[name])}</bdi></dd></div>`)}</dl>`}
    <//>`;
}

const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
