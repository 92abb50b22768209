/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which violations of a capture are the system's under test and which its peers', for `assay check`.
 */
#ifndef TESTER_COMMANDS_CHECK_SIDES_H
#define TESTER_COMMANDS_CHECK_SIDES_H

#include "tester/capture/findings.h"

#include <jansson.h>
#include <stdbool.h>

/* check_sides_place - reads where the system under test is, "10.0.0.2", "10.0.0.2:5000", "::1" or "[::1]:5000". False,
 * and nothing is read, when the text is none of these. */
bool check_sides_place(const char *text, struct wire_end *place);

/* check_sides_name - "system", "peer", or NULL where nobody says who is who.
 * check_sides_print prints how many violations each side has, in brackets behind their number; nothing where nobody
 * says.
 * check_sides_json - the same as an object, which is the caller's: {"system": .., "peer": .., "unknown": ..}. */
const char *check_sides_name(const struct findings *findings, const struct wire_examine_violation *violation);
void check_sides_print(const struct findings *findings);
json_t *check_sides_json(const struct findings *findings);

#endif
