// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Draws who said what to whom: one line of life for each party, time downwards, an arrow for each message.

const SVG = "http://www.w3.org/2000/svg";
const LEFT = 78, GAP = 250, ROW = 30, TOP = 44;

function s(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The manager, then the system under test, then the scripted peers.
const PLACES = ["manager", "agent", "rank", "system", "peer"];

function placeOf(name) {
  const place = PLACES.findIndex((word) => name.startsWith(word));
  return place < 0 ? PLACES.length : place;
}

function partiesOf(arrows) {
  const parties = new Set();
  for (const arrow of arrows) {
    if (arrow.kind === "step" || arrow.kind === "judged") continue;
    parties.add(arrow.from);
    parties.add(arrow.to);
  }
  return [...parties].filter((name) => name)
    .sort((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b, "en", { numeric: true }));
}

function tip(element, arrow) {
  element.append(s("title", {}, document.createTextNode(`${arrow.label}\n${arrow.detail ?? ""}`)));
  return element;
}

function shorten(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function drawStep(arrow, y, width) {
  return s("g", {}, s("rect", { x: LEFT - 6, y: y - 15, width: width - LEFT, height: 21, rx: 5, class: "step" }),
    s("text", { x: LEFT + 4, y }, document.createTextNode(shorten(arrow.kind === "judged" ? `${arrow.label} ${arrow.detail}` : arrow.detail || arrow.label, Math.floor((width - LEFT) / 7.6)))));
}

function drawArrow(arrow, y, at) {
  const from = at(arrow.from), to = at(arrow.to);
  const own = from === to;
  const end = own ? from + 40 : to;
  const sign = end >= from ? 1 : -1;
  const points = `${end},${y} ${end - 8 * sign},${y - 4} ${end - 8 * sign},${y + 4}`;
  const room = Math.max(GAP, Math.abs(end - from));
  const label = s("text", { x: (from + end) / 2 + (own ? 30 : 0), y: y - 5, "text-anchor": own ? "start" : "middle" },
    document.createTextNode(shorten(arrow.label, Math.floor(room / 7.8))));
  return tip(s("g", {}, s("line", { x1: from, y1: y, x2: end, y2: y, class: arrow.kind, "stroke-width": 1.6 }),
    s("polygon", { points, class: arrow.kind }), label), arrow);
}

/** An SVG of the ladder, or null when there is nothing to draw. `hit` is the event that was not as expected, or undefined.
 * What was judged well is left out. */
export function ladder(events, hit) {
  const arrows = events.filter((event) => event.kind !== "judged" || !event.detail.startsWith("good: "));
  if (!arrows.length) return null;
  const parties = partiesOf(arrows);
  const width = LEFT + Math.max(1, parties.length - 1) * GAP + 150, height = TOP + arrows.length * ROW + 16;
  const at = (name) => LEFT + 60 + Math.max(0, parties.indexOf(name)) * GAP;
  const svg = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Sequence of ${arrows.length} messages; the transcript says the same in words` });
  for (const name of parties) {
    svg.append(s("line", { x1: at(name), x2: at(name), y1: TOP - 12, y2: height - 8, class: "life" }),
      s("text", { x: at(name), y: 20, "text-anchor": "middle", class: "who" }, document.createTextNode(name)));
  }
  arrows.forEach((arrow, i) => {
    const y = TOP + 12 + i * ROW;
    if (arrow === hit) {
      svg.append(s("rect", { x: 2, y: y - 20, width: width - 4, height: ROW - 2, rx: 5, class: "hit" }),
        s("text", { x: width - 10, y: y + 3, "text-anchor": "end", class: "hit" }, document.createTextNode("✗ not as expected")));
    }
    svg.append(s("text", { x: 8, y: y + 3, class: "time" }, document.createTextNode(`${(arrow.time ?? 0).toFixed(1)} ms`)),
      arrow.kind === "step" || arrow.kind === "judged" ? drawStep(arrow, y, width) : drawArrow(arrow, y, at));
  });
  return svg;
}
