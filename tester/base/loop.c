/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The poll loop (loop.h). A turn takes a snapshot of the watches; those that are removed meanwhile are marked and freed
 * when the turn is over, so that a callback may remove anybody.
 */
#include "tester/base/loop.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct loop_watch {
    int fd;
    short events;
    bool removed;
    int64_t rests_until_ms; /* 0: it does not */
    loop_ready *ready;
    void *context;
};

struct loop {
    struct loop_watch **watches;
    struct pollfd *polls;
    size_t count, room;
};

struct loop *loop_new(void)
{
    return memory_zero(sizeof(struct loop));
}

void loop_free(struct loop *loop)
{
    for (size_t i = 0; i < loop->count; i++) {
        free(loop->watches[i]);
    }
    free(loop->watches);
    free(loop->polls);
    free(loop);
}

struct loop_watch *loop_add(struct loop *loop, int fd, short events, loop_ready *ready, void *context)
{
    struct loop_watch *watch = memory_zero(sizeof *watch);

    *watch = (struct loop_watch){.fd = fd, .events = events, .ready = ready, .context = context};
    if (loop->count == loop->room) {
        loop->room = loop->room ? loop->room * 2 : 16;
        loop->watches = memory_grow(loop->watches, loop->room * sizeof(struct loop_watch *));
        loop->polls = memory_grow(loop->polls, loop->room * sizeof(struct pollfd));
    }
    loop->watches[loop->count++] = watch;
    return watch;
}

void loop_remove(struct loop *loop, struct loop_watch *watch)
{
    (void)loop; /* it frees the watch at the end of its turn */
    watch->removed = true;
}

void loop_want(struct loop_watch *watch, short events)
{
    watch->events = events;
}

void loop_rest(struct loop_watch *watch, int ms)
{
    watch->rests_until_ms = clock_now_ms() + ms;
}

/* Whether the watch rests in this turn, which then is no longer than that. */
static bool loop_rests(struct loop_watch *watch, int *timeout_ms)
{
    int64_t left = watch->rests_until_ms ? watch->rests_until_ms - clock_now_ms() : 0;

    if (left <= 0) {
        watch->rests_until_ms = 0;
        return false;
    }
    if (*timeout_ms < 0 || left < *timeout_ms) {
        *timeout_ms = (int)left;
    }
    return true;
}

static void loop_sweep(struct loop *loop)
{
    size_t kept = 0;

    for (size_t i = 0; i < loop->count; i++) {
        if (loop->watches[i]->removed) {
            free(loop->watches[i]);
        } else {
            loop->watches[kept++] = loop->watches[i];
        }
    }
    loop->count = kept;
}

void loop_turn(struct loop *loop, int timeout_ms)
{
    loop_sweep(loop);
    size_t count = loop->count;
    for (size_t i = 0; i < count; i++) {
        bool rests = loop_rests(loop->watches[i], &timeout_ms);
        loop->polls[i] = (struct pollfd){.fd = rests ? -1 : loop->watches[i]->fd, .events = loop->watches[i]->events};
    }
    if (poll(loop->polls, (nfds_t)count, timeout_ms) <= 0) {
        return; /* the time is over, or a signal came: the caller looks at its clock */
    }
    for (size_t i = 0; i < count; i++) {
        struct loop_watch *watch = loop->watches[i];
        short revents = loop->polls[i].revents; /* read here: a callback may move the array */
        if (revents && !watch->removed) {
            watch->ready(watch->context, revents);
        }
    }
    loop_sweep(loop);
}
