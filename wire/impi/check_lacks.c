/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What was not seen of a channel between IMPI hosts (a part of its checker, wire/impi/check_channel.h): what could
 * explain a violation holds it back, and nothing else. A packet that breaks a rule by itself does so whatever is
 * missing. Where a rule compares packets, a table tells whose packets, if some were not seen, could explain that:
 *
 *     unsettled   octets of the side are missing at this moment, or are just being taken behind what answers them, or
 *                 where its next packet begins is not known
 *     lacked      some were missing at any time
 *     disturbed   or were taken too late
 *
 * and what is known of messages and counts begins anew, so that what all comes behind the gap is judged again.
 */
#include "wire/impi/check_lacks.h"

#include "wire/impi/check_collective.h"
#include "wire/impi/check_flow.h"
#include "wire/impi/check_requests.h"

/* Whose packets explain it: of who breaks the rule, of the other side. */
enum { NOBODY = 0, OWN = 1, OTHER = 2, BOTH = OWN | OTHER };

struct explanation {
    unsigned unsettled, lacked, disturbed;
};

/* NOBODY where nothing is told here: rules of one packet, or of packets of one side in their order. */
static const struct explanation explanations[WIRE_IMPI_VIOLATIONS] = {
    [WIRE_IMPI_CONNECTED_EARLY] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_RANK_TWICE] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_LONG_BY_DATA] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_LONG_UNACKED] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_LONG_DRQID] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_LONG_ECHO] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_LONG_TOO_MUCH] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_LONG_UNFINISHED] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_LONG_CANCELLED] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_SRQID_TWICE] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_SYNCACK_UNASKED] = {BOTH, OTHER, NOBODY},
    [WIRE_IMPI_SYNCACK_AGAIN] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_SYNCACK_DESTROYED] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_CANCEL_UNASKED] = {BOTH, BOTH, BOTH},
    [WIRE_IMPI_CANCEL_UNANSWERED] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_CANCELYES_MATCHED] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_ABOVE_HIWATER] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_ABOVE_HIWATER_SYNCACK] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_ABOVE_HIWATER_CANCEL] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_ABOVE_HIWATER_REPLY] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_PROTOACK_EARLY] = {BOTH, OTHER, NOBODY},
    [WIRE_IMPI_PROTOACK_MISSING] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_CLOSED_WITHOUT_FINI] = {BOTH, OWN, NOBODY},
    [WIRE_IMPI_CLOSED_BEFORE_FINI] = {BOTH, OTHER, NOBODY},
    [WIRE_IMPI_CLOSED_INSIDE] = {OWN, NOBODY, NOBODY},
    [WIRE_IMPI_BARRIER_LEFT] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_NOTE_SRQID_ZERO] = {OWN, NOBODY, NOBODY},
    [WIRE_IMPI_NOTE_REDUCE_CONTEXT] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_NOTE_COLLECTIVE_CONTEXT] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_NOTE_MOVE_CONTEXT] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_NOTE_LIMITS_OF_PAIR] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_NOTE_FINALIZE_BARRIER] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_NOTE_BARRIER_EARLY] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_NOTE_BARRIER_UNMET] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_NOTE_BCAST_UNREACHED] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_NOTE_REDUCE_UNSENT] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_NOTE_SCAN_ORDER] = {BOTH, NOBODY, NOBODY},
    [WIRE_IMPI_NOTE_GATHER_UNSENT] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_NOTE_SCATTER_UNREACHED] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_NOTE_ALLTOALL_UNMET] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_NOTE_COMMUNICATOR_MASTER] = {BOTH, BOTH, NOBODY},
    [WIRE_IMPI_NOTE_COMMUNICATOR_FORM] = {BOTH, BOTH, NOBODY},
};

/* The sides for which it is so, as seen by `side`. */
static unsigned sides_of(const bool *is_so, enum wire_impi_side side)
{
    return (is_so[side] ? OWN : NOBODY) | (is_so[!side] ? OTHER : NOBODY);
}

static void hold_back(struct wire_impi_findings *findings, const struct explanation *now)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < findings->count; i++) {
        const struct explanation *explained = &explanations[findings->at[i].violation];

        if (!(explained->unsettled & now->unsettled) && !(explained->lacked & now->lacked) &&
            !(explained->disturbed & now->disturbed)) {
            findings->at[kept++] = findings->at[i];
        }
    }
    findings->count = kept;
}

void wire_impi_lacks_hold_back(struct wire_impi_channel *channel, enum wire_impi_side side)
{
    struct explanation now = {sides_of(channel->unsettled, side) | sides_of(channel->sought, side),
                              sides_of(channel->lacked, side), sides_of(channel->disturbed, side)};

    hold_back(&channel->findings, &now);
    hold_back(&channel->notes, &now);
}

/* A message of the side itself may have been followed by others that were not seen: nobody knows what its srqid stands
 * for. Where none were lost, and of the other side's messages, it may have been answered. */
static void doubt_requests(struct wire_impi_channel *channel, enum wire_impi_side side, bool lost)
{
    for (uint32_t i = 0; i < channel->tables.request_count; i++) {
        struct wire_impi_request *request = &channel->tables.requests[i];

        if (request->state == WIRE_IMPI_FREE) {
            continue;
        }
        if (lost && channel->tables.pairs[request->pair].side == side) {
            wire_impi_request_drop(channel, request);
            continue;
        }
        request->cancels = request->earlier = 0;
        if (request->state == WIRE_IMPI_WAITING) {
            request->state = WIRE_IMPI_UNSURE;
        } else if (request->state == WIRE_IMPI_OTHER) {
            wire_impi_request_drop(channel, request);
        }
    }
}

void wire_impi_lacks_begin(struct wire_impi_channel *channel, enum wire_impi_side side, bool lost)
{
    channel->lacked[side] = channel->lacked[side] || lost;
    channel->disturbed[side] = true;
    wire_impi_collectives_missed(channel);
    doubt_requests(channel, side, lost);
    for (uint32_t i = 0; i < channel->tables.pair_count; i++) {
        struct wire_impi_pair *pair = &channel->tables.pairs[i];

        if (pair->used) {
            pair->open = lost && pair->side == side ? 0 : pair->open;
            pair->notes.collective = 0;
            wire_impi_flow_restart(channel, pair);
        }
    }
}
