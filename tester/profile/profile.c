/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Roles of a profile (profile.h).
 */
#include "tester/profile/profile.h"

#include <string.h>

bool profile_has_roles(const struct profile *profile)
{
    return *profile->roles[0].name != '\0';
}

const struct profile_role *profile_role_find(const struct profile *profile, const char *name)
{
    for (size_t i = 0; i < profile->role_count; i++) {
        if (strcmp(profile->roles[i].name, name) == 0) {
            return &profile->roles[i];
        }
    }
    return NULL;
}

const struct profile_role *profile_role_of(const struct profile *profile, const char *template)
{
    const struct profile_role *other = NULL;

    for (size_t i = 0; i < profile->role_count; i++) {
        const struct profile_role *role = &profile->roles[i];

        if (role->placeholder && strstr(template, role->placeholder)) {
            return role;
        }
        if (!role->placeholder) {
            other = role;
        }
    }
    return other;
}

bool profile_takes_server(const struct profile *profile)
{
    for (size_t i = 0; i < profile->role_count; i++) {
        if (profile->roles[i].server) {
            return true;
        }
    }
    return false;
}
