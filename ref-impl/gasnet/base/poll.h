/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The three event queues, and looking into them. Each descriptor names, by its user_ptr, the function that takes its
 * events; so this file knows nobody who uses it.
 *
 *   SYSTEM  credits, the end of the job: looked at first, and all of it
 *   SAFE    what ends and frees resources, replies among it: may be looked at any time
 *   AM      requests, and data of long ones: only with what a reply needs in hand (hand.h)
 */
#ifndef REF_IMPL_GASNET_BASE_POLL_H
#define REF_IMPL_GASNET_BASE_POLL_H

#include <portals3.h>
#include <stdbool.h>

enum poll_queue { QUEUE_SYSTEM, QUEUE_SAFE, QUEUE_AM, QUEUES };

/* What a descriptor's user_ptr points to. */
struct poll_sink {
    void (*take)(const ptl_event_t *event);
};

/* poll_open - makes a queue of so many events.
 * poll_queue - its handle. */
void poll_open(enum poll_queue queue, ptl_size_t events);
ptl_handle_eq_t poll_queue(enum poll_queue queue);

/* poll_once - takes what has come, up to the limits of the settings; true when anything had. Not from a handler.
 * poll_wait - the same, and sleeps for a moment where nothing has come for a while. */
bool poll_once(void);
void poll_wait(void);

/* poll_spins - whether who waits never sleeps. */
void poll_spins(bool always);

#endif
