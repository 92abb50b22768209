// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// A run: while it is under way its live view, afterwards its report.

import { api } from "./api.js";
import { announce, card, casesOf, command, crumbs, date, h, judged, outcome, sentence, sign, suitesOf, title, words } from "./dom.js";
import { matrixTable } from "./matrix.js";
import { Ranks, Remaining, Wanting } from "./run_progress.js";
import { report } from "./run_report.js";

// What a note is about, before its own text.
const NOTES = {
  "interpreter-connected": "connected: ", "interpreter-gone": "gone: ", "job-started": "started: ", "job-ended": "ended: ",
  output: "    prints: ", warning: "warning: ", "guest-connected": "connected: ",
};
const LIGHTS = [["agent", "Launch agent", "sut-agent on your machine is connected"], ["preflight", "Preflight", "checks of interpreter, functions and connections before the first case"],
  ["ranks", "Ranks", "test interpreters connected now"]];
const LOG_LINES = 500;
const LOG_MS = 100;
const OVER = ["finished", "cancelled", "interrupted"];

function heading(run) {
  return h("div", { class: "head" }, h("div", null, h("h1", null, `${run.implementation.name} ${run.implementation.version}`),
    h("p", { class: "quiet" }, `${judged(run)}${run.suite ? `, ${suitesOf(run)}` : ""}${run.case ? `, ${casesOf(run)}` : ""}${run.server ? ", with its own server" : ""}${run.guest ? `, meets ${run.guest}` : ""} · started `, date(run.created))));
}

// What the service puts in place of the words in braces of a command template.
const PLACEHOLDERS = {
  np: "how many processes", args: "the interpreter's own arguments", client: "the client's rank", server: "the server's address and port",
  hosts: "how many hosts the client has. Where your launcher cannot choose that, leave it out: cases that need several are skipped",
  clients: "how many clients a server waits for", options: "options that the document gives the server",
};

/** Options of the launch agent where the processes do not run beside it, or where it has no way out of its own. */
const ELSEWHERE = [
  [/./, "Ranks on other nodes, as under Slurm", "They reach the agent at this name of its host, and the agent reaches the service. Start them by srun, or by what your cluster has.", `--relay "$(hostname):7440"`],
  [/--url https:/, "A firewall with a proxy", "With your proxy's name and port.", "--tunnel 'openssl s_client -quiet -no_ign_eof -nocommands -verify_return_error -verify_hostname {host} -servername {host} -proxy proxy.example.com:3128 -connect {host}:{port}'"],
  [/--url http:/, "A firewall that lets ssh through", "With the name of your machine outside.", "--tunnel 'ssh -W {host}:{port} outside.example.com'"],
];

function elsewhere(text) {
  return h("details", null, h("summary", null, "On a cluster, or behind a firewall"), ELSEWHERE.filter(([where]) => where.test(text)).map(([, name, what, option]) =>
    [h("p", { class: "small" }, h("strong", null, `${name}.`), ` ${what}`), command(text.replace(/--url \S+/, (url) => `${url} ${option}`))]));
}

/** What there is to know about the last command. */
function hints({ commands, notes }) {
  const text = commands.at(-1).text;
  const words = Object.entries(PLACEHOLDERS).filter(([name]) => text.includes(`{${name}}`));
  return [h("p", { class: "small quiet" }, "Replace the program after ", h("code", null, "--"), " by your own. The token is for this run only."),
    h("details", null, h("summary", null, "Words in braces, and what else to know"), h("ul", { class: "small" },
      words.map(([name, meaning]) => h("li", null, h("code", null, `{${name}}`), ` ${meaning}.`)),
      h("li", null, "Further machines may share the cases: start the last command on each, as it is here, all at once or one after the other."),
      (notes ?? []).map((note) => h("li", null, sentence(note))))), elsewhere(text)];
}

const steps = (commands) => h("ol", { class: "steps" }, commands.map((one) => h("li", null, h("strong", null, one.title), command(one.text),
  one.sha256 ? h("p", { class: "small quiet" }, "SHA-256 of the archive: ", h("code", null, one.sha256)) : null)));

/** What the other vendor is to be sent. */
function guestPart(run, { commands, report: link }) {
  return [h("h3", null, `For ${run.guest}`),
    h("p", { class: "quiet" }, "Send these commands to the other vendor. Their token lets an agent take part in this run and shows nothing of it but the verdicts, on a page of their own. You do not see each other's machines; the processes of both connect to each other as IMPI has it, so that each side's hosts must reach the other's."),
    steps(commands), h("p", null, "Their page, once the run is over:"), command(link)];
}

function commandCard(run) {
  const kept = JSON.parse(sessionStorage.getItem(`run-${run.id}`) ?? "null");
  if (!kept) {
    return card("Waiting for your machine", h("p", null,
      "The commands with this run's token were shown once, in the tab where the run was created. If you no longer have them, cancel this run and create a new one."));
  }
  return card("Run these commands on your machine", h("p", { class: "quiet" },
    "Nothing is uploaded: the interpreter runs on your machine and connects to this service."),
  steps(kept.commands), hints(kept), kept.guest ? guestPart(run, kept.guest) : null);
}

/** The live view keeps its pieces here and changes them as events come. */
class Live {
  constructor(run) {
    this.run = run;
    this.done = 0;
    this.tiles = new Map();
    this.counts = {};
    this.tally = h("p", { class: "tally", "aria-live": "off" });
    this.wanting = new Wanting(run);
    this.meetings = [];
    this.matrix = h("div");
    this.met = card("Interoperability so far", h("p", { class: "quiet" }, "MPI programs, each as one job of two clients: ", h("strong", null, "yours"),
      " is the implementation under test, ", h("strong", null, "reference"), " the one that comes with this service.", run.guest ? [" Clients are those of ", h("strong", null, run.guest), " instead of the reference's."] : null), this.matrix);
    this.met.hidden = true;
    this.connected = 0;
    this.ranks = new Ranks();
    this.remaining = new Remaining();
    this.progress = h("progress", { max: 1, value: 0, "aria-label": "Cases done" });
    this.held = h("p", { class: "paused" });
    this.now = h("p", { class: "quiet present", "aria-live": "off" }, "Waiting for the launch agent (sut-agent): the last command starts it on your machine.");
    this.board = h("ul", { class: "board", "aria-label": "Cases" });
    this.lines = []; // of the log, not written yet
    this.log = h("ol", { class: "log", tabindex: "0", "aria-label": "Log" });
    this.lights = Object.fromEntries(LIGHTS.map(([key, text, meaning]) => [key, h("li", { title: meaning }, text)]));
    this.commands = commandCard(run);
    this.cancel = h("button", { type: "button", class: "danger", click: () => this.stop() }, "Cancel the run");
    this.pause = h("button", { type: "button", click: () => this.change() });
    this.finish = h("button", { type: "button", hidden: true, click: () => this.end() }, "End the run now");
    this.verdicts = new Map();
    this.showPause(run.paused);
  }

  content() {
    return [crumbs(h("a", { href: "/" }, "Home"), "Run"), heading(this.run), this.commands,
      card("Live", h("ul", { class: "lights" }, Object.values(this.lights)), this.ranks.element, this.held, this.progress, this.now, this.tally, this.board), this.wanting.element, this.met,
      card("Log", this.log), h("div", { class: "row" }, this.finish, this.pause, this.cancel)];
  }

  showPause(paused) {
    this.paused = paused;
    this.pause.textContent = paused ? "Resume the run" : "Pause the run";
    this.held.hidden = !paused;
    if (paused) this.showUntil();
  }

  /** Until when a pause lasts: the service says so as soon as the case under way has stopped. */
  async showUntil() {
    this.held.textContent = "Paused. The launch agent waits; nothing is judged until you resume the run.";
    const { paused, resume_until: until } = await api("GET", `/api/v1/runs/${this.run.id}`);
    if (paused && until && this.paused) {
      this.held.replaceChildren("Paused. The launch agent waits; nothing is judged until you resume the run. The service waits until ", date(until),
        "; then the run ends with what was judged.");
    }
  }

  async change() {
    this.pause.disabled = true;
    try {
      this.showPause((await api("POST", `/api/v1/runs/${this.run.id}/${this.paused ? "resume" : "pause"}`)).paused);
    } catch (problem) {
      this.add(null, problem.message);
    }
    this.pause.disabled = false;
  }

  /** Nobody wants to have a case run again. */
  async end() {
    this.finish.disabled = true;
    try {
      await api("POST", `/api/v1/runs/${this.run.id}/finish`);
    } catch (problem) {
      this.add(null, problem.message);
    }
  }

  async stop() {
    this.cancel.disabled = true;
    try {
      await api("POST", `/api/v1/runs/${this.run.id}/cancel`);
    } catch (problem) {
      this.add(null, problem.message);
    }
  }

  /** A line of the log. Lines come by the hundred; where the log stands is asked, and changed, once for all that come together. */
  add(at, text) {
    this.lines.push(h("li", null, h("time", null, at ? new Date(at).toLocaleTimeString() : ""), text));
    if (this.lines.length > LOG_LINES) this.lines.shift();
    this.writing ??= setTimeout(() => this.write(), LOG_MS);
  }

  write() {
    const follow = this.log.scrollTop + this.log.clientHeight >= this.log.scrollHeight - 30;
    this.writing = null;
    this.log.append(...this.lines.splice(0));
    while (this.log.childElementCount > LOG_LINES) this.log.firstChild.remove();
    if (follow) this.log.scrollTop = this.log.scrollHeight;
  }

  tile(id) {
    if (!this.tiles.has(id)) {
      const tile = h("span", { title: id }, "·");
      this.tiles.set(id, tile);
      this.board.append(h("li", null, tile));
    }
    return this.tiles.get(id);
  }

  note(at, { kind, text }) {
    this.add(at, `${NOTES[kind] ?? ""}${text}`);
    this.ranks.note(kind, text);
    if (["agent-lost", "queued", "paused"].includes(kind)) this.remaining.stopped();
    if (kind === "agent-connected") {
      this.lights.agent.classList.add("on");
      this.commands.hidden = true;
      this.now.textContent = "The launch agent has connected.";
      announce(this.now.textContent);
    } else if (["agent-lost", "queued", "paused", "resumed"].includes(kind)) {
      for (const light of Object.values(this.lights)) light.classList.remove("on");
      this.connected = 0;
      this.commands.hidden = !["agent-lost", "queued"].includes(kind); // whoever has to start it again finds the command
      this.showPause(kind === "paused");
      this.now.replaceChildren(...sentence(text));
      announce(this.now.textContent);
    } else if (kind === "lingering") {
      this.finish.hidden = false;
      this.now.replaceChildren(...sentence(text), ". Open a case to do so.");
      announce(this.now.textContent);
    } else if (kind === "waiting-for-guest") {
      this.now.replaceChildren(...sentence(text));
    } else if (kind === "preflight") {
      this.lights.preflight.classList.add("on");
      this.now.textContent = "Preflight: the system under test is looked at before the first case.";
    } else if (kind === "interpreter-connected") {
      this.connected += 1;
    } else if (kind === "interpreter-gone") {
      this.connected = Math.max(0, this.connected - 1);
    } else if (kind === "job-started") {
      this.connected = 0;
    }
    this.lights.ranks.classList.toggle("on", this.connected > 0);
    this.lights.ranks.textContent = this.connected ? `Ranks: ${this.connected} connected` : "Ranks";
  }

  started(at, { case: id, title: text, index, total }) {
    this.progress.max = total;
    this.total = total;
    this.remaining.started(at);
    this.now.textContent = `${index + 1} of ${total}: ${text}`;
    this.tile(id).classList.add("now");
    this.add(at, `${id}: ${text}`);
  }

  step(at, { text }) {
    this.add(at, `    ${text}`);
  }

  /** The matrix grows with every meeting; it is drawn once for all that come together, and scrolled where it was. */
  meet(cell) {
    this.meetings.push(cell);
    this.met.hidden = false;
    if (this.drawing) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = null;
      const left = this.matrix.firstChild?.scrollLeft ?? 0;
      this.matrix.replaceChildren(matrixTable(this.run, this.meetings));
      this.matrix.firstChild.scrollLeft = left;
    });
  }

  result(at, { case: id, verdict, requirement, reason, cell, attempt, counts }) {
    if (attempt) {
      this.now.textContent = `Attempt ${attempt} at ${id}: ${words(verdict)}. The worst outcome counts.${this.finish.hidden ? "" : " The launch agent still stays: open a case to run it again."}`;
      announce(this.now.textContent);
      if (!counts) {
        this.add(at, `${sign(verdict)} ${id}, attempt ${attempt}: ${words(verdict)}`);
        return;
      }
      this.counts[this.verdicts.get(id)] -= 1;
    } else {
      this.done += 1;
    }
    this.verdicts.set(id, verdict);
    this.progress.value = this.done;
    this.counts[verdict] = (this.counts[verdict] ?? 0) + 1;
    this.tally.textContent = Object.entries(this.counts).filter(([, count]) => count).map(([word, count]) => `${sign(word)} ${count} ${words(word)}`).join(", ") + this.remaining.result(at, this.total - this.done);
    const link = h("a", { href: `/runs/${this.run.id}/cases/${id}`, class: verdict, title: `${id}: ${words(verdict)}` }, sign(verdict),
      h("span", { class: "unseen" }, `${id} ${words(verdict)}`));
    if (cell) this.meet({ ...cell, verdict, case: id });
    this.tile(id).replaceWith(link);
    this.tiles.set(id, link);
    if (verdict === "fail" || verdict === "inconclusive") this.wanting.add(id, verdict, requirement ?? "", reason ?? "");
    this.add(at, `${sign(verdict)} ${id}: ${words(verdict)}${requirement ? ` (${requirement})` : ""}${reason ? `: ${reason}` : ""}`);
  }
}

const AGAIN_MS = 10000;

function follow(live, onOver, after = 0) {
  const source = new EventSource(`/api/v1/runs/${live.run.id}/events?after=${after}`);
  let last = after;
  for (const kind of ["note", "started", "step", "result"]) {
    source.addEventListener(kind, (event) => {
      const { at, data } = JSON.parse(event.data);
      last = Number(event.lastEventId);
      live[kind](at, data);
    });
  }
  source.addEventListener("finished", () => {
    source.close();
    onOver();
  });
  // The stream also ends when the service is restarted: the browser then asks again from the last event on. Where it was
  // refused, because too many views are open, the browser gives up: then we ask again.
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) return;
    live.add(null, `The live view was refused; trying again in ${AGAIN_MS / 1000} seconds.`);
    setTimeout(() => follow(live, onOver, last), AGAIN_MS);
  });
}

/** The likely causes of what went wrong, from the run's report; none where nothing did, or there is no report. */
async function causesOf(state) {
  if (!state.outcome || !(state.summary.fail + state.summary.inconclusive)) return [];
  const written = await api("GET", `/api/v1/runs/${state.id}/report.json`).catch(() => null);
  return written?.causes ?? [];
}

export async function run(show, id) {
  const state = await api("GET", `/api/v1/runs/${id}`);
  title(`${state.implementation.name}: ${words(outcome(state))}`);
  if (OVER.includes(state.state)) {
    sessionStorage.removeItem(`run-${id}`);
    const [{ results }, { runs }, { verdicts }] = await Promise.all([api("GET", `/api/v1/runs/${id}/results`), api("GET", "/api/v1/runs"),
      api("GET", `/api/v1/rejudged?run=${id}`)]);
    show(crumbs(h("a", { href: "/" }, "Home"), "Run"), heading(state), ...report(state, results, await causesOf(state), runs, verdicts));
    return;
  }
  const live = new Live(state);
  show(...live.content(), state.storage_problem ? h("p", { class: "error" }, state.storage_problem) : null);
  follow(live, () => {
    announce("The run is over.");
    run(show, id);
  });
}
