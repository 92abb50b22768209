/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of conversations behind the dissector. What it has heard is judged by it alone, so that the dissector
 * says what `assay check` says; experts.c judges headers of streams whose beginning the capture lacks.
 */
#include "dissector/talk.h"

#include "dissector/experts.h"
#include "dissector/stream.h"

#include "wire/portals/check.h"

#include <epan/wmem_scopes.h>

#include <string.h>

enum { REQUESTS = 16384, SLOTS = 65536, NUMBERS = 16384 };

/* The checker of the capture file that is open; NULL until its first message. */
static struct wire_portals_check *check;

static void talk_reset(void)
{
    check = NULL; /* its memory went with the file */
}

void talk_register(void)
{
    register_init_routine(talk_reset);
}

static struct wire_portals_check *check_of_file(void)
{
    struct wire_portals_check_tables tables = {.request_count = REQUESTS, .slot_count = SLOTS, .number_count = NUMBERS};

    if (!check) {
        tables.requests = wmem_alloc_array(wmem_file_scope(), struct wire_portals_check_request, REQUESTS);
        tables.slots = wmem_alloc_array(wmem_file_scope(), struct wire_portals_check_slot, SLOTS);
        tables.numbers = wmem_alloc_array(wmem_file_scope(), struct wire_portals_check_number, NUMBERS);
        tables.key[0] = (uint64_t)g_random_int() << 32 | g_random_int();
        tables.key[1] = (uint64_t)g_random_int() << 32 | g_random_int();
        check = wmem_new(wmem_file_scope(), struct wire_portals_check);
        *check = wire_portals_check_begin(&tables);
    }
    return check;
}

void talk_missing(void)
{
    check_of_file()->partial = true;
}

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
        talk_missing();
        return NULL;
    }
    pdu->way->accepted = sent_by_acceptor(pdu);
    pdu->back->accepted = !pdu->way->accepted;
    known = !pdu->way->accepted && acceptor_of(pdu->pinfo, &acceptor);
    pdu->way->check = wmem_new(wmem_file_scope(), struct wire_portals_check_stream);
    *pdu->way->check = wire_portals_check_open(check_of_file(), known ? &acceptor : NULL, connected_us(pdu->pinfo));
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
    memcpy(kept, check->findings, count * sizeof *kept);
    pdu->note->findings = kept;
    pdu->note->finding_count = count;
}

void talk_note(struct pdu *pdu)
{
    struct wire_portals_check_stream *stream = stream_of(pdu, pdu->note->opening);

    if (stream) {
        keep(pdu, wire_portals_check_message(check_of_file(), stream, side_of(pdu), &pdu->header,
                                             microseconds(&pdu->pinfo->abs_ts), pdu->pinfo->num));
    }
}

void talk_note_broken(struct pdu *pdu, enum wire_status status)
{
    struct wire_portals_check_stream *stream = stream_of(pdu, pdu->note->opening);

    if (stream) {
        keep(pdu, wire_portals_check_broken(check_of_file(), stream, side_of(pdu), status));
    }
}

void talk_note_end(struct pdu *pdu, enum wire_portals_ending ending)
{
    if (pdu->way->check) {
        keep(pdu, wire_portals_check_end(check_of_file(), pdu->way->check, side_of(pdu), ending));
    }
}

/* Not told here are rules about single headers, and what talk_violation says of the same octets. */
static bool is_told(const struct pdu *pdu, const struct wire_portals_finding *finding)
{
    switch (finding->violation) {
    case WIRE_PORTALS_NO_VIOLATION:
    case WIRE_PORTALS_STRAY_OCTETS:
        return false;
    case WIRE_PORTALS_NUMBER_UNAGREED:
        return talk_violation(pdu) == WIRE_PORTALS_LEGAL;
    default:
        break;
    }
    return !(check && check->partial && wire_portals_violation_needs_all(finding->violation));
}

enum wire_portals_header_violation talk_violation(const struct pdu *pdu)
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

enum wire_portals_header_violation talk_violation_broken(const struct pdu *pdu, enum wire_status status)
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

bool talk_found(const struct pdu *pdu)
{
    for (unsigned i = 0; pdu->note && i < pdu->note->finding_count; i++) {
        if (is_told(pdu, &pdu->note->findings[i])) {
            return true;
        }
    }
    return false;
}

void talk_show(const struct pdu *pdu)
{
    for (unsigned i = 0; pdu->note && i < pdu->note->finding_count; i++) {
        if (is_told(pdu, &pdu->note->findings[i])) {
            experts_violation(pdu, &pdu->note->findings[i]);
        }
    }
}
