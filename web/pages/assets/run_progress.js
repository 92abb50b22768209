// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Of a run under way: what each rank of its job does, how long the cases that are left may take, and what went wrong.
import { card, h, words } from "./dom.js";

const SHOWN = 32; // ranks, one by one
const WANTING_MOST = 12; // lines
const FEW = 5; // cases, from which nothing is concluded

/** The ranks of the job under way. Of several jobs at once nobody could tell whose a rank is: there they are not shown. */
export class Ranks {
  constructor() {
    this.states = new Map();
    this.several = false;
    this.element = h("ul", { class: "lights small", "aria-label": "Ranks", hidden: true });
  }

  note(kind, text) {
    const rank = Number(text.match(/^rank (\d+)/)?.[1]);
    if (kind === "job-started") {
      this.several ||= [...this.states.values()].includes("connected");
      const count = Number(text.match(/ with (\d+) process/)?.[1] ?? 0);
      this.states = new Map(Array.from({ length: count }, (_, number) => [number, "awaited"]));
    } else if (kind === "interpreter-connected") {
      this.states.set(rank, "connected");
    } else if (kind === "interpreter-gone") {
      this.states.set(rank, "gone");
    } else if (["job-ended", "agent-lost", "queued", "paused", "resumed"].includes(kind)) {
      this.states.clear();
    } else {
      return;
    }
    this.show();
  }

  show() {
    const ranks = [...this.states].sort(([one], [other]) => one - other);
    this.element.hidden = this.several || ranks.length === 0;
    this.element.replaceChildren(...ranks.slice(0, SHOWN).map(([rank, state]) => h("li", { class: state === "connected" ? "on" : null }, `rank ${rank}: ${state}`)),
      ranks.length > SHOWN ? `and ${ranks.length - SHOWN} more` : "");
  }
}

/** How long the rest may take, by what the cases before have taken; time in which nothing is judged does not count. */
export class Remaining {
  constructor() {
    this.since = null;
    this.spent = 0;
    this.judged = 0;
  }

  started(at) {
    this.since ??= Date.parse(at);
  }

  stopped() {
    this.since = null;
  }

  /** After a case of `left` more: a few words, "" as long as it cannot be told. */
  result(at, left) {
    if (this.since !== null) {
      this.spent += Math.max(0, Date.parse(at) - this.since);
      this.since = Date.parse(at);
      this.judged += 1;
    }
    if (this.judged < FEW || left <= 0) return "";
    const minutes = Math.ceil(this.spent / this.judged * left / 60000);
    return minutes > 1 ? `, some ${minutes} minutes left` : ", less than a minute left";
  }
}

/** What went wrong so far: failures first, and what went wrong alike is one line. */
export class Wanting {
  constructor(run) {
    this.run = run;
    this.alike = new Map();
    this.list = h("ul");
    this.rest = h("p", { class: "quiet", hidden: true }, "And more: see the report at the end.");
    this.element = card("Failed or inconclusive so far", this.list, this.rest);
    this.element.hidden = true;
  }

  add(id, verdict, requirement, reason) {
    const key = `${verdict} ${requirement} ${reason.replace(/\brank \d+ /, "")}`;
    const known = this.alike.get(key);
    if (known) {
      known.count += 1;
      known.others.textContent = `, and ${known.count} more`;
      return;
    }
    const others = h("strong");
    const line = h("li", { class: verdict }, h("a", { href: `/runs/${this.run.id}/cases/${id}` }, id), `: ${words(verdict)}${requirement ? ` (${requirement})` : ""}${reason ? `: ${reason}` : ""}`, others);
    this.alike.set(key, { count: 0, others });
    this.list.insertBefore(line, verdict === "fail" ? this.list.querySelector(":scope > :not(.fail)") : null);
    [...this.list.children].forEach((one, place) => { one.hidden = place >= WANTING_MOST; });
    this.rest.hidden = this.list.childElementCount <= WANTING_MOST;
    this.element.hidden = false;
  }
}
