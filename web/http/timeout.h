/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The connections of clients, and until when each must have sent a whole request. The HTTP library only ends a
 * connection that is silent; who sends an octet now and then would keep one for ever.
 */
#ifndef WEB_HTTP_TIMEOUT_H
#define WEB_HTTP_TIMEOUT_H

struct timeout;
struct timeouts;

/* timeouts_new makes an empty list for connections whose requests may take so many seconds to come. NULL: no memory. */
struct timeouts *timeouts_new(unsigned request_seconds);

/* timeouts_free frees it, when all connections have ended. */
void timeouts_free(struct timeouts *timeouts);

/* timeout_begin notes a new connection, whose first request is awaited from now on; NULL: no memory, and it is not
 * watched. timeout_end forgets it; to be called before the socket is closed. */
struct timeout *timeout_begin(struct timeouts *timeouts, int fd);
void timeout_end(struct timeouts *timeouts, struct timeout *timeout);

/* timeout_await says that a request is awaited from now on, the first octet of which may take `idle_seconds` longer;
 * timeout_answer, that it is there: the answer may take any time. Both take NULL. */
void timeout_await(struct timeouts *timeouts, struct timeout *timeout, unsigned idle_seconds);
void timeout_answer(struct timeouts *timeouts, struct timeout *timeout);

/* timeouts_sweep shuts down the connections whose time is over; the HTTP library then ends them. Does not block. To be
 * called every second or two. */
void timeouts_sweep(struct timeouts *timeouts);

#endif
