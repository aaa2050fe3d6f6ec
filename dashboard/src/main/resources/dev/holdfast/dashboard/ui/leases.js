// The list of keys: search by prefix, filters, pages.
import { html, useEffect, useRef, useState } from './vendor/htm-preact.js';
import { useLive } from './live.js';
import { Command, Empty, Heading, KeyLink, Loading, Name, State, Table, Trouble } from './parts.js';
import { go, href, keyHref } from './route.js';
import { Ago, Countdown, count } from './time.js';

const TYPING_MILLIS = 150;
const PAGE_SIZE = 50;
const FILTERS = ['search', 'state', 'holder', 'attribute'];

export function Leases({ params }) {
  const { search, state, holder, attribute, page } = params;
  const live = useLive({ view: 'leases', search, state, holder, attribute, page, size: PAGE_SIZE });
  return html`
    <${Heading} title="Leases" />
    <${Filters} params=${params} />
    ${!live.head ? html`<${Loading} live=${live} />` : html`
      <${Trouble} live=${live} />
      <${Found} live=${live} params=${params} />`}`;
}

/** Changes filters, which leads to the first page. */
function filter(params, changes, replace) {
  const { page, ...kept } = params;
  go('leases', { ...kept, ...changes }, { replace });
}

/** A text field that filters as you type. It takes over changes of the address that are not its own, such as by Back. */
function Typed({ label, name, params, hint, type = 'text' }) {
  const [text, setText] = useState(params[name] ?? '');
  const timer = useRef(0);
  const sent = useRef(params[name] ?? '');
  const latest = useRef(params);
  latest.current = params;
  useEffect(() => {
    const given = params[name] ?? '';
    if (given === sent.current) return;
    sent.current = given;
    clearTimeout(timer.current);
    setText(given);
  }, [params[name]]);
  useEffect(() => () => clearTimeout(timer.current), []);
  function typed(event) {
    const { value } = event.target;
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = value.trim();
      filter(latest.current, { [name]: sent.current }, true);
    }, TYPING_MILLIS);
  }
  return html`
    <label class=${`field ${name}`}>${label}
      <input name=${name} type=${type} value=${text} placeholder=${hint} onInput=${typed} autocomplete="off"
        autocapitalize="off" spellcheck=${false} />
    </label>`;
}

function Filters({ params }) {
  return html`
    <form class="filters" role="search" onSubmit=${(event) => event.preventDefault()}>
      <${Typed} label="Key begins with" name="search" type="search" hint="namespace/name" params=${params} />
      <label class="field state-field">State
        <select name="state" value=${params.state ?? ''} onChange=${(event) => filter(params, { state: event.target.value })}>
          <option value="">any</option>
          <option>held</option><option>free</option><option>done</option>
        </select>
      </label>
      <${Typed} label="Holder" name="holder" hint="ada@build-7" params=${params} />
      <${Typed} label="Attribute" name="attribute" hint="name=value" params=${params} />
      ${FILTERS.some((name) => params[name]) && html`<a class="button" href=${href('leases')}>Clear</a>`}
    </form>`;
}

function Found({ live, params }) {
  const rows = live.list();
  const filtered = FILTERS.some((name) => params[name]);
  if (!rows.length && !filtered && !params.page && !live.isOld) return html`<${NoLeases} />`;
  return html`
    <div class=${live.isOld ? 'old' : ''} aria-busy=${live.isOld}>
      ${rows.length > 0 && html`
        <${Table} label="Leases">
          <thead><tr>
            <th scope="col">Key</th><th scope="col">State</th><th scope="col" class="wide">Holder</th>
            <th scope="col" class="wide">Since</th><th scope="col">Ends in</th><th scope="col" class="right wide">Waiting</th>
            <th scope="col" class="right wide">Grants</th>
          </tr></thead>
          <tbody>${rows.map((row) => html`<${Row} key=${`${row.namespace}\0${row.name}`} row=${row} />`)}</tbody>
        <//>`}
      <${Foot} live=${live} params=${params} rows=${rows} />
    </div>`;
}

/** A click anywhere in a row opens its key, unless it selects text. */
function open(event, row) {
  if (event.target.closest('a') || getSelection().toString()) return;
  location.hash = keyHref(row.namespace, row.name);
}

/** A class that makes a row light up for a moment when its holder, state or line has changed. */
function useFlash(signature) {
  const seen = useRef({ signature, changes: 0 });
  if (seen.current.signature !== signature) seen.current = { signature, changes: seen.current.changes + 1 };
  const { changes } = seen.current;
  return changes ? `changed${changes % 2}` : '';
}

function Row({ row }) {
  const flash = useFlash(`${row.state} ${row.fence} ${row.waiting}`);
  const since = row.state === 'done' ? row.doneAt : row.state === 'held' ? row.grantedAt : undefined;
  const held = row.state === 'held';
  const holder = (held || row.state === 'done' || row.expired) && row.holder && html`<${Name} text=${row.holder} />`;
  return html`
    <tr class=${flash} onClick=${(event) => open(event, row)}>
      <td><${KeyLink} ...${row} />
        ${holder && html`<span class="sub narrow">${holder}</span>`}
        ${row.anchor && html`<span class="sub">under <${Name} text=${row.anchor} /></span>`}</td>
      <td><${State} ...${row} />${row.waiting > 0 && html`<span class="sub narrow">${row.waiting} waiting</span>`}</td>
      <td class="wide">${holder}</td>
      <td class="wide">${since && html`<${Ago} at=${since} />`}</td>
      <td>${held && row.expiresAt && html`<${Countdown} to=${row.expiresAt} over="0s" />`}</td>
      <td class="right num wide">${row.waiting > 0 ? html`<b>${count(row.waiting)}</b>` : ''}</td>
      <td class="right num wide">${count(row.grants)}</td>
    </tr>`;
}

/** How far the search went, and the ways on and back. The earlier pages are kept with the entry of the browser's history. */
function Foot({ live, params, rows }) {
  const { head } = live;
  const earlier = history.state?.earlier ?? [];
  const next = () => go('leases', { ...params, page: head.nextPage }, { state: { earlier: [...earlier, params.page ?? ''] } });
  const back = () => go('leases', { ...params, page: earlier.at(-1) }, { state: { earlier: earlier.slice(0, -1) } });
  return html`
    <div class="foot">
      <p class="note" role="status">${live.isOld ? 'Searching …' : summary(head, rows, params)}</p>
      <div class="actions">
        ${params.page && html`<a class="button" href=${href('leases', { ...params, page: '' })}>First page</a>`}
        ${params.page && earlier.length > 0 && html`<button onClick=${back}>Previous</button>`}
        ${head.nextPage && html`<button onClick=${next}>${head.more ? 'Search on' : 'Next'}</button>`}
      </div>
    </div>`;
}

function summary(head, rows, params) {
  const scanned = params.holder || params.attribute || head.more;
  const shown = rows.length === 1 ? '1 key' : `${count(rows.length)} keys`;
  if (!scanned) return rows.length ? `${shown} on this page.` : 'No key matches.';
  const searched = `${head.scanning ? 'Searching: ' : 'Searched '}${count(head.searched)} keys${head.scanning ? ' so far' : ''}`;
  const found = rows.length ? `${shown} found` : 'none found';
  return head.more ? `${searched}, ${found}. There are more keys to search.` : `${searched}, ${found}.`;
}

/** The first step with an empty store. */
export const NoLeases = () => html`
  <${Empty} title="No leases yet">
    <p>Take the first one. This runs a script while it holds the lease <b>deploy</b>, on any machine that reaches this server:</p>
    <${Command}>holdfast run deploy --store ${location.origin} -- ./deploy.sh<//>
    <p class="note">The lease appears here within a second. If there are leases that you do not see, your token may not read their namespace.</p>
  <//>`;
