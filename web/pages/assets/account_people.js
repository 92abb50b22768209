// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The account: its members and their roles, the own password, who is signed in, the audit log.

import { api } from "./api.js";
import { announce, card, cells, command, date, field, form, h, livingCard, table } from "./dom.js";

export const ROLES = { viewer: "sees everything of the account", tester: "also makes, cancels and deletes runs", certifier: "also answers for results towards others",
  administrator: "also lets members in, gives roles, removes the account" };

/** A choice of roles, up to one, with what each may do unless `short`. */
export function roleSelect(most, chosen, attributes, short) {
  const names = Object.keys(ROLES);
  return h("select", attributes, names.slice(0, names.indexOf(most) + 1).map((name) =>
    h("option", { value: name, selected: name === chosen }, short ? name : `${name}: ${ROLES[name]}`)));
}

const MEMBERS = [{ title: "Name" }, { title: "Role" }, { title: "Since", class: "wide" }, { title: "", class: "tight" }];

function memberRow(one, administrator, again) {
  const remove = () => again(async () => {
    await api("DELETE", `/api/v1/members/${one.id}`);
    announce(`${one.name} is no member any more`);
  });
  const role = administrator ? roleSelect("administrator", one.role, {
    "aria-label": `Role of ${one.name}`,
    change: (event) => again(() => api("POST", `/api/v1/members/${one.id}`, { role: event.target.value })),
  }, true) : one.role;
  return h("tr", null, cells(MEMBERS, [[one.name, one.mine ? h("span", { class: "quiet" }, " (you)") : null], role, date(one.created),
    administrator && !one.mine ? h("details", null, h("summary", null, "Remove", h("span", { class: "unseen" }, ` ${one.name}`)),
      h("p", { class: "small" }, "Sessions and API tokens of this member end. Runs stay: they are the account's."), h("button", { type: "button", class: "danger", click: remove }, "Remove")) : null]));
}

export function membersCard(who) {
  const administrator = who.member.role === "administrator", out = h("div", { role: "status" });
  const invite = form("Make an invitation", [field("Role of the new member", null, roleSelect("administrator", "tester", { name: "role" }))], async ({ role }) => {
    const { link, hours } = await api("POST", "/api/v1/sign-in-links", { for: "new-member", role });
    out.replaceChildren(h("p", { class: "quiet" }, `For one person, who chooses a name. Works once, within ${hours} hours.`), command(link));
  });
  return livingCard("Members", "People of this account see the same implementations, runs and certificates. What else they may do is their role's matter.", async (again) => {
    const { members } = await api("GET", "/api/v1/members");
    return [table("Members", MEMBERS, members.map((one) => memberRow(one, administrator, again))),
      administrator ? h("details", null, h("summary", null, "Invite somebody"), invite, out) : null];
  });
}

export function passwordCard(who) {
  return livingCard("Password", null, async (again) => {
    const { members } = await api("GET", "/api/v1/members");
    const there = members.find((one) => one.mine).password;
    const input = (name, autocomplete, least) => h("input", { type: "password", name, autocomplete, minlength: least, maxlength: "200", required: true });
    const old = there ? field("Present password", null, input("old", "current-password", "1")) : null;
    const save = form(there ? "Change the password" : "Set a password", [h("input", { type: "text", name: "username", autocomplete: "username", value: who.member.name, hidden: true, "aria-hidden": "true" }), old, field("New password", "At least 10 characters.", input("password", "new-password", "10"))].filter((part) => part),
      async ({ password, old: present }) => {
        await api("POST", "/api/v1/password", present ? { password, old: present } : { password });
        announce("The password is set.");
        await again();
      });
    return [h("p", { class: "quiet" }, there ? ["You can sign in as ", h("strong", null, who.member.name), " with your password."] : "Without a password you sign in by one-time links."),
      h("details", null, h("summary", null, there ? "Change it" : "Set one"), save)];
  });
}

const SESSIONS = [{ title: "Signed in" }, { title: "Browser" }, { title: "Until", class: "wide" }, { title: "", class: "tight" }];

/** "Firefox on Linux" of what a browser says of itself. */
function browserOf(client) {
  const name = [["Edg/", "Edge"], ["Chrome/", "Chrome"], ["Firefox/", "Firefox"], ["Safari/", "Safari"]].find(([word]) => client.includes(word))?.[1] ?? (client || "unknown");
  const system = [["Android", "Android"], ["iPhone", "iPhone"], ["Windows", "Windows"], ["Mac OS", "macOS"], ["Linux", "Linux"]].find(([word]) => client.includes(word))?.[1];
  return system ? `${name} on ${system}` : name.slice(0, 60);
}

export function sessionsCard() {
  return livingCard("Who is signed in", "End what you do not know, or the session of a lost device. API tokens stay valid: revoke them above.", async (again) => {
    const { sessions } = await api("GET", "/api/v1/sessions");
    const row = (one) => h("tr", null, cells(SESSIONS, [[one.member, one.created ? [", ", date(one.created)] : null], browserOf(one.client), date(one.expires),
      one.mine ? "this session" : h("button", { type: "button", class: "danger", click: () => again(() => api("DELETE", `/api/v1/sessions/${one.id}`)) }, "End", h("span", { class: "unseen" }, ` the session of ${one.member}`))]));
    return [table("Sessions", SESSIONS, sessions.map(row)),
      sessions.length > 1 ? h("button", { type: "button", class: "danger", click: () => again(() => api("DELETE", "/api/v1/sessions")) }, "Sign out all my other devices") : null];
  });
}

const AUDIT = [{ title: "Time", class: "tight wide" }, { title: "Who" }, { title: "What" }, { title: "Answer", class: "tight wide" }];
const ACTIONS = {
  "POST /api/v1/session": "signed in", "DELETE /api/v1/session": "signed out", "DELETE /api/v1/sessions": "signed out other devices", "DELETE /api/v1/sessions/{session}": "ended a session",
  "POST /api/v1/sign-in-links": "made a link", "POST /api/v1/tokens": "made an API token", "DELETE /api/v1/tokens/{token}": "revoked an API token", "POST /api/v1/password": "set a password",
  "POST /api/v1/members/{member}": "gave a role", "DELETE /api/v1/members/{member}": "removed a member", "DELETE /api/v1/accounts/{account}": "removed an account",
  "POST /api/v1/implementations": "named an implementation", "DELETE /api/v1/implementations/{implementation}": "deleted an implementation", "POST /api/v1/runs": "made a run",
  "POST /api/v1/runs/{run}/pause": "paused a run", "POST /api/v1/runs/{run}/resume": "resumed a run", "POST /api/v1/runs/{run}/finish": "let a run end",
  "POST /api/v1/runs/{run}/results/{case}/again": "had a case judged again", "POST /api/v1/runs/{run}/shares": "made a public link", "DELETE /api/v1/runs/{run}/shares/{share}": "revoked a public link",
  "POST /api/v1/waivers": "asked for a waiver", "POST /api/v1/waivers/{waiver}/grant": "granted a waiver", "DELETE /api/v1/waivers/{waiver}": "refused or ended a waiver",
  "DELETE /api/v1/runs/{run}": "deleted a run", "POST /api/v1/runs/{run}/cancel": "cancelled a run", "POST /api/v1/certificates/{certificate}/revoke": "revoked a certificate",
  REJUDGE: "judged evidence again",
  "POST /api/v1/organisations": "asked for an organisation", "POST /api/v1/organisations/{organisation}/approve": "approved an organisation", "DELETE /api/v1/organisations/{organisation}": "refused or ended an organisation",
};

function auditRow(one) {
  const answer = one.status < 400 ? "done" : `refused (${one.status})`;
  return h("tr", null, cells(AUDIT, [date(one.at), [h("strong", null, one.member), h("div", { class: "small quiet" }, one.address), h("div", { class: "small quiet narrow" }, date(one.at))],
    [ACTIONS[one.action] ?? one.action, one.about ? `: ${one.about}` : "", h("div", { class: "small quiet mono" }, one.path), h("div", { class: "small quiet narrow" }, answer)], answer]));
}

/** The log, a page of it at a time, when somebody wants to see it. */
export function auditCard() {
  const rows = h("tbody"), more = h("button", { type: "button", hidden: true }, "Earlier entries");
  const wrap = h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Audit log", hidden: true }, h("table", null, h("caption", { class: "unseen" }, "Audit log"),
    h("thead", null, h("tr", null, AUDIT.map((column) => h("th", { scope: "col", class: column.class }, column.title)))), rows));
  let last = 0;
  const load = async () => {
    const { entries } = await api("GET", `/api/v1/audit${last ? `?before=${last}` : ""}`);
    rows.append(...entries.map(auditRow));
    last = entries.at(-1)?.id ?? last;
    more.hidden = entries.length < 200;
    wrap.hidden = false;
  };
  more.addEventListener("click", load);
  return card("Audit log", h("p", { class: "quiet" }, "All requests that were to change something: who made them, from where, and what came of them. Kept for 400 days."),
    h("details", { toggle: (event) => event.target.open && !last && load() }, h("summary", null, "Show it"), wrap, more));
}
