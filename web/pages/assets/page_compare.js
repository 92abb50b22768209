// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Runs beside each other: two of them case by case, and the latest of each implementation chapter by chapter.

import { api } from "./api.js";
import { card, casesOf, cells, crumbs, date, h, judged, profileTitle, sign, suitesOf, table, tag, title, words } from "./dom.js";

const COLUMNS = [{ title: "Before, after", class: "tight" }, { title: "Case", class: "case" }];
const CHANGES = { verdict: "with another verdict", finding: "with another finding", added: "only in the later run", removed: "only in the earlier run", same: "alike" };
const VERDICTS = ["fail", "inconclusive", "warn", "skip", "pass"];

const named = (run) => `${run.implementation.name} ${run.implementation.version}`;

function eventText(event) {
  return event ? [h("span", { class: "quiet" }, event.from ? `${event.from} → ${event.to}: ` : ""), h("code", null, event.label), event.detail ? h("div", { class: "small quiet mono" }, event.detail) : null] : "nothing more";
}

/** The first event that differs, which is looked for when somebody wants to know. */
function firstEvent(before, after, one) {
  const out = h("div");
  const details = h("details", {
    toggle: async () => {
      if (!details.open || out.childElementCount) return;
      out.append(h("p", { class: "small quiet" }, "Comparing …"));
      try {
        const found = await api("GET", `/api/v1/runs/${before.id}/compare/${after.id}/cases/${one.id}`);
        out.replaceChildren(found.before || found.after ? h("dl", { class: "facts small" }, h("dt", null, "Before"), h("dd", null, eventText(found.before)), h("dt", null, "After"), h("dd", null, eventText(found.after)))
          : h("p", { class: "small" }, "Both runs show the same events."), h("p", { class: "small quiet" }, `${found.same} events before it are alike.`));
      } catch (problem) {
        out.replaceChildren(h("p", { class: "small error" }, problem.message));
      }
    },
  }, h("summary", null, "First event that differs"), out);
  return details;
}

function side(run, one, result) {
  return h("div", null, result ? h("a", { href: `/runs/${run.id}/cases/${one.id}` }, tag(result.verdict)) : h("span", { class: "quiet small" }, "not judged"));
}

function changeRow(before, after, one) {
  const found = one.after ?? one.before;
  return h("tr", null, cells(COLUMNS, [[side(before, one, one.before), side(after, one, one.after)],
    [h("strong", null, one.title), h("div", { class: "small quiet mono" }, one.id),
      h("div", { class: "small" }, found.requirement ? h("strong", null, `${found.requirement}: `) : null, found.reason),
      one.before && one.after ? firstEvent(before, after, one) : null]]));
}

/** Failures first. */
function ordered(changes) {
  const place = (one) => VERDICTS.indexOf((one.after ?? one.before).verdict);
  return [...changes].sort((a, b) => place(a) - place(b));
}

export async function compare(show, first, second) {
  const [before, after] = await Promise.all([first, second].map((id) => api("GET", `/api/v1/runs/${id}`)));
  const { counts, changes } = await api("GET", `/api/v1/runs/${first}/compare/${second}`);
  title("Two runs compared");
  const line = (word, run) => h("li", null, `${word}: `, h("a", { href: `/runs/${run.id}` }, named(run)), ` (${judged(run)}${run.suite ? `, ${suitesOf(run)}` : ""}${run.case ? `, ${casesOf(run)}` : ""}), `, date(run.created), ", ", tag(run.outcome?.name ?? run.state));
  show(crumbs(h("a", { href: "/" }, "Home"), h("a", { href: `/runs/${second}` }, "Run"), "Compared"), h("h1", null, "Two runs compared"),
    before.profile === after.profile ? null : h("p", { class: "notice" }, "The runs are of different profiles."),
    card("Runs", h("ul", null, line("Before", before), line("After", after)), h("p", null, "Cases: ", Object.entries(CHANGES).filter(([key]) => counts[key]).map(([key, text]) => `${counts[key]} ${text}`).join(", ") || "Neither run has judged a case."),
      h("p", { class: "noprint" }, h("a", { class: "button", href: `/runs/${second}/compare/${first}` }, "Swap before and after"))),
    card("Changes", changes.length ? table("Cases that differ", COLUMNS, ordered(changes).map((one) => changeRow(before, after, one))) : h("p", { class: "quiet" }, "No case differs.")));
}

/** Cells of one implementation: chapter -> verdicts with their counts, the worst first. */
function byChapter(row) {
  const found = new Map();
  for (const { chapter, verdict, count } of row.chapters) found.set(chapter, [...found.get(chapter) ?? [], { verdict, count }]);
  for (const list of found.values()) list.sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
  return found;
}

export async function implementationMatrix(show, profile) {
  title("Implementations by chapter");
  const { rows } = await api("GET", `/api/v1/profiles/${profile}/matrix`);
  const chapters = [...new Set(rows.flatMap((row) => row.chapters.map(({ chapter }) => chapter)))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const cell = (list) => h("td", null, list ? list.map(({ verdict, count }) => h("span", { class: `tag ${verdict}` }, h("span", { "aria-hidden": "true" }, sign(verdict)), `${count} ${words(verdict)}`)) : "–");
  show(crumbs(h("a", { href: "/" }, "Home"), h("a", { href: `/profiles/${profile}` }, profile), "Implementations"), h("h1", null, "Implementations by chapter"),
    h("p", { class: "quiet" }, `${profileTitle(profile)}: of each implementation the latest run of all cases, in each role.`),
    rows.length ? card(null, h("div", { class: "scroll", tabindex: "0" }, h("table", { class: "matrix" }, h("caption", { class: "unseen" }, "Verdicts by implementation and chapter"),
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "Implementation"), chapters.map((chapter) => h("th", { scope: "col" }, chapter)))),
      h("tbody", null, rows.map((row) => {
        const found = byChapter(row);
        return h("tr", null, h("th", { scope: "row" }, h("a", { href: `/runs/${row.run}` }, named(row)), row.role ? h("div", { class: "small quiet" }, `as ${row.role}`) : null), chapters.map((chapter) => cell(found.get(chapter))));
      })))))
      : h("p", { class: "quiet" }, "There is no finished run of all cases of this profile yet."));
}
