// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The book in one file can be read without this. With it one can search, walk by keys, and land inside what is closed.
// Of the book that the service shows, sections come when they are seen or asked for.
"use strict";

const wanted = document.getElementById("wanted");
const found = document.getElementById("found");
const main = document.getElementById("main");
const ARTICLES = "article.rule, article.case";
const LATER = "section[data-later]";
const chips = [...document.querySelectorAll("#chips button")];
const TOLD = ":scope > header, :scope > p, :scope > .switch, :scope > details > summary, :scope > .cases li, figcaption, :scope > .mutants p";

const articles = () => [...document.querySelectorAll(ARTICLES)];

/** Asks the service for the section that has the element of that id, or is it. */
async function ask(id) {
  const answer = await fetch(`/book/${main.dataset.profile}/${encodeURIComponent(id)}`);
  if (!answer.ok) return;
  const came = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("section");
  const place = document.getElementById(came.id);
  if (!place.matches(LATER)) return;
  place.replaceChildren(...came.childNodes);
  place.removeAttribute("data-later");
}

/** Until that element is here, if there is one. */
const asked = new Map();
async function bring(id) {
  const here = document.getElementById(id);
  if ((here && !here.matches(LATER)) || !document.querySelector(LATER)) return;
  if (!asked.has(id)) asked.set(id, ask(id).finally(() => asked.delete(id)));
  await asked.get(id);
}

/** Until the next section with articles is here, or the one before. */
async function bringBeside(section, by) {
  const beside = (one) => by > 0 ? one.nextElementSibling : one.previousElementSibling;
  for (let one = beside(section); one; one = beside(one)) {
    await bring(one.id);
    if (one.querySelector(ARTICLES)) return;
  }
}

/** What an article can be found by: everything but the code itself; made when it is first asked for. */
const words = new Map();
function wordsOf(article) {
  if (!words.has(article)) {
    const parts = [...article.querySelectorAll(TOLD)].map((part) => part.textContent);
    const section = article.parentElement.querySelector("h1, h2")?.textContent ?? "";
    words.set(article, `${section} ${parts.join(" ")}`.toLowerCase());
  }
  return words.get(article);
}

/** A filter only asks requirements; "has a mutant" and a word may also hit a case. */
function fits(article, terms, filters) {
  const has = article.dataset.has.split(" ");
  return filters.every((filter) => filter === "ambiguous" ? article.dataset.class === filter : has.includes(filter)) &&
    terms.every((term) => wordsOf(article).includes(term));
}

let searches = 0;
async function search() {
  const mine = ++searches;
  const terms = wanted.value.toLowerCase().split(/\s+/).filter((term) => term);
  const filters = chips.filter((chip) => chip.getAttribute("aria-pressed") === "true").map((chip) => chip.dataset.filter);
  const all = terms.length === 0 && filters.length === 0;
  let rules = 0, cases = 0;
  if (!all && document.querySelector(LATER)) {
    found.textContent = "The rest of the book is coming.";
    await Promise.all([...document.querySelectorAll(LATER)].map((section) => bring(section.id)));
    if (mine !== searches) return;
  }
  for (const article of articles()) {
    article.hidden = !all && !fits(article, terms, filters);
    if (!article.hidden) article.classList.contains("rule") ? rules++ : cases++;
  }
  for (const part of document.querySelectorAll("main > section")) {
    const inside = [...part.querySelectorAll(ARTICLES)];
    part.hidden = !all && (inside.length === 0 || inside.every((article) => article.hidden));
  }
  found.textContent = all ? "" : `${rules} requirement${rules === 1 ? "" : "s"}, ${cases} case${cases === 1 ? "" : "s"}`;
}

function endSearch() {
  wanted.value = "";
  for (const chip of chips) chip.setAttribute("aria-pressed", "false");
  search();
}

function toggle(article, open) {
  const parts = [...article.querySelectorAll(":scope > details")];
  const to = open ?? parts.some((part) => !part.open);
  for (const part of parts) part.open = to;
}

/** Where the address points: shown, opened if it lies inside something closed, and given the keyboard. */
async function land() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id) await bring(id);
  const target = document.getElementById(id);
  if (!target) return;
  if (target.closest("[hidden]")) endSearch();
  target.closest("details")?.setAttribute("open", "");
  if (target.matches(".rule, .file")) toggle(target, true);
  target.scrollIntoView();
  (target.closest("article") ?? target).focus({ preventScroll: true });
}

function go(id) {
  if (location.hash === `#${id}`) land();
  else location.hash = id;
}

/** The article at the top of the window, or the one that has the keyboard. */
function current() {
  const focused = document.activeElement?.closest("article");
  if (focused) return focused;
  return articles().find((article) => !article.hidden && article.getBoundingClientRect().bottom > 40);
}

async function step(by) {
  await bringBeside(current()?.closest("section") ?? document.getElementById("top"), by);
  const shown = articles().filter((article) => !article.hidden);
  const at = shown.indexOf(current());
  const inside = document.activeElement?.closest("article") !== null;
  const next = shown[Math.max(0, Math.min(shown.length - 1, inside ? at + by : at))];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView();
}

const KEYS = {
  "/": () => { wanted.focus(); wanted.select(); },
  "j": () => step(1),
  "k": () => step(-1),
  "o": () => { const article = current(); if (article) toggle(article); },
  "a": () => {
    const shown = articles().filter((article) => !article.hidden);
    const open = shown.some((article) => article.querySelector(":scope > details:not([open])"));
    for (const article of shown) toggle(article, open);
  },
  "Escape": endSearch,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === wanted && event.key !== "Escape") return;
  if (!KEYS[event.key]) return;
  event.preventDefault();
  if (event.target === wanted) wanted.blur();
  KEYS[event.key]();
});

document.getElementById("search").addEventListener("submit", async (event) => {
  event.preventDefault();
  const number = wanted.value.trim().toUpperCase().match(/^(?:([A-Z][A-Z0-9]*)-)?(\d{1,3})$/);
  const prefix = number?.[1] ?? main.dataset.prefix;
  const id = number && `${prefix}-${number[2].padStart(3, "0")}`;
  if (id) await bring(id);
  if (id && document.getElementById(id)) {
    endSearch();
    wanted.blur();
    go(id);
  } else {
    step(1);
  }
});

for (const chip of chips) {
  chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    search();
  });
}
wanted.addEventListener("input", search);
window.addEventListener("hashchange", land);

/** The contents follow the reading. */
const links = new Map([...document.querySelectorAll("#contents a")].map((link) => [link.hash.slice(1), link]));
const reading = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const link = links.get(entry.target.id);
    if (!entry.isIntersecting || !link) continue;
    for (const other of links.values()) other.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    if (matchMedia("(min-width: 68rem)").matches) link.scrollIntoView({ block: "nearest" });
  }
}, { rootMargin: "0px 0px -85% 0px" });
for (const part of document.querySelectorAll("main > section")) reading.observe(part);

const coming = new IntersectionObserver((entries) => {
  for (const entry of entries.filter((one) => one.isIntersecting)) {
    coming.unobserve(entry.target);
    bring(entry.target.id);
  }
}, { rootMargin: "50% 0px" });
for (const part of document.querySelectorAll(LATER)) coming.observe(part);
if (document.querySelector(LATER)) {
  const whole = document.getElementById("whole");
  whole.hidden = false;
  whole.querySelector("a").href = `/book/${main.dataset.profile}/whole`;
}

if (matchMedia("(max-width: 67.99rem)").matches) document.getElementById("contents").open = false;
land();
