/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending within one call: see local/now.h. The message is the same as that of put_short in local/send.c, and goes only
 * where that would go at once. A tiny one is copied; of another nothing is kept but the descriptor: a program often
 * sends the same buffer again.
 */
#include "ref-impl/mpi/local/now.h"

#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/event.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/local/tiny.h"
#include "ref-impl/short_path.h"

/* Where the descriptor of these octets is, or of others that make room for it. */
static struct local_ready *place_of(const void *octets, size_t length)
{
    return &local_device.ready[((uintptr_t)octets / 8 + length) % LOCAL_READY];
}

//= PUMA-145
//= PUMA-146
static ptl_handle_md_t describe(const void *octets, size_t length)
{
    struct local_device *d = &local_device;
    struct local_ready *ready = place_of(octets, length);
    ptl_md_t value = {
        .start = length ? (void *)octets : NULL, /* what is sent is only read */
        .length = length,
        .threshold = 1,
        .eventq = d->done,
    };

    if (ready->bound && ready->octets == octets && ready->length == length) {
        return ready->descriptor;
    }
    if (ready->bound) {
        local_must(PtlMDUpdate(ready->descriptor, NULL, &value, PTL_EQ_NONE));
    } else {
        local_must(PtlMDBind(d->interface, value, &ready->descriptor));
    }
    ready->bound = true;
    ready->octets = octets;
    ready->length = length;
    return ready->descriptor;
}

//= PUMA-054
//= PUMA-055
//= PUMA-056
//= PUMA-130
SHORT_PATH bool local_send_now(const struct request_match *match, const void *octets, size_t length)
{
    struct local_device *d = &local_device;
    int rid = local_rid(match->peer);
    struct local_peer *peer = &d->peer[rid];
    ptl_match_bits_t bits = local_bits(match->slot, match->tag);

    if (local_tiny_is_full(rid)) {
        local_advance();
    }
    if (length >= LOCAL_LONG_OCTETS || peer->credits == 0 || !TAILQ_EMPTY(&peer->queue)) {
        return false;
    }
    peer->credits--;
    if (local_tiny_put(rid, bits, octets, length)) {
        return true;
    }
    d->leaving = true;
    local_must(
        PtlPut(describe(octets, length), PTL_NOACK_REQ, local_process(rid), LOCAL_ARRIVE, LOCAL_COOKIE, bits, 0));
    local_await_left();
    return true;
}
