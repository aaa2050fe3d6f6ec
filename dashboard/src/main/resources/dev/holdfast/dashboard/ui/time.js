// Times and durations. All of them count by the server's clock, because the viewer's may be wrong.
import { html, useEffect, useMemo, useReducer } from './vendor/htm-preact.js';

const UNIT_SECONDS = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400, w: 604800 };
const UNITS = [['d', 86400], ['h', 3600], ['m', 60], ['s', 1]];
const NEAR_MILLIS = 18 * 3600e3;
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const EXACT = new Intl.DateTimeFormat(undefined, {
  year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit',
  fractionalSecondDigits: 3, timeZoneName: 'short',
});

/** The seconds of a text such as "12.5s" or "1h30m"; undefined without a text. */
export function seconds(text) {
  if (text === undefined || text === null) return undefined;
  let sum = 0;
  for (const [, number, unit] of String(text).matchAll(/([\d.]+)(ms|[smhdw])/g)) sum += Number(number) * UNIT_SECONDS[unit];
  return sum;
}

/** A duration for people: its two largest units, such as "1h 57m". */
export function span(inSeconds) {
  const all = Math.max(0, inSeconds);
  if (all < 1) return `${Math.round(all * 1000)}ms`;
  const i = UNITS.findIndex(([, size]) => all >= size);
  const [unit, size] = UNITS[i];
  const [nextUnit, nextSize] = UNITS[i + 1] ?? [];
  const next = nextUnit ? Math.floor((all % size) / nextSize) : 0;
  return `${Math.floor(all / size)}${unit}${next ? ` ${next}${nextUnit}` : ''}`;
}

/** A measured duration, with the digits that matter below a second. */
export function shortSpan(text) {
  const value = seconds(text);
  if (value === undefined) return '–';
  if (value > 0 && value < 0.01) return `${(value * 1000).toFixed(1)}ms`;
  return value >= 1 && value < 10 ? `${value.toFixed(1)}s` : span(value);
}

/** Compares names: "shard-9" comes before "shard-10". */
export const byName = new Intl.Collator(undefined, { numeric: true }).compare;

const COUNT = new Intl.NumberFormat();
export const count = (number) => COUNT.format(number);

// The server's time when it was last received, and the reading of the local stopwatch then.
let serverMillis = NaN;
let receivedMillis = 0;
/** A time that is earlier by more than this means that the server's clock was set back. */
const MOST_DELAY_MILLIS = 60_000;

/** Learns the server's time. Messages arrive late, so the latest time counts. */
export function learnServerTime(at) {
  const millis = Date.parse(at);
  const delay = serverNow() - millis;
  if (Number.isNaN(millis) || (delay > 0 && delay < MOST_DELAY_MILLIS)) return;
  serverMillis = millis;
  receivedMillis = performance.now();
}

export const serverNow = () => serverMillis + performance.now() - receivedMillis;

const tickers = new Set();
setInterval(() => {
  if (!document.hidden) for (const ticker of [...tickers]) ticker();
}, 1000);

/** Renders the component each second. */
export function useTick() {
  const [, redraw] = useReducer((n) => n + 1, 0);
  useEffect(() => {
    tickers.add(redraw);
    return () => tickers.delete(redraw);
  }, []);
}

/** The exact instant, in the viewer's zone and in UTC. */
const exact = (at) => `${local(EXACT, at)} (${at})`;
const useExact = (at) => useMemo(() => exact(at), [at]);

/** The instant in the viewer's zone. A text that is no instant stays as it is. */
function local(format, at) {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at ?? 'unknown') : format.format(date);
}

/** A time in the viewer's zone, with the day unless it is within the last 18 hours. */
export function Instant({ at }) {
  const near = Math.abs(serverNow() - Date.parse(at)) < NEAR_MILLIS;
  return html`<time datetime=${at} title=${useExact(at)}>${local(near ? CLOCK : DAY, at)}</time>`;
}

/** How long ago an instant was; it counts up. */
export function Ago({ at, bare }) {
  useTick();
  const past = (serverNow() - Date.parse(at)) / 1000;
  return html`<time class="num" datetime=${at} title=${useExact(at)}>
    ${past < 1 ? 'now' : `${span(Math.floor(past))}${bare ? '' : ' ago'}`}</time>`;
}

/** How long it is until an instant, after the text `before`; at the end, the text `over`. */
export function Countdown({ to, before = '', over = 'now' }) {
  useTick();
  const left = (Date.parse(to) - serverNow()) / 1000;
  return html`<time class="num" datetime=${to} title=${useExact(to)}>${left <= 0 ? over : before + span(Math.ceil(left))}</time>`;
}
