// The log-in. The page keeps a random session id in this tab, never the bearer token.
import { go } from './route.js';
import { observable } from './state.js';
import { learnServerTime } from './time.js';

const STORED = 'holdfast.session';
const API = 'api/';
const OTHER_TABS_MILLIS = 200;
const channel = 'BroadcastChannel' in window ? new BroadcastChannel('holdfast.session') : null;

/** {login: 'starting' | 'none' | 'needed' | 'done', caller, mayAdminister, store, title, version, reason}. */
export const session = observable({ login: 'starting' });

/** An answer that is no success. */
export class Problem extends Error {
  constructor(status, body, retryAfterSeconds) {
    super(body.detail || body.title || `the server answered ${status}`);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

function storedId() {
  return sessionStorage.getItem(STORED);
}

function keep(id) {
  if (id) sessionStorage.setItem(STORED, id);
  else sessionStorage.removeItem(STORED);
}

/**
 * Sends a request to the API. A 401 ends the session, except for attempts to log in.
 *
 * The mode stays that of plain fetch: others send `Origin: null` under the referrer policy of the page.
 */
export async function request(path, options = {}) {
  const headers = { 'X-Holdfast-Dashboard': '1', ...options.headers };
  const id = storedId();
  if (id && !options.isLogin) headers.Authorization = `Session ${id}`;
  const response = await fetch(API + path, { credentials: 'omit', cache: 'no-store', ...options, headers });
  if (response.ok) return response;
  const problem = new Problem(
    response.status, await response.json().catch(() => ({})), Number(response.headers.get('Retry-After')) || 0);
  if (response.status === 401 && !options.isLogin) end(problem.message);
  throw problem;
}

export async function act(body) {
  const response = await request('actions', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  });
  return response.json();
}

/** Shows the log-in, with the reason. */
function end(reason) {
  if (session.get().login === 'needed') return;
  keep(null);
  session.set({ ...session.get(), login: 'needed', caller: undefined, reason });
}

async function logIn(options) {
  const response = await request('session', { method: 'POST', isLogin: true, ...options });
  learnServerTime(response.headers.get('Date'));
  const { session: id, ...facts } = await response.json();
  keep(id);
  session.set({ login: 'done', ...facts });
  channel?.postMessage({ offer: id });
}

export const logInWithToken = (token) => logIn({ headers: { Authorization: `Bearer ${token}` } });

const logInWithCode = (code) => logIn({
  headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ code }),
});

export async function logOut() {
  const id = storedId();
  try {
    await request('session', { method: 'DELETE' });
  } finally {
    channel?.postMessage({ ended: id });
    end('You have logged out.');
  }
}

async function refresh() {
  const response = await request('session');
  // The first message of a view may be some seconds old.
  learnServerTime(response.headers.get('Date'));
  const facts = await response.json();
  if (facts.login !== 'done') keep(null);
  session.set(facts);
}

/** Asks the other tabs of this server for their session. */
function askOtherTabs() {
  if (!channel) return Promise.resolve();
  return new Promise((resolve) => {
    const answered = ({ data }) => {
      if (typeof data?.offer === 'string') keep(data.offer);
      if (storedId()) done();
    };
    const done = () => {
      channel.removeEventListener('message', answered);
      resolve();
    };
    channel.addEventListener('message', answered);
    setTimeout(done, OTHER_TABS_MILLIS);
    channel.postMessage({ ask: true });
  });
}

channel?.addEventListener('message', ({ data }) => {
  const id = storedId();
  if (data.ask && id) channel.postMessage({ offer: id });
  if (data.ended && data.ended === id) end('You have logged out in another tab.');
  if (typeof data.offer === 'string' && session.get().login === 'needed') {
    keep(data.offer);
    refresh().catch(() => {});
  }
});

/** The one-time code in the address; undefined if there is none. */
function codeInAddress() {
  return /^#code=(.+)$/.exec(location.hash)?.[1];
}

// The browser does not load the page again for an address that is pasted into an open tab.
addEventListener('hashchange', () => {
  if (codeInAddress()) location.reload();
});

/** Finds the session: from the one-time code in the address, this tab, or another tab. */
export async function start() {
  const code = codeInAddress();
  if (code) {
    go('overview', {}, { replace: true });
    try {
      await logInWithCode(decodeURIComponent(code));
      return;
    } catch (problem) {
      session.set({ login: 'needed', reason: `The address cannot be used: ${problem.message}.` });
      return;
    }
  }
  if (!storedId()) await askOtherTabs();
  await refresh();
}
