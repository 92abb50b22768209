/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What is wrong with a message, as the follower tells it; see judge.h.
 */
#include "dissector/portals/judge.h"

#include "dissector/portals/experts.h"
#include "dissector/portals/note.h"
#include "dissector/portals/stream.h"

static bool is_wanted = true;

bool judge_wanted(void)
{
    return is_wanted;
}

void judge_want(bool wanted)
{
    is_wanted = wanted;
}

/* The first message of a direction is no HELLO. Of a connection that was found by its messages the follower says so, or
 * knows why not; that any other is a stream nobody but the user knows. */
static void judge_opening(struct pdu *pdu, const struct follower_found *found)
{
    pdu->found = follower_keep(found);
    if (pdu->found) {
        note_extend(pdu->note)->found = pdu->found;
    }
    pdu->note->answers = found->answers;
    pdu->note->opens_wrongly = pdu->note->opening && !pdu->way->guessed && !found->judged && !pdu->back->greeted &&
                               !(pdu->message && pdu->header.operation == WIRE_PORTALS_HELLO);
}

void judge_message(struct pdu *pdu)
{
    struct follower_found found =
        follower_claim(tvb_get_ptr(pdu->tvb, 0, (gint)pdu->header_octets), pdu->header_octets);

    judge_opening(pdu, &found);
}

void judge_broken(struct pdu *pdu)
{
    struct follower_found found = follower_claim_broken();

    judge_opening(pdu, &found);
}

bool judge_rest(struct pdu *pdu)
{
    struct follower_found found = follower_rest(false);

    if (found.count) {
        pdu->found = follower_keep(&found);
    }
    return found.count > 0;
}

static bool is_told(const struct pdu *pdu, const struct wire_examine_violation *violation)
{
    return follower_tells(violation, pdu->pinfo);
}

static const struct follower_found *found_of(const struct pdu *pdu)
{
    static const struct follower_found nothing;

    return pdu->found ? pdu->found : &nothing;
}

bool judge_found(const struct pdu *pdu)
{
    const struct follower_found *found = found_of(pdu);

    for (unsigned i = 0; i < found->count; i++) {
        if (is_told(pdu, found->at[i])) {
            return true;
        }
    }
    return false;
}

const char *judge_about(const struct pdu *pdu)
{
    const struct wire_examine_violation *violation = found_of(pdu)->at[0];

    switch (violation->finding.violation) {
    case WIRE_PORTALS_CUT_OFF:
    case WIRE_PORTALS_NUMBER_LAST:
        return "the stream ends";
    default:
        break;
    }
    return wmem_strdup_printf(pdu->pinfo->pool, "%s, %s", violation->message,
                              found_of(pdu)->late ? "judged by what came later" : "shown where it is complete");
}

/* What is wrong with a header by itself, or with the octets in its place, tells more than that it does not fit. */
static enum wire_portals_header_violation header_of(const struct pdu *pdu, const struct wire_portals_finding *finding)
{
    switch (finding->violation) {
    case WIRE_PORTALS_NO_VIOLATION:
        return finding->header_violation;
    case WIRE_PORTALS_STRAY_OCTETS:
        return WIRE_PORTALS_BAD_OPERATION;
    case WIRE_PORTALS_NUMBER_UNAGREED:
        return pdu->message ? experts_judge(pdu) : WIRE_PORTALS_LEGAL;
    default:
        return WIRE_PORTALS_LEGAL;
    }
}

void judge_show(const struct pdu *pdu)
{
    const struct follower_found *found = found_of(pdu);

    if (pdu->note && pdu->note->opens_wrongly && !follower_late(pdu->pinfo, false).count) {
        experts_header_violation(pdu, WIRE_PORTALS_BAD_MAGIC);
    }
    for (unsigned i = 0; i < found->count; i++) {
        const struct wire_examine_violation *violation = found->at[i];
        enum wire_portals_header_violation header = header_of(pdu, &violation->finding);

        if (!is_told(pdu, violation)) {
            continue;
        }
        if (header != WIRE_PORTALS_LEGAL) {
            experts_header_violation(pdu, header);
        } else {
            experts_violation(pdu, &violation->finding);
        }
    }
}
