/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The poll loop of one run: file descriptors and who is told when they are ready. One thread only.
 */
#ifndef TESTER_BASE_LOOP_H
#define TESTER_BASE_LOOP_H

struct loop;
struct loop_watch;

/* loop_ready is told what poll reported. It may add and remove watches, its own included. */
typedef void loop_ready(void *context, short revents);

/* loop_new makes a loop without watches. loop_free frees it with those that are left; their descriptors stay open. */
struct loop *loop_new(void);
void loop_free(struct loop *loop);

/* loop_add watches fd for `events` of poll(2); fd stays the caller's. loop_remove ends it; the watch is gone
 * afterwards. */
struct loop_watch *loop_add(struct loop *loop, int fd, short events, loop_ready *ready, void *context);
void loop_remove(struct loop *loop, struct loop_watch *watch);

/* loop_want changes the events. */
void loop_want(struct loop_watch *watch, short events);

/* loop_rest leaves the watch alone for so many milliseconds, in which what is ready there waits: for a listening socket
 * while there is no descriptor for a connection, which would be ready in every turn. */
void loop_rest(struct loop_watch *watch, int ms);

/* loop_turn waits at most timeout_ms (-1: for ever) until something is ready, and tells everybody concerned. */
void loop_turn(struct loop *loop, int timeout_ms);

#endif
