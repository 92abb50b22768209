/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Accounts, codes, sessions and tokens in the database.
 */
#include "web/store/account.h"
#include "web/store/query.h"

#include <stdio.h>
#include <string.h>

#define NOW "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

static enum database_status identify_by(struct database *database, const char *sql, const char *secret,
                                        struct requester *who)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;

    secret_hash(secret, hash);
    query_open_read(&query, database, sql);
    query_octets(&query, ":hash", hash, sizeof hash);
    if (query_next(&query)) {
        who->account = query_column_number(&query, 0);
        who->owner = query_column_number(&query, 1) != 0;
        snprintf(who->name, sizeof who->name, "%s", query_column_text(&query, 2));
        snprintf(who->csrf, sizeof who->csrf, "%s", query_column_text(&query, 3));
        who->limited = query_column_number(&query, 4) != 0;
    }
    return query_close(&query);
}

enum database_status account_identify_token(struct database *database, const char *token, struct requester *who)
{
    *who = (struct requester){0};
    return identify_by(database,
                       "SELECT a.id, a.owner, a.name, '', 1 FROM tokens t JOIN accounts a ON a.id = t.account "
                       "WHERE t.hash = :hash",
                       token, who);
}

enum database_status account_identify_session(struct database *database, const char *session, struct requester *who)
{
    *who = (struct requester){.by_cookie = true};
    return identify_by(
        database,
        "SELECT a.id, a.owner, a.name, s.csrf, s.limited FROM sessions s JOIN accounts a ON a.id = s.account "
        "WHERE s.hash = :hash AND s.expires > " NOW,
        session, who);
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

static enum database_status make_account(struct database *database, const char *name, bool owner, int64_t *account)
{
    struct query query;

    query_open(&query, database, "INSERT INTO accounts (name, owner) VALUES (:name, :owner) RETURNING id");
    query_text(&query, ":name", name);
    query_number(&query, ":owner", owner);
    while (query_next(&query)) {
        *account = query_column_number(&query, 0);
    }
    return query_close(&query);
}

enum database_status account_make_owner(struct database *database, const char *name, int64_t *owner)
{
    enum database_status status = database_begin(database);

    if (status != DATABASE_OK) {
        return status;
    }
    status = account_owner(database, owner);
    if (status == DATABASE_OK && *owner == 0) {
        status = make_account(database, name, true, owner);
    }
    return database_end(database, status);
}

/* Keeps the newest rows of the account and removes the others; both tables have `expires` and `account`. */
static enum database_status keep_newest(struct database *database, const char *sql, int64_t account, int64_t most)
{
    struct query query;

    query_open(&query, database, sql);
    query_number(&query, ":account", account);
    query_number(&query, ":most", most);
    return query_run(&query);
}

enum database_status account_make_code(struct database *database, int64_t account, bool limited,
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
               "INSERT INTO sign_in_codes (hash, account, limited, expires) "
               "VALUES (:hash, NULLIF(:account, 0), :limited, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', :lifetime))");
    query_number(&query, ":limited", limited);
    query_octets(&query, ":hash", hash, sizeof hash);
    query_number(&query, ":account", account);
    query_text(&query, ":lifetime", lifetime);
    status = query_run(&query);
    return status ? status
                  : keep_newest(database,
                                "DELETE FROM sign_in_codes WHERE account IS NULLIF(:account, 0) AND hash NOT IN "
                                "(SELECT hash FROM sign_in_codes WHERE account IS NULLIF(:account, 0) "
                                "ORDER BY expires DESC, rowid DESC LIMIT :most)",
                                account, ACCOUNT_LINKS_MAX);
}

enum database_status account_make_token(struct database *database, int64_t account, const char *name,
                                        char id[static SECRET_ID_SIZE], char token[static SECRET_TOKEN_SIZE])
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;

    secret_make_id(id);
    secret_make_token("api_", token);
    secret_hash(token, hash);
    query_open(&query, database, "INSERT INTO tokens (id, account, name, hash) VALUES (:id, :account, :name, :hash)");
    query_text(&query, ":id", id);
    query_number(&query, ":account", account);
    query_text(&query, ":name", name);
    query_octets(&query, ":hash", hash, sizeof hash);
    return query_run(&query);
}

static enum database_status make_session(struct database *database, int64_t account, bool limited,
                                         char session[static SECRET_TOKEN_SIZE])
{
    unsigned char hash[SECRET_HASH_OCTETS];
    char csrf[SECRET_TOKEN_SIZE], lifetime[32];
    struct query query;
    enum database_status status;

    secret_make_token("", session);
    secret_make_token("", csrf);
    secret_hash(session, hash);
    snprintf(lifetime, sizeof lifetime, "+%d days", ACCOUNT_SESSION_DAYS);
    query_open(&query, database,
               "INSERT INTO sessions (hash, account, limited, csrf, expires) "
               "VALUES (:hash, :account, :limited, :csrf, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', :lifetime))");
    query_octets(&query, ":hash", hash, sizeof hash);
    query_number(&query, ":account", account);
    query_number(&query, ":limited", limited);
    query_text(&query, ":csrf", csrf);
    query_text(&query, ":lifetime", lifetime);
    status = query_run(&query);
    return status ? status
                  : keep_newest(database,
                                "DELETE FROM sessions WHERE account = :account AND hash NOT IN (SELECT hash FROM "
                                "sessions WHERE account = :account ORDER BY expires DESC, rowid DESC LIMIT :most)",
                                account, ACCOUNT_SESSIONS_MAX);
}

/* Inside the transaction of account_sign_in: the code goes, and with it comes the account that it stands for. */
static enum database_status use_code(struct database *database, const unsigned char *hash, int64_t *account,
                                     bool *limited, bool *found)
{
    struct query query;

    query_open(&query, database,
               "DELETE FROM sign_in_codes WHERE hash = :hash AND expires > " NOW " RETURNING account, limited");
    query_octets(&query, ":hash", hash, SECRET_HASH_OCTETS);
    while (query_next(&query)) {
        *found = true;
        *account = query_column_number(&query, 0);
        *limited = query_column_number(&query, 1) != 0;
    }
    return query_close(&query);
}

enum database_status account_sign_in(struct database *database, const char *code, const char *name,
                                     struct account_sign_in *result)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    int64_t account = 0, owner = 0;
    bool limited = false;
    enum database_status status = database_begin(database);

    *result = (struct account_sign_in){.named = true};
    if (status != DATABASE_OK) {
        return status;
    }
    secret_hash(code, hash);
    status = use_code(database, hash, &account, &limited, &result->found);
    if (status == DATABASE_OK && result->found && account == 0) {
        result->named = name != NULL;
        status = account_owner(database, &owner);
        if (status == DATABASE_OK && name) {
            status = make_account(database, name, owner == 0, &account);
        }
    }
    if (status == DATABASE_OK && account != 0) {
        status = make_session(database, account, limited, result->session);
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

enum database_status account_sign_out_others(struct database *database, int64_t account, const char *kept)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;
    enum database_status status = database_begin(database);

    if (status != DATABASE_OK) {
        return status;
    }
    secret_hash(kept, hash);
    query_open(&query, database, "DELETE FROM sessions WHERE account = :account AND hash <> :hash");
    query_number(&query, ":account", account);
    query_octets(&query, ":hash", hash, sizeof hash);
    status = query_run(&query);
    if (status == DATABASE_OK) {
        query_open(&query, database, "DELETE FROM sign_in_codes WHERE account = :account");
        query_number(&query, ":account", account);
        status = query_run(&query);
    }
    return database_end(database, status);
}

void account_forget_expired(struct database *database)
{
    static const char *const statements[] = {"DELETE FROM sign_in_codes WHERE expires <= " NOW,
                                             "DELETE FROM sessions WHERE expires <= " NOW};

    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        struct query query;

        query_open(&query, database, statements[i]);
        query_run(&query);
    }
}
