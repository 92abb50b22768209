// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// One case: what it is for, what it judges, and, in a run, what came out and the evidence for it.

import { api, text, weight, whoami } from "./api.js";
import { bookOf, card, cells, command, crumbs, date, facts, h, section, table, tag, title } from "./dom.js";
import { ladder } from "./ladder.js";
import { packets } from "./packets.js";
import { decisive, timeline } from "./timeline.js";

const AXES = { sut: "the implementation", configuration: "the configuration", network: "the network", tester: "the tester", guest: "the other implementation, or this one" };

/** Requirements with their text; the one that the verdict is about is marked. */
function rules(rows, hit) {
  return rows.map((row) => h("div", { class: row.id === hit ? "rule hit" : "rule" },
    h("strong", { class: "mono" }, row.id), row.section ? h("span", { class: "quiet small" }, ` section ${row.section}, ${row.level}`) : null,
    bookOf(row.id) ? [h("span", { class: "quiet small" }, " · "), h("a", { class: "small", href: bookOf(row.id) }, "in the requirements book")] : null,
    row.id === hit ? h("span", { class: "small" }, " · the verdict is about this requirement") : null,
    h("p", null, row.obligation ?? ""), row.reading ? h("p", { class: "small quiet" }, h("em", null, "Reading: "), row.reading) : null));
}

/** What shows that the case can fail: broken copies of the reference that it detects. */
function mutantCard(one) {
  return card("Mutants detected", one.mutants.length ? h("p", { class: "quiet" },
    "Each of these changes breaks one requirement in the reference implementation, and this case detects it.")
    : h("p", { class: "quiet" }, "Unproven: there is no mutant of the reference that this case is known to detect."),
  one.mutants.map((mutant) => h("div", { class: "rule" }, h("strong", { class: "mono" }, mutant.mutant),
    h("span", { class: "quiet small" }, ` breaks ${mutant.breaks}`), h("p", null, mutant.why))));
}

function sourceCard(one) {
  return card(null, h("details", null, h("summary", null, "Source of the case"), h("p", { class: "small quiet mono" }, one.file),
    h("pre", { class: "tall", tabindex: "0" }, h("code", null, one.source))));
}

/** A text of which the part that the other one does not have is marked: what is left between what both begin and end with. */
function marked(text, other) {
  const least = Math.min(text.length, other.length);
  let from = 0, tail = 0;
  while (from < least && text[from] === other[from]) from += 1;
  while (tail < least - from && text[text.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const middle = text.slice(from, text.length - tail);
  return middle && (from || tail) ? [text.slice(0, from), h("mark", null, middle), text.slice(text.length - tail)] : text;
}

function beside(one) {
  if (!one.expected && !one.observed) return null;
  return h("div", { class: "beside" }, h("div", null, h("h2", null, "Expected"), h("pre", null, one.expected ? marked(one.expected, one.observed) : "–")),
    h("div", { class: one.verdict === "fail" ? "seen" : null }, h("h2", null, "Observed"), h("pre", null, one.observed ? marked(one.observed, one.expected) : "–")));
}

const HISTORY = [{ title: "Verdict", class: "tight" }, { title: "Implementation" }, { title: "Seed", class: "number tight wide" }, { title: "Time", class: "number tight wide" }, { title: "Run", class: "tight wide" }];

/** The same case in all runs of the account, this one among them, with how often which verdict came out. */
async function historyCard(run, one) {
  const { results } = await api("GET", `/api/v1/profiles/${run.profile}/cases/${one.id}/history`);
  if (results.length < 2) return null;
  const counts = new Map();
  for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const links = (other) => other.run === run.id ? "this run" : [h("a", { href: `/runs/${other.run}/cases/${one.id}` }, date(other.created)), " ",
    h("a", { class: "small", href: `/runs/${other.run}/compare/${run.id}` }, "compare")];
  const rows = results.map((other) => h("tr", null, cells(HISTORY, [tag(other.verdict), [`${other.implementation.name} ${other.implementation.version}`,
    other.reason ? h("div", { class: "small quiet" }, other.reason) : null, h("div", { class: "narrow" }, links(other))], h("code", null, String(other.seed)), `${other.duration_ms} ms`, links(other)])));
  return card("This case in all runs", h("p", null, [...counts].flatMap(([verdict, count]) => [tag(verdict), ` ${count} `]), h("span", { class: "quiet" }, `of ${results.length} runs`)),
    h("details", { open: results.length <= 8 }, h("summary", null, "List them, latest first"), table("Results of this case", HISTORY, rows)));
}

/** What came out; `now` is the button that has it run again at once. */
function verdictCard(one, now) {
  return card(null, h("div", { class: "row" }, tag(one.verdict), h("span", { class: "quiet" }, `chapter ${section(one.chapter, one.chapter_title)} · ${one.duration_ms} ms`)),
    one.reason ? h("p", null, h("strong", null, one.requirement ? `${one.requirement}: ` : ""), one.reason) : null,
    one.axis ? h("p", { class: "small quiet" }, `Attributed to ${AXES[one.axis] ?? one.axis}.`) : null, now, beside(one));
}

/** A part of the page that is made when somebody opens it. */
function onDemand(word, make) {
  const out = h("div");
  const details = h("details", {
    toggle: async () => {
      if (details.open && !out.childElementCount) out.replaceChildren(...await make());
    },
  }, h("summary", null, word), out);
  return details;
}

const LEGEND = ["solid: command to an interpreter", "dashed: its reply", "thick: message on the wire"];

const LONG = 30000; // octets as they are sent: a time line that is longer comes when it is asked for

async function story(base, one) {
  const events = JSON.parse(await text(`${base}/ladder`) ?? "[]");
  const draw = () => [h("div", { class: "ladder", tabindex: "0" }, ladder(events, events[decisive(events, one).step])), h("ul", { class: "legend" }, LEGEND.map((line) => h("li", null, line)))];
  return [timeline(events, one), onDemand("As a drawing", draw)];
}

async function evidence(base, one, removed) {
  const octets = one.evidence.includes("ladder") ? await weight(`${base}/ladder`) : 0;
  const decodes = one.evidence.includes("capture") && (await whoami())?.decodes;
  const nothing = () => h("p", { class: "quiet" }, removed ? ["What was recorded was removed ", date(removed), ": this service keeps it for a time only."] : "Nothing was recorded.");
  return card("What happened", !octets ? nothing() : octets > LONG ? onDemand(`The time line, ${Math.round(octets / 1000)} KB`, () => story(base, one)) : await story(base, one),
    one.evidence.includes("transcript") ? onDemand("Transcript", async () => [h("pre", { class: "tall", tabindex: "0" }, await text(`${base}/transcript`) ?? "")]) : null,
    decodes ? onDemand("Packets, as Wireshark decodes them", () => packets(`${base}/packets`)) : null,
    downloads(base, one));
}

function downloads(base, one) {
  return h("div", { class: "row" },
    one.evidence.includes("capture") ? h("a", { class: "button", href: `${base}/capture`, download: "" }, "Capture (pcapng)") : null,
    one.evidence.includes("transcript") ? h("a", { class: "button", href: `${base}/transcript`, download: `${one.id}.txt` }, "Transcript") : null);
}

const ATTEMPTS = [{ title: "Attempt", class: "number tight" }, { title: "Verdict", class: "tight" }, { title: "What came out" }];

/** What the case has come to each time in this run, each with its evidence; the worst counts. */
function attemptsCard(run, one) {
  if (!one.attempts.length) return null;
  const rows = one.attempts.map((each) => h("tr", null, cells(ATTEMPTS, [String(each.attempt), tag(each.verdict),
    [each.reason || `${each.duration_ms} ms`, each.attempt === one.attempt ? h("div", { class: "small quiet" }, "counts; its evidence is the one above") : null]])));
  const others = one.attempts.filter((each) => each.attempt !== one.attempt).map((each) => onDemand(`Evidence of attempt ${each.attempt}`,
    async () => [await evidence(`/api/v1/runs/${run.id}/results/${each.evidence_id}`, { ...one, ...each }, run.evidence_removed)]));
  return card(`Judged ${one.attempts.length} times in this run`, h("p", { class: "quiet" }, "The worst outcome counts: a failure is not undone by passing later."),
    table("Attempts", ATTEMPTS, rows), others);
}

const OVER = ["finished", "cancelled", "interrupted"];

/** Calls when a further attempt at the case is told, or the run is over. */
function onTold(run, one, call) {
  const known = one.attempts.length || 1;
  const source = new EventSource(`/api/v1/runs/${run.id}/events`);
  const end = () => {
    source.close();
    call();
  };
  source.addEventListener("result", (event) => {
    const { data } = JSON.parse(event.data);
    if (data.case === one.id && data.attempt > known) end();
  });
  source.addEventListener("finished", end);
}

/** Has the case judged again by the agent that is connected, and shows the page anew when that is done. */
function againNow(run, one, reload) {
  const here = !run.paused && !run.resume_until;
  const said = h("p", { class: "small quiet", "aria-live": "polite" }, here ? "The launch agent of this run is connected: nothing has to be typed on your machine."
    : "The launch agent of this run is not connected now: the case is run when it is back.", " What came out before is kept, and the worst outcome counts.");
  const button = h("button", { type: "button", class: "main", click: async () => {
    button.disabled = true;
    try {
      await api("POST", `/api/v1/runs/${run.id}/results/${one.id}/again`);
      said.textContent = "The case is run again as soon as the one under way has ended.";
      onTold(run, one, reload);
    } catch (problem) {
      said.textContent = problem.message;
      button.disabled = false;
    }
  } }, "Run this case again now");
  return [h("div", { class: "row" }, button), said];
}

/** The same case for the same implementation with the same seed: by the page, or typed. */
function againCard(run, one) {
  const order = { implementation: run.implementation.id, profile: run.profile, seed: run.seed, case: one.id, server: run.server, guest: run.guest, brings: run.role };
  const wanted = Object.entries(order).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return card("Run this case again", h("div", { class: "row" }, h("a", { class: "button", href: `/runs/new?${new URLSearchParams(wanted)}` }, "In a new run of this case alone")),
    h("p", { class: "small quiet" }, "Or from a terminal, with an API token of your account and the command that starts your program in the place of COMMAND:"),
    command(`assay certify --url ${location.origin} --token TOKEN --profile ${run.profile} --case ${one.id} --seed ${run.seed} -- COMMAND`),
    h("p", { class: "small quiet" }, "Does it fail every time? Twenty runs, each with another seed; what they came to stands below, under \u201cThis case in all runs\u201d:"),
    command(`assay certify --url ${location.origin} --token TOKEN --profile ${run.profile} --case ${one.id} --repeat 20 -- COMMAND`));
}

export async function caseInRun(show, run, id) {
  const base = `/api/v1/runs/${run}/results/${id}`;
  const [one, about] = await Promise.all([api("GET", base), api("GET", `/api/v1/runs/${run}`)]);
  title(one.title);
  const go = (other, word, rel) => other ? h("a", { class: "button", href: `/runs/${run}/cases/${other}`, rel }, word) : null;
  show(crumbs(h("a", { href: "/" }, "Home"), h("a", { href: `/runs/${run}` }, "Run"), one.id),
    h("div", { class: "head" }, h("div", null, h("h1", null, one.title), h("p", { class: "quiet" }, one.purpose)),
      h("div", { class: "row noprint" }, go(one.neighbours.previous, "← Previous", "prev"), go(one.neighbours.next, "Next →", "next"))),
    verdictCard(one, OVER.includes(about.state) ? null : againNow(about, one, () => caseInRun(show, run, id))), await evidence(base, one, about.evidence_removed), attemptsCard(about, one), card("Requirements judged", rules(one.requirement_rows, one.requirement)),
    againCard(about, one), await historyCard(about, one), mutantCard(one), sourceCard(one));
}

export async function caseInProfile(show, profile, id) {
  const one = await api("GET", `/api/v1/profiles/${profile}/cases/${id}`);
  title(one.title);
  show(crumbs(h("a", { href: "/" }, "Home"), h("a", { href: `/profiles/${profile}` }, profile), one.id),
    h("h1", null, one.title), h("p", { class: "quiet" }, one.purpose),
    card("About", facts(["Suite", one.suite], one.role ? ["Role", one.role] : null, ["Chapter", section(one.chapter, one.chapter_title)], ["Processes", String(one.ranks)],
      ["Scripted peer on the wire", one.wire ? "yes" : "no"], ["Sends invalid messages", one.negative ? "yes" : "no"],
      one.role ? ["Needs incoming connections", one.incoming ? "yes; skipped where your machine cannot be reached" : "no"] : null,
      one.own_server ? ["Server", "the own server that a vendor of clients brings"] : null),
    h("p", null, h("a", { class: "button", href: `/runs/new?profile=${profile}&case=${one.id}&brings=${one.role}${one.own_server ? "-with-server" : ""}` }, "Run only this case"))),
    card("Requirements judged", rules(one.requirement_rows, null)), mutantCard(one), sourceCard(one));
}
