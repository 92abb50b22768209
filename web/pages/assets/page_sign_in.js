// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Signing in by name and password, or by a one-time link. The code is only used when the button is pressed, so that a preview of the link in
// some other program does not use it up.

import { api, forgetSession } from "./api.js";
import { card, field, form, h, title } from "./dom.js";

/** Only a path of this service: a link must not be able to lead elsewhere. */
function nextPath() {
  const next = new URLSearchParams(location.search).get("next") ?? "/";
  return /^\/(?!\/)[\w\-./]*$/.test(next) ? next : "/";
}

export async function signIn(show) {
  title("Sign in");
  document.getElementById("main").className = "lone";
  const code = new URLSearchParams(location.search).get("code");
  const codeField = field("Code", "The part of the sign-in link behind “code=”.",
    h("input", { type: "text", name: "code", required: true, autocomplete: "off", spellcheck: "false" }));
  const nameInput = h("input", { type: "text", name: "name", maxlength: "100", autocomplete: "name" });
  const nameField = h("div", { hidden: true }, field("Your name", "This link is for somebody new. Choose the name by which you sign in and are known.", nameInput));
  const submit = async ({ code: typed, name }) => {
    try {
      await api("POST", "/api/v1/session", name ? { code: code ?? typed, name } : { code: code ?? typed });
    } catch (problem) {
      if (problem.code !== "name_wanted") throw problem;
      nameField.hidden = false;
      nameInput.required = true;
      nameInput.focus();
      return;
    }
    forgetSession();
    location.replace(nextPath());
  };
  const byPassword = async ({ name, password }) => {
    await api("POST", "/api/v1/session", { name, password });
    forgetSession();
    location.replace(nextPath());
  };
  const passwordForm = () => form("Sign in", [field("Name", null, h("input", { type: "text", name: "name", required: true, maxlength: "100", autocomplete: "username" })),
    field("Password", null, h("input", { type: "password", name: "password", required: true, maxlength: "200", autocomplete: "current-password" }))], byPassword);
  const byCode = form("Sign in", [code ? null : codeField, nameField].filter((part) => part), submit);
  show(code ? card(null, h("h1", null, "Sign in"), h("p", { class: "quiet" }, "This is a one-time link."), byCode)
    : card(null, h("h1", null, "Sign in"), passwordForm(),
      h("details", null, h("summary", null, "By a one-time link"),
        h("p", { class: "quiet" }, "An administrator of your account makes one, on the account's page. The service prints one on its terminal when it starts for the first time, and later with ",
          h("code", null, "--sign-in-link"), ". Open that link, or type its code."), byCode)),
  h("p", { class: "small quiet" }, "Somebody showed you a certificate? ", h("a", { href: "/verify" }, "Verify it"), " without signing in."));
}
