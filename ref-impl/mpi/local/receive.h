/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving in the local device: see receive.c. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_LOCAL_RECEIVE_H
#define REF_IMPL_MPI_LOCAL_RECEIVE_H

#include <portals.h>
#include <stdbool.h>

#include "ref-impl/short_path.h"

struct request;
struct request_match;
struct request_outcome;

/* local_receive - takes a message that has come, or lets the receive wait for one. May give the lock away until a
 * message that is just arriving is there, as the two below. The program's thread. */
void local_receive(struct request *request);

/* local_probe - looks for a message that has come and fits. The program's thread. */
bool local_probe(const struct request_match *match, struct request_outcome *outcome);

/* local_withdraw - takes a receive out of this device; false when it has got a message already. Any thread. */
bool local_withdraw(struct request *request);

/* local_receive_event - an event of a receive's own. */
void local_receive_event(struct request *request, const ptl_event_t *event);

/* local_receive_post_listed - posts all receives that are listed, as far as there is room; whether any was.
 * local_receive_post_large - the same, as long as there are large ones among them. The program's thread. */
ASIDE bool local_receive_post_listed(void);
ASIDE void local_receive_post_large(void);

#endif
