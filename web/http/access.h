/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who asks, and whether what the address names is theirs.
 */
#ifndef WEB_HTTP_ACCESS_H
#define WEB_HTTP_ACCESS_H

#include "web/http/request.h"
#include "web/store/account.h"

#include <stdbool.h>
#include <stdint.h>

/* ACCESS_COOKIE is the name of the session's cookie. */
#define ACCESS_COOKIE "assay_session"

/* access_cookie gives the session that the request's cookie names, or NULL. */
const char *access_cookie(const struct request *request);

/* access_identify finds out who asks, from the API token (Authorization: Bearer) or the session's cookie. Leaves
 * who->account 0 when it is nobody. */
enum database_status access_identify(const struct request *request, struct requester *who);

/* access_check_run tells whether the requester's account has the run, and notes whether it is over (run_over). False:
 * the answer (404) has been given. */
bool access_check_run(struct request *request, const char *id);

/* access_check_guess counts an attempt at a password, of which there may be few in a minute for each word (rate.h):
 * that of an address, of a name, of a member. False: the answer (429) has been given. */
bool access_check_guess(struct request *request, uint64_t word);

#endif
