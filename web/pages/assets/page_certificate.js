// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// Certificates, for everybody: one that this service gave, and checking one that somebody holds.

import { api, whoami } from "./api.js";
import { waiversCard } from "./page_waivers.js";
import { card, command, date, declared, facts, field, form, h, notJudged, profileTitle, sign, tag, title, words } from "./dom.js";

const RESULTS = {
  good: ["conforms", "Genuine and unaltered", "This service issued and signed it."],
  altered: ["does-not-conform", "Altered", "The signature does not fit what the certificate says."],
  revoked: ["does-not-conform", "Revoked", "This service issued it and has withdrawn it since."],
  "other-key": ["does-not-conform", "Not signed by this service", "The signature is valid, but was made with another key."],
  broken: ["does-not-conform", "Not a certificate", "Members of a certificate are missing."],
};

/** What was found; of a genuine certificate first what it certifies, where that is given. */
function resultCard({ result, message }, verdict) {
  const [look, word, explained] = RESULTS[result];
  const good = result === "good" && verdict;
  return h("section", { class: `card verdict ${good ? verdict : look}`, role: "status" }, h("div", null, h("p", { class: "word" }, good ? `${sign(verdict)} ${words(verdict)}` : `${sign(look)} ${word}`),
    good ? h("p", null, h("strong", null, `${word}.`)) : null, h("p", { class: "quiet" }, explained, " ", dated(`${message[0].toUpperCase()}${message.slice(1)}${message.endsWith(".") ? "" : "."}`))));
}

/** A sentence whose moments are written as everywhere else. */
const dated = (text) => text.split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/).map((part, i) => i % 2 ? date(part) : part);

/** The files that the agent has measured. */
function buildFiles({ files, count, left_out: more }) {
  if (!files) return h("p", { class: "small quiet" }, more ? `of the first ${count} files; there were others` : `of ${count} files`);
  return h("details", null, h("summary", null, `${count} files of code, measured by the launch agent`), h("ul", { class: "small" },
    files.map(({ name, sha256 }) => h("li", null, name, " ", h("code", null, sha256 || "could not be read")))));
}

/** A name with its address, or that there is none. Certificates of format 1 say nothing of it. */
const body = (label, one, none) => one ? [label, [h("strong", null, one.name), one.address ? h("div", null, one.address) : null, one.approved ? h("div", { class: "small quiet" }, "approved by the issuer ", date(one.approved)) : null]]
  : one === null ? [label, h("span", { class: "quiet" }, none)] : null;

function payloadCard(payload, result) {
  const { implementation = {}, summary = {} } = payload;
  return card("Contents", facts(["Implementation", h("strong", null, `${implementation.name} ${implementation.version}`)],
    body("Organisation", payload.organisation, "none approved when this certificate was issued"), body("Issuer", payload.issuer, "this service names none"),
    implementation.vendor ? ["Vendor", [implementation.vendor, h("div", { class: "small quiet" }, "as the account has stated it; nobody has approved it")]] : null, ["Profile", [profileTitle(payload.profile), " (", h("code", null, payload.profile), ")"]], payload.role ? ["Role", payload.role] : null,
    payload.own_server ? ["Own server", [h("code", null, payload.own_server.command), ` – ${payload.own_server.passed} of ${payload.own_server.meetings} jobs with it passed`]] : null,
    payload.statement ? ["Declared", declared(payload.statement)] : null,
    [result === "revoked" ? "Verdict, before it was revoked" : "Verdict", tag(payload.verdict)],
    payload.coverage ? ["Requirements", `${payload.coverage.judged} of ${payload.coverage.requirements} judged`] : null,
    payload.transport ? ["Transport", `${payload.transport.on_wire ? "seen on the wire" : "not seen on the wire"}: ${payload.transport.text}`] : null,
    payload.build ? ["Build (SHA-256)", [h("code", null, payload.build.sha256), buildFiles(payload.build)]] : null,
    ["Cases", Object.entries(summary).filter(([, count]) => count).map(([word, count]) => `${count} ${word}`).join(", ")],
    ["Issued", date(payload.issued)], ["Seed", h("code", null, String(payload.seed))], ["Tester", payload.tester],
    payload.digests ? ["Judged by (SHA-256)", [["program", "tester"], ["catalogue", "catalogue"], ["cases", "cases"]].map(([word, name]) => h("div", null, `${word} `, h("code", null, payload.digests[name])))] : null,
    ["Report (SHA-256)", h("code", null, payload.report_sha256)], ["Certificate", h("code", null, payload.id)]));
}

/** A certificate in part says what it does not say. */
function restrictionCard({ coverage }) {
  return coverage?.not_judged?.length ? card("Not covered", h("p", { class: "quiet" }, "These requirements were not judged; the certificate makes no statement about them."),
    notJudged(coverage.not_judged)) : null;
}

/** The service's owner withdraws it; others are not asked. */
async function revokeCard(id, result) {
  const who = await whoami();
  if (!who?.account.owner || result.result !== "good") return null;
  return card("Revoke", form("Revoke this certificate", [field("Reason", "Everybody who looks at the certificate reads it. It cannot be taken back.", h("input", { type: "text", name: "reason", required: true, maxlength: "400" }))], async ({ reason }) => {
    if (!confirm("Revoke this certificate for good?")) return;
    await api("POST", `/api/v1/certificates/${id}/revoke`, { reason });
    location.reload();
  }, "danger"));
}

function badgeCard(id, payload) {
  const image = `/certificates/${id}/badge.svg`;
  return card("Badge", h("p", null, h("img", { src: image, alt: `${payload.profile}: as the badge says`, height: "20" })),
    h("p", { class: "small quiet" }, "For a page of your own; it changes when the certificate is revoked."),
    command(`[![${payload.profile}](${location.origin}${image})](${location.origin}/certificates/${id})`));
}

export async function certificate(show, id) {
  title("Certificate");
  const found = await api("GET", `/api/v1/certificates/${id}`);
  const result = await api("POST", "/api/v1/certificates/verify", { certificate: found });
  show(h("h1", null, found.payload.verdict === "conforms-in-part" ? "Certificate of conformance in part" : "Certificate of conformance"), resultCard(result, found.payload.verdict), payloadCard(found.payload, result.result), waiversCard(null, found.payload.waivers), restrictionCard(found.payload),
    card("Verify it yourself", h("p", null, "The certificate is signed with Ed25519; anyone can check it offline:"),
      command(`curl -fsS -o certificate.json ${location.origin}/api/v1/certificates/${id}\ncurl -fsSO ${location.origin}/api/v1/key\ncurl -fsSO ${location.origin}/api/v1/certificates/${id}/proof\nassay verify certificate.json --key key --log proof`),
      h("p", { class: "small quiet" }, "The proof shows that the certificate is in this service's log, and whether it has been revoked. ", h("a", { href: "/api/v1/log" }, "The whole log")),
      h("div", { class: "row" }, h("a", { class: "button main", href: `/api/v1/certificates/${id}`, download: "certificate.json" }, "Download the certificate"),
        h("button", { type: "button", click: () => print() }, "Print")),
      h("p", { class: "small quiet" }, "Key ", h("code", null, found.key_id))), badgeCard(id, found.payload), await revokeCard(id, result));
}

export async function verify(show) {
  title("Verify a certificate");
  const out = h("div");
  const area = h("textarea", { name: "text", required: true, spellcheck: "false", rows: "10" });
  const file = h("input", { type: "file", accept: ".json,application/json", change: async (event) => { area.value = await event.target.files[0]?.text() ?? ""; } });
  show(h("h1", null, "Verify a certificate"), h("p", { class: "quiet" }, "Paste a certificate or choose its file. Nothing is stored."),
    card(null, form("Verify", [field("File", null, file), field("Text", null, area)], async ({ text }) => {
      out.replaceChildren(); // what was found about an earlier one
      let document;
      try {
        document = JSON.parse(text);
      } catch {
        throw new Error("This is not JSON; copy the whole file.");
      }
      if (document === null || typeof document !== "object" || Array.isArray(document)) throw new Error("This is not a certificate.");
      const result = await api("POST", "/api/v1/certificates/verify", { certificate: document });
      out.replaceChildren(resultCard(result), ...result.result === "good" ? [payloadCard(document.payload), waiversCard(null, document.payload.waivers), restrictionCard(document.payload)].filter((part) => part) : []);
    })), out);
}
