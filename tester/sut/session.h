/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One connection of the interpreter protocol as lines (specs/interpreter.md, section 2): octets in, lines out, and the
 * reverse. It knows nothing of what the lines mean. The socket becomes non-blocking; all happens in the run's loop.
 */
#ifndef TESTER_SUT_SESSION_H
#define TESTER_SUT_SESSION_H

#include "tester/base/loop.h"
#include "tester/sut/registry.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

enum { SESSION_LINE_MAX = 262144 };

/* struct session_events is who hears. `octets` sees everything that passes (for the capture) and may be NULL; `closed`
 * comes once, with the reason and whether the other side broke the protocol, and never from inside session_close. A
 * line is NUL-terminated, without its LF, and may be altered. */
struct session_events {
    void *context;
    void (*line)(void *context, char *line);
    void (*closed)(void *context, const char *reason, bool broken);
    void (*octets)(void *context, bool incoming, const void *octets, size_t len);
};

struct session;

/* session_open takes the link over. What had been read ahead is delivered by session_feed, once the caller is ready. */
struct session *session_open(struct loop *loop, struct registry_link *link, const struct session_events *events);
void session_feed(struct session *session);

/* session_send queues one line and its LF and writes what the socket takes. False when the connection is closed or the
 * other side has not read 8 MiB. */
bool session_send(struct session *session, const char *line);

/* session_addresses gives both ends; where the socket has no IPv4 address (TLS, a pair) they are 127.0.0.1 and port 0.
 */
void session_addresses(const struct session *session, struct sockaddr_in *local, struct sockaddr_in *remote);

/* session_close closes what is open, after trying once to write what is queued, and frees the session. */
void session_close(struct session *session);

#endif
