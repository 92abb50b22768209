/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which token stands for whom. Connections are made on other threads than the runs' own (an HTTP server's, a
 * listener's) and are handed over through a mailbox: the giver puts the link into the box and the run is woken.
 *
 * Locks: one mutex guards the registry, one each box; nothing else is locked while either is held.
 */
#ifndef TESTER_SUT_REGISTRY_H
#define TESTER_SUT_REGISTRY_H

#include "tester/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* struct registry_link is an upgraded connection that was handed over. `extra` is malloced and may be NULL. */
struct registry_link {
    int fd;
    void *extra;
    size_t extra_octets;
    void (*close_cb)(void *close_context);
    void *close_context;
};

/* registry_link_close ends the connection, by its callback or by close, and frees what was read ahead. */
void registry_link_close(struct registry_link *link);

struct registry_box;

/* registry_box_new makes a mailbox; NULL when no event descriptor can be had. registry_box_free retires all tokens of
 * the box and closes links that nobody took. */
struct registry_box *registry_box_new(void);
void registry_box_free(struct registry_box *box);

/* registry_box_fd is readable when there may be a link, or when registry_box_wake was called. */
int registry_box_fd(const struct registry_box *box);
void registry_box_wake(struct registry_box *box);

/* registry_box_take gives the next link and the tag of its token; false when there is none (then the fd is quiet
 * again). */
bool registry_box_take(struct registry_box *box, unsigned *tag, struct registry_link *link);

/* registry_add makes `token` stand for `capacity` connections to this box, which come with `tag`. The token is copied.
 */
void registry_add(struct registry_box *box, const char *token, unsigned tag, unsigned capacity);

/* registry_narrow takes away as many of the connections that the token still stands for, or all. */
void registry_narrow(const char *token, unsigned fewer);

/* registry_retire makes the token one that is known and over. */
void registry_retire(const char *token);

/* registry_check tells what registry_offer would say now: ENGINE_OK, ENGINE_UNKNOWN_TOKEN,
 * ENGINE_USED_TOKEN or ENGINE_OVER_TOKEN. */
enum engine_status registry_check(const char *token);

/* registry_attach puts a connection into the box that waits for the token; the parameters are those of engine_attach
 * (engine.h). On failure fd stays the caller's. */
enum engine_status registry_attach(const char *token, int fd, const void *extra, size_t extra_octets,
                                   void (*close_cb)(void *close_context), void *close_context);

/* registry_pass puts a link, which is the box's then in any case, into the box that waits for the token. */
void registry_pass(const char *token, struct registry_link *link);

#endif
