/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The connections of clients, and until when each must have sent a whole request. The HTTP library only ends a
 * connection that is silent; who sends an octet now and then would keep one for ever.
 */
#ifndef WEB_HTTP_TIMEOUT_H
#define WEB_HTTP_TIMEOUT_H

struct visit;
struct visits;

/* visits_new makes an empty list for connections whose requests may take so many seconds to come. NULL: no memory. */
struct visits *visits_new(unsigned request_seconds);

/* visits_free frees it, when all connections have ended. */
void visits_free(struct visits *visits);

/* visit_begin notes a new connection, whose first request is awaited from now on; NULL: no memory, and it is not
 * watched. visit_end forgets it; to be called before the socket is closed. */
struct visit *visit_begin(struct visits *visits, int fd);
void visit_end(struct visits *visits, struct visit *visit);

/* visit_await says that a request is awaited from now on, the first octet of which may take `idle_seconds` longer;
 * visit_answer, that it is there: the answer may take any time. Both take NULL. */
void visit_await(struct visits *visits, struct visit *visit, unsigned idle_seconds);
void visit_answer(struct visits *visits, struct visit *visit);

/* visits_sweep shuts down the connections whose time is over; the HTTP library then ends them. Does not block. To be
 * called every second or two. */
void visits_sweep(struct visits *visits);

#endif
