// Live data: one stream of server-sent events, read with fetch because EventSource cannot send a header.
import { useEffect, useReducer, useRef } from './vendor/htm-preact.js';
import { request } from './session.js';
import { connection } from './state.js';
import { learnServerTime } from './time.js';

/** The server sends a comment each 15 s, so a stream without data for longer is dead. */
const SILENCE_MILLIS = 30_000;
const FIRST_DELAY_MILLIS = 500;
const LAST_DELAY_MILLIS = 15_000;
/** A view is rendered at most this often, however many messages arrive. */
const RENDER_MILLIS = 200;

/** The state of a view: a head, rows by id, and their order. */
class LiveTable {
  head = null;
  rows = new Map();
  order = [];
  error = null;
  /** Whether the data is of an earlier query. */
  isOld = true;
  /** Counts the changes of the rows, for parts that are drawn only then. */
  version = 0;

  apply(message) {
    if (message.error) {
      this.error = message.error;
      return;
    }
    this.error = null;
    if (message.reset) {
      this.rows = new Map();
      this.order = [];
      this.head = null;
    }
    if (message.head) {
      this.head = message.head;
      learnServerTime(message.head.at);
    }
    for (const [id, row] of Object.entries(message.rows ?? {})) this.rows.set(id, row);
    for (const id of message.removed ?? []) this.rows.delete(id);
    if (message.order) this.order = message.order;
    if (message.reset || message.rows || message.removed || message.order) this.version++;
    this.isOld = false;
  }

  /** The rows in their order; without one, in the order of arrival. */
  list() {
    return this.order.length ? this.order.map((id) => this.rows.get(id)).filter(Boolean) : [...this.rows.values()];
  }
}

/** Reads a stream until it ends. */
async function read(response, onMessage, onAnything) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onAnything();
    const events = (pending + value).split('\n\n');
    pending = events.pop();
    for (const event of events) {
      const data = event.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5)).join('\n');
      if (data) onMessage(JSON.parse(data));
    }
  }
}

/** Keeps a stream open while the tab is visible. Returns a function that ends it. */
function follow(query, onMessage, onFailure) {
  let delayMillis = FIRST_DELAY_MILLIS;
  let abort = null;
  let timer = null;
  let ended = false;

  async function connect() {
    if (ended || document.hidden) return;
    clearTimeout(timer);
    abort?.abort();
    const mine = new AbortController();
    abort = mine;
    let watchdog;
    const heard = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => mine.abort(), SILENCE_MILLIS);
    };
    let waitMillis = 0;
    try {
      heard();
      const response = await request(`live?${query}`, { signal: mine.signal });
      await read(response, (message) => {
        if (ended || abort !== mine) return;
        delayMillis = FIRST_DELAY_MILLIS;
        connection.set('live');
        onMessage(message);
      }, heard);
    } catch (failure) {
      if (ended || abort !== mine || failure.status === 401) return;
      if (failure.status) onFailure({ title: failure.status < 500 ? 'The server rejected the request' : 'The server cannot answer now', detail: failure.message });
      waitMillis = (failure.retryAfterSeconds ?? 0) * 1000;
    } finally {
      clearTimeout(watchdog);
    }
    if (ended || abort !== mine || document.hidden) return;
    connection.set('reconnecting');
    // The random part spreads the pages that a restarted server has lost.
    timer = setTimeout(connect, Math.max(waitMillis, delayMillis * (0.75 + Math.random() / 2)));
    delayMillis = Math.min(delayMillis * 2, LAST_DELAY_MILLIS);
  }

  function onVisibility() {
    if (document.hidden) {
      clearTimeout(timer);
      abort?.abort();
      connection.set('paused');
    } else {
      connection.set('reconnecting');
      connect();
    }
  }

  document.addEventListener('visibilitychange', onVisibility);
  connect();
  return () => {
    ended = true;
    clearTimeout(timer);
    abort?.abort();
    document.removeEventListener('visibilitychange', onVisibility);
  };
}

/**
 * The live data of a view. While another query is loading, the data of the earlier one stays, marked with `isOld`.
 */
export function useLive(params) {
  const query = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== undefined && value !== '')).toString();
  const [, redraw] = useReducer((n) => n + 1, 0);
  const table = useRef(null);
  table.current ??= new LiveTable();
  const shownQuery = useRef(query);
  if (shownQuery.current !== query) {
    shownQuery.current = query;
    table.current.isOld = true;
  }
  useEffect(() => {
    let timer = 0;
    let renderedMillis = -RENDER_MILLIS;
    const schedule = () => {
      timer ||= setTimeout(() => {
        timer = 0;
        renderedMillis = performance.now();
        redraw();
      }, Math.max(0, renderedMillis + RENDER_MILLIS - performance.now()));
    };
    connection.set('connecting');
    const end = follow(query, (message) => {
      table.current.apply(message);
      schedule();
    }, (error) => {
      table.current.error = error;
      schedule();
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [query]);
  return table.current;
}
