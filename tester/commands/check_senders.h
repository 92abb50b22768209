/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who has broken rules in captures, and how often, for `assay check`.
 */
#ifndef TESTER_COMMANDS_CHECK_SENDERS_H
#define TESTER_COMMANDS_CHECK_SENDERS_H

#include "tester/capture/findings.h"

#include <jansson.h>

/* check_senders_json - the senders of violations, who broke first stands first: objects of "sender" and "breaches". A
 * Portals process is named by its HELLO, whichever connection it used, others by the end of their connection. The
 * caller's.
 * check_senders_print prints a line for each of them, where there are several. */
json_t *check_senders_json(const struct findings *findings);
void check_senders_print(const struct findings *findings);

#endif
