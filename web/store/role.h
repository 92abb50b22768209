/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a member of an account may do. Each role may do what those before it may.
 */
#ifndef WEB_STORE_ROLE_H
#define WEB_STORE_ROLE_H

#include <stdbool.h>

enum role {
    ROLE_VIEWER,        /* sees everything of the account */
    ROLE_TESTER,        /* names implementations; makes, cancels and deletes runs */
    ROLE_CERTIFIER,     /* answers for results towards others */
    ROLE_ADMINISTRATOR, /* lets members in, gives roles, removes members and the account */
};

/* ROLE_CHECK is the roles as SQL lists them. */
#define ROLE_CHECK "('viewer', 'tester', 'certifier', 'administrator')"

/* role_name gives the role's word; role_find the role of a word, false when there is none. */
const char *role_name(enum role role);
bool role_find(const char *name, enum role *role);

#endif
