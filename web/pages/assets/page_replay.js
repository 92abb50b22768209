// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Replays what happened on the Intercept network, frame by frame: a lesson, or a capture that `assay replay` has turned
// into steps. Nothing is sent to the service: the file is read here.

import { api } from "./api.js";
import { announce, bookOf, card, command, crumbs, facts, h, profileOf, table, title } from "./dom.js";
import { lessons } from "./lessons.js";
import { kindOf, picture, signOf } from "./replay_picture.js";

const SLOWEST_MS = 900, QUICKEST_MS = 120;
const FATES = { lost: "is lost on its way", corrupt: "arrives damaged", withdrawn: "is withdrawn by the switch, which had begun to forward it" };

const end = (replay, step) => ({ card: replay.cards[step.card].name, other: "the switch" });

/** A step in a sentence. */
function tell(replay, step) {
  const { card: node, other } = end(replay, step), [from, to] = step.up ? [node, other] : [other, node];
  return `${step.label} from ${from} to ${to} over plane ${step.plane}${step.again ? ", sent again" : ""}${FATES[step.condition] ? `: it ${FATES[step.condition]}` : ""}`;
}

function causeOf(replay, step) {
  const cause = replay.causes[step.cause];
  if (!cause) return "no call that is known: the network itself";
  const by = replay.cards[cause.by]?.name ?? "a node", to = replay.cards[cause.to]?.name ?? "another";
  return [h("code", null, cause.call), cause.by === cause.to ? ` of ${by}: ${cause.what}` : ` of ${by}, with ${to}: ${cause.octets} octets (${cause.what})`];
}

/** Why there is such a frame, in the words of the catalogue. */
function why(step, sentences) {
  return step.requirements.map((id) => h("div", { class: "rule" }, bookOf(id) ? h("a", { class: "mono", href: bookOf(id) }, id) : h("strong", { class: "mono" }, id),
    h("p", null, sentences.get(id) ?? "")));
}

function header(step) {
  const columns = [{ title: "Field" }, { title: "Value" }];
  if (!step.fields.length) return h("p", { class: "quiet" }, "None of its fields may be believed.");
  return table("Decoded header", columns, step.fields.map(([name, value]) => name === "Portals header"
    ? h("tr", null, h("th", { scope: "rowgroup", colspan: "2" }, `Portals header: ${value}`))
    : h("tr", null, h("td", { class: "quiet" }, name), h("td", { class: "mono" }, value))));
}

/** The player: picture, buttons, what the frame is, the list of all. */
function player(replay, sentences) {
  const steps = replay.steps;
  let at = 0, playing = null, links = true;
  const about = h("div"), said = h("p", { class: "now" });
  const pic = picture(replay, (index) => describe(index ?? at));
  const slider = h("input", { type: "range", min: "0", max: String(steps.length - 1), value: "0", "aria-label": "Step", input: () => { stop(); go(Number(slider.value)); } });
  const play = h("button", { type: "button", click: () => (playing ? stop() : start()) }, "Play");
  const rows = steps.map((step, i) => h("li", { class: kindOf(step) }, h("button", { type: "button", class: "plain", click: () => { stop(); go(i); } },
    h("span", { class: "quiet" }, `${step.time_us.toFixed(0)} µs`), ` ${signOf(step)} `, h("span", { class: "small" }, `${replay.cards[step.card].name} ${step.up ? "→" : "←"} switch, plane ${step.plane}${step.again ? ", again" : ""}${step.condition === "sound" ? "" : `, ${step.condition}`}`))));
  const list = h("ol", { class: "frames", tabindex: "0", "aria-label": "All frames" }, rows);

  function describe(index) {
    const step = steps[index];
    about.replaceChildren(h("h2", null, step.label),
      facts(["Step", `${index + 1} of ${steps.length}, packet ${step.packet} of the capture`], ["Time", `${step.time_us.toFixed(1)} µs`],
        ["Cause", causeOf(replay, step)], ["Length", `${step.octets} octets`]),
      ...step.findings.map((finding) => h("p", { class: "error" }, `${finding.requirement}: ${finding.text}`)),
      h("h3", null, "Why"), ...why(step, sentences), h("h3", null, "Header"), header(step));
  }

  function go(index, part = 1) {
    const moved = index !== at || part === 1;
    rows[at].removeAttribute("aria-current");
    at = index;
    pic.show(at, part);
    if (!moved) return;
    const sentence = `Step ${at + 1} of ${steps.length}, ${steps[at].time_us.toFixed(1)} µs: ${tell(replay, steps[at])}.`;
    rows[at].setAttribute("aria-current", "step");
    list.scrollTop = rows[at].offsetTop - list.clientHeight / 2;
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", sentence);
    said.textContent = sentence;
    pic.say(sentence);
    if (!playing) announce(sentence);
    describe(at);
  }

  // The next step in a direction; those of links alone are passed over where they are not wanted.
  function next(from, by) {
    let index = from + by;
    while (!links && steps[index] && kindOf(steps[index]) === "link") index += by;
    return steps[index] ? index : from;
  }

  function stop() {
    cancelAnimationFrame(playing);
    playing = null;
    play.textContent = "Play";
  }

  // Virtual time: what took longer takes longer here, within bounds that an eye can follow.
  function start() {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let begun = null;
    play.textContent = "Pause";
    const frame = (now) => {
      begun ??= now;
      const gap = (steps[next(at, 1)].time_us - steps[at].time_us) * 20;
      const part = (now - begun) / Math.min(SLOWEST_MS, Math.max(QUICKEST_MS * (still ? 6 : 3), gap));
      if (part < 1) {
        if (!still) pic.show(at, part);
      } else if (next(at, 1) === at) {
        go(at);
        stop();
        return;
      } else {
        begun = now;
        go(next(at, 1), still ? 1 : 0.001);
        describe(at);
        said.textContent = `Step ${at + 1} of ${steps.length}, ${steps[at].time_us.toFixed(1)} µs: ${tell(replay, steps[at])}.`;
        rows[at].setAttribute("aria-current", "step");
        slider.value = String(at);
      }
      playing = requestAnimationFrame(frame);
    };
    if (next(at, 1) === at) go(0);
    playing = requestAnimationFrame(frame);
  }

  const step = (by) => { stop(); go(next(at, by)); };
  const keys = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => { stop(); go(0); }, End: () => { stop(); go(steps.length - 1); }, " ": () => (playing ? stop() : start()) };
  const stage = h("div", { class: "stage", tabindex: "0", role: "group", "aria-label": "Picture: arrow keys step, space plays",
    keydown: (event) => { if (keys[event.key]) { event.preventDefault(); keys[event.key](); } } }, pic.svg);
  const controls = h("div", { class: "row controls" }, h("button", { type: "button", click: () => { stop(); go(0); } }, "First"),
    h("button", { type: "button", click: () => step(-1) }, "Back"), play, h("button", { type: "button", click: () => step(1) }, "Forward"),
    h("label", { class: "inline" }, h("input", { type: "checkbox", checked: true, change: (event) => { links = event.target.checked; list.classList.toggle("no-links", !links); } }), " link frames too"));
  go(0);
  return [card(null, stage, said, controls, slider), h("div", { class: "grid" }, h("section", { class: "card" }, about), card("All frames", replay.left_out ? h("p", { class: "notice" }, `${replay.left_out} more frames are not shown.`) : null, list))];
}

/** Whether a file is what `assay replay` prints; throws a sentence that says what is not. */
function checked(replay) {
  const good = Array.isArray(replay?.steps) && replay.steps.length && Array.isArray(replay.cards) && Array.isArray(replay.causes)
    && replay.steps.every((step) => replay.cards[step.card] && step.plane >= 0 && step.plane < 4 && Array.isArray(step.fields) && Array.isArray(step.requirements) && Array.isArray(step.findings) && Number.isFinite(step.time_us));
  if (!good) throw new Error("This is JSON, but not what assay replay prints.");
  return replay;
}

/** The sentences of the catalogue that its steps refer to; none where this service does not know it. */
async function sentencesOf(replay) {
  const profile = profileOf(replay.steps[0].requirements[0] ?? "");
  if (!profile) return new Map();
  const { requirements } = await api("GET", `/api/v1/profiles/${profile}/requirements`);
  return new Map(requirements.map((row) => [row.id, row.obligation]));
}

/** /replay: lessons to choose from, and a file of one's own. */
export async function replayPage(show) {
  title("Replay");
  const out = h("div"), error = h("p", { class: "error", role: "alert", hidden: true });
  const take = async (event) => {
    const file = event.target.files[0];
    error.hidden = true;
    if (!file) return;
    try {
      const text = await file.text();
      let replay;
      try { replay = JSON.parse(text); } catch { throw new Error("This is no JSON. Turn a capture into steps first: assay replay CAPTURE."); }
      out.replaceChildren(...player(checked(replay), await sentencesOf(replay)));
    } catch (problem) {
      out.replaceChildren();
      error.textContent = `${file.name}: ${problem.message}`;
      error.hidden = false;
    }
  };
  show(h("h1", null, "Replay"), h("p", null, "Watch what travels over the Intercept network: cards, four planes and a switch, one frame at a time, with the call that caused it and the requirement that explains it."),
    card("Lessons", h("ul", { class: "chapters" }, lessons.map((lesson) => h("li", null, h("a", { href: `/replay/${lesson.name}` }, lesson.title))))),
    card("Your own job", command("portalsrun -np 2 --nal intercept --trace job.pcapng ./program && assay replay job.pcapng >job.json"),
      h("label", { for: "replay-file" }, "Steps of a job (job.json)"), h("input", { type: "file", id: "replay-file", accept: ".json,application/json", change: take }), h("p", { class: "hint" }, "The file stays in this browser."), error), out);
}

/** /replay/LESSON: one of the lessons that come with the service. */
export async function replayLesson(show, name) {
  const lesson = lessons.find((one) => one.name === name);
  if (!lesson) throw Object.assign(new Error("There is no such lesson."), { status: 404 });
  title(lesson.title);
  const { default: replay } = await import(`/assets/lesson-${lesson.name}.js`);
  show(crumbs(h("a", { href: "/replay" }, "Replay"), lesson.title), h("h1", null, lesson.title), ...lesson.about.map((text) => h("p", null, text)), ...player(replay, await sentencesOf(replay)));
}
