/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Expert information of IMPI: what the checkers of wire/ find, each rule a field of its own
 * ("impi.breach.label_order"), and remarks of the dissector.
 */
#ifndef DISSECTOR_IMPI_EXPERTS_H
#define DISSECTOR_IMPI_EXPERTS_H

#include "dissector/impi/pdu.h"

#include <epan/expert.h>

/* Remarks that are no rules. */
struct impi_experts_own {
    expert_field cut;       /* the octets end inside a message */
    expert_field broken;    /* octets that are no message */
    expert_field lost;      /* no message can be found at the beginning of the segment */
    expert_field continued; /* a payload goes on in later packets and is not put together */
    expert_field unknown;   /* a command or a label that version 0.0 does not have */
    expert_field shape;     /* values that cannot be told apart */
};

extern struct impi_experts_own impi_experts_own;

/* impi_experts_wanted - whether the user wants messages judged (the preference "analyse").
 * impi_experts_want - sets it. */
bool impi_experts_wanted(void);
void impi_experts_want(bool wanted);

/* impi_experts_register - registers all expert information for the protocol. Once, at start-up. */
void impi_experts_register(int proto);

/* impi_experts_claim - first pass: claims what was found about the message.
 * impi_experts_claim_broken - about octets
 * that are no message. */
void impi_experts_claim(struct impi_pdu *pdu);
void impi_experts_claim_broken(struct impi_pdu *pdu);

/* impi_experts_found - whether something was found about the message that is to be told.
 * impi_experts_show - every pass: says it in the message's tree. */
bool impi_experts_found(const struct impi_pdu *pdu);
void impi_experts_show(const struct impi_pdu *pdu);

#endif
