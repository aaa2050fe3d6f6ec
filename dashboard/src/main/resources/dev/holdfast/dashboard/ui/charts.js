// Line charts of the last minutes, drawn as SVG.
import { html, useState } from './vendor/htm-preact.js';

const WIDTH = 320;
const HEIGHT = 110;
const LEFT = 34;
const TOP = 8;
const BOTTOM = 92;
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** The smallest round number that is not below the number. */
function roundUp(number) {
  if (!(number > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(number));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= number * 0.9999);
}

/** A number with as many digits as help. */
export function digits(number) {
  if (number === null || number === undefined) return '–';
  if (number === 0) return '0';
  return number >= 100 ? Math.round(number).toLocaleString() : String(Number(number.toPrecision(number >= 10 ? 3 : 2)));
}

/** The path through the values; it is interrupted where a value is unknown. */
function path(values, x, y) {
  let drawn = false;
  return values.map((value, i) => {
    if (value === null || value === undefined) {
      drawn = false;
      return '';
    }
    const command = drawn ? 'L' : 'M';
    drawn = true;
    // A lone point needs a line of some length to be visible.
    return `${command}${x(i).toFixed(1)} ${y(value).toFixed(1)}${command === 'M' ? 'h.01' : ''}`;
  }).join('');
}

function summary(values) {
  const known = values.filter((value) => value !== null && value !== undefined);
  if (!known.length) return null;
  return { now: values.at(-1), highest: Math.max(...known), mean: known.reduce((a, b) => a + b, 0) / known.length };
}

/**
 * A chart with one or two lines.
 *
 * @param lines [{label, values, kind}]
 */
export function LineChart({ title, unit, lines, stepSeconds, end }) {
  const [at, setAt] = useState(null);
  const steps = lines[0].values.length;
  const most = roundUp(Math.max(...lines.flatMap((line) => line.values.map((value) => value ?? 0))));
  const x = (i) => LEFT + (i / Math.max(1, steps - 1)) * (WIDTH - LEFT - 4);
  const y = (value) => BOTTOM - (value / most) * (BOTTOM - TOP);
  const minutes = Math.round((steps * stepSeconds) / 60);
  const facts = lines.map((line) => ({ ...line, ...summary(line.values) }));
  const label = `${title}, last ${minutes} minutes. ${facts.map((fact) => (fact.highest === undefined ? `${fact.label}: no data`
    : `${fact.label}: now ${digits(fact.now)}, mean ${digits(fact.mean)}, highest ${digits(fact.highest)} ${unit}`)).join('. ')}.`;

  function point(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const along = ((event.clientX - box.left) / box.width) * WIDTH - LEFT;
    setAt(Math.min(steps - 1, Math.max(0, Math.round((along / (WIDTH - LEFT - 4)) * (steps - 1)))));
  }

  const shown = at ?? steps - 1;
  const time = at === null ? 'now' : CLOCK.format(new Date(Date.parse(end) - (steps - 1 - at) * stepSeconds * 1000));
  return html`
    <figure class="chart">
      <figcaption>${title} <span class="note">${unit}</span></figcaption>
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}
          onPointerMove=${point} onPointerLeave=${() => setAt(null)}>
        ${[0, 0.5, 1].map((part) => html`
          <line class="rule" x1=${LEFT} x2=${WIDTH - 4} y1=${y(most * part)} y2=${y(most * part)} />
          <text x=${LEFT - 5} y=${y(most * part) + 3.5} text-anchor="end">${digits(most * part)}</text>`)}
        <text x=${LEFT} y=${HEIGHT - 4}>${minutes} min ago</text>
        <text x=${WIDTH - 4} y=${HEIGHT - 4} text-anchor="end">now</text>
        ${lines.map((line) => html`<path class=${`line ${line.kind}`} d=${path(line.values, x, y)} />`)}
        ${at !== null && html`<line class="cursor" x1=${x(at)} x2=${x(at)} y1=${TOP} y2=${BOTTOM} />`}
      </svg>
      <p class="readout">
        ${facts.map((fact) => html`
          <span><span class=${`swatch ${fact.kind}`} aria-hidden="true"></span>${fact.label} <b class="num">${digits(fact.values[shown])}</b></span>`)}
        <span class="note">${at === null && facts.length === 1 && facts[0].highest !== undefined ? `highest ${digits(facts[0].highest)}` : time}</span>
      </p>
    </figure>`;
}
