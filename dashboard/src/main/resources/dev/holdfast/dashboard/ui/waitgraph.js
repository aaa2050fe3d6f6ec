// The graph of holders that wait for others, as a drawing and as text.
import { html } from './vendor/htm-preact.js';
import { KeyLink, Name, Panel, keyText } from './parts.js';

/** More boxes than this cannot be read; the text has all of them. */
const MOST_NODES = 40;
const BOX = { width: 158, height: 30, across: 56, down: 26 };

export function WaitGraph({ graph, truncated }) {
  const { edges, cycles } = graph;
  return html`
    <${Panel} id="graph" title="Wait-for graph"
        note="An arrow leads from a client that waits to the holder of the key. It covers this server alone.">
      ${cycles.map((cycle) => html`
        <div class="message failed" key=${cycle.join('\0')}><strong>✕ Cycle:</strong> ${[...cycle, cycle[0]].map((holder, i) => html`${i > 0 && ' waits for '}<${Name} text=${holder} />`)}.
          None of them goes on until one gives up, or is evicted.</div>`)}
      ${edges.length === 0 ? html`<p class="none">No holder waits for another one.</p>` : html`
        <${Drawing} graph=${graph} />
        <details><summary>The same as text (${edges.length})</summary>
          <ul class="edges">${edges.map((edge) => html`
            <li><${Name} text=${edge.from} /> waits for <${Name} text=${edge.to} /> because of <${KeyLink} ...${edge} />${isCyclic(graph, edge) && html` <b>(in a cycle)</b>`}</li>`)}</ul>
        </details>`}
      ${truncated && html`<p class="note">There are more: only a part is shown.</p>`}
    <//>`;
}

/** Whether an edge is part of a cycle. */
function isCyclic({ cycles }, edge) {
  return cycles.some((cycle) => cycle.some((holder, i) => holder === edge.from && cycle[(i + 1) % cycle.length] === edge.to));
}

/** Chooses the holders to draw: those in cycles first. */
function chosen({ nodes }) {
  return [...nodes].sort((a, b) => Number(b.cycle ?? false) - Number(a.cycle ?? false)).slice(0, MOST_NODES);
}

/**
 * The column of each holder: one left of the furthest holder that it waits for. Edges that close a cycle are left out,
 * so the search ends.
 */
function columns(nodes, edges) {
  const targets = new Map(nodes.map(({ holder }) => [holder, []]));
  for (const { from, to } of edges) if (targets.has(from) && targets.has(to)) targets.get(from).push(to);
  const depth = new Map();
  const open = new Set();
  function visit(holder) {
    if (depth.has(holder)) return depth.get(holder);
    open.add(holder);
    let most = 0;
    for (const to of targets.get(holder)) if (!open.has(to)) most = Math.max(most, visit(to) + 1);
    open.delete(holder);
    depth.set(holder, most);
    return most;
  }
  for (const { holder } of nodes) visit(holder);
  return depth;
}

function layout(graph) {
  const nodes = chosen(graph);
  const depth = columns(nodes, graph.edges);
  const deepest = Math.max(...depth.values());
  const used = new Map();
  const boxes = new Map(nodes.map((node) => {
    const column = deepest - depth.get(node.holder);
    const line = used.get(column) ?? 0;
    used.set(column, line + 1);
    return [node.holder, { ...node, x: 4 + column * (BOX.width + BOX.across), y: 14 + line * (BOX.height + BOX.down) }];
  }));
  return {
    boxes, left: graph.nodes.length - nodes.length,
    width: (deepest + 1) * (BOX.width + BOX.across) - BOX.across + 44,
    height: Math.max(...used.values()) * (BOX.height + BOX.down) + 20,
  };
}

/** A curve between two boxes. Edges that lead back pass below; those within a column, on the right. */
function curve(from, to) {
  const y1 = from.y + BOX.height / 2;
  const y2 = to.y + BOX.height / 2;
  const x1 = from.x + BOX.width;
  if (to.x > from.x) {
    const middle = (x1 + to.x) / 2;
    return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${to.x - 7} ${y2}`;
  }
  const x2 = to.x + BOX.width;
  if (to.x < from.x) {
    const [under1, under2] = [from.y + BOX.height, to.y + BOX.height + 7];
    const deepest = Math.max(under1, under2) + 24;
    return `M${from.x + 30} ${under1}C${from.x + 30} ${deepest} ${x2 - 30} ${deepest} ${x2 - 30} ${under2}`;
  }
  return `M${x1} ${y1 + 4}C${x1 + 34} ${y1 + 4} ${x2 + 34} ${y2 + 6} ${x2 + 7} ${y2 + 6}`;
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function Drawing({ graph }) {
  const { boxes, left, width, height } = layout(graph);
  const shown = graph.edges.filter((edge) => boxes.has(edge.from) && boxes.has(edge.to));
  return html`
    <div class="graph" tabindex="0" role="group" aria-label="Drawing of the wait-for graph">
      <svg viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} role="img"
          aria-label=${`${graph.nodes.length} holders, ${graph.edges.length} waits, ${graph.cycles.length} cycles. The text form follows.`}>
        <defs>${['plain', 'cyclic'].map((kind) => html`
          <marker id=${`arrow-${kind}`} class=${kind} viewBox="0 0 8 8" refX="1" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" /></marker>`)}</defs>
        ${shown.map((edge) => {
          const kind = isCyclic(graph, edge) ? 'cyclic' : 'plain';
          return html`<path class=${`edge ${kind}`} d=${curve(boxes.get(edge.from), boxes.get(edge.to))} marker-end=${`url(#arrow-${kind})`}>
            <title>${edge.from} waits for ${edge.to}: ${keyText(edge.namespace, edge.name)}</title></path>`;
        })}
        ${[...boxes.values()].map((box) => html`
          <g class=${box.cycle ? 'box cyclic' : 'box'}><title>${box.holder}</title>
            <rect x=${box.x} y=${box.y} width=${BOX.width} height=${BOX.height} rx="6" />
            <text x=${box.x + 10} y=${box.y + 19.5}>${cut((box.cycle ? '✕ ' : '') + box.holder, 21)}</text></g>`)}
      </svg>
    </div>
    ${left > 0 && html`<p class="note">${left} more holders are only in the text.</p>`}`;
}
