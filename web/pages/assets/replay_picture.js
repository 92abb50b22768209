// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The picture of a replay: cards left and right, the switch between them, a cable for each plane, and the frame that is
// on its way. It is drawn for the narrowest screens and grows with the page.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 300, CARD = 70, CABLE_FROM = 71, SWITCH_FROM = 122, SWITCH_TO = 178;
const PLANES = 4, PITCH = 22, HEAD = 30, ROOM = HEAD + PLANES * PITCH + 14, TRAIL = 4;

/** Short words for what is on a cable. */
const SIGNS = { acknowledge: "ack", retransmit: "again?", rts: "RTS", cts: "CTS", next_cts: "CTS+", data: "data", stop_data: "stop",
  last_data: "last", msgend: "end", msgerror: "error", vdma_data: "slice", vdma_get: "GET", try_match: "TRY", match_reply: "match",
  upd_conn: "conn", command: "credit", short_message: "hello", get_ext_reply: "blocks", damaged: "✗" };

/** What kind of frame it is, for its colour: of a link only, with data, or neither. */
export function kindOf(step) {
  if (step.message === "acknowledge" || step.message === "retransmit") return "link";
  return /data$/.test(step.message) ? "data" : "word";
}

export const signOf = (step) => SIGNS[step.message] ?? step.message;

function s(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const word = (x, y, text, attributes = {}) => s("text", { x, y, ...attributes }, document.createTextNode(text));

/** Where a card is: side, top. Even ones stand on the left. */
const placeOf = (card) => ({ left: card % 2 === 0, top: Math.floor(card / 2) * ROOM });

/** The ends of a step's cable, in the direction of the frame. */
function wayOf(step) {
  const { left, top } = placeOf(step.card);
  const card = left ? CABLE_FROM : WIDTH - CABLE_FROM, middle = left ? SWITCH_FROM : SWITCH_TO;
  return { y: top + HEAD + step.plane * PITCH + PITCH / 2, from: step.up ? card : middle, to: step.up ? middle : card };
}

function drawCard(card, { name, iuca }) {
  const { left, top } = placeOf(card);
  const x = left ? CABLE_FROM - CARD : WIDTH - CABLE_FROM, middle = left ? x + 27 : x + CARD - 27;
  const group = s("g", {}, s("rect", { x, y: top + 4, width: CARD, height: ROOM - 12, rx: 8, class: "card-box" }),
    word(x + CARD / 2, top + 20, name.replace(/^node .*/, "node"), { "text-anchor": "middle", class: "who" }), word(middle, top + HEAD + 2 * PITCH + 4, String(iuca), { "text-anchor": "middle", class: "plane" }));
  for (let plane = 0; plane < PLANES; plane += 1) {
    const y = top + HEAD + plane * PITCH + PITCH / 2, end = left ? CABLE_FROM : WIDTH - CABLE_FROM;
    group.append(s("line", { x1: end, x2: left ? SWITCH_FROM : SWITCH_TO, y1: y, y2: y, class: "cable" }),
      word(end + (left ? -6 : 6), y + 4, String(plane), { "text-anchor": left ? "end" : "start", class: "plane" }));
  }
  return group;
}

/** Makes the picture of a replay. `look(index)` is called with the step of the frame that the pointer is on, or null. */
export function picture(replay, look) {
  const rows = Math.ceil(replay.cards.length / 2), height = rows * ROOM;
  const frames = s("g", {});
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", class: "replay" },
    s("rect", { x: SWITCH_FROM, y: 4, width: SWITCH_TO - SWITCH_FROM, height: height - 12, rx: 8, class: "card-box" }),
    word((SWITCH_FROM + SWITCH_TO) / 2, 20, "switch", { "text-anchor": "middle", class: "who" }));
  replay.cards.forEach((card, i) => svg.append(drawCard(i, card)));
  svg.append(frames);

  const drawFrame = (index, part, state) => {
    const step = replay.steps[index], { y, from, to } = wayOf(step);
    const lost = step.condition === "lost", x = from + (to - from) * (lost ? Math.min(part, .5) : part);
    const group = s("g", { class: `frame ${kindOf(step)} ${state}${step.condition === "sound" ? "" : " hurt"}`, transform: `translate(${x} ${y})` },
      s("circle", { r: state === "now" ? 8 : 5 }));
    if (state === "now") group.append(word(0, -10, lost && part >= .5 ? "lost ✗" : signOf(step), { "text-anchor": "middle" }));
    group.addEventListener("pointerenter", () => look(index));
    group.addEventListener("pointerleave", () => look(null));
    frames.append(group);
  };

  return {
    svg,
    /** Shows step `index` with its frame at `part` (0 to 1) of its cable, and faintly where those before it arrived. */
    show(index, part) {
      frames.replaceChildren();
      for (let before = Math.max(0, index - TRAIL); before < index; before += 1) drawFrame(before, 1, "past");
      drawFrame(index, part, "now");
    },
    /** What it shows, for those who do not see it. */
    say(text) { svg.setAttribute("aria-label", text); },
  };
}
