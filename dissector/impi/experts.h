/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Expert information of IMPI: what the checkers of wire/ find, each rule a field of its own
 * ("impi.breach.label-order"), and remarks of the dissector.
 */
#ifndef DISSECTOR_IMPI_EXPERTS_H
#define DISSECTOR_IMPI_EXPERTS_H

#include "dissector/impi/pdu.h"

#include "wire/impi/check_job_state.h"

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

/* impi_experts_keep - first pass: adds findings of a checker, violations or notes, to the message's note. */
void impi_experts_keep(struct impi_pdu *pdu, const struct wire_impi_findings *findings);

/* impi_experts_show - every pass: says in the message's tree what was found about it. `job` is what is known of the
 * connection's job, or NULL: it tells whether everything was seen that a finding rests on. */
void impi_experts_show(const struct impi_pdu *pdu, const struct wire_impi_job *job);

#endif
