/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Wakes the live streams (server-sent events) when something new is in the database. The hub carries no data: a stream
 * that is woken reads what is new for it, so a slow reader costs nobody memory and nothing is lost in between.
 *
 * A stream is a suspended HTTP connection. Whoever has nothing to send calls hub_sleep; hub_wake resumes all sleepers
 * of one run, and housekeeping's hub_tick resumes all of them, so that a comment line is sent and a reader that has
 * gone is found out.
 */
#ifndef WEB_LIVE_HUB_H
#define WEB_LIVE_HUB_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

struct hub;

/* struct hub_stream is one reader's place in the hub; caller allocates. Guarded by the hub's lock. */
struct hub_stream {
    struct hub *hub;
    struct MHD_Connection *connection;
    int64_t account; /* who reads */
    const char *run; /* the run that it reads; lives as long as the stream */
    bool news;       /* something has happened since its last hub_look */
    bool asleep;
    struct hub_stream *next;
};

/* hub_new makes a hub for that many streams in all and of one account, or NULL when memory ends. */
struct hub *hub_new(unsigned streams_max, unsigned account_max);

/* hub_free frees it; no stream may be in it. */
void hub_free(struct hub *hub);

/* hub_enter puts a stream, whose connection, account and run are set, into the hub, unless there are too many already,
 * in all or of that account, or the service is ending. */
enum hub_entry { HUB_ENTERED, HUB_FULL, HUB_ACCOUNT_FULL };
enum hub_entry hub_enter(struct hub *hub, struct hub_stream *stream);

/* hub_leave takes it out. */
void hub_leave(struct hub_stream *stream);

/* hub_look notes that the stream reads the database now. */
void hub_look(struct hub_stream *stream);

/* hub_sleep suspends the stream's connection; the response's reader then returns 0. False: it must look again, because
 * something has happened since its hub_look or the service is ending. Called from the response's reader only. */
bool hub_sleep(struct hub_stream *stream);

/* hub_wake resumes all streams of a run: something new was committed. Any thread; never with a query open. */
void hub_wake(struct hub *hub, const char *run);

/* hub_tick resumes all streams. */
void hub_tick(struct hub *hub);

/* hub_ending tells whether hub_stop was called: streams end then. */
bool hub_ending(struct hub *hub);

/* hub_stop makes all streams end and waits until they have left, at most `ms`. */
void hub_stop(struct hub *hub, unsigned ms);

#endif
