// The page: log-in, navigation, and the screen of the address.
import { html, render, useEffect, useErrorBoundary } from './vendor/htm-preact.js';
import { Contention } from './contention.js';
import { Dialogs } from './dialogs.js';
import { Fleet } from './fleet.js';
import { Fleets } from './fleets.js';
import { KeyScreen } from './key.js';
import { Leases } from './leases.js';
import { Login } from './login.js';
import { Overview } from './overview.js';
import { href, route } from './route.js';
import { logOut, session, start } from './session.js';
import { chooseTheme, connection, notice, theme, useObservable } from './state.js';

const NAVIGATION = [
  ['overview', 'Overview', 'M3 12h4l3-8 4 16 3-8h4'],
  ['leases', 'Leases', 'M6 11V8a6 6 0 0 1 12 0v3M5 11h14v10H5z'],
  ['fleets', 'Fleets', 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z'],
  ['contention', 'Contention', 'M4 6h10M4 12h16M4 18h7'],
];
/** Screens without an entry of their own, and the entry that they belong to. */
const PARENTS = { key: 'leases', fleet: 'fleets' };

/** The screen, or what to do if it has failed. */
function Screen({ address }) {
  const [failure, retry] = useErrorBoundary((error) => console.error(error));
  return failure
    ? html`<h1 tabindex="-1">This screen has failed</h1><p>${failure.message}</p><p><button onClick=${retry}>Try again</button></p>`
    : screen(address);
}

/** The screen of an address. The key makes another key or fleet start afresh. */
function screen({ screen: name, params }) {
  switch (name) {
    case 'overview': return html`<${Overview} />`;
    case 'leases': return html`<${Leases} params=${params} />`;
    case 'key': return html`<${KeyScreen} key=${`${params.namespace}\0${params.name}`} namespace=${params.namespace ?? ''} name=${params.name ?? ''} />`;
    case 'fleets': return html`<${Fleets} />`;
    case 'fleet': return html`<${Fleet} key=${params.name} name=${params.name ?? ''} params=${params} />`;
    case 'contention': return html`<${Contention} />`;
    default: return html`<h1 tabindex="-1">No such page</h1><p>Choose one from the navigation.</p>`;
  }
}

const CONNECTION = {
  live: ['●', 'Live'], connecting: ['◌', 'Connecting'], reconnecting: ['◌', 'Reconnecting'], paused: ['○', 'Paused'],
};

function Connection() {
  const [sign, word] = CONNECTION[useObservable(connection)];
  return html`<span class=${`connection ${word.toLowerCase()}`} role="status"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

function ThemeSwitch() {
  const chosen = useObservable(theme);
  return html`
    <label class="theme"><span class="hidden">Colours</span>
      <select name="colours" value=${chosen} onChange=${(event) => chooseTheme(event.target.value)}>
        <option value="">System colours</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>`;
}

function Navigation({ current }) {
  return html`
    <nav aria-label="Screens"><ul>
      ${NAVIGATION.map(([name, title, path]) => html`
        <li><a href=${href(name)} aria-current=${name === (PARENTS[current] ?? current) ? 'page' : undefined}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>${title}</a></li>`)}
    </ul></nav>`;
}

function Notice() {
  const shown = useObservable(notice);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => notice.set(null), 12_000);
    return () => clearTimeout(timer);
  }, [shown]);
  return html`
    <div class="notice-place" role="status">
      ${shown && html`<div class=${`message ${shown.failed ? 'failed' : 'good'}`}>${shown.text}
        <button class="small" onClick=${() => notice.set(null)}>Dismiss</button></div>`}
    </div>`;
}

function skip(event) {
  event.preventDefault();
  const heading = document.querySelector('h1');
  heading.focus();
  heading.scrollIntoView({ block: 'center' });
}

function Shell({ facts }) {
  const address = useObservable(route);
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <header class="side">
      <div class="brand"><img src="favicon.svg" width="26" height="26" alt="" />
        <div><strong>Holdfast</strong><span class="server" title=${facts.store}>${facts.title}</span></div>
        <${Connection} />
      </div>
      <${Navigation} current=${address.screen} />
      <div class="account">
        <span class="caller">${facts.login === 'none'
          ? 'No log-in needed' : html`<bdi title=${facts.caller}>${facts.caller}</bdi>`}${!facts.mayAdminister && html`<span class="note"> · read only</span>`}</span>
        <${ThemeSwitch} />
        ${facts.login === 'done' && html`<button class="small" onClick=${logOut}>Log out</button>`}
        <span class="note version">${facts.store} · ${facts.version}</span>
      </div>
    </header>
    <main id="main">
      <${Notice} />
      <${Screen} key=${address.screen} address=${address} />
    </main>
    <${Dialogs} />`;
}

function App() {
  const facts = useObservable(session);
  if (facts.login === 'starting') {
    return html`<p class="starting" role="status">${facts.trouble ?? 'Loading the dashboard …'}</p>`;
  }
  return facts.login === 'needed' ? html`<${Login} facts=${facts} />` : html`<${Shell} facts=${facts} />`;
}

/** Starts the session, and tries again while the server does not answer. */
async function begin() {
  try {
    await start();
  } catch (problem) {
    session.set({ login: 'starting', trouble: `The server does not answer (${problem.message}). Trying again …` });
    setTimeout(begin, 3000);
  }
}

const place = document.getElementById('app');
place.replaceChildren();
render(html`<${App} />`, place);
begin();
