/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who asks: accounts, sign-in links, browser sessions, API tokens. Secrets are given out once and kept as hashes.
 */
#ifndef WEB_STORE_ACCOUNT_H
#define WEB_STORE_ACCOUNT_H

#include "web/service/secret.h"
#include "web/store/database.h"

#include <stdbool.h>
#include <stdint.h>

enum { ACCOUNT_LINK_HOURS = 24, ACCOUNT_SESSION_DAYS = 30, ACCOUNT_LINKS_MAX = 50, ACCOUNT_SESSIONS_MAX = 50 };

/* Who asks. account is 0 when nobody is signed in. */
struct requester {
    int64_t account;
    bool owner;
    bool by_cookie; /* a browser: needs the CSRF token for everything that changes something */
    bool limited;   /* by an API token, or signed in by a link that one has made: lets nobody in */
    char name[101];
    char csrf[49];
};

/* account_identify_token and account_identify_session find out whose API token or session that is. They leave
 * who->account 0 when it is nobody's, or its time is over. */
enum database_status account_identify_token(struct database *database, const char *token, struct requester *who);
enum database_status account_identify_session(struct database *database, const char *session, struct requester *who);

/* account_owner gives the id of the first account, or 0 when there is none. */
enum database_status account_owner(struct database *database, int64_t *owner);

/* account_make_owner makes the first account, if there is none, and gives its id. */
enum database_status account_make_owner(struct database *database, const char *name, int64_t *owner);

/* account_make_code makes a one-time sign-in code for an account; account 0: for a new one. Whoever signs in by a
 * limited one is limited too. Of more than
 * ACCOUNT_LINKS_MAX that are unused the oldest goes. */
enum database_status account_make_code(struct database *database, int64_t account, bool limited,
                                       char code[static SECRET_TOKEN_SIZE]);

/* account_make_token makes an API token of that name. */
enum database_status account_make_token(struct database *database, int64_t account, const char *name,
                                        char id[static SECRET_ID_SIZE], char token[static SECRET_TOKEN_SIZE]);

/* account_sign_in uses up a code and opens a session; `name` is that of the account to be made, where the code makes
 * one. *found false: no such code, used, or expired. *named false: it makes an account and name is NULL (nothing was
 * used). Of more than ACCOUNT_SESSIONS_MAX sessions of the account the oldest ends. */
struct account_sign_in {
    bool found, named;
    char session[SECRET_TOKEN_SIZE];
};
enum database_status account_sign_in(struct database *database, const char *code, const char *name,
                                     struct account_sign_in *result);

/* account_sign_out ends that session. */
enum database_status account_sign_out(struct database *database, const char *session);

/* account_sign_out_others ends all sessions of the account but `kept`, "" for none, and makes its
 * unused sign-in links worthless. API tokens stay: they are revoked one by one. */
enum database_status account_sign_out_others(struct database *database, int64_t account, const char *kept);

/* account_forget_expired removes codes and sessions whose time is over. */
void account_forget_expired(struct database *database);

#endif
