/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who lately asked with which token or session, so that the database need not be asked for every request.
 */
#ifndef WEB_HTTP_KNOWN_H
#define WEB_HTTP_KNOWN_H

#include "web/service/secret.h"
#include "web/store/account.h"

#include <stdbool.h>
#include <stdint.h>

struct known;

/* known_new makes an empty one. NULL: no memory. known_free frees it; NULL is allowed. */
struct known *known_new(void);
void known_free(struct known *known);

/* known_find gives who has the secret, which was sent as a cookie or not; false when that is not known (any more). What
 * is found has been true within the last seconds, and since the last known_forget. */
bool known_find(struct known *known, const unsigned char hash[static SECRET_HASH_OCTETS], bool by_cookie,
                struct requester *who);

/* known_moment gives a number that changes with known_forget: to be asked for before the database is. known_put
 * remembers somebody, unless it has changed meanwhile. */
uint64_t known_moment(struct known *known);
void known_put(struct known *known, const unsigned char hash[static SECRET_HASH_OCTETS], const struct requester *who,
               uint64_t moment);

/* known_forget forgets all: somebody's token, session or account is gone. After the change is committed. */
void known_forget(struct known *known);

#endif
