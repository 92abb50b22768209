/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which proofs say nothing of the tree as it is now, as the source tree's own program for mutants tells.
 */
#ifndef TESTER_COMMANDS_SPEC_STALE_H
#define TESTER_COMMANDS_SPEC_STALE_H

#include <jansson.h>

/* stale_reasons asks tests/mutants/run.py below the root about the mutants that break a requirement, which must exist:
 * an object of those whose proof is stale or missing, with the reason in words; a new reference. NULL when the program
 * cannot be run or does not answer; it may have said why on standard error. Blocks for a second or so. */
json_t *stale_reasons(const char *root, const char *requirement);

#endif
