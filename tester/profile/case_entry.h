/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A case as the engine sees it.
 */
#ifndef TESTER_PROFILE_CASE_ENTRY_H
#define TESTER_PROFILE_CASE_ENTRY_H

#include "tester/profile/case_info.h"

/* struct case_entry is a case with what only its execution needs. Lists end with NULL. */
struct case_entry {
    struct case_info about; /* first: a pointer to it is a pointer to the entry */
    char **requirements, **features, **verbs, **cell;
    unsigned deadline_s;
    bool only;    /* of the revision for which it was written: it does not hold for later ones */
    char **still; /* requirements of later revisions, whose change does not touch the case */
    char source_sha256[65];
    char *path; /* of the file, as it was opened */
};

#endif
