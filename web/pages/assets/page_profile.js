// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// A profile: every requirement of the specification, with the cases that judge it.

import { api } from "./api.js";
import { bookOf, card, crumbs, h, prefixOf, profileTitle, title } from "./dom.js";

const CLASSES = { normative: "stated", inferred: "follows", ambiguous: "ambiguous", reconstructed: "reconstructed" };

const CASES_MOST = 8;

/** The cases that judge a requirement: the first ones, the others when they are asked for. */
function judges(cases, profile) {
  const links = (list) => list.flatMap((one, i) => [i ? ", " : "", h("a", { href: `/profiles/${profile}/cases/${one.id}`, title: one.role ? `judges a ${one.role}` : null }, one.id)]);
  const most = cases.length > CASES_MOST + 1 ? CASES_MOST : cases.length;
  return [h("p", { class: "small" }, "Judged by ", links(cases.slice(0, most))),
    most < cases.length ? h("details", { class: "small" }, h("summary", null, `and ${cases.length - most} more cases`), h("p", null, links(cases.slice(most)))) : null];
}

function requirement(row, cases, profile) {
  return h("article", { class: "rule", id: row.id }, h("div", { class: "row" }, h("a", { class: "mono", href: `#${row.id}` }, row.id),
    h("span", { class: "tag" }, row.level), h("span", { class: "small quiet" }, CLASSES[row.class] ?? row.class),
    bookOf(row.id) ? h("a", { class: "small", href: bookOf(row.id) }, "in the requirements book") : null),
  h("p", null, row.obligation), row.reading ? h("p", { class: "small quiet" }, h("em", null, "Reading: "), row.reading) : null,
  cases.length ? judges(cases, profile)
    : h("p", { class: "small quiet" }, row.testable ? "No case yet." : `Not testable from outside: ${row.why_not ?? ""}`));
}

function sections(rows, byRequirement, profile, titles) {
  const bySection = new Map();
  for (const row of rows) {
    if (!bySection.has(row.section)) bySection.set(row.section, []);
    bySection.get(row.section).push(row);
  }
  return [...bySection].map(([section, list]) => card(`Section ${section} ${titles[section] ?? ""}`, list.map((row) =>
    requirement(row, byRequirement.get(row.id) ?? [], profile))));
}

export async function profile(show, name) {
  const [{ requirements, sections: titles }, { cases }, { profiles }] = await Promise.all([api("GET", `/api/v1/profiles/${name}/requirements`),
    api("GET", `/api/v1/profiles/${name}/cases`), api("GET", "/api/v1/profiles")]);
  const others = profiles.map((one) => one.id).filter((id) => id !== name);
  title(profileTitle(name));
  const byRequirement = new Map();
  for (const one of cases) {
    for (const id of one.requirements) byRequirement.set(id, [...byRequirement.get(id) ?? [], one]);
  }
  const body = h("div", null, sections(requirements, byRequirement, name, titles));
  let wanted = "", judged = false;
  const fill = () => {
    const rows = requirements.filter((row) => (!judged || byRequirement.has(row.id)) &&
      (!wanted || `${row.id} ${row.section} ${titles[row.section] ?? ""} ${row.obligation}`.toLowerCase().includes(wanted)));
    body.replaceChildren(...rows.length ? sections(rows, byRequirement, name, titles) : [h("p", { class: "quiet" }, "No requirement matches the filter.")]);
  };
  const only = h("button", { type: "button", "aria-pressed": "false", click: () => {
    judged = !judged;
    only.setAttribute("aria-pressed", String(judged));
    fill();
  } }, "only with cases");
  const testable = requirements.filter((row) => row.testable).length;
  show(crumbs(h("a", { href: "/" }, "Home"), name), h("h1", null, `Requirements of ${profileTitle(name)}`),
    h("p", null, others.flatMap((id, i) => [i ? ", " : "See also: ", h("a", { href: `/profiles/${id}` }, profileTitle(id))])),
    h("p", { class: "quiet" }, `${requirements.length} requirements, ${testable} testable from outside, ${byRequirement.size} judged by ${cases.length} cases.`),
    h("p", null, h("a", { class: "button", href: `/profiles/${name}/matrix` }, "Your implementations by chapter")),
    h("div", { class: "filters" }, h("input", { type: "search", placeholder: `word, section or ${prefixOf(name)}-…`, "aria-label": "Filter the requirements",
      input: (event) => { wanted = event.target.value.trim().toLowerCase(); fill(); } }), only), body);
}
