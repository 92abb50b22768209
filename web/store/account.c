/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Accounts, codes, sessions and tokens in the database. What members are like is in member.c.
 */
#include "web/store/account.h"
#include "web/store/query.h"

#include <stdio.h>
#include <string.h>

#define NOW "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

/* The columns that say who it is; the last is the role of what was shown, which may be less than the member's. */
#define WHO(csrf, limited, role)                                                                                       \
    "SELECT a.id, a.owner, a.name, m.id, m.name, m.role, " csrf ", " limited ", " role " FROM "

static void read_who(struct query *query, struct requester *who)
{
    enum role of_member = ROLE_VIEWER, of_secret = ROLE_VIEWER;

    role_find(query_column_text(query, 5), &of_member);
    role_find(query_column_text(query, 8), &of_secret);
    who->account = query_column_number(query, 0);
    who->role = of_secret < of_member ? of_secret : of_member;
    who->scoped = of_secret < of_member;
    who->owner = query_column_number(query, 1) != 0 && who->role == ROLE_ADMINISTRATOR;
    who->approves = query_column_number(query, 1) != 0 && who->role >= ROLE_CERTIFIER;
    snprintf(who->name, sizeof who->name, "%s", query_column_text(query, 2));
    who->member = query_column_number(query, 3);
    snprintf(who->member_name, sizeof who->member_name, "%s", query_column_text(query, 4));
    snprintf(who->csrf, sizeof who->csrf, "%s", query_column_text(query, 6));
    who->limited = query_column_number(query, 7) != 0;
}

static enum database_status identify_by(struct database *database, const char *sql, const char *secret,
                                        struct requester *who)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;

    secret_hash(secret, hash);
    query_open_read(&query, database, sql);
    query_octets(&query, ":hash", hash, sizeof hash);
    if (query_next(&query)) {
        read_who(&query, who);
    }
    return query_close(&query);
}

enum database_status account_identify_token(struct database *database, const char *token, struct requester *who)
{
    *who = (struct requester){0};
    return identify_by(database,
                       WHO("''", "1", "t.role") "tokens t JOIN accounts a ON a.id = t.account JOIN members m ON "
                                                "m.id = t.member WHERE t.hash = :hash AND (t.expires IS NULL OR "
                                                "t.expires > " NOW ")",
                       token, who);
}

enum database_status account_identify_session(struct database *database, const char *session, struct requester *who)
{
    *who = (struct requester){.by_cookie = true};
    return identify_by(
        database,
        WHO("s.csrf", "s.limited", "m.role") "sessions s JOIN accounts a ON a.id = s.account JOIN members "
                                             "m ON m.id = s.member WHERE s.hash = :hash AND "
                                             "s.expires > " NOW,
        session, who);
}

enum database_status account_identify_owner(struct database *database, struct requester *who)
{
    struct query query;

    *who = (struct requester){.by_cookie = true};
    query_open_read(&query, database,
                    WHO("''", "0", "m.role") "accounts a JOIN members m ON m.account = a.id WHERE m.role = "
                                             "'administrator' ORDER BY a.owner DESC, a.id, m.id LIMIT 1");
    if (query_next(&query)) {
        read_who(&query, who);
    }
    return query_close(&query);
}

enum database_status account_owner(struct database *database, int64_t *owner)
{
    struct query query;

    *owner = 0;
    query_open(&query, database, "SELECT id FROM accounts ORDER BY owner DESC, id LIMIT 1");
    if (query_next(&query)) {
        *owner = query_column_number(&query, 0);
    }
    return query_close(&query);
}

static enum database_status make_member(struct database *database, int64_t account, const char *name, const char *role,
                                        int64_t *member)
{
    struct query query;

    query_open(&query, database,
               "INSERT INTO members (account, name, role) VALUES (:account, :name, :role) RETURNING id");
    query_number(&query, ":account", account);
    query_text(&query, ":name", name);
    query_text(&query, ":role", role);
    while (query_next(&query)) {
        *member = query_column_number(&query, 0);
    }
    return query_close(&query);
}

/* An account, and its first member, of the same name. */
static enum database_status make_account(struct database *database, const char *name, bool owner, int64_t *account,
                                         int64_t *member)
{
    struct query query;
    enum database_status status;

    query_open(&query, database, "INSERT INTO accounts (name, owner) VALUES (:name, :owner) RETURNING id");
    query_text(&query, ":name", name);
    query_number(&query, ":owner", owner);
    while (query_next(&query)) {
        *account = query_column_number(&query, 0);
    }
    status = query_close(&query);
    return status ? status : make_member(database, *account, name, role_name(ROLE_ADMINISTRATOR), member);
}

enum database_status account_make_owner(struct database *database, const char *name, int64_t *owner)
{
    enum database_status status = database_begin(database);
    int64_t member;

    if (status != DATABASE_OK) {
        return status;
    }
    status = account_owner(database, owner);
    if (status == DATABASE_OK && *owner == 0) {
        status = make_account(database, name, true, owner, &member);
    }
    return database_end(database, status);
}

/* Keeps the newest rows of somebody and removes the others. */
static enum database_status keep_newest(struct database *database, const char *sql, int64_t whose, int64_t most)
{
    struct query query;

    query_open(&query, database, sql);
    query_number(&query, ":whose", whose);
    query_number(&query, ":most", most);
    return query_run(&query);
}

#define FIRST_ADMINISTRATOR                                                                                            \
    "(SELECT id FROM members WHERE account = :account AND role = 'administrator' ORDER BY id LIMIT 1)"

enum database_status account_make_code(struct database *database, const struct account_code *order,
                                       char code[static SECRET_TOKEN_SIZE])
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;
    char lifetime[32];
    enum database_status status;

    secret_make_token("", code);
    secret_hash(code, hash);
    snprintf(lifetime, sizeof lifetime, "+%d hours", ACCOUNT_LINK_HOURS);
    query_open(&query, database,
               "INSERT INTO sign_in_codes (hash, account, member, role, limited, expires) "
               "VALUES (:hash, NULLIF(:account, 0), CASE WHEN :member <> 0 THEN :member WHEN :role IS NULL "
               "THEN " FIRST_ADMINISTRATOR " END, :role, :limited, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', :lifetime))");
    query_octets(&query, ":hash", hash, sizeof hash);
    query_number(&query, ":account", order->account);
    query_number(&query, ":member", order->member);
    query_text(&query, ":role", order->role);
    query_number(&query, ":limited", order->limited);
    query_text(&query, ":lifetime", lifetime);
    status = query_run(&query);
    return status
               ? status
               : keep_newest(
                     database,
                     "DELETE FROM sign_in_codes WHERE account IS NOT DISTINCT FROM NULLIF(:whose, 0) AND hash NOT IN "
                     "(SELECT hash FROM sign_in_codes WHERE account IS NOT DISTINCT FROM NULLIF(:whose, 0) "
                     "ORDER BY expires DESC, rowid DESC LIMIT :most)",
                     order->account, ACCOUNT_LINKS_MAX);
}

enum database_status account_make_token(struct database *database, const struct account_token *order,
                                        char id[static SECRET_ID_SIZE], char token[static SECRET_TOKEN_SIZE])
{
    unsigned char hash[SECRET_HASH_OCTETS];
    char lifetime[32];
    struct query query;

    secret_make_id(id);
    secret_make_token("api_", token);
    secret_hash(token, hash);
    snprintf(lifetime, sizeof lifetime, "+%lld days", (long long)order->days);
    query_open(&query, database,
               "INSERT INTO tokens (id, account, member, name, hash, role, expires) VALUES (:id, :account, "
               "CASE WHEN :member <> 0 THEN :member ELSE " FIRST_ADMINISTRATOR " END, :name, :hash, :role, "
               "CASE WHEN :days > 0 THEN strftime('%Y-%m-%dT%H:%M:%fZ', 'now', :lifetime) END)");
    query_text(&query, ":id", id);
    query_number(&query, ":account", order->account);
    query_number(&query, ":member", order->member);
    query_text(&query, ":name", order->name);
    query_octets(&query, ":hash", hash, sizeof hash);
    query_text(&query, ":role", role_name(order->role));
    query_number(&query, ":days", order->days);
    query_text(&query, ":lifetime", lifetime);
    return query_run(&query);
}

static enum database_status make_session(struct database *database, int64_t member, bool limited, const char *client,
                                         char session[static SECRET_TOKEN_SIZE])
{
    unsigned char hash[SECRET_HASH_OCTETS];
    char csrf[SECRET_TOKEN_SIZE], id[SECRET_ID_SIZE], lifetime[32];
    struct query query;
    enum database_status status;

    secret_make_token("", session);
    secret_make_token("", csrf);
    secret_make_id(id);
    secret_hash(session, hash);
    snprintf(lifetime, sizeof lifetime, "+%d days", ACCOUNT_SESSION_DAYS);
    query_open(&query, database,
               "INSERT INTO sessions (hash, id, account, member, limited, csrf, client, created, expires) "
               "SELECT :hash, :id, account, id, :limited, :csrf, :client, " NOW
               ", strftime('%Y-%m-%dT%H:%M:%fZ', 'now', :lifetime) FROM members WHERE id = :member");
    query_octets(&query, ":hash", hash, sizeof hash);
    query_text(&query, ":id", id);
    query_number(&query, ":member", member);
    query_number(&query, ":limited", limited);
    query_text(&query, ":csrf", csrf);
    query_text(&query, ":client", client);
    query_text(&query, ":lifetime", lifetime);
    status = query_run(&query);
    return status ? status
                  : keep_newest(database,
                                "DELETE FROM sessions WHERE member = :whose AND hash NOT IN (SELECT hash FROM "
                                "sessions WHERE member = :whose ORDER BY expires DESC, rowid DESC LIMIT :most)",
                                member, ACCOUNT_SESSIONS_MAX);
}

enum database_status account_open_session(struct database *database, int64_t member, const char *client,
                                          char session[static SECRET_TOKEN_SIZE])
{
    enum database_status status = database_begin(database);

    return status ? status : database_end(database, make_session(database, member, false, client, session));
}

/* What a code stands for. */
struct used_code {
    int64_t account, member;
    bool limited;
    char role[16];
};

/* Inside the transaction of account_sign_in: the code goes, and with it comes what it stands for. */
static enum database_status use_code(struct database *database, const unsigned char *hash, struct used_code *code,
                                     bool *found)
{
    struct query query;

    query_open(&query, database,
               "DELETE FROM sign_in_codes WHERE hash = :hash AND expires > " NOW
               " RETURNING account, member, limited, COALESCE(role, '')");
    query_octets(&query, ":hash", hash, SECRET_HASH_OCTETS);
    while (query_next(&query)) {
        *found = true;
        code->account = query_column_number(&query, 0);
        code->member = query_column_number(&query, 1);
        code->limited = query_column_number(&query, 2) != 0;
        snprintf(code->role, sizeof code->role, "%s", query_column_text(&query, 3));
    }
    return query_close(&query);
}

/* Likewise: makes the account or the member that a code is for. */
static enum database_status join(struct database *database, const char *name, struct used_code *code)
{
    enum database_status status;
    int64_t owner = 0;

    if (code->account != 0) {
        return make_member(database, code->account, name, code->role, &code->member);
    }
    status = account_owner(database, &owner);
    return status ? status : make_account(database, name, owner == 0, &code->account, &code->member);
}

enum database_status account_sign_in(struct database *database, const char *code, const char *name, const char *client,
                                     struct account_sign_in *result)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct used_code used = {.account = 0};
    enum database_status status = database_begin(database);

    *result = (struct account_sign_in){.named = true};
    if (status != DATABASE_OK) {
        return status;
    }
    secret_hash(code, hash);
    status = use_code(database, hash, &used, &result->found);
    if (status == DATABASE_OK && result->found && used.member == 0) {
        result->named = name != NULL;
        status = name ? join(database, name, &used) : DATABASE_OK;
    }
    if (status == DATABASE_OK && used.member != 0) {
        status = make_session(database, used.member, used.limited, client, result->session);
    }
    if (status == DATABASE_OK && !result->named) {
        /* Not used up: the person is asked for a name and comes again. */
        database_end(database, DATABASE_CONFLICT);
        return DATABASE_OK;
    }
    return database_end(database, status);
}

enum database_status account_sign_out(struct database *database, const char *session)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;

    secret_hash(session, hash);
    query_open(&query, database, "DELETE FROM sessions WHERE hash = :hash");
    query_octets(&query, ":hash", hash, sizeof hash);
    return query_run(&query);
}

enum database_status account_sign_out_others(struct database *database, int64_t member, const char *kept)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;
    enum database_status status = database_begin(database);

    if (status != DATABASE_OK) {
        return status;
    }
    secret_hash(kept, hash);
    query_open(&query, database, "DELETE FROM sessions WHERE member = :member AND hash <> :hash");
    query_number(&query, ":member", member);
    query_octets(&query, ":hash", hash, sizeof hash);
    status = query_run(&query);
    if (status == DATABASE_OK) {
        query_open(&query, database, "DELETE FROM sign_in_codes WHERE member = :member");
        query_number(&query, ":member", member);
        status = query_run(&query);
    }
    return database_end(database, status);
}

void account_forget_expired(struct database *database)
{
    static const char *const statements[] = {
        "DELETE FROM sign_in_codes WHERE expires <= " NOW, "DELETE FROM sessions WHERE expires <= " NOW,
        "DELETE FROM tokens WHERE expires <= " NOW, "DELETE FROM shares WHERE expires <= " NOW};

    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        struct query query;

        query_open(&query, database, statements[i]);
        query_run(&query);
    }
}
