// The layout and the drawing of the heat map: one cell a unit, in one group for each worker.
// Everything here is without DOM nodes of its own, because a fleet may have 10,000 units and more.

export const STATES = {
  h: 'held', a: 'moving', p: 'paused', w: 'waits for other units', r: 'resting after failures',
  u: 'unplaced', d: 'done', f: 'free, not planned yet',
};
const WITHOUT_WORKER = { u: 'unplaced', p: 'paused', w: 'waiting', r: 'resting', a: 'moving', f: 'free', d: 'done', h: 'held' };
/** The upper ends of the age classes in seconds, and their names. The last class is open. */
export const AGES = [[60, '< 1 min'], [600, '< 10 min'], [3600, '< 1 h'], [86400, '< 1 day'], [Infinity, 'older']];

const MOST_GUTTER = 230;
const LETTER = 6.4;
const NARROW = 560;
const LABEL_HEIGHT = 18;
const GROUP_GAP = 4;
/** Neighbouring hues are far apart with this angle, however many workers there are. */
const GOLDEN_ANGLE = 137.508;

/** Groups the units by worker; units without a worker follow, by state. `names` is sorted, so the groups are. */
export function group(rows, names, workers) {
  const groups = new Map();
  for (const worker of workers) groups.set(worker, { title: worker, worker, names: [] });
  const homeless = new Map(Object.entries(WITHOUT_WORKER).map(([state, title]) => [state, { title: `no worker, ${title}`, worker: null, names: [] }]));
  for (const name of names) {
    const [worker, state] = rows.get(name);
    if (!worker) {
      homeless.get(homeless.has(state) ? state : 'f').names.push(name);
      continue;
    }
    if (!groups.has(worker)) groups.set(worker, { title: worker, worker, names: [] });
    groups.get(worker).names.push(name);
  }
  return [...groups.values(), ...[...homeless.values()].filter((it) => it.names.length > 0)];
}

/** Places the groups below each other. Labels stand in a gutter, or above the cells on a narrow page. */
export function place(groups, width) {
  const units = groups.reduce((sum, it) => sum + it.names.length, 0);
  const cell = units > 3000 ? 10 : units > 600 ? 13 : 18;
  const isNarrow = width < NARROW;
  const longest = Math.max(...groups.map((it) => it.title.length), 8);
  const left = isNarrow ? 0 : Math.min(MOST_GUTTER, longest * LETTER + 46);
  const columns = Math.max(1, Math.floor((width - left - 4) / cell));
  let top = 0;
  let start = 0;
  const placed = groups.map((it, hue) => {
    const lines = Math.max(1, Math.ceil(it.names.length / columns));
    const cellsTop = top + (isNarrow ? LABEL_HEIGHT : 0);
    const height = (isNarrow ? LABEL_HEIGHT : 0) + Math.max(lines * cell, isNarrow ? 0 : 14);
    const result = { ...it, top, cellsTop, lines, start, bottom: top + height, hue: (hue * GOLDEN_ANGLE + 210) % 360 };
    top += height + GROUP_GAP;
    start += it.names.length;
    return result;
  });
  return { groups: placed, cell, left, columns, isNarrow, width, height: top, units: start };
}

/** The first group that ends below the height. */
function groupIndexAt(layout, y) {
  let low = 0;
  let high = layout.groups.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (layout.groups[middle].bottom < y) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the unit at a point, or -1. */
export function indexAt(layout, x, y) {
  const it = layout.groups[groupIndexAt(layout, y)];
  if (!it || x < layout.left || y < it.cellsTop) return -1;
  const column = Math.floor((x - layout.left) / layout.cell);
  const at = Math.floor((y - it.cellsTop) / layout.cell) * layout.columns + column;
  return column < layout.columns && at < it.names.length ? it.start + at : -1;
}

/** The group of a unit, its name, and the corner of its cell. */
export function cellOf(layout, index) {
  const it = layout.groups.find((each) => index >= each.start && index < each.start + each.names.length);
  if (!it) return null;
  const at = index - it.start;
  const column = at % layout.columns;
  return {
    group: it, name: it.names[at], column, line: Math.floor(at / layout.columns),
    x: layout.left + column * layout.cell, y: it.cellsTop + Math.floor(at / layout.columns) * layout.cell,
  };
}

/** The index after a step with an arrow key. Up and down keep the column, also across groups. */
export function step(layout, index, key) {
  const last = layout.units - 1;
  if (key === 'ArrowRight') return Math.min(last, index + 1);
  if (key === 'ArrowLeft') return Math.max(0, index - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  const { group: from, column, line } = cellOf(layout, index);
  const direction = key === 'ArrowDown' ? 1 : -1;
  if (line + direction >= 0 && line + direction < from.lines) {
    return from.start + Math.min(from.names.length - 1, (line + direction) * layout.columns + column);
  }
  for (let i = layout.groups.indexOf(from) + direction; layout.groups[i]; i += direction) {
    const to = layout.groups[i];
    const first = direction > 0 ? 0 : (to.lines - 1) * layout.columns;
    if (to.names.length) return to.start + Math.min(to.names.length - 1, first + column);
  }
  return index;
}

/** The colours of a worker by age, youngest first: the longer a unit is held, the calmer its colour. */
export function shades(hue, dark) {
  return AGES.map((_, i) => (dark ? `hsl(${hue} ${68 - i * 7}% ${70 - i * 9}%)` : `hsl(${hue} ${72 - i * 7}% ${38 + i * 9}%)`));
}

export function inks(dark) {
  return dark
    ? { text: '#c6ccd6', weak: '#98a1b0', empty: '#4c5564', quiet: '#3a4250', mark: '#f2f4f8', warn: '#e0a63a', bad: '#f0716b' }
    : { text: '#333b47', weak: '#5c6675', empty: '#aab2be', quiet: '#d5dae1', mark: '#2b323c', warn: '#b06f00', bad: '#c2302b' };
}

const ageClass = (seconds) => AGES.findIndex(([end]) => seconds < end);

/** Draws the mark of one unit. Every state has a shape of its own, so colour is never the only sign. */
export function drawCell(context, state, x, y, size, colour, ink) {
  const s = size - 1;
  const line = Math.max(1, Math.round(size / 9));
  const frame = (stroke) => {
    context.strokeStyle = stroke;
    context.lineWidth = line;
    context.strokeRect(x + line / 2, y + line / 2, s - line, s - line);
  };
  const stroke = (paint, ...points) => {
    context.strokeStyle = paint;
    context.lineWidth = line * 1.4;
    context.beginPath();
    for (const [x1, y1, x2, y2] of points) {
      context.moveTo(x + x1 * s, y + y1 * s);
      context.lineTo(x + x2 * s, y + y2 * s);
    }
    context.stroke();
  };
  const fill = (paint, fx = 0, fy = 0, fw = 1, fh = 1) => {
    context.fillStyle = paint;
    context.fillRect(x + fx * s, y + fy * s, fw * s, fh * s);
  };
  switch (state) {
    case 'h': fill(colour); break;
    case 'a': // a frame, and its lower half filled
      frame(colour);
      fill(colour, 0, 0.5, 1, 0.5);
      break;
    case 'p': // two bars
      fill(ink.quiet);
      fill(ink.mark, 0.22, 0.2, 0.2, 0.6);
      fill(ink.mark, 0.58, 0.2, 0.2, 0.6);
      break;
    case 'w': // a frame with a dot
      frame(ink.empty);
      fill(ink.mark, 0.38, 0.38, 0.26, 0.26);
      break;
    case 'r': // a frame with a falling line
      frame(ink.warn);
      stroke(ink.warn, [0.15, 0.15, 0.85, 0.85]);
      break;
    case 'u': // a cross
      frame(ink.bad);
      stroke(ink.bad, [0.22, 0.22, 0.78, 0.78], [0.78, 0.22, 0.22, 0.78]);
      break;
    case 'd': // a tick
      fill(ink.quiet);
      stroke(ink.mark, [0.2, 0.55, 0.42, 0.78], [0.42, 0.78, 0.82, 0.25]);
      break;
    default: frame(ink.empty);
  }
}

function cut(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end--;
  return `${text.slice(0, end)}…`;
}

function drawLabel(context, it, layout, top, ink) {
  const number = String(it.names.length);
  context.font = '11px system-ui, sans-serif';
  const y = it.top - top + (layout.isNarrow ? 13 : Math.max(11, layout.cell / 2 + 4));
  const right = layout.isNarrow ? layout.width - 4 : layout.left - 10;
  context.textAlign = 'right';
  context.fillStyle = ink.weak;
  context.fillText(number, right, y);
  context.textAlign = 'left';
  context.fillStyle = it.worker ? ink.text : ink.weak;
  context.fillText(cut(context, it.title, right - context.measureText(number).width - 8), 0, y);
}

/** Draws the part between `top` and `top + height`. */
export function draw(context, { layout, rows, top, height, nowSeconds, dark }) {
  const ink = inks(dark);
  const { cell, columns, left } = layout;
  context.clearRect(0, 0, layout.width, height);
  for (let g = groupIndexAt(layout, top); g < layout.groups.length && layout.groups[g].top < top + height; g++) {
    const it = layout.groups[g];
    drawLabel(context, it, layout, top, ink);
    const colours = shades(it.hue, dark);
    const from = Math.max(0, Math.floor((top - it.cellsTop) / cell)) * columns;
    const to = Math.min(it.names.length, Math.ceil((top + height - it.cellsTop) / cell) * columns);
    for (let at = from; at < to; at++) {
      const row = rows.get(it.names[at]);
      if (!row) continue;
      const colour = colours[row[2] ? ageClass(nowSeconds - row[2]) : 0];
      drawCell(context, row[1], left + (at % columns) * cell, it.cellsTop - top + Math.floor(at / columns) * cell, cell, colour, ink);
    }
  }
}
