// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Finds the page that belongs to the address and shows it in the frame.

import { whoami } from "./api.js";
import { h, title } from "./dom.js";

// Pattern, module and its function, open to everybody. Only the module of the page is fetched.
const PAGES = [
  [/^\/$/, "page_home", "home"],
  [/^\/sign-in$/, "page_sign_in", "signIn", true],
  [/^\/account$/, "page_account", "account"],
  [/^\/implementations\/new$/, "page_implementation", "newImplementation"],
  [/^\/waivers$/, "page_waivers", "waivers"],
  [/^\/runs\/new$/, "page_new_run", "newRun"],
  [/^\/runs\/([^/]+)$/, "page_run", "run"],
  [/^\/runs\/([^/]+)\/cases\/([^/]+)$/, "page_case", "caseInRun"],
  [/^\/runs\/([^/]+)\/compare\/([^/]+)$/, "page_compare", "compare"],
  [/^\/profiles\/([^/]+)$/, "page_profile", "profile"],
  [/^\/profiles\/([^/]+)\/matrix$/, "page_compare", "implementationMatrix"],
  [/^\/profiles\/([^/]+)\/cases\/([^/]+)$/, "page_case", "caseInProfile"],
  [/^\/replay$/, "page_replay", "replayPage"],
  [/^\/replay\/([^/]+)$/, "page_replay", "replayLesson"],
  [/^\/certificates\/([^/]+)$/, "page_certificate", "certificate", true],
  [/^\/verify$/, "page_certificate", "verify", true],
];

function show(...content) {
  const main = document.getElementById("main");
  main.replaceChildren(...content.filter((part) => part));
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function markNavigation() {
  const nav = document.getElementById("nav");
  nav.hidden = false;
  for (const link of nav.querySelectorAll("a")) {
    const path = link.getAttribute("href");
    if (path === location.pathname || (path !== "/" && location.pathname.startsWith(path))) link.setAttribute("aria-current", "page");
  }
}

async function start() {
  const [pattern, module, page, open] = PAGES.find(([candidate]) => candidate.test(location.pathname)) ?? [];
  try {
    const [who, pages] = await Promise.all([whoami(), import(`./${module}.js`)]);
    if (!who && !open) {
      location.replace(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
      return;
    }
    if (who) markNavigation();
    await pages[page](show, ...location.pathname.match(pattern).slice(1).map(decodeURIComponent));
  } catch (problem) {
    title("Problem");
    show(h("h1", null, problem.status === 404 ? "Not found" : "Error"), h("p", { class: "error", role: "alert" }, problem.message),
      h("p", null, h("a", { href: "/" }, "To the start page")));
  }
}

start();
