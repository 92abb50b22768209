/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * By what a run was judged, as digests (SHA-256): in report.json
 *
 *     "digests":{"tester":"..","catalogue":"..","cases":".."}
 *
 * the program that judged, the catalogue (case_list_digests), and all cases of the profile with their library.
 */
#ifndef TESTER_REPORT_DIGESTS_H
#define TESTER_REPORT_DIGESTS_H

#include "tester/profile/case_list.h"

#include <jansson.h>

/* digests_json gives the member; a new reference. The program is read once in its life; where it cannot be read its
 * digest is "". */
json_t *digests_json(const struct case_list *cases);

#endif
