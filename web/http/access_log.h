/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The access log: a line of JSON for each request, when its answer has been sent.
 *
 *     {"time":"2026-11-26T16:34:27.012Z","method":"GET","route":"/api/v1/runs/{run}","status":200,"octets":812,
 *      "duration_ms":0.412,"account":3,"address":"192.0.2.7","complete":true}
 *
 * It names the route and neither path nor query, which may hold secrets: sign-in codes, links to reports. `route` is
 * null where there is none, `octets` (of the answer's body) where they were not known before it was sent, `account`
 * where nobody was signed in. `complete`: the answer could be sent.
 */
#ifndef WEB_HTTP_ACCESS_LOG_H
#define WEB_HTTP_ACCESS_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access_log;
struct request;

/* access_log_open opens the file, to which lines are added, or makes it; "-" is stderr. NULL: one line in message. */
struct access_log *access_log_open(const char *path, char *message, size_t message_octets);

/* access_log_close closes it; NULL is allowed. */
void access_log_close(struct access_log *log);

/* access_log_reopen goes on in a file of the same path, where the one before has been renamed. Where it cannot be
 * opened the one before stays, which is told on stderr. NULL is allowed. From any thread. */
void access_log_reopen(struct access_log *log);

/* access_log_now_us is the clock of durations. */
uint64_t access_log_now_us(void);

/* access_log_note adds the line of a request; nothing where log is NULL. A line that cannot be written is left out; the
 * first one is told on stderr. */
void access_log_note(struct access_log *log, const struct request *request, bool complete);

#endif
