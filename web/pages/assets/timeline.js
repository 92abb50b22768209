// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// What happened in a case, in one line of time: calls with their arguments, answers, packets with their fields,
// judgements; with the step that the verdict is about marked.

import { announce, bookOf, h, sign } from "./dom.js";

const BEFORE = 14, AFTER = 6, SHORT = 40; // events that are shown around the step that the verdict is about; of others at first
const INLINE = { call: 14, reply: 14, wire: 4 }; // so many arguments, outputs or fields stand in the line itself

/** Whether the system under test said it, and not the manager or a peer of the manager's. */
const bySystem = (event) => (event.kind === "reply" || event.kind === "wire") && /^(rank|agent|system)/.test(event.from);

/** The judgement that the verdict is, and the step that it is about: places in the list, -1 where there is none. Evidence
 * of earlier versions has no judgements: there it is what says literally what was observed. */
export function decisive(events, one) {
  const judgement = events.findLastIndex((event) => event.kind === "judged" && event.label === one.requirement && event.detail.startsWith(`${one.verdict}: `));
  if (one.verdict !== "fail" && one.verdict !== "warn") return { judgement, step: -1 };
  const said = (event) => bySystem(event) && event.label === one.observed;
  const past = events.slice(0, judgement < 0 ? events.length : judgement);
  const literally = past.findLastIndex(said);
  return { judgement, step: literally >= 0 || judgement < 0 ? literally : past.findLastIndex(bySystem) };
}

/** The pairs NAME=VALUE of a line; what is not one stands under the name "". */
function pairsOf(text) {
  return (text.match(/[^\s=]+=(?:"(?:[^"\\]|\\.)*"|\S*)|\S+/g) ?? []).map((word) => {
    const at = word.indexOf("=");
    return at > 0 ? [word.slice(0, at), word.slice(at + 1)] : ["", word];
  });
}

const valueMarked = (value, observed) => observed && value === observed ? h("mark", null, value) : value;

function fields(kind, pairs, observed) {
  const named = pairs.filter(([name]) => name);
  if (!named.length) return null;
  if (named.length <= (INLINE[kind] ?? 4)) {
    return h("span", { class: "mono" }, named.flatMap(([name, value]) => [" ", h("span", { class: "quiet" }, `${name}=`), valueMarked(value, observed)]));
  }
  return h("details", { open: Boolean(observed) }, h("summary", { class: "small" }, `${named.length} fields`),
    h("dl", { class: "fields mono" }, named.map(([name, value]) => [h("dt", null, name), h("dd", null, valueMarked(value, observed))])));
}

/** What an event says: its head, and the rest of its line. A call is "ID DEADLINE VERB ARGUMENTS", an answer "ID WORD
 * OUTPUTS"; the answer's number finds its call. */
function said(event, calls, observed) {
  const words = event.detail.split(" ");
  if (event.kind === "call") {
    calls.set(`${event.to} ${words[0]}`, event.label);
    return [h("strong", { class: "mono" }, event.label), fields("call", pairsOf(words.slice(3).join(" ")), "")];
  }
  if (event.kind === "reply" && words[0] === "hello") return ["the interpreter says what it is", fields("wire", pairsOf(event.detail), "")];
  if (event.kind === "reply") {
    const call = calls.get(`${event.from} ${words[0]}`);
    return [call ? h("span", { class: "mono" }, call) : null, call ? " returns " : null, h("strong", { class: "mono" }, valueMarked(event.label, observed)),
      fields("reply", pairsOf(words.slice(2).join(" ")).filter(([name]) => name !== "rc"), observed)];
  }
  const pairs = pairsOf(event.detail);
  const plain = !pairs.some(([name]) => name);
  return [h("strong", { class: "mono" }, event.label), plain ? [" ", h("span", { class: "mono" }, event.detail)] : fields("wire", pairs, observed)];
}

function judgement(event, one) {
  const [verdict, ...rest] = event.detail.split(": ");
  const decided = verdict !== "good" && event.label === one.requirement && verdict === one.verdict;
  const row = decided ? one.requirement_rows.find(({ id }) => id === event.label) : null;
  const id = bookOf(event.label) ? h("a", { class: "mono", href: bookOf(event.label) }, event.label) : h("span", { class: "mono" }, event.label);
  return [verdict === "good" ? [h("span", { "aria-hidden": "true" }, "✓ "), h("span", { class: "unseen" }, "as demanded: ")] : h("strong", null, `${sign(verdict)} ${verdict} `),
    event.label ? [id, ": "] : null, rest.join(": "),
    decided && (one.expected || one.observed) ? h("div", { class: "small" }, "expected ", h("code", null, one.expected || "–"), ", observed ", h("code", null, h("mark", null, one.observed || "–"))) : null,
    row ? h("blockquote", null, row.obligation) : null];
}

const CLASSES = { call: "call", reply: "reply", wire: "wire", step: "step" };

function entry(event, one, calls, isStep) {
  const verdict = event.kind === "judged" ? event.detail.split(":")[0] : "";
  const who = event.from && event.from !== event.to ? h("span", { class: "who" }, `${event.from} → ${event.to}`) : null;
  return h("li", { class: `${CLASSES[event.kind] ?? `judged ${verdict}`}${isStep ? " hit" : ""}` },
    h("span", { class: "time" }, `${event.time.toFixed(1)} ms`),
    h("div", null, isStep ? h("span", { class: `tag ${one.verdict}` }, "✗ not as expected") : null, isStep ? " " : null, who, who ? " " : null,
      event.kind === "judged" ? judgement(event, one) : event.kind === "step" ? h("em", null, event.detail || event.label) : said(event, calls, isStep ? one.observed : "")));
}

/** A button in place of events that are not shown; they come when it is pressed. */
function folded(entries, word) {
  const item = h("li", { class: "more" }, h("button", {
    type: "button",
    click: () => {
      entries[0].tabIndex = -1;
      item.replaceWith(...entries);
      entries[0].focus();
      announce(`${entries.length} events more`);
    },
  }, `Show ${entries.length} ${word} events`));
  return entries.length > 1 ? [item] : entries;
}

/** The events as a list. Of many only those around the step that the verdict is about are shown at once. */
export function timeline(events, one) {
  const { judgement: at, step } = decisive(events, one);
  const calls = new Map();
  const entries = events.map((event, i) => entry(event, one, calls, i === step));
  const focus = step >= 0 ? step : at;
  const from = focus < 0 || events.length <= SHORT ? 0 : Math.max(0, focus - BEFORE);
  const end = events.length <= SHORT ? events.length : focus < 0 ? SHORT : Math.max(focus, at) + AFTER;
  return h("ol", { class: "timeline", "aria-label": "What happened, in the order of time" },
    from ? folded(entries.slice(0, from), "earlier") : null, entries.slice(from, end), end < events.length ? folded(entries.slice(end), "later") : null);
}
