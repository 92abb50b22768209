/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What takes long is answered aside, by a few threads of its own: whatever waits for the disk, reads a whole run, or
 * makes one. A thread of the server has many connections; if it did this itself, somebody's small request on another
 * one of them would wait for it.
 *
 *     route --aside_begin--> the connection sleeps .. a thread calls the handler .. wakes --> the answer is sent
 *
 * Accounts, or addresses of those who are not signed in, take turns, and none has more than some of the threads: who
 * asks for much waits for himself.
 */
#ifndef WEB_HTTP_ASIDE_H
#define WEB_HTTP_ASIDE_H

#include "web/http/request.h"

struct aside;

/* aside_new begins; NULL: no memory, or no thread. */
struct aside *aside_new(void);

/* aside_stop lets nobody in any more, answers those who wait 503, and returns when the handlers under way have
 * returned. Before the server is stopped. aside_free frees it; NULL is allowed. */
void aside_stop(struct aside *aside);
void aside_free(struct aside *aside);

/* aside_begin returns at once; `handle` is called by another thread. It answers as on a thread of the server, but may
 * not have the connection sleep. While the service is stopped it has answered 503. */
void aside_begin(struct request *request, void (*handle)(struct request *request));

#endif
