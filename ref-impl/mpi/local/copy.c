/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Copies of messages that cannot leave: see local/copy.h.
 */
#include "ref-impl/mpi/local/copy.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/messages/p2p.h"
#include "ref-impl/mpi/messages/request.h"

/* Whether one more copy of so many octets is within the bounds. */
static bool has_room(const struct local_peer *peer, size_t length)
{
    const struct local_device *d = &local_device;

    return peer->copies < LOCAL_COPIES && d->copies < LOCAL_COPIES_ALL &&
           peer->copied_octets + length <= LOCAL_COPIED_OCTETS && d->copied_octets + length <= LOCAL_COPIED_OCTETS_ALL;
}

/* Counts copies to a process, or takes them away again. */
static void count(struct local_peer *peer, int copies, size_t octets)
{
    peer->copies += copies;
    peer->copied_octets += octets;
    local_device.copies += copies;
    local_device.copied_octets += octets;
}

struct request *local_copy_make(struct request *request)
{
    struct local_peer *peer = &local_device.peer[local_rid(request->match.peer)];
    struct request *copy;
    void *octets;

    if (request->mode != P2P_STANDARD || request->length >= LOCAL_LONG_OCTETS || !has_room(peer, request->length)) {
        return NULL;
    }
    octets = malloc(request->length + 1);
    copy = octets ? request_new(REQUEST_SEND, P2P_STANDARD, &request->message) : NULL;
    if (!copy) {
        free(octets);
        return NULL;
    }
    if (request->length > 0) {
        memcpy(octets, request->octets, request->length);
    }
    copy->match = request->match;
    copy->octets = octets;
    copy->length = request->length;
    copy->external = request->external;
    copy->staging = octets;
    copy->phase = REQUEST_ACTIVE;
    copy->local.is_copy = true;
    copy->local.twin = request;
    count(peer, 1, copy->length);
    request_abandon(copy);
    request->local.twin = copy;
    request->local.is_short = false;
    request->local.place = LOCAL_NOWHERE;
    request_finish(request);
    return copy;
}

void local_copy_release(struct request *request)
{
    if (request->local.twin) {
        request->local.twin->local.twin = NULL;
        request->local.twin = NULL;
    }
}

void local_copy_left(struct request *copy)
{
    struct request *request = copy->local.twin;

    if (request) {
        request->local.is_short = true;
        request->local.cancelling = false;
        request->local.sequence = copy->local.sequence;
        local_copy_release(request);
    }
}

void local_copy_done(struct request *copy)
{
    struct local_peer *peer = &local_device.peer[local_rid(copy->match.peer)];
    struct request *request = copy->local.twin;

    count(peer, -1, 0 - copy->length);
    if (!request) {
        return;
    }
    local_copy_release(request);
    if (request->phase == REQUEST_ACTIVE) {
        request->outcome.cancelled = copy->outcome.cancelled;
        request_finish(request);
    }
}
