/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The words for roles, as the database and the API have them.
 */
#include "web/store/role.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {[ROLE_VIEWER] = "viewer",
                                    [ROLE_TESTER] = "tester",
                                    [ROLE_CERTIFIER] = "certifier",
                                    [ROLE_ADMINISTRATOR] = "administrator"};

const char *role_name(enum role role)
{
    return names[role];
}

bool role_find(const char *name, enum role *role)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            *role = (enum role)i;
            return true;
        }
    }
    return false;
}
