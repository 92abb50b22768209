// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Interoperability of implementations as a table: a row for each MPI program, a column for each combination of a server
// and two clients, in every field the verdict with a link to its case.

import { card, h, mayBringServer, sign, words } from "./dom.js";

/** Who is meant in a column: `key` says whether as server or as client, for whom a guest may stand. */
const nameOf = (run, key, who) => who === "sut" ? "yours" : key !== "server" && run.guest ? run.guest : who;
const meetingOf = (cell) => [cell.server, cell.client_a, cell.client_b].join("/");

function verdict(run, cell) {
  if (!cell) return h("td", null, "–");
  return h("td", null, h("a", { class: `tag ${cell.verdict}`, href: `/runs/${run.id}/cases/${cell.case}`, title: cell.case },
    h("span", { "aria-hidden": "true" }, sign(cell.verdict)), words(cell.verdict)));
}

/** How many jobs passed with each server, and why others were skipped. */
function summary(matrix, results) {
  const lines = ["sut", "reference"].map((server) => {
    const cells = matrix.filter((cell) => cell.server === server);
    const count = (verdict) => cells.filter((cell) => cell.verdict === verdict).length;
    const others = ["fail", "warn", "inconclusive", "skip"].filter(count).map((verdict) => `${count(verdict)} ${words(verdict)}`);
    return cells.length ? h("li", null, server === "sut" ? "With your server: " : "With the reference's server: ", h("strong", null, `${count("pass")} of ${cells.length}`),
      " jobs passed", others.length ? `, ${others.join(", ")}` : "", ".") : null;
  });
  const skipped = new Set(matrix.filter((cell) => cell.verdict === "skip").map((cell) => cell.case));
  const reasons = new Set(results.filter((one) => skipped.has(one.id)).map((one) => one.reason));
  return h("ul", null, lines, [...reasons].map((reason) => h("li", null, "Skipped: ", reason)));
}

/** The interoperability cases among the results: {server, client_a, client_b, program, verdict, case} each. */
export const meetings = (results) => results.filter((one) => one.cell).map((one) => ({ ...one.cell, verdict: one.verdict, case: one.id }));

/** The table alone; a field that has no verdict yet is shown as such. */
export function matrixTable(run, matrix) {
  const columns = new Map(matrix.map((cell) => [meetingOf(cell), cell]));
  const programs = new Map();
  for (const cell of matrix) {
    programs.set(cell.program, programs.get(cell.program) ?? new Map());
    programs.get(cell.program).set(meetingOf(cell), cell);
  }
  const head = (text, key) => h("tr", null, h("th", { scope: "row" }, text),
    [...columns.values()].map((cell) => h("th", { scope: "col" }, nameOf(run, key, cell[key]))));
  return h("div", { class: "scroll", tabindex: "0" }, h("table", { class: "matrix" }, h("caption", { class: "unseen" }, "Verdict by program and meeting"),
    h("thead", null, head("server", "server"), head("client 0", "client_a"), head("client 1", "client_b")),
    h("tbody", null, [...programs].map(([program, cells]) => h("tr", null, h("th", { scope: "row" }, program),
      [...columns.keys()].map((meeting) => verdict(run, cells.get(meeting))))))));
}

/** What the words of the table mean. */
export function matrixWords(run) {
  return h("p", { class: "quiet" },
    "MPI programs, each run as one job of two clients. ", h("strong", null, "yours"), " is the implementation under test (sut in the titles of cases), ",
    h("strong", null, "reference"), " the one that comes with this service; ",
    run.guest ? ["the reference's clients have given their place to ", h("strong", null, run.guest), ". Where two implementations do not work together, the report accuses neither. "]
      : "where both clients and the server are the reference, the program itself is checked. ",
    run.server ? ["Your server is ", h("code", null, run.server), "."] : mayBringServer(run) ? "To include your own server, give its command when you create a run." : null);
}

export function matrixCard(run, results) {
  const matrix = meetings(results);
  return matrix.length ? card("Interoperability", matrixWords(run), summary(matrix, results), matrixTable(run, matrix)) : null;
}
