// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Choosing what to run. The run's token is shown once: it is handed to the run's page by this tab's own storage.

import { api } from "./api.js";
import { card, crumbs, field, form, h, title } from "./dom.js";

const countOf = (counts, roles) => counts.reduce((sum, name) => sum + (roles[name] ?? 0), 0);

function suiteChoice(suite, cases, chosen) {
  const { about } = suite;
  return h("label", { title: about }, h("input", { type: "checkbox", name: "suite", value: suite.id, checked: chosen.includes(suite.id) }),
    h("span", null, suite.id, about ? h("span", { class: "small quiet about" }, about) : null), h("span", { class: "count" }, String(cases)));
}

/** The suites that have cases for what is brought, to choose from. */
function suiteChoices(profile, brings, chosen) {
  const suites = profile.suites.map((suite) => [suite, brings ? countOf(brings.counts, suite.roles) : suite.cases]).filter(([, cases]) => cases);
  const all = suites.reduce((sum, [, cases]) => sum + cases, 0);
  return h("fieldset", null, h("legend", null, "Suites"),
    h("p", { class: "hint" }, `None selected: all, ${all} cases. Only a run of all suites can lead to a certificate.`),
    h("div", { class: suites.some(([suite]) => suite.about) ? "choices broad" : "choices" }, suites.map(([suite, cases]) => suiteChoice(suite, cases, chosen))));
}

function serverField(value, reference) {
  return field("Command of your server", ["sut-agent starts it on your machine whenever a case needs it; nothing of it runs here. Keep the words in braces: the service fills them in. Blanks separate words, quotes keep them together; there is no shell. The command appears in the report and on the certificate. ",
    h("strong", null, "The reference's clients connect to the address:port that your server prints."),
    " Where this service cannot reach it, only your own clients use it; the other cases with it are skipped, and the report says so."],
  h("input", { type: "text", name: "server", value, placeholder: reference, maxlength: "500", required: true, spellcheck: "false", autocomplete: "off", class: "mono" }));
}

function guestField(value) {
  return h("details", { open: Boolean(value) }, h("summary", null, "Meet another vendor's implementation"),
    field("Its name", "Its clients take the place of the reference's, on the other vendor's machine and with a launch agent of their own: you receive the commands to send there. The run then consists of the meetings of the suite interop, and leads to no certificate.",
      h("input", { type: "text", name: "guest", value, maxlength: "100", autocomplete: "off" })));
}

/** The choice that an address names, by the parameters brings and server; else the first. */
const wantedOf = (choices, wanted) => choices.find((one) => wanted.get("server") ? one.server : one.id === wanted.get("brings")) ?? choices[0];

/** What depends on the profile, and there on what is brought. */
function profileChoices(profile, wanted) {
  const chosen = (wanted.get("suite") ?? "").split(",");
  const first = wantedOf(profile.choices, wanted);
  if (profile.choices.length < 2) return [suiteChoices(profile, null, chosen)];
  const below = h("div");
  const fill = (brings) => below.replaceChildren(brings.server ? serverField(wanted.get("server") ?? "", brings.server) : "",
    suiteChoices(profile, brings, chosen), brings.role === "client" ? guestField(wanted.get("guest") ?? "") : "");
  fill(first);
  return [h("fieldset", null, h("legend", null, "What is to be tested?"),
    h("p", { class: "hint" }, "One run judges one role: to certify several, create a run for each."),
    h("div", { class: "choices broad" }, profile.choices.map((brings) => h("label", null,
      h("input", { type: "radio", name: "brings", value: brings.id, checked: brings === first, change: () => fill(brings) }),
      h("span", null, brings.title, h("span", { class: "small quiet about" }, brings.about)),
      h("span", { class: "count" }, `${countOf(brings.counts, profile.roles)} cases`))))), below];
}

/** What was typed as a statement; its profile is the run's where it names none. */
function statementOf(text, profile) {
  let statement;
  try {
    statement = JSON.parse(text);
  } catch (problem) {
    throw new Error(`The conformance statement is not JSON: ${problem.message}`);
  }
  return { profile, ...statement };
}

/** Makes a run and goes to its page, which shows the commands; `brings` is the id of what is tested. */
export async function makeRun(profiles, order, brings) {
  const made = await api("POST", "/api/v1/runs", order);
  const { choices } = profiles.find((profile) => profile.id === order.profile);
  const { role, notes } = choices.find((one) => one.id === brings) ?? choices[0];
  const commands = made.commands.filter((one) => !one.role || one.role === role);
  sessionStorage.setItem(`run-${made.run.id}`, JSON.stringify({ token: made.token, commands, notes, guest: made.guest }));
  location.assign(`/runs/${made.run.id}`);
}

async function submit(profiles, values, data) {
  const order = { implementation: values.implementation, profile: values.profile };
  const suites = data.getAll("suite");
  if (values.case) order.case = values.case;
  else if (suites.length && suites.length < document.querySelectorAll("[name=suite]").length) order.suite = suites.join(",");
  if (values.seed) order.seed = Number(values.seed);
  if (values.linger !== "0") order.linger = Number(values.linger);
  if (values.server) order.server = values.server;
  if (values.guest?.trim()) order.guest = values.guest.trim();
  if (values.statement.trim()) order.statement = statementOf(values.statement, values.profile);
  await makeRun(profiles, order, values.brings);
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
  const first = usable.find((profile) => profile.id === wanted.get("profile")) ?? usable[0];
  const choices = h("div", null, first ? profileChoices(first, wanted) : null);
  const fields = [
    field("Implementation", null, h("select", { name: "implementation" }, implementations.map((one) =>
      h("option", { value: one.id, selected: one.id === wanted.get("implementation") }, `${one.name} ${one.version}`)))),
    field("Profile", "One specification at one revision.", h("select", {
      name: "profile",
      change: (event) => choices.replaceChildren(...profileChoices(usable.find((profile) => profile.id === event.target.value), wanted)),
    }, usable.map((profile) => h("option", { value: profile.id, selected: profile === first }, profile.title)))),
    choices,
    h("details", null, h("summary", null, "Advanced"),
      field("Cases", "The id of one, or of several with commas between; overrides the suites.", h("input", { type: "text", name: "case", value: wanted.get("case") ?? "", maxlength: "16384" })),
      field("Conformance statement", ["What your implementation declares of its limits and readings, as JSON: ", h("code", null, '{"limits": {"match_entries": 64}}'), ". Cases that need more are skipped; what is declared must be there. It appears on the certificate."],
        h("textarea", { name: "statement", spellcheck: "false", rows: "4", maxlength: "6000", class: "mono" }, wanted.get("statement") ?? "")),
      field("After the last case", "Where a case failed or was inconclusive, the launch agent may stay for a while: whoever looks at the case can have it run again at once.",
        h("select", { name: "linger" }, [0, 5, 15, 30].map((minutes) => h("option", { value: String(minutes) }, minutes ? `The agent stays for ${minutes} minutes` : "The run ends")))),
      field("Seed", "To repeat the random choices of an earlier run.", h("input", { type: "number", name: "seed", min: "0", max: "9007199254740991", value: wanted.get("seed") ?? "" }))),
  ];
  if (wanted.get("case") || wanted.get("statement")) fields.at(-1).open = true;
  show(crumbs(h("a", { href: "/" }, "Home"), "New run"), h("h1", null, "New run"),
    ...profiles.filter((profile) => profile.problem).map((profile) =>
      h("p", { class: "error" }, `The profile ${profile.title} cannot be run: ${profile.problem}`)),
    card(null, form("Create the run", fields, (values, data) => submit(profiles, values, data))));
}
