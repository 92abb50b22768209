/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Passwords are hashed, and compared with hashes, on a thread of its own: that takes some ten milliseconds of processor
 * and 19 MiB, and other requests do not wait for it. One password is hashed at a time; a few requests may wait.
 *
 *     handler --hashing_begin--> the connection sleeps .. thread .. wakes --> `then` answers
 */
#ifndef WEB_HTTP_HASHING_H
#define WEB_HTTP_HASHING_H

#include "web/http/request.h"

#include <stdbool.h>

struct hashing;

/* hashing_new begins; NULL: no memory, or no thread. */
struct hashing *hashing_new(void);

/* hashing_stop lets nobody in any more, and answers those who wait without looking at their passwords. Before the
 * server is stopped. hashing_free frees it; NULL is allowed. */
void hashing_stop(struct hashing *hashing);
void hashing_free(struct hashing *hashing);

/* hashing_begin has request->password looked at; its texts live until then. It returns at once, and `then` is called as
 * the handler of the request, aside (aside.h), when request->password is filled in. Where too many wait, or
 * the service ends, it has answered 503. */
void hashing_begin(struct request *request, void (*then)(struct request *request));

#endif
