/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Expert information: what is wrong with a message, by the rules of wire/portals/rules.h, each a field of its own
 * ("portals.breach.wrong_target"), and remarks of the dissector.
 */
#ifndef DISSECTOR_PORTALS_EXPERTS_H
#define DISSECTOR_PORTALS_EXPERTS_H

#include "dissector/portals/pdu.h"

#include "wire/portals/check.h"

#include <epan/expert.h>

/* Remarks that are not rules about one header. */
struct experts_own {
    expert_field cut;             /* the octets end inside a message */
    expert_field lost;            /* no message can be found at the beginning of the segment */
    expert_field continued;       /* a payload goes on in later packets and is not put together */
    expert_field unasked;         /* an answer without a request in the capture */
    expert_field echo_differs;    /* an answer that does not repeat its request */
    expert_field barrier_partner; /* a barrier message to a rank that is not due in this round */
    expert_field barrier_round;   /* a round that the group is too small for */
};

extern struct experts_own experts_own;

/* experts_register - registers all expert information for the protocol. Once, at start-up. */
void experts_register(int proto);

/* experts_header_violation - says in the message's tree that it breaks the rule, by which requirement, and what a
 * receiver does. Does nothing for WIRE_PORTALS_LEGAL. */
void experts_header_violation(const struct pdu *pdu, enum wire_portals_header_violation violation);

/* experts_violation - says in the message's tree what the checker of conversations found, and by which requirement. */
void experts_violation(const struct pdu *pdu, const struct wire_portals_finding *finding);

/* experts_judge - the rule that the message's header breaks, by what both ends have said of themselves so far. */
enum wire_portals_header_violation experts_judge(const struct pdu *pdu);

#endif
