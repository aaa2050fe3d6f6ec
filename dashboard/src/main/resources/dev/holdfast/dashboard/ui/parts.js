// Small parts that all screens use.
import { html, useEffect, useRef } from './vendor/htm-preact.js';
import { keyHref } from './route.js';

/** A name that a user chose. It is isolated, so that text from right to left does not disturb its surroundings. */
export const Name = ({ text }) => html`<bdi class="name" title=${text}>${text}</bdi>`;

export const keyText = (namespace, name) => (namespace ? `${namespace}/${name}` : name);

export const KeyLink = ({ namespace, name }) => html`
  <a class="key" href=${keyHref(namespace, name)}><${Name} text=${keyText(namespace, name)} /></a>`;

const STATES = {
  held: ['held', '●'], free: ['free', '○'], done: ['done', '✓'], expired: ['expired', '◌'],
};

/** The state of a key: a word and a sign, beside the colour. */
export function State({ state, expired }) {
  const [word, sign] = STATES[expired ? 'expired' : state] ?? [state, '·'];
  return html`<span class=${`state ${word}`}><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

export const Badge = ({ kind = '', title, children }) => html`<span class=${`badge ${kind}`} title=${title}>${children}</span>`;

/** A titled part of a screen. */
export const Panel = ({ title, note, actions, children, id }) => html`
  <section class="panel" aria-labelledby=${id}>
    <div class="panel-head">
      <h2 id=${id}>${title}</h2>
      ${actions && html`<div class="actions">${actions}</div>`}
    </div>
    ${note && html`<p class="note">${note}</p>`}
    ${children}
  </section>`;

/** Says that there is nothing, and the first step to change that. */
export const Empty = ({ title, children }) => html`<div class="empty"><p class="empty-title">${title}</p>${children}</div>`;

export const Command = ({ children }) => html`<pre class="command" tabindex="0" aria-label="Command"><code>${children}</code></pre>`;

let screensOpened = 0;

/** The heading of a screen. It gets the focus when another screen opens, so that a screen reader starts there. */
export function Heading({ title, children, crumb }) {
  const heading = useRef(null);
  useEffect(() => {
    if (screensOpened++ === 0) return;
    scrollTo(0, 0);
    heading.current.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${title} – Holdfast`;
  }, [title]);
  return html`
    <div class="heading">
      ${crumb && html`<p class="crumb">${crumb}</p>`}
      <div class="heading-line">
        <h1 ref=${heading} tabindex="-1"><bdi>${title}</bdi></h1>
        ${children}
      </div>
    </div>`;
}

/** What to show while a view has no data: an error, or that it loads. */
export function Loading({ live }) {
  return live.error ? html`<${Trouble} live=${live} />` : html`<p class="loading">Loading …</p>`;
}

/** The last error of a view, if it has one. */
export const Trouble = ({ live }) => live.error && html`
  <div class="message failed" role="alert"><strong>${live.error.title}:</strong> <bdi>${live.error.detail}</bdi></div>`;

/** One number with its label. */
export const Figure = ({ label, value, note, kind = '' }) => html`
  <div class=${`figure ${kind}`}>
    <dt>${label}</dt>
    <dd><span class="value">${value}</span>${note && html`<span class="figure-note">${note}</span>`}</dd>
  </div>`;

/** A table that scrolls sideways by itself if it is too wide. */
export const Table = ({ label, children }) => html`
  <div class="table"><table aria-label=${label}>${children}</table></div>`;
