/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The table of profiles (profile.h).
 */
#include "tester/profile/profile.h"

#include "tester/engine/preflight.h"

#include <stdbool.h>
#include <string.h>

static const struct profile profiles[] = {
    {.name = "portals-3.0", .api = "portals-3.0", .preflight = preflight_portals},
    {.name = "impi-0.0", .api = "mpi-1", .own_jobs = true, .roles = true, .preflight = preflight_impi},
};

const struct profile *profile_of(const char *name)
{
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
        if (strcmp(profiles[i].name, name) == 0) {
            return &profiles[i];
        }
    }
    return &profiles[0];
}
