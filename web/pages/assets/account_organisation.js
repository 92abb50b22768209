// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The organisation that certificates name: asked for by the account, approved by a certifier of the service's first account.

import { api } from "./api.js";
import { date, facts, field, form, h, livingCard, tag } from "./dom.js";

function organisation(one, approves, may, again) {
  const act = (word, look, question, method, path) => h("button", { type: "button", class: look, click: () => {
    if (confirm(question)) again(() => api(method, `/api/v1/organisations/${one.id}${path}`));
  } }, word, h("span", { class: "unseen" }, ` ${one.name}`));
  return h("section", { class: "rule" }, h("h3", null, `${one.name} `, tag(one.state)),
    facts(["Address", one.address], ["Asked for by", [one.requested_by, one.mine ? "" : ` of the account ${one.account}`, ", ", date(one.created)]],
      one.approved ? ["Approved by", [one.approved_by, ", ", date(one.approved)]] : null,
      one.ended ? [one.approved ? "Ended by" : "Refused or taken back by", [one.ended_by, ", ", date(one.ended)]] : null),
    h("div", { class: "row" }, approves && one.state === "requested" ? act("Approve", "main", `Have you made sure that the account ${one.account} acts for ${one.name}, ${one.address}? Its certificates name it from now on.`, "POST", "/approve") : null,
      !one.ended && (approves || one.mine && may) ? act(one.approved ? "End" : "Refuse or take back", "danger", "End this for good? Certificates that have been issued stay as they are.", "DELETE", "") : null));
}

export function organisationCard(who) {
  const may = ["certifier", "administrator"].includes(who.member.role);
  const about = "Certificates name the organisation by the name and address given here, once a certifier of this service has approved them; those of runs that ended before name none.";
  return livingCard("Organisation", about, async (again) => {
    const { organisations, approves } = await api("GET", "/api/v1/organisations");
    const ask = form("Ask for approval", [
      field("Name", "As it is registered.", h("input", { type: "text", name: "name", required: true, maxlength: "200", autocomplete: "organization" })),
      field("Address", "Where it is reached. Everybody who looks at a certificate reads both.", h("input", { type: "text", name: "address", required: true, maxlength: "300", autocomplete: "street-address" })),
    ], async (values) => {
      await api("POST", "/api/v1/organisations", values);
      await again();
    });
    return [...organisations.length ? organisations.map((one) => organisation(one, approves, may, again)) : [h("p", { class: "quiet" }, "None yet.")],
      may ? h("details", null, h("summary", null, organisations.some((one) => one.mine) ? "Ask for another name or address" : "Name your organisation"), ask) : null];
  });
}
