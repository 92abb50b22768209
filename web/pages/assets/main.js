// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Finds the page that belongs to the address and shows it in the frame.

import { whoami } from "./api.js";
import { h, title } from "./dom.js";
import { account } from "./page_account.js";
import { caseInProfile, caseInRun } from "./page_case.js";
import { certificate, verify } from "./page_certificate.js";
import { compare, implementationMatrix } from "./page_compare.js";
import { home } from "./page_home.js";
import { newImplementation } from "./page_implementation.js";
import { newRun } from "./page_new_run.js";
import { profile } from "./page_profile.js";
import { replayLesson, replayPage } from "./page_replay.js";
import { run } from "./page_run.js";
import { signIn } from "./page_sign_in.js";
import { waivers } from "./page_waivers.js";

// Pattern, page, open to everybody.
const PAGES = [
  [/^\/$/, home],
  [/^\/sign-in$/, signIn, true],
  [/^\/account$/, account],
  [/^\/implementations\/new$/, newImplementation],
  [/^\/waivers$/, waivers],
  [/^\/runs\/new$/, newRun],
  [/^\/runs\/([^/]+)$/, run],
  [/^\/runs\/([^/]+)\/cases\/([^/]+)$/, caseInRun],
  [/^\/runs\/([^/]+)\/compare\/([^/]+)$/, compare],
  [/^\/profiles\/([^/]+)$/, profile],
  [/^\/profiles\/([^/]+)\/matrix$/, implementationMatrix],
  [/^\/profiles\/([^/]+)\/cases\/([^/]+)$/, caseInProfile],
  [/^\/replay$/, replayPage],
  [/^\/replay\/([^/]+)$/, replayLesson],
  [/^\/certificates\/([^/]+)$/, certificate, true],
  [/^\/verify$/, verify, true],
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
  const [pattern, page, open] = PAGES.find(([candidate]) => candidate.test(location.pathname)) ?? [];
  try {
    const who = await whoami();
    if (!who && !open) {
      location.replace(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
      return;
    }
    if (who) markNavigation();
    await page(show, ...location.pathname.match(pattern).slice(1).map(decodeURIComponent));
  } catch (problem) {
    title("Problem");
    show(h("h1", null, problem.status === 404 ? "Not found" : "Error"), h("p", { class: "error", role: "alert" }, problem.message),
      h("p", null, h("a", { href: "/" }, "To the start page")));
  }
}

start();
