/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The local device: makes and takes away the lists that local/state.h draws, after figure 6 of the Portals document's
 * chapter 5.3. What goes through them stands in local/send.c, local/receive.c and local/arrival.c, what is heard of it
 * in local/event.c.
 *
 * No queue of events can overflow: a process can cause no more events at another than it was lent room for, and no more
 * at itself than LOCAL_POSTED_MAX and LOCAL_SENDING_MAX let it.
 */
#include "ref-impl/mpi/local/local.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/local/arrival.h"
#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/cancel.h"
#include "ref-impl/mpi/local/copy.h"
#include "ref-impl/mpi/local/event.h"
#include "ref-impl/mpi/local/expected.h"
#include "ref-impl/mpi/local/now.h"
#include "ref-impl/mpi/local/offer.h"
#include "ref-impl/mpi/local/receive.h"
#include "ref-impl/mpi/local/send.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/local/tiny.h"

enum {
    EVENTS_OF_A_SEND = 3,    /* it has left; it was acknowledged, or got; a cancelled one was answered */
    EVENTS_OF_A_FAR_ONE = 2, /* beside that it has left: acknowledged, or got */
    EVENTS_OF_A_PEER = 24,   /* questions and answers; credits that come back; halves of tiny messages that have left */
    EVENTS_BESIDES = 16,
    ACCESS_ENTRIES = 2,
};

#define ALL_BITS (~(ptl_match_bits_t)0)

_Static_assert(LOCAL_NUMBERS_MOST <= 1 << LOCAL_NUMBER_BITS, "each near number has its bits");
_Static_assert(LOCAL_SEQUENCES < 1 << LOCAL_NUMBER_BITS, "and so has each turn");

/* ---- portals ---------------------------------------------------------------------------------------------------- */

/* The match list of LOCAL_ARRIVE, from its head: the receives that are posted; the mark, before which they are
 * inserted; an entry whose buffers take short messages that nobody has asked for; one that takes none of the octets of
 * a long message, only the event that tells of it. */
//= PUMA-032
//= PUMA-040
//= PUMA-041
//= PUMA-042
//= PUMA-132
//= PUMA-133
//= PUMA-134
//= PUMA-150
//= PUMA-151
//= PUMA-164
static void lists_open(struct local_device *d)
{
    ptl_md_t nothing = {
        .threshold = PTL_MD_THRESH_INF,
        .options = PTL_MD_OP_PUT | PTL_MD_TRUNCATE | PTL_MD_ACK_DISABLE,
        .eventq = d->arrived,
    };
    ptl_match_bits_t long_bit = local_bits_offer(0, 0);

    local_must(PtlMEAttach(d->interface, LOCAL_FETCH, local_process(LOCAL_EACH), 0, ALL_BITS, PTL_RETAIN, &d->end));
    local_must(PtlMEAttach(d->interface, LOCAL_ARRIVE, local_process(LOCAL_EACH), 0, ALL_BITS, PTL_RETAIN, &d->mark));
    local_must(
        PtlMEInsert(local_process(LOCAL_EACH), 0, ~long_bit, PTL_RETAIN, PTL_INS_AFTER, d->mark, &d->short_entry));
    local_must(PtlMEInsert(local_process(LOCAL_EACH), long_bit, ~long_bit, PTL_RETAIN, PTL_INS_AFTER, d->short_entry,
                           &d->long_entry));
    local_must(PtlMDAttach(d->long_entry, nothing, PTL_RETAIN, NULL));
}

/* Lets messages of the device itself, of one kind and from one process or each, be logged in a queue; `*last` is the
 * end of the list, of which the first one begins. */
static void control_open_bits(ptl_match_bits_t bits, ptl_match_bits_t ignored, int rid, ptl_handle_eq_t queue,
                              ptl_handle_me_t *last)
{
    ptl_md_t nothing = {
        .threshold = PTL_MD_THRESH_INF,
        .options = PTL_MD_OP_PUT | PTL_MD_TRUNCATE | PTL_MD_ACK_DISABLE,
        .eventq = queue,
    };

    if (bits == local_control_bits(LOCAL_CONTROL_FIRST, 0)) {
        local_must(
            PtlMEAttach(local_device.interface, LOCAL_CONTROL, local_process(rid), bits, ignored, PTL_RETAIN, last));
    } else {
        local_must(PtlMEInsert(local_process(rid), bits, ignored, PTL_RETAIN, PTL_INS_AFTER, *last, last));
    }
    local_must(PtlMDAttach(*last, nothing, PTL_RETAIN, NULL));
}

static void control_open(enum local_control what, int rid, ptl_handle_eq_t queue, ptl_handle_me_t *last)
{
    control_open_bits(local_control_bits(what, 0), UINT32_MAX, rid, queue, last);
}

static void controls_open(struct local_device *d)
{
    int self = (int)d->self.rid;
    ptl_handle_me_t last;

    control_open(LOCAL_WAKE_COMPLETION, self, d->done, &last);
    control_open(LOCAL_WAKE_ARRIVAL, self, d->arrived, &last);
    control_open(LOCAL_CREDIT, LOCAL_EACH, d->asked, &last);
    control_open(LOCAL_CANCEL, LOCAL_EACH, d->asked, &last);
    control_open(LOCAL_FORGOTTEN, LOCAL_EACH, d->done, &last);
    control_open(LOCAL_TOO_LATE, LOCAL_EACH, d->done, &last);
    control_open(LOCAL_SHORT_FORGOTTEN, LOCAL_EACH, d->done, &last);
    control_open(LOCAL_SHORT_TOO_LATE, LOCAL_EACH, d->done, &last);
    control_open(LOCAL_STOP, self, d->asked, &last);
    control_open(LOCAL_UPPER, LOCAL_EACH, d->arrived, &last);
    control_open(LOCAL_NOTE, LOCAL_EACH, d->asked, &last);
    control_open(LOCAL_COUNTED, LOCAL_EACH, d->asked, &last);
    control_open(LOCAL_GOT, LOCAL_EACH, d->asked, &last);
    control_open_bits(LOCAL_CANCEL_SHORT, ~LOCAL_CANCEL_SHORT, LOCAL_EACH, d->asked, &last);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

//= PUMA-168
//= PUMA-169
//= PUMA-184
static void queues_open(struct local_device *d)
{
    ptl_size_t size = (ptl_size_t)d->size;

    d->credits = larger(LOCAL_SHORT_KEPT / larger(d->size - 1, 1), LOCAL_CREDITS_LEAST);
    d->numbers =
        (uint32_t)larger(LOCAL_NUMBERS / larger(d->size - 1, LOCAL_NUMBERS / LOCAL_NUMBERS_MOST), LOCAL_NUMBERS_LEAST);
    local_must(PtlEQAlloc(d->interface,
                          LOCAL_POSTED_MAX + LOCAL_SENDING_MAX * EVENTS_OF_A_SEND + size * EVENTS_OF_A_PEER +
                              LOCAL_ASKED_MAX + LOCAL_FETCHING_MAX + EVENTS_BESIDES,
                          &d->done));
    local_must(PtlEQAlloc(d->interface, size * ((ptl_size_t)d->credits + d->numbers) + EVENTS_BESIDES, &d->arrived));
    local_must(PtlEQAlloc(d->interface,
                          size * (EVENTS_OF_A_FAR_ONE * d->numbers + LOCAL_ASKED_MAX + EVENTS_OF_A_PEER) +
                              LOCAL_SENDING_MAX * (EVENTS_OF_A_SEND + 1) + LOCAL_FETCHING_MAX + EVENTS_BESIDES,
                          &d->asked));
}

static void peers_open(struct local_device *d)
{
    for (int rid = 0; rid < d->size; rid++) {
        struct local_peer *peer = &d->peer[rid];

        peer->credits = d->credits;
        TAILQ_INIT(&peer->queue);
    }
}

//= PUMA-030
static bool local_open(void)
{
    struct local_device *d = &local_device;
    ptl_md_t nothing = {.eventq = PTL_EQ_NONE};
    ptl_id_t size;

    memset(d, 0, sizeof(*d));
    d->wait = PtlEQWait;
    local_expected_open();
    TAILQ_INIT(&d->asked_back);
    TAILQ_INIT(&d->fetches);
    local_must(PtlGetId(&d->self, &size));
    d->size = (int)size;
    d->peer = calloc(size, sizeof(*d->peer));
    local_must(PtlNIInit(PTL_IFACE_DEFAULT, LOCAL_PORTALS, ACCESS_ENTRIES, &d->interface));
    queues_open(d);
    lists_open(d);
    controls_open(d);
    local_must(PtlMDBind(d->interface, nothing, &d->nothing));
    if (!d->peer || !local_offers_open() || !local_buffers_open() || !local_tiny_open(d->size)) {
        fprintf(stderr, "mpi: there is no memory for messages of %d processes\n", d->size);
        return false;
    }
    peers_open(d);
    if (!local_helper_open()) {
        fprintf(stderr, "mpi: cannot start a thread\n");
        return false;
    }
    local_must(PtlNIBarrier(d->interface)); /* everybody can receive */
    return true;
}

static void local_close(void)
{
    struct local_device *d = &local_device;

    local_must(PtlNIBarrier(d->interface));
    local_helper_close();
    local_must(PtlNIFini(d->interface));
    local_tiny_close();
    local_buffers_close();
    local_offers_close();
    free(d->peer);
    d->peer = NULL;
}

const struct device local_as_device = {
    .open = local_open,
    .close = local_close,
    .send = local_send,
    .receive = local_receive,
    .probe = local_probe,
    .withdraw = local_withdraw,
    .cancel = local_cancel_send,
    .release = local_copy_release,
    .send_now = local_send_now,
    .advance = local_advance,
    .wait = local_wait,
    .wake = local_wake,
    .idle = local_idle,
};
