/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Members in the database. Of passwords it knows the hashes.
 */
#include "web/store/member.h"

#include "web/store/query.h"

#include <stdio.h>
#include <string.h>

enum database_status member_set_password(struct database *database, int64_t member, const char *hash)
{
    struct query query;

    query_open(&query, database, "UPDATE members SET password = :password WHERE id = :id");
    query_text(&query, ":password", hash);
    query_number(&query, ":id", member);
    return query_run(&query);
}

enum database_status member_password(struct database *database, int64_t member, char hash[static SECRET_PASSWORD_SIZE])
{
    struct query query;

    hash[0] = '\0';
    query_open_read(&query, database, "SELECT password FROM members WHERE id = :id");
    query_number(&query, ":id", member);
    if (query_next(&query)) {
        snprintf(hash, SECRET_PASSWORD_SIZE, "%s", query_column_text(&query, 0));
    }
    return query_close(&query);
}

enum database_status member_find(struct database *database, const char *name, struct member_found *found)
{
    struct query query;

    *found = (struct member_found){.member = 0};
    query_open_read(&query, database, "SELECT id, account, password FROM members WHERE name = :name");
    query_text(&query, ":name", name);
    if (query_next(&query)) {
        found->member = query_column_number(&query, 0);
        found->account = query_column_number(&query, 1);
        snprintf(found->hash, sizeof found->hash, "%s", query_column_text(&query, 2));
    }
    return query_close(&query);
}

/* Inside a transaction: whether the member is one of the account, and its only administrator. */
static enum database_status look_up(struct database *database, int64_t account, int64_t member,
                                    enum member_change *change)
{
    struct query query;

    *change = MEMBER_UNKNOWN;
    query_open(&query, database,
               "SELECT role = 'administrator' AND (SELECT COUNT(*) FROM members WHERE account = :account AND "
               "role = 'administrator') = 1 FROM members WHERE id = :id AND account = :account");
    query_number(&query, ":account", account);
    query_number(&query, ":id", member);
    if (query_next(&query)) {
        *change = query_column_number(&query, 0) != 0 ? MEMBER_LAST : MEMBER_CHANGED;
    }
    return query_close(&query);
}

/* The member's role becomes `role`, NULL: the member goes. */
static enum database_status change_member(struct database *database, int64_t account, int64_t member, const char *role,
                                          enum member_change *change)
{
    enum database_status status = database_begin(database);
    struct query query;

    *change = MEMBER_UNKNOWN;
    if (status != DATABASE_OK) {
        return status;
    }
    status = look_up(database, account, member, change);
    if (status == DATABASE_OK && *change == MEMBER_LAST && role && strcmp(role, role_name(ROLE_ADMINISTRATOR)) == 0) {
        *change = MEMBER_CHANGED; /* to what it is */
    }
    if (status == DATABASE_OK && *change == MEMBER_CHANGED) {
        query_open(&query, database,
                   role ? "UPDATE members SET role = :role WHERE id = :id" : "DELETE FROM members WHERE id = :id");
        if (role) {
            query_text(&query, ":role", role);
        }
        query_number(&query, ":id", member);
        status = query_run(&query);
    }
    return database_end(database, status);
}

enum database_status member_set_role(struct database *database, int64_t account, int64_t member, enum role role,
                                     enum member_change *change)
{
    return change_member(database, account, member, role_name(role), change);
}

enum database_status member_remove(struct database *database, int64_t account, int64_t member,
                                   enum member_change *change)
{
    return change_member(database, account, member, NULL, change);
}
