// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Small helpers to build pages. Text always goes in as text, never as markup.

/** The profiles, as the page's frame has them from the service: {name, title, prefix, book,
 * servers}; the last are the roles which a server of the vendor's own may join. */
const profiles = [...document.querySelectorAll("[data-profile]")].map(({ dataset }) => ({ name: dataset.profile,
  title: dataset.title, prefix: dataset.prefix, book: "book" in dataset, servers: (dataset.servers ?? "").split(" ") }));

/** Where the book tells about a requirement; null for those of profiles that have none. */
export function bookOf(id) {
  const profile = profiles.find((one) => one.book && id.startsWith(`${one.prefix}-`))?.name;
  return profile ? `/book/${profile}#${id}` : null;
}

/** The profile to which a requirement belongs, by its id; undefined where there is none. */
export const profileOf = (id) => profiles.find((one) => id.startsWith(`${one.prefix}-`))?.name;

/** What people call a profile. */
export const profileTitle = (name) => profiles.find((one) => one.name === name)?.title ?? name;

/** Whether a server of the vendor's own could have joined a run, by the role that was judged. */
export const mayBringServer = (run) => Boolean(run.role && profiles.find((one) => one.name === run.profile)?.servers.includes(run.role));

/** What ids of a profile's requirements begin with. */
export const prefixOf = (name) => profiles.find((one) => one.name === name)?.prefix ?? "";

/** The profile and, where it has several, the role that was judged: "PROFILE, as client". */
export const judged = (run) => run.role ? `${run.profile}, as ${run.role}` : run.profile;

/** Makes an element: h("a", {href: "/"}, "Home"). Functions become listeners; null, false and undefined are left out. */
export function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else if (key === "class") element.className = value;
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SIGNS = { pass: "✓", fail: "✗", warn: "!", skip: "–", inconclusive: "?", conforms: "✓", "conforms-in-part": "◐", "does-not-conform": "✗" };
const WORDS = { created: "created", waiting: "waiting for the launch agent" };

/** The sign of a verdict; words carry the meaning, signs help the eye. */
export const sign = (verdict) => SIGNS[verdict] ?? "·";

/** A verdict, outcome or state in words: "does-not-conform" is "does not conform". */
export const words = (state) => WORDS[state] ?? state.replaceAll("-", " ");

/** A verdict or state as a small label. */
export function tag(verdict) {
  return h("span", { class: `tag ${verdict}` }, SIGNS[verdict] ? h("span", { "aria-hidden": "true" }, SIGNS[verdict]) : null,
    words(verdict));
}

/** What a run has come to, as the service says it; its state while there is no outcome. */
export const outcome = (run) => run.outcome?.name ?? (run.paused && !run.ended ? "paused" : run.state);

/** What was expected and what was observed, where a result says so. */
export const difference = (one) => one.expected || one.observed ? ["expected ", h("code", null, one.expected || "–"), ", observed ", h("code", null, one.observed || "–")] : null;

/** The cases that a run was made for: "case ID" or "N cases"; "" where it was made for suites or all. */
export const casesOf = (run) => !run.case ? "" : run.case.includes(",") ? `${run.case.split(",").length} cases` : `case ${run.case}`;

/** The suites that a run was made for: "suite NAME" or "suites NAME, NAME"; "" where it was made for cases or all. */
export const suitesOf = (run) => !run.suite ? "" : run.suite.includes(",") ? `suites ${run.suite.replaceAll(",", ", ")}` : `suite ${run.suite}`;

/** A section or chapter by number and title. */
export const section = (number, text) => text ? `${number} ${text}` : number;

/** What was not judged: the requirements by the reason why, as coverage of report and certificate has them. */
export function notJudged(groups) {
  return groups.map(({ reason, requirements }) => h("div", { class: "rule" }, h("p", null, reason || "no reason is known"),
    h("p", { class: "small" }, requirements.flatMap((id, i) => [i ? " " : "", bookOf(id) ? h("a", { class: "mono", href: bookOf(id) }, id) : h("span", { class: "mono" }, id)]))));
}

export function date(text) {
  if (!text) return "–";
  const moment = new Date(text);
  return h("time", { datetime: text, title: text },
    moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }));
}

export function facts(...pairs) {
  return h("dl", { class: "facts" },
    pairs.filter((pair) => pair).map(([term, value]) => [h("dt", null, term), h("dd", null, value === "" ? "–" : value)]));
}

/** A conformance statement: limits and readings, one a line. */
export function declared({ limits = {}, readings = {} }) {
  const lines = [...Object.entries(limits).map(([name, most]) => [name, `: at most ${most}`]), ...Object.entries(readings).map(([name, value]) => [name, `: ${value}`])];
  return lines.length ? lines.map(([name, text]) => h("div", null, h("code", null, name), text)) : h("span", { class: "quiet" }, "nothing");
}

export function card(title, ...children) {
  return h("section", { class: "card" }, title ? h("h2", null, title) : null, children);
}

/** A table with a caption for those who do not see its heading. Columns: {title, class}. Rows: arrays of cells. */
export function table(caption, columns, rows) {
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption }, h("table", null,
    h("caption", { class: "unseen" }, caption),
    h("thead", null, h("tr", null, columns.map((column) => h("th", { scope: "col", class: column.class },
      column.title || h("span", { class: "unseen" }, "Actions"))))),
    h("tbody", null, rows)));
}

export function cells(columns, values) {
  return values.map((value, i) => h("td", { class: columns[i].class }, value));
}

/** A sentence with code between backquotes. */
export const sentence = (text) => text.split("`").map((part, i) => i % 2 ? h("code", null, part) : part);

/** A command to be typed, with a button that copies it. */
export function command(text) {
  const button = h("button", {
    type: "button",
    click: async () => {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // Without a secure context there is no clipboard: the text is selected, so that one key copies it.
        getSelection().selectAllChildren(pre);
      }
      button.textContent = "Copied";
      announce("Copied");
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    },
  }, "Copy");
  const pre = h("pre", null, h("code", null, text));
  return h("div", { class: "command" }, pre, button);
}

/** Says something to screen readers. */
export function announce(text) {
  document.getElementById("announce").textContent = text;
}

export function title(text) {
  document.title = `${text} · Assay`;
}

export function crumbs(...parts) {
  return h("nav", { class: "crumbs", "aria-label": "You are here" }, parts.flatMap((part, i) => i ? [" / ", part] : [part]));
}

/** A form that sends itself: fields as elements, what to do, and where errors are shown. `look` is its button's. */
export function form(submitText, fields, onSubmit, look = "main") {
  const error = h("p", { class: "error", role: "alert", hidden: true });
  const button = h("button", { class: look, type: "submit" }, submitText);
  return h("form", {
    submit: async (event) => {
      event.preventDefault();
      button.disabled = true;
      error.hidden = true;
      try {
        const data = new FormData(event.target);
        await onSubmit(Object.fromEntries(data), data);
      } catch (problem) {
        error.textContent = problem.message;
        error.hidden = false;
      }
      button.disabled = false;
    },
  }, error, fields, button);
}

let fieldCount = 0;

/** A labelled field. */
export function field(label, hint, control) {
  control.id ||= `field-${++fieldCount}`;
  const hintId = `${control.id}-hint`;
  if (hint) control.setAttribute("aria-describedby", hintId);
  return h("div", { class: "field" }, h("label", { for: control.id }, label),
    hint ? h("p", { class: "hint", id: hintId }, hint) : null, control);
}

/** A card whose body is filled again after each of its actions; what goes wrong is said below. */
export function livingCard(title, about, fill) {
  const body = h("div"), problem = h("p", { class: "error", role: "alert", hidden: true });
  const again = async (action) => {
    problem.hidden = true;
    try {
      await action?.();
      body.replaceChildren(...[await fill(again)].flat().filter((part) => part));
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
    }
  };
  again();
  return card(title, about ? h("p", { class: "quiet" }, about) : null, body, problem);
}
