/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of conversations behind the dissector. What it has heard is judged by it alone, so that the dissector
 * says what `assay check` says; experts.c judges headers of streams whose beginning the capture lacks.
 */
#include "dissector/portals/judge.h"

#include "dissector/portals/checker.h"
#include "dissector/portals/experts.h"
#include "dissector/portals/stream.h"

#include "wire/portals/check.h"

#include <epan/wmem_scopes.h>

#include <string.h>

static uint64_t microseconds(const nstime_t *when)
{
    return when->secs > 0 ? (uint64_t)when->secs * 1000000 + (uint64_t)when->nsecs / 1000 : 0;
}

/* When the connection began, as far as the capture tells. */
static uint64_t connected_us(packet_info *pinfo)
{
    const struct tcp_analysis *analysis = pinfo->ptype == PT_TCP ? get_tcp_conversation_data(NULL, pinfo) : NULL;

    return microseconds(analysis ? &analysis->ts_first : &pinfo->abs_ts);
}

/* Who listens at the packet's destination, as its address says. */
static bool acceptor_of(const packet_info *pinfo, struct wire_portals_id *id)
{
    const unsigned char *at = pinfo->dst.data;

    if (pinfo->dst.type != AT_IPv4 || pinfo->dst.len != 4) {
        return false;
    }
    *id = (struct wire_portals_id){(uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3],
                                   pinfo->destport, WIRE_PORTALS_ID_UNKNOWN, WIRE_PORTALS_ID_UNKNOWN};
    return true;
}

/* An acceptor says HELLO from the port at which it listens; so does nobody who opens. */
static bool sent_by_acceptor(const struct pdu *pdu)
{
    return pdu->header.operation == WIRE_PORTALS_HELLO && pdu->header.initiator.pid == pdu->pinfo->srcport;
}

/* The checker's view of the stream, begun with its first message; NULL for one whose beginning the capture lacks. */
static struct wire_portals_check_stream *stream_of(struct pdu *pdu, bool opening)
{
    struct wire_portals_id acceptor;
    bool known;

    if (pdu->way->check) {
        return pdu->way->check;
    }
    if (!opening && pdu->header.operation != WIRE_PORTALS_HELLO) {
        checker_missing();
        return NULL;
    }
    pdu->way->accepted = sent_by_acceptor(pdu);
    pdu->back->accepted = !pdu->way->accepted;
    known = !pdu->way->accepted && acceptor_of(pdu->pinfo, &acceptor);
    pdu->way->check = wmem_new(wmem_file_scope(), struct wire_portals_check_stream);
    *pdu->way->check =
        wire_portals_check_open(checker_of_capture(), known ? &acceptor : NULL, connected_us(pdu->pinfo));
    pdu->back->check = pdu->way->check;
    return pdu->way->check;
}

static enum wire_portals_side side_of(const struct pdu *pdu)
{
    return pdu->way->accepted ? WIRE_PORTALS_ACCEPTOR : WIRE_PORTALS_OPENER;
}

static void keep(struct pdu *pdu, unsigned count)
{
    struct wire_portals_finding *kept;

    pdu->note->judged = true;
    if (count == 0) {
        return;
    }
    kept = wmem_alloc_array(wmem_file_scope(), struct wire_portals_finding, count);
    memcpy(kept, checker_of_capture()->findings, count * sizeof *kept);
    pdu->note->findings = kept;
    pdu->note->finding_count = count;
}

void judge_message(struct pdu *pdu)
{
    struct wire_portals_check_stream *stream = stream_of(pdu, pdu->note->opening);

    if (stream) {
        keep(pdu, wire_portals_check_message(checker_of_capture(), stream, side_of(pdu), &pdu->header,
                                             microseconds(&pdu->pinfo->abs_ts), pdu->pinfo->num));
    }
}

void judge_broken(struct pdu *pdu, enum wire_status status)
{
    struct wire_portals_check_stream *stream = stream_of(pdu, pdu->note->opening);

    if (stream) {
        keep(pdu, wire_portals_check_broken(checker_of_capture(), stream, side_of(pdu), status));
    }
}

void judge_end(struct pdu *pdu, enum wire_portals_ending ending)
{
    if (pdu->way->check) {
        keep(pdu, wire_portals_check_end(checker_of_capture(), pdu->way->check, side_of(pdu), ending));
    }
}

/* Not told here are rules about single headers, and what judge_header says of the same octets. */
static bool is_told(const struct pdu *pdu, const struct wire_portals_finding *finding)
{
    switch (finding->violation) {
    case WIRE_PORTALS_NO_VIOLATION:
    case WIRE_PORTALS_STRAY_OCTETS:
        return false;
    case WIRE_PORTALS_NUMBER_UNAGREED:
        return judge_header(pdu) == WIRE_PORTALS_LEGAL;
    default:
        break;
    }
    return !(checker_lacks() && wire_portals_violation_needs_all(finding->violation));
}

enum wire_portals_header_violation judge_header(const struct pdu *pdu)
{
    if (!pdu->note || !pdu->note->judged) {
        return experts_judge(pdu);
    }
    for (unsigned i = 0; i < pdu->note->finding_count; i++) {
        const struct wire_portals_finding *finding = &pdu->note->findings[i];

        if (finding->violation == WIRE_PORTALS_NO_VIOLATION) {
            return finding->header_violation;
        }
        if (finding->violation == WIRE_PORTALS_NUMBER_UNAGREED) {
            return experts_judge(pdu); /* what is wrong with the NUMBER itself tells more */
        }
    }
    return WIRE_PORTALS_LEGAL;
}

enum wire_portals_header_violation judge_header_broken(const struct pdu *pdu, enum wire_status status)
{
    if (!pdu->note || !pdu->note->judged) {
        return pdu->note && pdu->note->opening ? WIRE_PORTALS_BAD_MAGIC : wire_portals_header_violation_of(status);
    }
    for (unsigned i = 0; i < pdu->note->finding_count; i++) {
        if (pdu->note->findings[i].violation == WIRE_PORTALS_STRAY_OCTETS) {
            return wire_portals_header_violation_of(status);
        }
        if (pdu->note->findings[i].violation == WIRE_PORTALS_NO_VIOLATION) {
            return pdu->note->findings[i].header_violation;
        }
    }
    return WIRE_PORTALS_LEGAL;
}

bool judge_found(const struct pdu *pdu)
{
    for (unsigned i = 0; pdu->note && i < pdu->note->finding_count; i++) {
        if (is_told(pdu, &pdu->note->findings[i])) {
            return true;
        }
    }
    return false;
}

void judge_show(const struct pdu *pdu)
{
    for (unsigned i = 0; pdu->note && i < pdu->note->finding_count; i++) {
        if (is_told(pdu, &pdu->note->findings[i])) {
            experts_violation(pdu, &pdu->note->findings[i]);
        }
    }
}
