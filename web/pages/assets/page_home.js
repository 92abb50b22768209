// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The start page: implementations and the latest runs.

import { api } from "./api.js";
import { card, casesOf, cells, date, h, judged, outcome, suitesOf, table, tag, title } from "./dom.js";
import { rejudgedCard } from "./rejudged.js";

const IMPLEMENTATIONS = [{ title: "Name" }, { title: "Version" }, { title: "Vendor", class: "wide" },
  { title: "Runs", class: "number tight" }, { title: "", class: "tight" }];
const RUNS = [{ title: "Outcome", class: "tight" }, { title: "Implementation" }, { title: "Profile", class: "wide" },
  { title: "Cases", class: "tight wide" }, { title: "Started", class: "tight wide" }];

function counts(run) {
  const { pass, fail, warn, skip, inconclusive } = run.summary;
  const parts = [[fail, "fail"], [inconclusive, "inconclusive"], [warn, "warn"], [skip, "skip"], [pass, "pass"]];
  return parts.filter(([count]) => count).map(([count, word]) => `${count} ${word}`).join(", ") || "–";
}

function implementationRow(one) {
  return h("tr", null, cells(IMPLEMENTATIONS, [h("strong", null, one.name), one.version, one.vendor || "–", String(one.runs),
    h("a", { href: `/runs/new?implementation=${one.id}` }, "New run", h("span", { class: "unseen" }, ` of ${one.name} ${one.version}`))]));
}

function runRow(run) {
  return h("tr", null, cells(RUNS, [tag(outcome(run)),
    [h("a", { href: `/runs/${run.id}` }, `${run.implementation.name} ${run.implementation.version}`),
      run.suite || run.case ? h("div", { class: "small quiet" }, run.case ? casesOf(run) : suitesOf(run)) : null,
      h("div", { class: "small quiet narrow" }, judged(run), counts(run) === "–" ? "" : `: ${counts(run)}`)],
    judged(run), counts(run), date(run.created)]));
}

function welcome() {
  return card("Three steps", h("ol", { class: "steps" },
    h("li", null, h("strong", null, "Name your implementation."), " A name and a version, so that reports can be told apart."),
    h("li", null, h("strong", null, "Start a run."), " You get the commands to run on your own machine; nothing is uploaded."),
    h("li", null, h("strong", null, "Follow it and read the report."), " Every verdict cites the requirement of the specification and shows the evidence.")),
  h("p", null, h("a", { class: "button main", href: "/implementations/new" }, "Name an implementation")));
}

export async function home(show) {
  title("Home");
  const [{ implementations }, { runs }, { verdicts }] = await Promise.all([api("GET", "/api/v1/implementations"), api("GET", "/api/v1/runs"), api("GET", "/api/v1/rejudged")]);
  const head = h("div", { class: "head" }, h("div", null, h("h1", null, "Does it conform?"),
    h("p", { class: "quiet" }, "Assay tests your implementation against the specification, requirement by requirement, and shows the evidence.")),
  implementations.length ? h("div", { class: "row" }, h("a", { class: "button", href: "/implementations/new" }, "New implementation"),
    h("a", { class: "button main", href: "/runs/new" }, "New run")) : null);
  show(head,
    rejudgedCard(verdicts),
    implementations.length ? null : welcome(),
    runs.length ? card("Runs", table("Runs, latest first", RUNS, runs.map(runRow))) : null,
    implementations.length ? card("Implementations", table("Implementations", IMPLEMENTATIONS, implementations.map(implementationRow)),
      h("p", { class: "small" }, h("a", { href: "/waivers" }, "Waivers"), " of known failures")) : null);
}
