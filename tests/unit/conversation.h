/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reads the hand-written conversations of wire/vectors/conversations/ (their form: the README there) step by step.
 */
#ifndef TESTS_UNIT_CONVERSATION_H
#define TESTS_UNIT_CONVERSATION_H

#include "tests/unit/vector.h"
#include "wire/portals/check.h"

enum conversation_step_kind {
    CONVERSATION_OCTETS,  /* one side sends octets */
    CONVERSATION_FINISH,  /* one side ends its direction */
    CONVERSATION_BREAKS,  /* the step before breaks a rule: name and requirement */
    CONVERSATION_WAITING, /* so many requests have no answer */
};

/* One step. */
struct conversation_step {
    enum conversation_step_kind kind;
    unsigned line;
    unsigned stream; /* from 0 */
    enum wire_portals_side side;
    uint64_t when_us;
    struct vector octets;
    char name[64], requirement[16];
    unsigned count;
    struct wire_portals_id listener; /* nid 0: not said */
};

enum { CONVERSATION_STREAMS_MAX = 4 };

/* conversation_each - calls `visit` with the name of every conversation. */
void conversation_each(void (*visit)(const char *name));

/* conversation_read - calls `visit` with each step of a conversation; exits 2 when the file cannot be understood. */
void conversation_read(const char *name, void (*visit)(void *context, const struct conversation_step *step),
                       void *context);

#endif
