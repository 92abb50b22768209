// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The account: API tokens, links for other devices and people, signing out, removing accounts; its people stand in account_people.js.

import { api, forgetSession, whoami } from "./api.js";
import { organisationCard } from "./account_organisation.js";
import { auditCard, membersCard, passwordCard, roleSelect, sessionsCard } from "./account_people.js";
import { card, cells, command, date, field, form, h, livingCard, table, title } from "./dom.js";

const COLUMNS = [{ title: "Name" }, { title: "May do at most", class: "wide" }, { title: "Ends" }, { title: "", class: "tight" }];
const DAYS = [["30", "in 30 days"], ["90", "in 90 days"], ["365", "in a year"], ["", "never"]];

function tokenCard(who) {
  const made = h("div", { role: "status" });
  return livingCard("API tokens", ["For programs, such as ", h("code", null, "assay certify"), ", which needs the role tester. A token lets nobody in."], async (again) => {
    const { tokens } = await api("GET", "/api/v1/tokens");
    const row = (one) => h("tr", null, cells(COLUMNS, [[one.name, h("div", { class: "small quiet" }, one.member, ", ", date(one.created))], one.role, one.expires ? date(one.expires) : "never", h("button", {
      type: "button", class: "danger", click: () => again(() => api("DELETE", `/api/v1/tokens/${one.id}`)),
    }, "Revoke", h("span", { class: "unseen" }, ` ${one.name}`))]));
    const usual = who.member.role === "viewer" ? "viewer" : "tester";
    return [made, tokens.length ? table("API tokens", COLUMNS, tokens.map(row)) : h("p", { class: "quiet" }, "None yet."), h("h3", null, "New token"),
      form("Create a token", [field("Name", "What it is for.", h("input", { type: "text", name: "name", required: true, maxlength: "100" })),
        field("May do at most", null, roleSelect(who.member.role, usual, { name: "role" })),
        field("Ends", null, h("select", { name: "days" }, DAYS.map(([value, word]) => h("option", { value, selected: value === "90" }, word))))],
      async ({ name, role, days }) => {
        const token = await api("POST", "/api/v1/tokens", days ? { name, role, days: Number(days) } : { name, role });
        made.replaceChildren(h("p", { class: "notice" }, "This is shown only once. Treat it like a password."), command(token.token));
        await again();
      })];
  });
}

function linkCard(owner) {
  const out = h("div", { role: "status" });
  const make = async (whom) => {
    try {
      const { link, hours } = await api("POST", "/api/v1/sign-in-links", { for: whom });
      out.replaceChildren(h("p", { class: "quiet" }, `Works once, within ${hours} hours.`), command(link));
    } catch (problem) {
      out.replaceChildren(h("p", { class: "error" }, problem.message));
    }
  };
  return card("Sign-in links", h("p", { class: "quiet" }, "Each link signs in once whoever has it."),
    h("div", { class: "row" }, h("button", { type: "button", click: () => make("this-account") }, "Link for another device of mine"),
      owner ? h("button", { type: "button", click: () => make("new-account") }, "Link for a new account") : null), out);
}

const WITH = "Implementations, runs, evidence, API tokens and sessions are deleted with it and cannot be restored. The service no longer shows its certificates; files of them can still be verified.";

/** A button that asks for the name of the account before it is removed. */
function removal(one, after) {
  return form(one.mine ? "Remove this account" : "Remove", [field(`Type ${one.name}`, "", h("input", { type: "text", name: "typed", required: true, autocomplete: "off" }))],
    async ({ typed }) => {
      if (typed !== one.name) throw new Error("That is not the name of the account.");
      await api("DELETE", `/api/v1/accounts/${one.id}`);
      await after();
    });
}

const megabytes = (octets) => `${(octets / 1048576).toFixed(1)} MiB`;

async function fillAccounts(body, owner) {
  const { accounts } = await api("GET", "/api/v1/accounts");
  if (!owner) {
    body.replaceChildren(h("p", { class: "quiet" }, `${accounts[0].runs} runs, ${megabytes(accounts[0].stored)}. ${WITH}`), removal(accounts[0], async () => {
      forgetSession();
      location.assign("/sign-in");
    }));
    return;
  }
  const columns = [{ title: "Name" }, { title: "Created", class: "wide" }, { title: "Runs", class: "wide" }, { title: "Evidence", class: "wide" }, { title: "" }];
  const small = (one) => h("div", { class: "small quiet narrow" }, date(one.created), `, ${one.runs} ${one.runs === 1 ? "run" : "runs"}, ${megabytes(one.stored)}`);
  const row = (one) => h("tr", null, cells(columns, [[one.name, small(one)], date(one.created), String(one.runs), megabytes(one.stored),
    one.owner ? "Owner" : h("details", null, h("summary", null, "Remove", h("span", { class: "unseen" }, ` ${one.name}`)), h("p", { class: "small" }, WITH), removal(one, () => fillAccounts(body, owner)))]));
  body.replaceChildren(table("Accounts", columns, accounts.map(row)));
}

function accountsCard(owner) {
  const body = h("div");
  fillAccounts(body, owner);
  return card(owner ? "Accounts" : "Remove this account", body);
}

async function signOut() {
  await api("DELETE", "/api/v1/session");
  forgetSession();
  location.assign("/sign-in");
}

export async function account(show) {
  const who = await whoami();
  const { owner, name } = who.account, { role } = who.member;
  title("Account");
  const about = owner ? "Owner of this service" : "Account of this service";
  const head = h("div", null, h("h1", null, name), h("p", { class: "quiet" }, who.single_user ? "This service has a single user, on this machine." : [about, ". You are ", h("strong", null, who.member.name), `, ${role}.`]));
  if (who.single_user) {
    show(head, tokenCard(who), organisationCard(who), auditCard());
    return;
  }
  show(h("div", { class: "head" }, head, h("button", { type: "button", click: signOut }, "Sign out")), tokenCard(who), organisationCard(who), membersCard(who), linkCard(owner), passwordCard(who),
    sessionsCard(), role === "administrator" ? auditCard() : null, role === "administrator" ? accountsCard(owner) : null);
}
