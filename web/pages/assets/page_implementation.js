// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Naming an implementation.

import { api } from "./api.js";
import { card, crumbs, field, form, h, title } from "./dom.js";

export async function newImplementation(show) {
  title("New implementation");
  const fields = [
    field("Name", null, h("input", { type: "text", name: "name", required: true, maxlength: "100", autofocus: true })),
    field("Version", "Reports of different versions are kept apart.", h("input", { type: "text", name: "version", required: true, maxlength: "60" })),
    field("Vendor", "For your own lists. A certificate names the organisation that was approved on the account's page.", h("input", { type: "text", name: "vendor", maxlength: "100", autocomplete: "organization" })),
    field("Notes", "Only for you: compiler, network, options.", h("textarea", { name: "notes", maxlength: "4000" })),
  ];
  show(crumbs(h("a", { href: "/" }, "Home"), "New implementation"), h("h1", null, "New implementation"),
    card(null, form("Save and go on to a run", fields, async (values) => {
      const made = await api("POST", "/api/v1/implementations", values);
      location.assign(`/runs/new?implementation=${made.id}`);
    })));
}
