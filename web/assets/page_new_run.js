// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Choosing what to run. The run's token is shown once: it is handed to the run's page by this tab's own storage.

import { api } from "./api.js";
import { card, crumbs, field, form, h, inOrder, profileTitle, title } from "./dom.js";

// What a suite is about, where its name alone does not say it.
const ABOUT = {
  "impi-0.0": {
    server: "the server's side of the start-up: authentication, labels, their broadcast, the end",
    startup: "the client's side of it, and how its hosts connect to those of others",
    packets: "the 128 octets before every message, and what a host makes of impossible ones",
    p2p: "messages between processes: flow control, short and long ones, probe, cancel",
    shutdown: "how channels, hosts and the job end",
    interop: "MPI programs that run together with the reference",
  },
};
const ROLES = { client: "an IMPI client: your MPI's launcher and library", server: "an IMPI server" };

function choice(suite, profile) {
  const about = ABOUT[profile.id]?.[suite.id];
  return h("label", { title: about }, h("input", { type: "checkbox", name: "suite", value: suite.id }),
    h("span", null, suite.id, suite.role ? h("span", { class: "small quiet" }, ` ${suite.role}`) : null, about ? h("span", { class: "small quiet about" }, about) : null),
    h("span", { class: "count" }, String(suite.cases)));
}

function roleHint(profile) {
  const roles = Object.entries(profile.roles);
  if (!roles.length) return null;
  return h("p", { class: "hint" }, "One run judges one role; the command that you start decides: ",
    roles.map(([role, count], i) => [i ? "; " : "", h("strong", null, role), ` – ${ROLES[role] ?? role}, ${count} cases`]),
    ". Cases of the other role take no part, and the report says which role was judged.");
}

function suiteChoices(profile) {
  const all = Object.keys(profile.roles).length ? "all of your role" : `all: ${profile.cases} cases`;
  return h("fieldset", null, h("legend", null, "Suites"), roleHint(profile),
    h("p", { class: "hint" }, `None chosen means ${all}. Only a run of all can lead to a certificate.`),
    h("div", { class: profile.id in ABOUT ? "choices wide" : "choices" }, profile.suites.map((suite) => choice(suite, profile))));
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
  const usable = inOrder(profiles.filter((profile) => !profile.problem));
  const first = usable.find((profile) => profile.id === wanted.get("profile")) ?? usable[0];
  const suites = h("div", null, first ? suiteChoices(first) : null);
  const fields = [
    field("Implementation", null, h("select", { name: "implementation" }, implementations.map((one) =>
      h("option", { value: one.id, selected: one.id === wanted.get("implementation") }, `${one.name} ${one.version}`)))),
    field("Profile", "One specification at one revision.", h("select", {
      name: "profile",
      change: (event) => suites.replaceChildren(suiteChoices(usable.find((profile) => profile.id === event.target.value))),
    }, usable.map((profile) => h("option", { value: profile.id, selected: profile === first }, profileTitle(profile.id))))),
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
