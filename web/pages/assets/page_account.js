// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The account: API tokens, links for other devices and people, signing out, removing accounts.

import { api, forgetSession, whoami } from "./api.js";
import { card, cells, command, date, field, form, h, table, title } from "./dom.js";

const COLUMNS = [{ title: "Name" }, { title: "Created" }, { title: "", class: "tight" }];

async function fillTokens(body) {
  const { tokens } = await api("GET", "/api/v1/tokens");
  const row = (one) => h("tr", null, cells(COLUMNS, [one.name, date(one.created), h("button", {
    type: "button", class: "danger",
    click: async () => {
      await api("DELETE", `/api/v1/tokens/${one.id}`);
      await fillTokens(body);
    },
  }, "Revoke", h("span", { class: "unseen" }, ` ${one.name}`))]));
  body.replaceChildren(tokens.length ? table("API tokens", COLUMNS, tokens.map(row)) : h("p", { class: "quiet" }, "None yet."));
}

function tokenCard() {
  const body = h("div"), made = h("div", { role: "status" });
  fillTokens(body);
  return card("API tokens", h("p", { class: "quiet" }, "For programs, such as ", h("code", null, "assay certify"), ". A token has all rights of your account but one: it lets nobody in."),
    made, body, h("h3", null, "New token"), form("Create a token", [field("Name", "What it is for.", h("input", { type: "text", name: "name", required: true, maxlength: "100" }))],
      async ({ name }) => {
        const token = await api("POST", "/api/v1/tokens", { name });
        made.replaceChildren(h("p", { class: "notice" }, "This is shown only once. Treat it like a password."), command(token.token));
        await fillTokens(body);
      }));
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
  return card("Sign-in links", h("p", { class: "quiet" }, "There are no passwords: each link signs in once whoever has it."),
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
  const columns = [{ title: "Name" }, { title: "Created" }, { title: "Runs" }, { title: "Stored" }, { title: "" }];
  const row = (one) => h("tr", null, cells(columns, [one.name, date(one.created), String(one.runs), megabytes(one.stored),
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

/** Ends what somebody else may have: other sessions, and links that have not been used. */
function othersCard() {
  const out = h("p", { role: "status", hidden: true, class: "small" });
  return card("Other devices", h("p", { class: "quiet" }, "Ends every session of this account except this one, and revokes its unused sign-in links; for a lost device, for example. API tokens stay valid: revoke them above."),
    h("div", { class: "row" }, h("button", {
      type: "button", class: "danger",
      click: async () => {
        try {
          await api("DELETE", "/api/v1/sessions");
          out.textContent = "Done: all other sessions have ended.";
        } catch (problem) {
          out.textContent = problem.message;
        }
        out.hidden = false;
      },
    }, "Sign out all other devices")), out);
}

export async function account(show) {
  const who = await whoami();
  title("Account");
  show(h("div", { class: "head" }, h("div", null, h("h1", null, who.account.name), h("p", { class: "quiet" }, who.account.owner ? "Owner of this service" : "Account of this service")),
    h("button", { type: "button", click: signOut }, "Sign out")), tokenCard(), linkCard(who.account.owner), othersCard(), accountsCard(who.account.owner));
}
