// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Signing in by the one-time link. The code is only used when the button is pressed, so that a preview of the link in
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
  const nameField = h("div", { hidden: true }, field("Your name", "This link makes a new account. Choose its name.", nameInput));
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
  show(card(null, h("h1", null, "Sign in"),
    code ? h("p", { class: "quiet" }, "This is a one-time link.")
      : h("p", { class: "quiet" }, "The service prints a one-time sign-in link on its terminal when it starts for the first time, and later with ",
        h("code", null, "--sign-in-link"), ". Open that link, or type its code."),
    form("Sign in", [code ? null : codeField, nameField].filter((part) => part), submit)),
  h("p", { class: "small quiet" }, "Somebody showed you a certificate? ", h("a", { href: "/verify" }, "Verify it"), " without signing in."));
}
