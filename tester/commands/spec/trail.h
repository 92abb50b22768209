/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where a requirement has left its trail: the code that fulfils it, the cases that judge it, the mutants that prove the
 * cases. All are JSON arrays of objects with `file` and `line`, for `assay spec` to print.
 */
#ifndef TESTER_COMMANDS_SPEC_TRAIL_H
#define TESTER_COMMANDS_SPEC_TRAIL_H

#include "tester/profile/case_list.h"

#include <jansson.h>

/* trail_root gives the folder of the source tree to which a folder of cases belongs, NULL when they do not lie in one
 * (they are installed). The caller frees. */
char *trail_root(const char *case_folder);

/* trail_fulfilled gives each line of ref-impl/ and wire/ below the root that cites the requirement (`//= P30-137`):
 * file, line, text. A new reference, as from all of these. */
json_t *trail_fulfilled(const char *root, const char *requirement);

/* trail_judged gives each case that names the requirement: file, line, case, title, suite, role. */
json_t *trail_judged(const struct case_list *cases, const char *requirement);

/* trail_proven gives each mutant below the root that breaks the requirement: file, line, mutant, why, and caught_by, an
 * object of cases with the verdict that each gives, "fail" or "warn"; it is empty where nothing has been proven. */
json_t *trail_proven(const char *root, const char *requirement);

#endif
