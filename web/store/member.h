/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Members of an account: their passwords and roles. An account always keeps an administrator.
 */
#ifndef WEB_STORE_MEMBER_H
#define WEB_STORE_MEMBER_H

#include "web/store/database.h"
#include "web/store/role.h"

#include <stdbool.h>
#include <stdint.h>

/* member_set_password gives a member a password, NULL: takes it away. It is stored as an argon2id hash, which takes
 * some ten milliseconds of processor time to make and to compare. */
enum database_status member_set_password(struct database *database, int64_t member, const char *password);

/* member_check_password tells in *good whether it is the member's password; a member that has none takes any. */
enum database_status member_check_password(struct database *database, int64_t member, const char *password, bool *good);

/* member_find gives the member of that name, in *account whose it is, and in *good whether that is the password. It
 * takes the same time where there is no such member, or one without a password. */
struct member_found {
    int64_t member, account;
    bool good;
};
enum database_status member_find(struct database *database, const char *name, const char *password,
                                 struct member_found *found);

/* What came of a change: there is no such member in the account, or it would be left without an administrator. */
enum member_change { MEMBER_CHANGED, MEMBER_UNKNOWN, MEMBER_LAST };

/* member_set_role gives a member of the account another role; member_remove removes one, with sessions, links and API
 * tokens. */
enum database_status member_set_role(struct database *database, int64_t account, int64_t member, enum role role,
                                     enum member_change *change);
enum database_status member_remove(struct database *database, int64_t account, int64_t member,
                                   enum member_change *change);

#endif
