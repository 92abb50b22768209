/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is particular about a profile: who talks to its systems under test, and how a run looks at them first.
 */
#ifndef TESTER_PROFILE_PROFILE_H
#define TESTER_PROFILE_PROFILE_H

#include "tester/engine/run.h"

#include <stdbool.h>

struct profile {
    const char *name;
    const char *api; /* of its interpreter's hello */
    bool own_jobs;   /* its cases start their jobs themselves; else each has one, which waits for it */
    bool roles;      /* the command template decides what is judged: a client if it has {client}, else a server */
    bool (*preflight)(struct engine_run *run); /* preflight.h */
};

/* profile_of gives what is particular about the profile; one that is not known here is like Portals 3.0. */
const struct profile *profile_of(const char *name);

#endif
