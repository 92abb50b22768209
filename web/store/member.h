/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Members of an account: their passwords and roles. An account always keeps an administrator.
 */
#ifndef WEB_STORE_MEMBER_H
#define WEB_STORE_MEMBER_H

#include "web/service/secret.h"
#include "web/store/database.h"
#include "web/store/role.h"

#include <stdbool.h>
#include <stdint.h>

/* member_set_password gives a member the password of an argon2id hash (secret.h), NULL: takes it away. member_password
 * gives that hash, "" where there is none. */
enum database_status member_set_password(struct database *database, int64_t member, const char *hash);
enum database_status member_password(struct database *database, int64_t member, char hash[static SECRET_PASSWORD_SIZE]);

/* member_find gives the member of that name, in *account whose it is, and the password's hash; 0 and "" where there is
 * none. */
struct member_found {
    int64_t member, account;
    char hash[SECRET_PASSWORD_SIZE];
};
enum database_status member_find(struct database *database, const char *name, struct member_found *found);

/* What came of a change: there is no such member in the account, or it would be left without an administrator. */
enum member_change { MEMBER_CHANGED, MEMBER_UNKNOWN, MEMBER_LAST };

/* member_set_role gives a member of the account another role; member_remove removes one, with sessions, links and API
 * tokens. */
enum database_status member_set_role(struct database *database, int64_t account, int64_t member, enum role role,
                                     enum member_change *change);
enum database_status member_remove(struct database *database, int64_t account, int64_t member,
                                   enum member_change *change);

#endif
