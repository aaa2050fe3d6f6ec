// The heat map in the page: a canvas of the size of its window, which scrolls, and the legend.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from './vendor/htm-preact.js';
import { AGES, STATES, cellOf, draw, drawCell, group, indexAt, inks, place, shades, step } from './heatmap.js';
import { isDark, theme, useObservable } from './state.js';
import { serverNow, span, useTick } from './time.js';

const REPAINT_MILLIS = 5000;
const LEAST_HEIGHT = 300;
const SHARE_OF_WINDOW = 0.62;
const ARROWS = ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'Home', 'End'];

/** One line about a unit. */
export function describe(name, row) {
  const [worker, state, grantedAt] = row;
  const age = grantedAt ? `, for ${span(Math.max(1, serverNow() / 1000 - grantedAt))}` : '';
  return `${name}: ${STATES[state] ?? state}${worker ? ` ${state === 'a' ? 'to' : 'on'} ${worker}` : ''}${age}`;
}

function useDark() {
  const [, redraw] = useState(0);
  useObservable(theme);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const changed = () => redraw((n) => n + 1);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  return isDark();
}

/** Fits a canvas to a size in CSS pixels, and returns its context. */
function fit(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/**
 * The heat map.
 *
 * @param names all units, sorted
 * @param onSelect called with the name of the unit that was clicked, or chosen with Enter
 */
export function HeatMap({ live, names, workers, selected, onSelect }) {
  const box = useRef(null);
  const canvas = useRef(null);
  const [width, setWidth] = useState(0);
  const [hover, setHover] = useState(-1);
  // The focus stays with its unit if others come and go.
  const [focusedName, setFocusedName] = useState(null);
  const [spoken, setSpoken] = useState('');
  const dark = useDark();
  useTick();

  const groups = useMemo(() => group(live.rows, names, workers), [live.version, names, workers]);
  const layout = useMemo(() => place(groups, width), [groups, width]);
  const height = Math.ceil(Math.min(layout.height, Math.max(LEAST_HEIGHT, innerHeight * SHARE_OF_WINDOW)));
  const index = (name) => {
    if (name === null) return -1;
    const it = layout.groups.find((each) => each.names.includes(name));
    return it ? it.start + it.names.indexOf(name) : -1;
  };
  const chosen = useMemo(() => index(selected), [layout, selected]);
  const focused = useMemo(() => index(focusedName), [layout, focusedName]);

  function paint() {
    if (!width) return;
    const context = fit(canvas.current, width, height);
    draw(context, {
      layout, rows: live.rows, top: box.current.scrollTop, height, nowSeconds: serverNow() / 1000, dark,
    });
  }
  const painter = useRef(paint);
  painter.current = paint;
  // Colours change with age, so the map is also painted without news.
  useLayoutEffect(paint, [layout, height, dark, Math.floor(serverNow() / REPAINT_MILLIS)]);

  useLayoutEffect(() => {
    // The room for the scroll bar is always there, so the width does not depend on the content.
    const observer = new ResizeObserver(() => setWidth(box.current.clientWidth));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  function show(at) {
    const { y } = cellOf(layout, at);
    const { scrollTop } = box.current;
    if (y < scrollTop + 20) box.current.scrollTop = y - 20;
    else if (y > scrollTop + height - 30) box.current.scrollTop = y - height + 30;
  }
  useEffect(() => {
    if (chosen >= 0) show(chosen);
  }, [selected, width > 0]);

  const at = (event) => {
    const frame = canvas.current.getBoundingClientRect();
    return indexAt(layout, event.clientX - frame.left, event.clientY - frame.top + box.current.scrollTop);
  };
  function press(event) {
    if (layout.units === 0) return;
    if (ARROWS.includes(event.key)) {
      event.preventDefault();
      const next = focused < 0 ? Math.max(0, chosen) : step(layout, focused, event.key);
      const { name } = cellOf(layout, next);
      setFocusedName(name);
      show(next);
      setSpoken(describe(name, live.rows.get(name)));
    } else if ((event.key === 'Enter' || event.key === ' ') && focused >= 0) {
      event.preventDefault();
      onSelect(focusedName);
    }
  }
  function click(event) {
    const found = at(event);
    if (found < 0) return;
    const { name } = cellOf(layout, found);
    setFocusedName(name);
    onSelect(name);
  }

  return html`
    <div class="heat">
      <div class="heat-window" ref=${box} style=${{ height: `${height}px` }} tabindex="0" role="application" aria-label="Heat map of units"
          aria-describedby="heat-help" onScroll=${() => painter.current()} onKeyDown=${press}
          onBlur=${() => setFocusedName(null)} onClick=${click}
          onPointerMove=${(event) => setHover(at(event))} onPointerLeave=${() => setHover(-1)}>
        <canvas ref=${canvas} aria-hidden="true"></canvas>
        <div class="heat-room" style=${{ height: `${layout.height}px`, marginTop: `${-height}px` }}></div>
        ${[...new Set([chosen, focused, hover])].map((it) => html`<${Mark} layout=${layout} index=${it} />`)}
      </div>
      <p class="heat-line"><bdi>${line(layout, live, hover >= 0 ? hover : focused)}</bdi></p>
      <div class="hidden" aria-live="polite">${spoken}</div>
      <p class="hidden" id="heat-help">Arrow keys go from unit to unit, Enter selects one. The same data is in the table of units.</p>
      <${Legend} dark=${dark} />
    </div>`;
}

/** The frame around one cell. It is no part of the canvas, so pointing at cells paints nothing. */
function Mark({ layout, index }) {
  const found = index >= 0 && cellOf(layout, index);
  const edge = `${layout.cell + 3}px`;
  return found && html`<div class="heat-mark" style=${{ left: `${found.x - 2}px`, top: `${found.y - 2}px`, width: edge, height: edge }}></div>`;
}

function line(layout, live, index) {
  const found = index >= 0 && cellOf(layout, index);
  const row = found && live.rows.get(found.name);
  return row ? describe(found.name, row) : 'Point at a cell, or use the arrow keys. A click or Enter selects the unit.';
}

const SHORT = [['a', 'moving'], ['p', 'paused'], ['r', 'resting'], ['w', 'waiting'], ['u', 'unplaced'], ['d', 'done'], ['f', 'free']];

function Sample({ state, colour, dark }) {
  const canvas = useRef(null);
  useLayoutEffect(() => {
    const context = fit(canvas.current, 16, 16);
    context.clearRect(0, 0, 16, 16);
    drawCell(context, state, 0.5, 0.5, 16, colour, inks(dark));
  }, [state, colour, dark]);
  return html`<canvas class="sample" ref=${canvas} aria-hidden="true"></canvas>`;
}

function Legend({ dark }) {
  const colours = shades(210, dark);
  return html`
    <ul class="legend" aria-label="Legend">
      <li>held, one colour a worker:</li>
      ${AGES.map(([, name], i) => html`<li key=${name}><${Sample} state="h" colour=${colours[i]} dark=${dark} />${name}</li>`)}
      ${SHORT.map(([state, name]) => html`<li key=${name}><${Sample} state=${state} colour=${colours[1]} dark=${dark} />${name}</li>`)}
    </ul>`;
}
