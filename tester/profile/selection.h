/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The cases of a run: which of a profile's were asked for.
 */
#ifndef TESTER_PROFILE_SELECTION_H
#define TESTER_PROFILE_SELECTION_H

#include "tester/base/status.h"
#include "tester/profile/case_list.h"

#include <stdbool.h>
#include <stddef.h>

struct selection {
    const struct case_list *cases;
    size_t *indexes; /* into the list, in its order */
    size_t count;
};

/* selection_make selects the cases of the suites, of these ids, or both; NULL means all, each may name several,
 * separated by commas. ENGINE_NO_CASE and a message when a name is not known or nothing is left. Free with
 * selection_free either way. */
enum engine_status selection_make(struct selection *selection, const struct case_list *cases, const char *suites,
                                  const char *ids, char *message, size_t message_octets);
void selection_free(struct selection *selection);

/* selection_at gives the case of that place in the selection. */
const struct case_info *selection_at(const struct selection *selection, size_t place);

/* selection_keep leaves only the cases that fits(context, case) wants; how many these are. */
size_t selection_keep(struct selection *selection, bool (*fits)(const void *context, const struct case_info *about),
                      const void *context);

/* selection_wants_own_server tells whether a meeting under a vendor's own server is among them. */
bool selection_wants_own_server(const struct selection *selection);

#endif
