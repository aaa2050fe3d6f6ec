"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = id => document.getElementById(id);
  const chart = byId("chart");
  const LEFT = 118, RIGHT = 16, TOP = 26, ROW = 19, BASE = 26;
  const COLOURS = ["#2f6fad", "#8a5a00", "#3b7d4f", "#7a4fa3", "#9c3f6d", "#2b7a83", "#5d6b1f", "#66574c"];
  const LOOSE = 2; // The most milliseconds of overlap that are only rounding.
  const DRAWN_MAX = 1500; // More messages than this in view are too many to tell apart.
  const hidden = new Set();
  let key = "";
  let view = data.view.slice();
  let current = -1;
  let steps = data.steps;
  let layout = null;

  const short = text => text.slice(text.lastIndexOf("/") + 1);
  const brief = text => text.replace(/\d{10,}/g, digits => "…" + digits.slice(-6));
  const seconds = ms => (ms / 1000).toFixed(3) + " s";
  const colour = lane => COLOURS[Math.max(0, data.lanes.filter(name => name !== "store").indexOf(lane)) % COLOURS.length];
  const ofKey = keys => !key || keys.length === 0 || keys.includes(key);
  const shown = lane => !hidden.has(lane);

  function element(name, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [attribute, value] of Object.entries(attributes || {})) made.setAttribute(attribute, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }
  function add(name, attributes, text, tip) {
    const made = element(name, attributes, text);
    if (tip) made.append(element("title", {}, tip));
    chart.append(made);
    return made;
  }
  const x = at => LEFT + (at - view[0]) / (view[1] - view[0]) * (chart.clientWidth - LEFT - RIGHT);
  const timeAt = px => view[0] + (px - LEFT) / (chart.clientWidth - LEFT - RIGHT) * (view[1] - view[0]);
  const inView = (from, to) => to >= view[0] && from <= view[1];
  const clamp = px => Math.max(LEFT - 4, Math.min(chart.clientWidth + 4, px));

  /** Gives each lane its place, with a row for each key that it holds in view. */
  function place() {
    let y = TOP;
    layout = new Map();
    for (const lane of data.lanes.filter(shown)) {
      const spans = (lane === "store" ? data.stored : data.terms).filter(span =>
        span.lane === lane && (!key || span.subject === key) && inView(span.from, span.until || span.to));
      const rows = [...new Set(spans.map(span => span.subject))].sort().slice(0, 12);
      const height = BASE + rows.length * ROW + 10, top = y;
      layout.set(lane, { y, height, rows, spans, bar: row => top + BASE + rows.indexOf(row) * ROW, wire: lane === "store" ? y + height : y + 8 });
      y += height + 8;
    }
    return y;
  }

  function draw() {
    const height = place() + (data.violation ? 34 : 4);
    chart.setAttribute("height", height);
    chart.replaceChildren();
    const defs = add("defs");
    const hatch = element("pattern", { id: "hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
    hatch.append(element("line", { x1: 0, y1: 0, x2: 0, y2: 7, class: "hatchline" }));
    defs.append(hatch);
    for (const kind of ["request", "answer", "late"]) {
      const tip = element("marker", { id: "tip-" + kind, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" });
      tip.append(element("path", { d: "M0 0L8 4L0 8z", class: "tip-" + kind }));
      defs.append(tip);
    }
    for (const place of layout.values()) {
      add("rect", { x: 0, y: place.y, width: chart.clientWidth, height: place.height, class: "laneback" });
    }
    drawAxis(height);
    drawClashZone();
    data.faults.forEach(drawFault);
    for (const place of layout.values()) place.spans.filter(span => place.rows.includes(span.subject)).forEach(span => drawBar(span, place));
    drawMessages();
    drawViolation(height);
    drawCursor(height);
    drawNames(height);
  }

  function drawAxis(height) {
    const range = view[1] - view[0];
    const wanted = range / Math.max(2, (chart.clientWidth - LEFT) / 110);
    const power = Math.pow(10, Math.floor(Math.log10(wanted)));
    const tick = [1, 2, 5, 10].map(factor => factor * power).find(candidate => candidate >= wanted);
    const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(tick))));
    for (let at = Math.ceil(view[0] / tick) * tick; at <= view[1]; at += tick) {
      add("line", { x1: x(at), y1: TOP - 6, x2: x(at), y2: height, class: "grid" });
      add("text", { x: x(at) + 3, y: TOP - 10, class: "soft" }, (at / 1000).toFixed(digits) + " s");
    }
  }

  function drawNames(height) {
    add("rect", { x: 0, y: 0, width: LEFT - 4, height, class: "cover" });
    for (const [lane, place] of layout) {
      add("rect", { x: 0, y: place.y, width: LEFT - 4, height: place.height, class: "laneback" });
      add("rect", { x: 0, y: place.y, width: 4, height: place.height, fill: lane === "store" ? "var(--soft)" : colour(lane) });
      add("text", { x: 10, y: place.y + 17, class: "name" }, lane);
      place.rows.forEach(row => add("text", { x: 14, y: place.bar(row) + 12, class: "soft" }, short(row)));
    }
  }

  function drawFault(fault) {
    const place = layout.get(fault.lane);
    if (!place || !inView(fault.from, fault.to)) return;
    const left = clamp(x(fault.from)), right = clamp(x(fault.to));
    if (fault.subject === "clock jump") {
      add("path", { d: `M${left} ${place.y + 2}l6 6l-6 6l-6 -6z`, class: "jump" }, undefined, "clock jump at " + seconds(fault.from));
      add("text", { x: left + 9, y: place.y + 12, class: "soft" }, "clock jumps");
      return;
    }
    add("rect", { x: left, y: place.y + 1, width: Math.max(2, right - left), height: place.height - 2, class: "fault" }, undefined,
      fault.lane + " " + fault.subject + ", " + seconds(fault.from) + " to " + (fault.open && !fault.until ? "later" : seconds(fault.until || fault.to)));
    if (right - left > 50) add("text", { x: left + 4, y: place.y + place.height - 4, class: "soft" }, fault.subject);
  }

  function drawBar(span, place) {
    const y = place.bar(span.subject), left = clamp(x(span.from)), right = clamp(x(span.to)), store = span.lane === "store";
    const tip = span.subject + ", " + span.label + ": " + seconds(span.from) + " to " + seconds(span.to)
      + (span.until && !store ? ", valid until " + seconds(span.until) : "") + (span.ending ? " (" + span.ending + ")" : "");
    const shape = { x: left, y, width: Math.max(2, right - left), height: ROW - 5, rx: 2 };
    if (store) {
      const holder = span.label.split(",")[0];
      add("rect", { ...shape, class: "stored", stroke: "var(--soft)", style: "fill:" + (data.lanes.includes(holder) ? colour(holder) : "var(--soft)") + ";fill-opacity:.22" }, undefined, tip);
      const before = place.spans.find(other => other !== span && other.subject === span.subject && other.to === span.from && other.ending === "held" && span.label !== "done");
      if (before) add("path", { d: `M${left} ${y - 5}l5 -6h-10z`, class: "taken" }, undefined, "taken over from " + before.label);
      if (before && right - left > 60) add("text", { x: left + 8, y: y - 3, class: "soft" }, "takeover");
    } else {
      add("rect", { ...shape, class: span.clash ? "term clash" : "term", ...(span.clash ? {} : { fill: colour(span.lane) }) }, undefined, tip);
      if (span.open && span.until > span.to) {
        const ahead = clamp(x(span.until));
        add("rect", { x: right, y, width: Math.max(0, ahead - right), height: ROW - 5, class: (span.clash ? "term clash" : "term") + " ahead", ...(span.clash ? {} : { fill: colour(span.lane) }) }, undefined, tip);
      }
    }
    for (const at of span.renewals) {
      if (at > view[0] && at < view[1] && !store) add("line", { x1: x(at), y1: y + 2, x2: x(at), y2: y + ROW - 7, class: "renewal" }, undefined, "renewed at " + seconds(at));
    }
    const label = brief(store ? span.label : "holds " + short(span.subject) + ", " + span.label);
    const end = span.open && span.until ? clamp(x(span.until)) : right;
    if (end - left > label.length * 6 + 8) add("text", { x: left + 5, y: y + 11, class: store ? "soft" : "onbar" }, label);
    else if (store && span.open) add("text", { x: right + 6, y: y + 11, class: "soft" }, label);
  }

  function drawMessages() {
    const store = layout.get("store");
    if (!store) return;
    const picked = steps[current] ? steps[current].message : 0;
    const visible = data.messages.filter(message => layout.has(message.lane) && ofKey(message.keys)
      && inView(message.sent, Math.max(message.sent, message.arrived || 0, message.delivered || 0)));
    const labels = new Map();
    visible.slice(-DRAWN_MAX).forEach(message => {
      const lane = layout.get(message.lane), marked = message.late || message.copy, isPicked = message.number === picked;
      const kind = marked ? "late" : "request";
      const name = message.label + (message.copy ? ", doubled" : "") + (message.late ? ", late" : "");
      const tip = message.lane + ": " + name + (message.answer ? "; answer: " + message.answer : "");
      const from = lane.wire, to = store.wire;
      const extra = isPicked ? " picked" : "";
      if (message.arrived !== null) {
        arrow("request" + (marked ? " late" : "") + extra, kind, x(message.sent), from, x(message.arrived), to, tip);
      } else if (message.lost) {
        lostArrow("request" + extra, x(message.sent), from, to, tip + "; the request is lost");
      }
      if (message.delivered !== null) {
        arrow("answer" + extra, "answer", x(message.answered), to, x(message.delivered), from, tip);
      } else if (message.answerLost && message.answered !== null) {
        lostArrow("answer" + extra, x(message.answered), to, from, tip + "; the answer is lost");
      }
      if (message.timedOut !== null && message.timedOut > view[0] && message.timedOut < view[1]) {
        add("text", { x: x(message.timedOut) - 3, y: from + 5, class: "unknown" }, "?", message.lane + " stops waiting: it does not know the outcome");
      }
      const at = x(message.sent), last = labels.get(message.lane);
      if (at > LEFT && (isPicked || marked || last === undefined || at - last > 74)) {
        add("text", { x: at + 3, y: from + 13, class: "soft", ...(marked ? { style: "fill:var(--late)" } : {}) }, name);
        labels.set(message.lane, at + name.length * 3);
      }
    });
  }

  function arrow(classes, kind, x1, y1, x2, y2, tip) {
    if (Math.max(x1, x2) < LEFT) return;
    add("line", { x1, y1, x2, y2, class: classes, "marker-end": "url(#tip-" + kind + ")" }, undefined, tip);
  }
  function lostArrow(classes, at, from, to, tip) {
    if (at < LEFT) return;
    const end = from + (to - from) * 0.45, across = at + 5;
    add("line", { x1: at, y1: from, x2: across, y2: end, class: classes }, undefined, tip);
    add("path", { d: `M${across - 5} ${end - 5}l10 10m0 -10l-10 10`, class: "cross" }, undefined, tip);
  }

  function drawClashZone() {
    const clash = data.terms.filter(term => term.clash && (!key || term.subject === key));
    if (clash.length < 2) return;
    const from = clash.map(term => term.from).sort((a, b) => b - a)[0];
    const to = clash.map(term => term.until || term.to).sort((a, b) => a - b)[0];
    if (to - from < LOOSE || !inView(from, to)) return;
    const bottom = Math.max(...[...layout.values()].map(place => place.y + place.height));
    add("rect", { x: clamp(x(from)), y: TOP, width: Math.max(1, clamp(x(to)) - clamp(x(from))), height: bottom - TOP, class: "badzone" });
  }

  function drawViolation(height) {
    if (!data.violation || !inView(data.violation.at, data.violation.at)) return;
    const at = x(data.violation.at);
    add("line", { x1: at, y1: TOP - 6, x2: at, y2: height - 26, class: "badline" });
    const text = "✗ " + seconds(data.violation.at) + ": invariant " + data.violation.invariant;
    const box = add("rect", { y: height - 27, height: 22, rx: 3, class: "badbox" });
    const label = add("text", { y: height - 12, class: "badtext" }, text);
    const width = label.getComputedTextLength() + 14;
    const left = Math.max(LEFT, Math.min(at - width / 2, chart.clientWidth - width - 4));
    box.setAttribute("x", left);
    box.setAttribute("width", width);
    label.setAttribute("x", left + 7);
  }

  function drawCursor(height) {
    const step = steps[current];
    if (!step || !inView(step.at, step.at)) return;
    const place = layout.get(step.lane);
    if (step.kind !== "violation") add("line", { x1: x(step.at), y1: TOP - 6, x2: x(step.at), y2: height, class: "cursor" });
    if (place && step.kind !== "violation") add("circle", { cx: x(step.at), cy: place.wire, r: 5, class: "dot" });
  }

  function filterSteps() {
    const kept = steps[current];
    steps = data.steps.filter(step => shown(step.lane) && ofKey(step.keys));
    current = kept ? steps.indexOf(kept) : -1;
    if (current < 0 && steps.length) current = kept ? nearest(kept.at, null) : steps.length - 1;
  }

  function nearest(at, lane) {
    let best = -1;
    steps.forEach((step, index) => {
      if (lane && step.lane !== lane) return;
      if (best < 0 || Math.abs(step.at - at) < Math.abs(steps[best].at - at)) best = index;
    });
    return best;
  }

  function go(index) {
    if (!steps.length) { show(); return; }
    current = Math.max(0, Math.min(steps.length - 1, index));
    const at = steps[current].at, range = view[1] - view[0];
    if (at < view[0] + range * 0.03 || at > view[1] - range * 0.03) view = [at - range / 2, at + range / 2];
    show();
  }

  function show() {
    const step = steps[current];
    const caption = byId("caption");
    caption.replaceChildren();
    if (step) {
      const time = document.createElement("b");
      time.textContent = seconds(step.at) + " · ";
      caption.append(time, step.text, ` (step ${current + 1} of ${steps.length})`);
    } else {
      caption.textContent = "No step matches the filter.";
    }
    byId("back").disabled = byId("first").disabled = current <= 0;
    byId("next").disabled = byId("last").disabled = current >= steps.length - 1;
    draw();
  }

  function zoom(factor, at) {
    const range = Math.max(0.5, Math.min((data.to - data.from) * 1.2 + 100, (view[1] - view[0]) * factor));
    const share = (at - view[0]) / (view[1] - view[0]);
    view = [at - share * range, at - share * range + range];
    draw();
  }
  const middle = () => steps[current] && inView(steps[current].at, steps[current].at) ? steps[current].at : (view[0] + view[1]) / 2;
  const shift = share => { const by = (view[1] - view[0]) * share; view = [view[0] + by, view[1] + by]; draw(); };
  const all = () => { const edge = (data.to - data.from) * 0.02 + 1; view = [data.from - edge, data.to + edge]; draw(); };
  const blame = () => {
    const index = steps.findIndex(step => step.kind === "violation");
    if (index >= 0) { view = data.view.slice(); go(index); }
  };

  const keys = {
    ArrowLeft: () => go(current - 1), ArrowRight: () => go(current + 1), Home: () => go(0), End: () => go(steps.length - 1),
    v: blame, a: all, "+": () => zoom(0.6, middle()), "=": () => zoom(0.6, middle()), "-": () => zoom(1 / 0.6, middle()),
    "[": () => shift(-0.3), "]": () => shift(0.3),
  };
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
    const action = keys[event.key];
    if (action) { event.preventDefault(); action(); }
  });
  for (const [id, action] of Object.entries({ first: keys.Home, back: keys.ArrowLeft, next: keys.ArrowRight, last: keys.End, blame, all, in: keys["+"], out: keys["-"] })) {
    byId(id).addEventListener("click", action);
  }
  chart.addEventListener("wheel", event => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.8 : 1.25, timeAt(event.offsetX));
  }, { passive: false });
  let dragged = null;
  chart.addEventListener("pointerdown", event => { dragged = { from: event.clientX, view: view.slice(), moved: false }; chart.setPointerCapture(event.pointerId); });
  chart.addEventListener("pointermove", event => {
    if (!dragged) return;
    const by = event.clientX - dragged.from;
    dragged.moved = dragged.moved || Math.abs(by) > 4;
    if (!dragged.moved) return;
    const time = by / (chart.clientWidth - LEFT - RIGHT) * (dragged.view[1] - dragged.view[0]);
    view = [dragged.view[0] - time, dragged.view[1] - time];
    draw();
  });
  chart.addEventListener("pointerup", event => {
    const clicked = dragged && !dragged.moved;
    dragged = null;
    if (!clicked) return;
    const y = event.clientY - chart.getBoundingClientRect().top;
    const lane = [...layout].find(([, place]) => y >= place.y && y <= place.y + place.height);
    go(nearest(timeAt(event.clientX - chart.getBoundingClientRect().left), lane ? lane[0] : null));
  });
  window.addEventListener("resize", draw);

  const verdict = byId("verdict");
  verdict.textContent = data.violation
    ? `Invariant ${data.violation.invariant}, is violated at ${seconds(data.violation.at)}: ${data.violation.details}.`
    : "No invariant is violated.";
  verdict.classList.toggle("bad", data.violation !== null);
  byId("blame").disabled = !data.violation || data.violation.at > data.to || data.violation.at < data.from;
  byId("bounds").textContent = data.bounds + " The whole run: " + data.tally + ".";
  byId("command").textContent = data.command;
  const select = byId("key");
  for (const value of ["", ...data.keys]) {
    const option = document.createElement("option");
    option.value = value;
    option.textContent = value || "all";
    select.append(option);
  }
  // A violation that names one key is easiest to read without the others.
  if (data.violation && data.violation.keys.length === 1) key = data.violation.keys[0];
  select.value = key;
  select.addEventListener("change", () => { key = select.value; filterSteps(); show(); });
  for (const lane of data.lanes) {
    const label = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("change", () => { if (box.checked) hidden.delete(lane); else hidden.add(lane); filterSteps(); show(); });
    label.append(box, " " + lane);
    byId("lanes").append(label);
  }
  filterSteps();
  const violated = steps.findIndex(step => step.kind === "violation");
  if (violated >= 0) blame(); else go(0);
  chart.scrollIntoView({ block: "nearest" });
})();
