// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The packets of a case's capture, as Wireshark decodes them with our plugin: a list, in which each packet opens to all
// of its fields. The service decodes them when it is asked, some at a time.

import { api } from "./api.js";
import { announce, cells, h, table } from "./dom.js";

const COLUMNS = [{ title: "No.", class: "number tight" }, { title: "Seconds", class: "number tight wide" }, { title: "From", class: "tight wide" },
  { title: "To", class: "tight wide" }, { title: "Protocol", class: "tight" }, { title: "Octets", class: "number tight wide" }, { title: "What" }];

const SEVERITIES = { note: "skip", warning: "warn", error: "fail" };

/** Fields with the fields in them; of the outermost the last is open, which is the protocol that the packet is about. */
function tree(fields, outermost) {
  return h("ul", { class: "packet mono" }, fields.map((one, i) => {
    const text = [one.severity ? [h("span", { class: `tag ${SEVERITIES[one.severity]}` }, one.severity), " "] : null, one.text];
    return h("li", null, one.fields ? h("details", { open: outermost && i === fields.length - 1 }, h("summary", null, text), tree(one.fields, false)) : text);
  }));
}

/** A row for a packet, and the row below it that has its fields, once they were asked for. */
function rowsOf(base, packet) {
  const cell = h("td", { colSpan: COLUMNS.length }), below = h("tr", { hidden: true }, cell);
  const show = async () => {
    below.hidden = !below.hidden;
    button.setAttribute("aria-expanded", String(!below.hidden));
    if (below.hidden || cell.childElementCount) return;
    try {
      const { fields } = await api("GET", `${base}/${packet.number}`);
      cell.replaceChildren(tree(fields, true));
    } catch (error) {
      below.hidden = true; // so that the next press asks again
      button.setAttribute("aria-expanded", "false");
      announce(error.message);
      button.title = error.message;
    }
  };
  const button = h("button", { type: "button", class: "plain", click: show, "aria-expanded": "false", "aria-label": `Packet ${packet.number}` }, String(packet.number));
  return [h("tr", null, cells(COLUMNS, [button, Number(packet.time).toFixed(6), packet.source, packet.destination, packet.protocol, String(packet.octets), packet.info])), below];
}

/** The list, with a button for the next packets as long as there are more; what goes wrong is said above that. */
export async function packets(base) {
  const list = table("Packets of the capture", COLUMNS, []), body = list.querySelector("tbody");
  const problem = h("p", { class: "error", role: "alert", hidden: true });
  let shown = 0;
  const next = async () => {
    problem.hidden = true;
    button.disabled = true;
    try {
      const { packets: found, more } = await api("GET", `${base}?skip=${shown}`);
      body.append(...found.flatMap((packet) => rowsOf(base, packet)));
      shown += found.length;
      button.hidden = !more;
      button.textContent = "Show the next packets";
      announce(`${shown} packets`);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      button.textContent = "Try again";
    }
    button.disabled = false;
  };
  const button = h("button", { type: "button", click: next }, "Show the packets");
  await next();
  return [list, problem, button];
}
