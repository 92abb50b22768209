/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which preflight a profile has (preflight.h). A new one is an enumerator in profile.h, its name in profile_row.c, and
 * a function here.
 */
#include "tester/engine/preflight.h"

#include "tester/profile/profile.h"

#include <stddef.h>

preflight_function *preflight_of(const struct profile *profile)
{
    switch (profile->preflight) {
    case PROFILE_PREFLIGHT_PORTALS:
        return preflight_portals;
    case PROFILE_PREFLIGHT_IMPI:
        return preflight_impi;
    case PROFILE_PREFLIGHT_INTERCEPT:
        return preflight_intercept;
    }
    return NULL; /* profile_row.c lets no other value in */
}
