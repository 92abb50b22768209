// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Waivers: those of the account, asking for one; the owner of the service sees all and grants them.

import { api, whoami } from "./api.js";
import { bookOf, card, crumbs, date, facts, field, form, h, livingCard, profileTitle, tag, title } from "./dom.js";

const ids = (list, link) => list.map((id, i) => [i ? ", " : "", link(id) ? h("a", { class: "mono", href: link(id) }, id) : h("span", { class: "mono" }, id)]);

/** What is waived: cases and requirements, each with the place where it is explained. */
function scope({ cases, requirements, profile }) {
  return [cases?.length ? h("div", null, "cases ", ids(cases, (id) => `/profiles/${profile}/cases/${id}`)) : null,
    requirements?.length ? h("div", null, "requirements ", ids(requirements, bookOf)) : null];
}

function waiver(one, who, again) {
  const act = (word, look, question, method, path) => h("button", { type: "button", class: look, click: () => {
    if (confirm(question)) again(() => api(method, `/api/v1/waivers/${one.id}${path}`));
  } }, word, h("span", { class: "unseen" }, ` the waiver of ${one.owner}`));
  const certifies = one.mine && ["certifier", "administrator"].includes(who.member.role);
  return h("section", { class: "rule" }, h("h3", null, `${one.implementation.name} ${one.implementation.version} `, tag(one.state)),
    facts(["Profile", profileTitle(one.profile)], ["Waived", scope(one)], ["Reason", one.reason], ["Who answers for it", one.owner], ["Holds until", one.expires],
      ["Asked for by", [one.requested_by, one.mine ? "" : ` of ${one.account}`, ", ", date(one.created)]],
      one.granted ? ["Granted by", [one.granted_by, ", ", date(one.granted)]] : null, one.ended ? ["Ended by", [one.ended_by, ", ", date(one.ended)]] : null,
      ["Id", h("code", null, one.id)]),
    h("div", { class: "row" }, who.account.owner && one.state === "requested" ? act("Grant", "main", "Grant this waiver? It stands on certificates from now on.", "POST", "/grant") : null,
      !one.ended && (certifies || who.account.owner) ? act(one.state === "requested" ? "Refuse or take back" : "End", "danger", "End this waiver for good?", "DELETE", "") : null));
}

async function orderForm(again) {
  const wanted = new URLSearchParams(location.search);
  const [{ implementations }, { profiles }] = await Promise.all([api("GET", "/api/v1/implementations"), api("GET", "/api/v1/profiles")]);
  if (!implementations.length) return h("p", { class: "quiet" }, "A waiver is for an implementation: ", h("a", { href: "/implementations/new" }, "name one"), " first.");
  const option = (name, value, text) => h("option", { value, selected: wanted.get(name) === value }, text);
  const tomorrow = new Date(Date.now() + 86400000).toISOString().slice(0, 10);
  return form("Ask for the waiver", [
    field("Implementation", null, h("select", { name: "implementation" }, implementations.map((one) => option("implementation", one.id, `${one.name} ${one.version}`)))),
    field("Profile", null, h("select", { name: "profile" }, profiles.map((one) => option("profile", one.id, one.title)))),
    field("Cases", "Ids, separated by commas: their failures are waived.", h("input", { type: "text", name: "cases", class: "mono", maxlength: "4000", value: wanted.get("cases") ?? "" })),
    field("Requirements", "Ids, separated by commas: whatever case fails by them is waived. May stay empty where cases are named.", h("input", { type: "text", name: "requirements", class: "mono", maxlength: "4000", value: wanted.get("requirements") ?? "" })),
    field("Reason", "Everybody who looks at the certificate reads it.", h("textarea", { name: "reason", required: true, rows: "3", maxlength: "400" })),
    field("Who answers for it", "A person or body; on the certificate too.", h("input", { type: "text", name: "owner", required: true, maxlength: "200" })),
    field("Holds until", "The last day.", h("input", { type: "date", name: "expires", required: true, min: tomorrow })),
  ], async (values) => {
    await api("POST", "/api/v1/waivers", { ...values, reason: values.reason.replaceAll(/\s+/g, " ").trim() });
    history.replaceState(null, "", "/waivers");
    await again();
  });
}

export async function waivers(show) {
  title("Waivers");
  const who = await whoami();
  const may = ["certifier", "administrator"].includes(who.member.role);
  const asking = new URLSearchParams(location.search).has("implementation");
  const list = livingCard("All waivers", null, async (again) => {
    const { waivers: found } = await api("GET", "/api/v1/waivers");
    return [...found.length ? found.map((one) => waiver(one, who, again)) : [h("p", { class: "quiet" }, "None.")],
      may ? h("details", { open: asking }, h("summary", null, "Ask for a waiver"), await orderForm(again)) : null];
  });
  show(crumbs(h("a", { href: "/" }, "Home"), "Waivers"), h("h1", null, "Waivers"),
    h("p", { class: "quiet" }, "A waiver lets a known failure not stand in the way of a certificate, for a time and for a reason that the certificate tells. It counts for runs that are made after the owner of this service has granted it. Verdicts stay as they are; a case that passes although it is waived is marked."), list);
}

/** The waivers of a run or certificate, with what has come of them. */
export function waiversCard(run, waivers) {
  if (!waivers?.length) return null;
  const cases = (list, text) => list?.length ? h("div", null, text, ids(list, (id) => run ? `/runs/${run}/cases/${id}` : null)) : null;
  return card("Waivers", waivers.map((one) => h("div", { class: "rule" }, facts(["Reason", one.reason], ["Who answers for it", one.owner], one.granted_by ? ["Granted by", one.granted_by] : null,
    ["Holds until", [one.expires, one.state === "expired" ? " – expired: not applied" : ""]]),
  cases(one.waived, "Failed and waived: "), cases(one.behind, "Not judged, as these cases rest on those: "),
  one.not_needed?.length ? h("p", { class: "notice" }, cases(one.not_needed, "Passed, the waiver is not needed any more: ")) : null)));
}
