// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// What differs since stored evidence was judged again (assayd --rejudge): on the start page, and on a run's.

import { bookOf, card, cells, date, h, table, tag, words } from "./dom.js";

const VERDICTS = [{ title: "Then", class: "tight" }, { title: "Case" }, { title: "Since" }];
const SINCE = { fail: "fails", cleared: "fails no more", unsettled: "is unsettled" };

const certificate = (id) => [", on which ", h("a", { href: `/certificates/${id}` }, "a certificate"), " rests"];

/** The runs of which something differs; nothing where there are none. */
export function rejudgedCard(verdicts) {
  const runs = [...new Set(verdicts.map((one) => one.run))].map((run) => verdicts.filter((one) => one.run === run));
  if (!runs.length) return null;
  return card("Judged again",
    h("p", null, "The evidence of these runs was judged again, as this service judges now. Not every verdict is what it was."),
    h("ul", null, runs.map((list) => {
      const [{ run, implementation, profile, account, mine, certificate: id }] = list;
      return h("li", null, mine ? h("a", { href: `/runs/${run}` }, implementation) : `${implementation}, of ${account}`,
        `, ${profile}: ${list.length === 1 ? "one verdict" : `${list.length} verdicts`}`, id ? certificate(id) : null);
    })));
}

/** The verdicts of one run that differ. */
export function rejudgedTable(verdicts) {
  if (!verdicts.length) return null;
  const [{ at, tester, certificate: id }] = verdicts;
  const row = (one) => h("tr", null, cells(VERDICTS, [tag(one.was),
    h("a", { class: "mono small", href: `/runs/${one.run}/cases/${one.case}` }, one.case),
    [h("strong", null, SINCE[one.now] ?? words(one.now)), one.requirement ? [", ", bookOf(one.requirement)
      ? h("a", { class: "mono", href: bookOf(one.requirement) }, one.requirement) : h("span", { class: "mono" }, one.requirement)] : null,
    h("div", { class: "small quiet" }, one.text)]]));
  return card("Judged again", h("p", null, "The evidence was judged again ", date(at), ` by ${tester}, without the implementation. `,
    "Verdicts, report and certificate stay as they are; these would not come out like this any more:"),
  table("Verdicts that differ", VERDICTS, verdicts.map(row)),
  h("p", { class: "small quiet" }, "A new run settles it. ", id ? "Whether the certificate is revoked, the service's owner decides." : null));
}
