// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Choosing what to run. The run's token is shown once: it is handed to the run's page by this tab's own storage.

import { api } from "./api.js";
import { card, crumbs, field, form, h, inOrder, profileTitle, title } from "./dom.js";

// What a suite is about, where its name alone does not say it.
const ABOUT = {
  "portals-3.0": {
    promises: "what the document promises of every message: once, in order, only where it may",
    translation: "which match entry and descriptor a request finds",
    "access-control": "who may send to which portal",
    movement: "what puts and gets move, and from where to where",
    types: "handles, ids and match bits keep what they have to",
    start: "before PtlInit, after PtlFini",
    ids: "names of processes in both addressings",
    interfaces: "opening, limits, status registers, distance, barrier",
    "match-entries": "attaching, inserting and unlinking them",
    "memory-descriptors": "their members, thresholds, options and updates",
    events: "what is logged, with which members, and when queues are full",
    wire: "messages as a scripted peer receives them over TCP",
    receiving: "what becomes of good, impossible and forged messages from a peer",
    examples: "the programs of chapter 5",
    "return-codes": "every code that the document lists for each function",
    stress: "the same under load and from several threads",
    "wire-fields": "every field of every message, with every value",
    readings: "what the document leaves open: which reading is followed",
    smoke: "a put, a get and a message on the wire, to begin with",
  },
  "impi-0.0": {
    server: "the server's side of the start-up: authentication, labels, their broadcast, the end",
    startup: "the client's side of it, and how its hosts connect to those of others",
    packets: "the 128 octets before every message, and what a host makes of impossible ones",
    p2p: "messages between processes: flow control, short and long ones, probe, cancel",
    shutdown: "how channels, hosts and the job end",
    communicators: "what belongs to a communicator across clients: its ranks, its contexts",
    collective: "collective calls: who sends what to whom, and in which order",
    interop: "meetings: MPI programs that your clients run together with the reference's",
  },
};

// What a vendor of a profile with roles may bring, and whom its cases judge then.
const BRINGS = [
  { id: "client", counts: ["client"], title: "IMPI clients", about: "your MPI's launcher and its library; a client is one part of a job" },
  { id: "both", counts: ["client", "own_server"], title: "IMPI clients, and your own IMPI server",
    about: "clients are judged; your server joins their meetings with the reference" },
  { id: "server", counts: ["server"], title: "An IMPI server", about: "the program that clients find each other by; it needs no test interpreter" },
];

const countOf = (counts, roles) => counts.reduce((sum, name) => sum + (roles[name] ?? 0), 0);

function choice(suite, profile, cases, chosen) {
  const about = ABOUT[profile.id]?.[suite.id];
  return h("label", { title: about }, h("input", { type: "checkbox", name: "suite", value: suite.id, checked: chosen.includes(suite.id) }),
    h("span", null, suite.id, about ? h("span", { class: "small quiet about" }, about) : null), h("span", { class: "count" }, String(cases)));
}

/** The suites that have cases for what is brought, to choose from. */
function suiteChoices(profile, brings, chosen) {
  const suites = profile.suites.map((suite) => [suite, brings ? countOf(brings.counts, suite.roles) : suite.cases]).filter(([, cases]) => cases);
  const all = suites.reduce((sum, [, cases]) => sum + cases, 0);
  return h("fieldset", null, h("legend", null, "Suites"),
    h("p", { class: "hint" }, `None selected: all, ${all} cases. Only a run of all suites can lead to a certificate.`),
    h("div", { class: profile.id in ABOUT ? "choices broad" : "choices" }, suites.map(([suite, cases]) => choice(suite, profile, cases, chosen))));
}

function serverField(value) {
  const code = (text) => h("code", null, text);
  return field("Command of your server", ["sut-agent starts it on your machine whenever a meeting wants it; nothing of it runs here. ", code("{clients}"),
    " becomes the number of clients to wait for, ", code("{options}"), " may stay as well. Blanks separate words, quotes keep them together; there is no shell. It appears in the report and on the certificate. ",
    h("strong", null, "The reference's clients connect to the address:port that your server prints."),
    " Where this service cannot reach it, only your own clients meet under it; the other meetings are skipped, and the report says so."],
  h("input", { type: "text", name: "server", value, placeholder: "impirun -server {clients} {options}", maxlength: "500", required: true, spellcheck: "false", autocomplete: "off", class: "mono" }));
}

/** What depends on the profile, and there on what is brought. */
function profileChoices(profile, wanted) {
  const chosen = (wanted.get("suite") ?? "").split(",");
  if (!Object.keys(profile.roles).length) return [suiteChoices(profile, null, chosen)];
  const below = h("div");
  const fill = (brings) => below.replaceChildren(brings.id === "both" ? serverField(wanted.get("server") ?? "") : "",
    suiteChoices(profile, brings, chosen));
  const first = BRINGS.find((brings) => brings.id === (wanted.get("server") ? "both" : wanted.get("brings"))) ?? BRINGS[0];
  fill(first);
  return [h("fieldset", null, h("legend", null, "What is to be tested?"),
    h("p", { class: "hint" }, "One run judges one role: to certify several, create a run for each."),
    h("div", { class: "choices broad" }, BRINGS.map((brings) => h("label", null,
      h("input", { type: "radio", name: "brings", value: brings.id, checked: brings === first, change: () => fill(brings) }),
      h("span", null, brings.title, h("span", { class: "small quiet about" }, brings.about)),
      h("span", { class: "count" }, `${countOf(brings.counts, profile.roles)} cases`))))), below];
}

async function submit(values, data) {
  const order = { implementation: values.implementation, profile: values.profile };
  const suites = data.getAll("suite");
  if (values.case) order.case = values.case;
  else if (suites.length && suites.length < document.querySelectorAll("[name=suite]").length) order.suite = suites.join(",");
  if (values.seed) order.seed = Number(values.seed);
  if (values.server) order.server = values.server;
  const made = await api("POST", "/api/v1/runs", order);
  const role = values.brings === "both" ? "client" : values.brings;
  const commands = made.commands.filter((one) => !one.role || !role || one.role === role);
  sessionStorage.setItem(`run-${made.run.id}`, JSON.stringify({ token: made.token, commands, role }));
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
  const choices = h("div", null, first ? profileChoices(first, wanted) : null);
  const fields = [
    field("Implementation", null, h("select", { name: "implementation" }, implementations.map((one) =>
      h("option", { value: one.id, selected: one.id === wanted.get("implementation") }, `${one.name} ${one.version}`)))),
    field("Profile", "One specification at one revision.", h("select", {
      name: "profile",
      change: (event) => choices.replaceChildren(...profileChoices(usable.find((profile) => profile.id === event.target.value), wanted)),
    }, usable.map((profile) => h("option", { value: profile.id, selected: profile === first }, profileTitle(profile.id))))),
    choices,
    h("details", null, h("summary", null, "Advanced"),
      field("Single case", "Its id; overrides the suites.", h("input", { type: "text", name: "case", value: wanted.get("case") ?? "", maxlength: "128" })),
      field("Seed", "To repeat the random choices of an earlier run.", h("input", { type: "number", name: "seed", min: "0", max: "9007199254740991", value: wanted.get("seed") ?? "" }))),
  ];
  if (wanted.get("case")) fields.at(-1).open = true;
  show(crumbs(h("a", { href: "/" }, "Home"), "New run"), h("h1", null, "New run"),
    ...profiles.filter((profile) => profile.problem).map((profile) =>
      h("p", { class: "error" }, `The profile ${profile.id} cannot be run: ${profile.problem}`)),
    card(null, form("Create the run", fields, submit)));
}
