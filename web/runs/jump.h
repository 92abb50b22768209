/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Jumps of the time of day. Sessions, leases and deadlines of suspended runs go by the time of the database; where that
 * jumps, a deadline says nothing about how long somebody was waited for. Housekeeping looks at each of its rounds and
 * compares with the monotonic clock.
 */
#ifndef WEB_RUNS_JUMP_H
#define WEB_RUNS_JUMP_H

#include <stdbool.h>
#include <stdint.h>

enum { JUMP_LEAST_MS = 5000 };

/* One look: the time of day, asked for and answered at these moments of the monotonic clock. */
struct jump_look {
    int64_t day_ms, asked_ms, answered_ms;
};

/* Begins as {0}. */
struct jump_watch {
    struct jump_look last;
    bool looked;
};

/* jump_parse reads a time as the database writes it, such as 2026-01-31T12:00:00.000Z. False: it is none. */
bool jump_parse(const char *text, int64_t *day_ms);

/* jump_find gives by how much, at least, the time of day has jumped since the look before, forward or (negative) back;
 * 0: by less than JUMP_LEAST_MS, or a slow answer may be what looks like a jump. */
int64_t jump_find(struct jump_watch *watch, const struct jump_look *look);

#endif
