/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Is a well-formed frame of the Intercept network a legal one? Judges a frame by itself: its values, not what was sent
 * before it.
 */
#ifndef WIRE_INTERCEPT_RULES_H
#define WIRE_INTERCEPT_RULES_H

#include "wire/intercept/frame.h"

/* What a frame can break, in the order in which it is looked for. */
enum wire_intercept_rule {
    WIRE_INTERCEPT_LEGAL,
    WIRE_INTERCEPT_BAD_PLANES,
    WIRE_INTERCEPT_BAD_FLAGS,
    WIRE_INTERCEPT_BAD_LINK_FRAME,
    WIRE_INTERCEPT_BAD_CHANNEL,
    WIRE_INTERCEPT_BAD_WINDOW,
    WIRE_INTERCEPT_BAD_VNIC,
    WIRE_INTERCEPT_BAD_RESERVED,
    WIRE_INTERCEPT_BAD_COMMAND,
    WIRE_INTERCEPT_BAD_CONTENT,
    WIRE_INTERCEPT_BAD_CONTROL_WAY,
    WIRE_INTERCEPT_BAD_COUNT,
    WIRE_INTERCEPT_BAD_SLICE,
    WIRE_INTERCEPT_BAD_REMAINDER,
    WIRE_INTERCEPT_RULES,
};

/* A rule: its name for machines, the rule of the binding, a sentence for people. */
struct wire_intercept_rule_text {
    const char *name, *clause, *text;
};

/* wire_intercept_judge - the first rule that the decoded frame breaks, or WIRE_INTERCEPT_LEGAL. */
enum wire_intercept_rule wire_intercept_judge(const struct wire_intercept_frame *frame);

/* wire_intercept_rule_text - how a rule is told. Static. */
const struct wire_intercept_rule_text *wire_intercept_rule_text(enum wire_intercept_rule rule);

#endif
