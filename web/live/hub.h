/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Wakes the live views (server-sent events) when something new is in the database. The hub carries no data: a view
 * that is woken reads what is new for it, so a slow reader costs nobody memory and nothing is lost in between.
 *
 * A view is a suspended HTTP connection. Whoever has nothing to send calls hub_sleep; hub_wake resumes all sleepers
 * of one run, and housekeeping's hub_tick resumes all of them, so that a comment line is sent and a reader that has
 * gone is found out.
 */
#ifndef WEB_LIVE_HUB_H
#define WEB_LIVE_HUB_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

struct hub;

/* struct hub_view is one reader's place in the hub; caller allocates. Guarded by the hub's lock. */
struct hub_view {
    struct hub *hub;
    struct MHD_Connection *connection;
    int64_t account; /* who reads */
    const char *run; /* the run that it reads; lives as long as the view */
    bool news;       /* something has happened since its last hub_look */
    bool asleep;
    struct hub_view *next;
};

/* hub_new makes a hub for that many views in all and of one account, or NULL when memory ends. */
struct hub *hub_new(unsigned views_max, unsigned account_max);

/* hub_free frees it; no view may be in it. */
void hub_free(struct hub *hub);

/* hub_enter puts a view, whose connection, account and run are set, into the hub, unless there are too many already,
 * in all or of that account, or the service is ending. */
enum hub_entry { HUB_ENTERED, HUB_FULL, HUB_ACCOUNT_FULL };
enum hub_entry hub_enter(struct hub *hub, struct hub_view *view);

/* hub_leave takes it out. */
void hub_leave(struct hub_view *view);

/* hub_look notes that the view reads the database now. */
void hub_look(struct hub_view *view);

/* hub_sleep suspends the view's connection; the response's reader then returns 0. False: it must look again, because
 * something has happened since its hub_look or the service is ending. Called from the response's reader only. */
bool hub_sleep(struct hub_view *view);

/* hub_wake resumes all views of a run: something new was committed. Any thread; never with a query open. */
void hub_wake(struct hub *hub, const char *run);

/* hub_tick resumes all views. */
void hub_tick(struct hub *hub);

/* hub_ending tells whether hub_stop was called: views end then. */
bool hub_ending(struct hub *hub);

/* hub_stop makes all views end and waits until they have left, at most `ms`. */
void hub_stop(struct hub *hub, unsigned ms);

#endif
