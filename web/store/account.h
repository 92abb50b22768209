/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Accounts, the ways into them: one-time sign-in codes, passwords, sessions (browsers), API tokens (programs). An
 * account has implementations and runs; it belongs to a person, or to an organisation whose people are its members,
 * each with a role (role.h). Of every secret only the hash is stored.
 */
#ifndef WEB_STORE_ACCOUNT_H
#define WEB_STORE_ACCOUNT_H

#include "web/service/secret.h"
#include "web/store/database.h"
#include "web/store/role.h"

#include <stdbool.h>
#include <stdint.h>

enum { ACCOUNT_LINK_HOURS = 24, ACCOUNT_SESSION_DAYS = 30, ACCOUNT_LINKS_MAX = 50, ACCOUNT_SESSIONS_MAX = 50 };
enum { ACCOUNT_NAME_SIZE = 101 };

/* Who asks. account is 0 when nobody is signed in. */
struct requester {
    int64_t account, member;
    enum role role; /* the member's, or the lesser one of the token */
    bool owner;     /* an administrator of the first account, which runs the service */
    bool approves;  /* a certifier or administrator of the first account */
    bool by_cookie; /* a browser: needs the CSRF token for everything that changes something */
    bool limited;   /* by an API token, or signed in by a link that one has made: lets nobody in */
    bool scoped;    /* by an API token that may do less than the member */
    char name[ACCOUNT_NAME_SIZE], member_name[ACCOUNT_NAME_SIZE];
    char csrf[49];
};

/* account_identify_token and account_identify_session find out whose API token or session that is. They leave
 * who->account 0 when it is nobody's, or its time is over. account_identify_owner gives the first administrator of the
 * first account, for a service that has a single user. */
enum database_status account_identify_token(struct database *database, const char *token, struct requester *who);
enum database_status account_identify_session(struct database *database, const char *session, struct requester *who);
enum database_status account_identify_owner(struct database *database, struct requester *who);

/* account_owner gives the id of the first account, or 0 when there is none. */
enum database_status account_owner(struct database *database, int64_t *owner);

/* account_make_owner makes the first account, if there is none, and gives its id. */
enum database_status account_make_owner(struct database *database, const char *name, int64_t *owner);

/* struct account_code is what a one-time sign-in code opens: a session of that member; member 0: of a new member with
 * that role, or, where there is no role, of the account's first administrator; account 0: of a new account. Whoever
 * signs in by a limited one is limited too. */
struct account_code {
    int64_t account, member;
    const char *role;
    bool limited;
};

/* account_make_code makes such a code. Of more than ACCOUNT_LINKS_MAX of an account that are unused the oldest goes. */
enum database_status account_make_code(struct database *database, const struct account_code *order,
                                       char code[static SECRET_TOKEN_SIZE]);

/* struct account_token is an API token to be made: member 0: of the account's first administrator; days 0: for ever. */
struct account_token {
    int64_t account, member;
    const char *name;
    enum role role;
    int64_t days;
};

/* account_make_token makes it and gives its id and text. */
enum database_status account_make_token(struct database *database, const struct account_token *order,
                                        char id[static SECRET_ID_SIZE], char token[static SECRET_TOKEN_SIZE]);

/* account_sign_in uses up a code and opens a session; `name` is that of the account or member to be made, where the
 * code makes one, `client` what the browser says of itself. *found false: no such code, used, or expired. *named false:
 * it makes somebody and name is NULL (nothing was used). Of more than ACCOUNT_SESSIONS_MAX sessions of the member the
 * oldest ends. */
struct account_sign_in {
    bool found, named;
    char session[SECRET_TOKEN_SIZE];
};
enum database_status account_sign_in(struct database *database, const char *code, const char *name, const char *client,
                                     struct account_sign_in *result);

/* account_open_session opens a session of a member, who has said the password. */
enum database_status account_open_session(struct database *database, int64_t member, const char *client,
                                          char session[static SECRET_TOKEN_SIZE]);

/* account_sign_out ends that session. */
enum database_status account_sign_out(struct database *database, const char *session);

/* account_sign_out_others ends all sessions of the member but `kept`, "" for none, and makes the member's unused
 * sign-in links worthless. API tokens stay: they are revoked one by one. */
enum database_status account_sign_out_others(struct database *database, int64_t member, const char *kept);

/* account_forget_expired removes codes, sessions, tokens and links to reports whose time is over. */
void account_forget_expired(struct database *database);

#endif
