// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The report of a run that is over: verdict, certificate, chapters, cases with a filter.

import { api, whoami } from "./api.js";
import { bookOf, card, cells, command, date, declared, difference, facts, field, form, h, livingCard, notJudged, outcome, prefixOf, profileTitle, section, sign, table, tag, words } from "./dom.js";
import { matrixCard } from "./matrix.js";
import { makeRun } from "./page_new_run.js";
import { waiversCard } from "./page_waivers.js";
import { rejudgedTable } from "./rejudged.js";

const VERDICTS = ["fail", "inconclusive", "warn", "skip", "pass"];
const WANTING = ["fail", "inconclusive"];
const LINKS_MOST = 10; // of cases that went wrong alike, unasked
const AXES = { sut: "the implementation", configuration: "the configuration", network: "the network", tester: "the tester", guest: "the other implementation, or this one" };
// What a run that has no outcome came to.
const EXPLAINED = {
  cancelled: ["The run was cancelled; the cases judged until then are below"],
  interrupted: ["The run was interrupted; everything recorded until then is below"],
};

function verdictCard(run) {
  const what = outcome(run);
  return h("section", { class: `card verdict ${what}` }, h("div", null, h("p", { class: "word" }, words(what)),
    run.role ? h("p", null, "Role judged: ", h("strong", null, run.role)) : null,
    (run.outcome?.reasons ?? EXPLAINED[what] ?? []).map((reason) => h("p", { class: "quiet" }, `${reason[0].toUpperCase()}${reason.slice(1)}.`)),
    !run.summary.pass && run.preflight ? h("p", null, h("a", { href: `/api/v1/runs/${run.id}/preflight` }, "What the preflight saw, and what your command printed")) : null),
  h("ul", { class: "counts", "aria-label": "Cases by verdict" }, VERDICTS.map((verdict) =>
    h("li", null, h("b", null, String(run.summary[verdict])), h("span", null, `${sign(verdict)} ${words(verdict)}`)))));
}

function downloadCard(run) {
  const base = `/api/v1/runs/${run.id}`;
  const file = (path, text) => h("a", { class: "button", href: base + path, download: "" }, text);
  return card("Downloads", h("div", { class: "row" }, h("a", { class: "button", href: `${base}/report.html` }, "Printable report"), file("/report.json", "report.json"), file("/junit.xml", "JUnit"),
    file("/requirements.csv", "Requirements (CSV)"), file("/report.zip", "Everything (ZIP)"),
    run.preflight ? h("a", { class: "button", href: `${base}/preflight` }, "Preflight") : null,
    run.certificate ? [file("/certificate", "Certificate"), h("a", { class: "button main", href: `/certificates/${run.certificate}` }, "View certificate")] : null),
  run.certificate ? null : h("p", { class: "small quiet" }, `A certificate is issued for a run of all suites${run.role ? " of its role" : ""} that conforms. Where requirements were not judged, it says “in part” and lists them.`));
}

function aboutCard(run, results) {
  const order = { implementation: run.implementation.id, profile: run.profile, seed: run.seed, suite: run.suite, case: run.case, server: run.server, guest: run.guest, brings: run.role, statement: run.statement ? JSON.stringify(run.statement) : "" };
  const again = `/runs/new?${new URLSearchParams(Object.entries(order).filter(([, value]) => value !== null && value !== ""))}`;
  return card("About the run", facts(["Profile", profileTitle(run.profile)], run.role ? ["Role", run.role] : null,
    run.server ? ["Own server", h("code", null, run.server)] : null, run.guest ? ["Meets", run.guest] : null, run.statement ? ["Declared", declared(run.statement)] : null, ["Started", date(run.started ?? run.created)], ["Ended", date(run.ended)],
    ["Cases", run.total && run.total !== results.length ? `${results.length} of ${run.total}` : String(results.length)],
    run.coverage.requirements ? ["Requirements", `${run.coverage.judged} of ${run.coverage.requirements} judged`] : null,
    ["Evidence", run.stored < 100000 ? `${Math.ceil(run.stored / 1024)} KiB, unpacked` : `${(run.stored / 1048576).toFixed(1)} MiB, unpacked`], ["Seed", h("code", null, String(run.seed))],
    run.implementation.vendor ? ["Vendor", run.implementation.vendor] : null, again.length < 4000 ? ["Repeat", h("a", { href: again }, "New run with these settings")] : null));
}

function chapters(results) {
  const byChapter = new Map();
  for (const result of results) {
    byChapter.set(result.chapter, [...byChapter.get(result.chapter) ?? [], result]);
  }
  const tags = (list) => VERDICTS.map((verdict) => [verdict, list.filter((one) => one.verdict === verdict).length])
    .filter(([, count]) => count)
    .map(([verdict, count]) => h("span", { class: `tag ${verdict}` }, `${sign(verdict)} ${count} ${words(verdict)}`));
  return card("By chapter of the specification", h("ul", { class: "chapters" },
    [...byChapter].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true })).map(([chapter, list]) =>
      h("li", null, h("b", null, chapter), h("span", null, list[0].chapter_title), h("span", { class: "tags" }, tags(list))))));
}

/** What went wrong alike, as report.json has it: the fault that was found first comes first. */
function causesCard(run, causes) {
  if (!causes.length) return null;
  const plural = (count, one, more) => `${count} ${count === 1 ? one : more}`;
  const sizes = ({ failed, blocked }) => [failed.length ? plural(failed.length, "case failed", "cases failed") : null,
    blocked.length ? plural(blocked.length, failed.length ? "is blocked by it" : "case is blocked by it", failed.length ? "are blocked by it" : "cases are blocked by it") : null].filter((part) => part).join(", ");
  return card("Likely causes", h("p", { class: "quiet" }, "Cases that went wrong alike, in the order in which that showed. The first is the one to look at first."),
    h("ol", { class: "causes" }, causes.map((cause) => h("li", null, h("strong", null, cause.text), h("div", { class: "small" },
      cause.case ? [`${cause.requirement}, `, h("a", { href: `/runs/${run.id}/cases/${cause.case}` }, cause.case), ": "] : null, sizes(cause))))));
}

/** The requirements that no case has judged, by the reason why. */
function coverageCard(run) {
  const count = run.not_judged.reduce((sum, { requirements }) => sum + requirements.length, 0);
  if (!count) return null;
  return card("Requirements not judged", h("p", { class: "quiet" },
    `${count} of ${run.coverage.requirements} requirements of the selected cases: this run does not show whether the implementation fulfils them.`),
  h("details", { open: count <= 60 }, h("summary", null, "List them with the reasons"), notJudged(run.not_judged)));
}

const COLUMNS = [{ title: "Verdict", class: "tight" }, { title: "Case" }, { title: "Requirements", class: "wide" }, { title: "Time", class: "number tight wide" }];

function caseRow(run, one) {
  const found = one.verdict === "pass" ? null : h("div", { class: "small" },
    one.requirement ? h("strong", null, `${one.requirement}: `) : null, one.reason,
    one.axis && one.axis !== "sut" ? h("span", { class: "quiet" }, ` (cause: ${AXES[one.axis] ?? one.axis})`) : null,
    h("div", { class: "quiet" }, difference(one)));
  const waiver = (run.waivers ?? []).find(({ waived, behind }) => [...waived ?? [], ...behind ?? []].includes(one.id));
  return h("tr", null, cells(COLUMNS, [[tag(one.verdict), waiver ? h("div", { class: "small" }, "waived") : null, one.attempt_count ? h("div", { class: "small quiet" }, `worst of ${one.attempt_count}`) : null],
    [h("a", { href: `/runs/${run.id}/cases/${one.id}` }, one.title), h("div", { class: "small quiet mono" }, `${one.suite} / ${one.id}`), found],
    h("span", { class: "mono small" }, one.requirements.join(" ")), `${one.duration_ms} ms`]));
}

function caseTable(run, results) {
  const body = h("div");
  // Failures first.
  const ordered = [...results].sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
  let verdict = null, suite = "", wanted = "";
  const fill = () => {
    const shown = ordered.filter((one) => (!verdict || one.verdict === verdict) && (!suite || one.suite === suite) &&
      (!wanted || `${one.id} ${one.title} ${one.suite} ${section(one.chapter, one.chapter_title)} ${one.reason} ${one.requirements.join(" ")}`.toLowerCase().includes(wanted)));
    body.replaceChildren(shown.length ? table("Cases", COLUMNS, shown.map((one) => caseRow(run, one)))
      : h("p", { class: "quiet" }, "No case matches the filter."));
  };
  const buttons = [null, ...VERDICTS.filter((word) => run.summary[word])].map((word) => h("button", {
    type: "button", "aria-pressed": String(word === verdict),
    click: (event) => {
      verdict = word;
      for (const button of buttons) button.setAttribute("aria-pressed", String(button === event.currentTarget));
      fill();
    },
  }, word ? `${sign(word)} ${words(word)} ${run.summary[word]}` : `all ${results.length}`));
  const search = h("input", { type: "search", placeholder: `case, chapter or ${prefixOf(run.profile)}-…`, "aria-label": "Filter the cases", input: (event) => { wanted = event.target.value.trim().toLowerCase(); fill(); } });
  const suites = [...new Set(results.map((one) => one.suite))];
  const choice = suites.length < 2 ? null : h("select", { "aria-label": "Suite", change: (event) => { suite = event.target.value; fill(); } },
    h("option", { value: "" }, "all suites"), suites.map((name) => h("option", { value: name }, `${name} ${results.filter((one) => one.suite === name).length}`)));
  fill();
  return card("Cases", h("div", { class: "filters", role: "group", "aria-label": "Filter" }, buttons, choice, search), body);
}

/** What failed or could not be judged, by the requirement that it is about: the most frequent first, failures before the rest. */
function wantingCard(run, results) {
  const groups = new Map();
  for (const one of results.filter(({ verdict }) => WANTING.includes(verdict))) {
    const key = `${one.verdict} ${one.requirement || one.reason.replace(/\brank \d+ /, "")}`;
    groups.set(key, [...groups.get(key) ?? [], one]);
  }
  const sorted = [...groups.values()].sort((a, b) => WANTING.indexOf(a[0].verdict) - WANTING.indexOf(b[0].verdict) || b.length - a.length);
  const count = sorted.flat().length;
  return sorted.length ? card("What to look at", sorted.map((group) => wantingGroup(run, group)),
    form(count === 1 ? "Run this case again" : `Run these ${count} cases again`, [], () => runAgain(run, sorted.flat().map((one) => one.id))), waiverLink(run, sorted.flat())) : null;
}

/** Where known failures shall not stand in the way of a certificate; what is waived already is not asked for again. */
function waiverLink(run, wanting) {
  const waived = new Set((run.waivers ?? []).flatMap((one) => one.waived ?? []));
  const failed = wanting.filter((one) => one.verdict === "fail" && one.axis === "sut" && !waived.has(one.id)).map((one) => one.id);
  const order = new URLSearchParams({ implementation: run.implementation.id, profile: run.profile, cases: failed.join(",") });
  return failed.length && String(order).length < 4000 ? h("p", { class: "small" }, "A failure is known and will be mended later? ", h("a", { href: `/waivers?${order}` }, "Ask for a waiver")) : null;
}

/** A new run of some of the cases of a run, for the same implementation in the same way. */
async function runAgain(run, ids) {
  const { profiles } = await api("GET", "/api/v1/profiles");
  const { choices } = profiles.find((profile) => profile.id === run.profile);
  const brings = choices.find((one) => one.role === run.role && Boolean(one.server) === Boolean(run.server)) ?? choices[0];
  const order = { implementation: run.implementation.id, profile: run.profile, seed: run.seed, case: ids.join(",") };
  if (run.server) order.server = run.server;
  if (run.guest) order.guest = run.guest;
  if (run.statement) order.statement = run.statement;
  await makeRun(profiles, order, brings.id);
}

/** Of a run that was cut off: the cases that it has not reached. */
function restCard(run, results) {
  const left = run.total - results.length;
  if (left < 1 || run.state === "finished") return null;
  return card("Go on", h("p", { class: "quiet" }, `${left} cases were not reached. They can be judged by a run of their own; only a run of all suites can lead to a certificate.`),
    form(`Run the ${left} cases that are left`, [], async () => {
      const { cases } = await api("GET", `/api/v1/profiles/${run.profile}/cases`);
      const done = new Set(results.map((one) => one.id)), suites = run.suite?.split(","), ids = run.case?.split(",");
      await runAgain(run, cases.filter((one) => !done.has(one.id) && (!run.role || one.role === run.role) && (!suites || suites.includes(one.suite)) && (!ids || ids.includes(one.id)) &&
        (!one.own_server || run.server)).map((one) => one.id));
    }));
}

const caseLinks = (run, cases) => h("p", { class: "small" }, cases.flatMap((one, i) => [i ? ", " : "", h("a", { href: `/runs/${run.id}/cases/${one.id}` }, one.title)]));

function wantingGroup(run, group) {
  const [{ verdict, requirement, reason }] = group;
  return h("div", { class: "rule" }, h("p", null, tag(verdict), requirement ? [" ", bookOf(requirement) ? h("a", { class: "mono", href: bookOf(requirement) }, requirement) : h("span", { class: "mono" }, requirement)] : null,
    ` ${group.length === 1 ? "one case" : `${group.length} cases`}`), h("p", { class: "small quiet" }, reason, difference(group[0]) ? [": ", difference(group[0])] : null),
  caseLinks(run, group.slice(0, LINKS_MOST)), group.length > LINKS_MOST ? h("details", { class: "small" }, h("summary", null, `${group.length - LINKS_MOST} more`), caseLinks(run, group.slice(LINKS_MOST))) : null);
}

/** Goes to the comparison with another run of the same profile. */
function compareCard(run, runs) {
  const others = runs.filter((one) => one.id !== run.id && one.ended && one.profile === run.profile && one.summary.pass + one.summary.fail + one.summary.warn + one.summary.skip + one.summary.inconclusive > 0);
  if (!others.length) return null;
  const choice = h("select", { name: "other" }, others.map((one) => h("option", { value: one.id },
    `${one.implementation.name} ${one.implementation.version}, ${new Date(one.created).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}: ${words(outcome(one))}${one.suite || one.case ? " (some cases only)" : ""}`)));
  return card("Compare", form("Compare with this run", [field("Another run", "What differs, case by case, from that run to this one.", choice)],
    async ({ other }) => location.assign(`/runs/${other}/compare/${run.id}`)));
}

const SHARES = [{ title: "For" }, { title: "Made by", class: "wide" }, { title: "Ends" }, { title: "", class: "tight" }];

/** Links by which everybody may read the report. */
function sharesCard(run) {
  const made = h("div", { role: "status" });
  return livingCard("Public links", "Whoever has such a link may read the report, without the evidence, until you revoke it.", async (again) => {
    const [{ shares }, who] = await Promise.all([api("GET", `/api/v1/runs/${run.id}/shares`), whoami()]);
    const may = ["certifier", "administrator"].includes(who.member.role);
    const row = (one) => h("tr", null, cells(SHARES, [one.name, [one.member, ", ", date(one.created)], one.expires ? date(one.expires) : "never",
      may ? h("button", { type: "button", class: "danger", click: () => again(() => api("DELETE", `/api/v1/runs/${run.id}/shares/${one.id}`)) }, "Revoke", h("span", { class: "unseen" }, ` ${one.name}`)) : null]));
    const make = form("Make a link", [field("Whom it is for", null, h("input", { type: "text", name: "name", required: true, maxlength: "100" })),
      field("Ends", null, h("select", { name: "days" }, [["30", "in 30 days"], ["365", "in a year"], ["", "never"]].map(([value, word]) => h("option", { value }, word))))],
    async ({ name, days }) => {
      const { link } = await api("POST", `/api/v1/runs/${run.id}/shares`, days ? { name, days: Number(days) } : { name });
      made.replaceChildren(h("p", { class: "notice" }, "This is shown only once."), command(link));
      await again();
    });
    return [made, shares.length ? table("Public links", SHARES, shares.map(row)) : h("p", { class: "quiet" }, "None."),
      may ? h("details", null, h("summary", null, "Make a public link"), make) : null];
  });
}

function removal(run) {
  const button = h("button", {
    type: "button", class: "danger",
    click: async () => {
      if (!confirm(`Delete this run with all its evidence?${run.certificate ? " Its certificate stays." : ""}`)) return;
      await api("DELETE", `/api/v1/runs/${run.id}`);
      location.assign("/");
    },
  }, "Delete this run");
  return h("div", { class: "row noprint" }, button);
}

export function report(run, results, causes, runs, rejudged) {
  return [run.problem && !run.outcome?.reasons.includes(run.problem) ? h("p", { class: "notice", role: "note" }, run.problem) : null,
    run.evidence_removed ? h("p", { class: "notice", role: "note" }, "Transcripts and captures were removed ", date(run.evidence_removed), ": this service keeps those of runs without certificate for a time only. Verdicts and reports stay.") : null,
    verdictCard(run), rejudgedTable(rejudged), restCard(run, results), causesCard(run, causes), wantingCard(run, results), waiversCard(run.id, run.waivers),
    h("div", { class: "grid" }, downloadCard(run), aboutCard(run, results)),
    coverageCard(run), matrixCard(run, results), results.length ? chapters(results) : null, results.length ? caseTable(run, results) : h("p", { class: "quiet" }, "No case was judged."),
    compareCard(run, runs), run.state === "finished" ? sharesCard(run) : null, removal(run)].filter((part) => part);
}
