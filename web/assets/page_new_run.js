// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Choosing what to run. The run's token is shown once: it is handed to the run's page by this tab's own storage.

import { api } from "./api.js";
import { card, crumbs, field, form, h, title } from "./dom.js";

function choice(suite) {
  return h("label", null, h("input", { type: "checkbox", name: "suite", value: suite.id }), h("span", null, suite.id),
    h("span", { class: "count" }, String(suite.cases)));
}

function suiteChoices(profile) {
  return h("fieldset", null, h("legend", null, "Suites"),
    h("p", { class: "hint" }, `None chosen means all: ${profile.cases} cases. Only a run of all can lead to a certificate.`),
    h("div", { class: "choices" }, profile.suites.map(choice)));
}

async function submit(values, data) {
  const order = { implementation: values.implementation, profile: values.profile };
  const suites = data.getAll("suite");
  if (values.case) order.case = values.case;
  else if (suites.length && suites.length < document.querySelectorAll("[name=suite]").length) order.suite = suites.join(",");
  if (values.seed) order.seed = Number(values.seed);
  const made = await api("POST", "/api/v1/runs", order);
  sessionStorage.setItem(`run-${made.run.id}`, JSON.stringify({ token: made.token, commands: made.commands }));
  location.assign(`/runs/${made.run.id}`);
}

export async function newRun(show) {
  title("New run");
  const wanted = new URLSearchParams(location.search);
  const [{ implementations }, { profiles }] = await Promise.all([api("GET", "/api/v1/implementations"), api("GET", "/api/v1/profiles")]);
  if (!implementations.length) {
    location.replace("/implementations/new");
    return;
  }
  const usable = profiles.filter((profile) => !profile.problem);
  const suites = h("div", null, usable.length ? suiteChoices(usable[0]) : null);
  const fields = [
    field("Implementation", null, h("select", { name: "implementation" }, implementations.map((one) =>
      h("option", { value: one.id, selected: one.id === wanted.get("implementation") }, `${one.name} ${one.version}`)))),
    field("Profile", "One specification at one revision.", h("select", {
      name: "profile",
      change: (event) => suites.replaceChildren(suiteChoices(usable.find((profile) => profile.id === event.target.value))),
    }, usable.map((profile) => h("option", { value: profile.id }, profile.id)))),
    suites,
    h("details", null, h("summary", null, "More"),
      field("Only one case", "Its id; overrides the suites.", h("input", { type: "text", name: "case", value: wanted.get("case") ?? "", maxlength: "128" })),
      field("Seed", "Repeats the random choices of an earlier run.", h("input", { type: "number", name: "seed", min: "0", max: "9007199254740991", value: wanted.get("seed") ?? "" }))),
  ];
  if (wanted.get("case")) fields.at(-1).open = true;
  show(crumbs(h("a", { href: "/" }, "Home"), "New run"), h("h1", null, "New run"),
    ...profiles.filter((profile) => profile.problem).map((profile) =>
      h("p", { class: "error" }, `The profile ${profile.id} cannot be run: ${profile.problem}`)),
    card(null, form("Make the run", fields, submit)));
}
