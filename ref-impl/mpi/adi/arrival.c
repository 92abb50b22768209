/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages that came before their receives: see adi/arrival.h. The headers of long ones are laid over the heap of
 * short ones, so that one queue tells of all in the order in which they came.
 */
#include "ref-impl/mpi/adi/arrival.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/adi/state.h"

static TAILQ_HEAD(, adi_arrival) arrivals;

void adi_arrivals_open(void)
{
    TAILQ_INIT(&arrivals);
}

void adi_arrivals_close(void)
{
    struct adi_arrival *arrival;

    while ((arrival = TAILQ_FIRST(&arrivals))) {
        adi_arrival_remove(arrival);
        free(arrival);
    }
}

//= PUMA-042
bool adi_arrivals_note(void)
{
    struct adi_device *d = &adi_device;
    struct puma_message message;
    bool any = false;

    while (puma_next(d->heap, &message)) {
        struct adi_arrival *arrival = adi_need(malloc(sizeof(*arrival) + message.kept));

        *arrival = (struct adi_arrival){
            .bits = message.bits,
            .length = message.sent,
            .rid = (int)message.initiator.rid,
            .number = adi_mark((unsigned)message.offset),
        };
        if (message.kept > 0) {
            memcpy(arrival->octets, message.octets, message.kept);
        }
        if (message.bits & ADI_LONG) {
            d->peer[arrival->rid].noted++;
        } else {
            d->peer[arrival->rid].owed++;
        }
        TAILQ_INSERT_TAIL(&arrivals, arrival, link);
        puma_release(d->heap, &message);
        d->idle = 0;
        any = true;
    }
    return any;
}

struct adi_arrival *adi_arrival_find(const struct adi_want *want)
{
    struct adi_arrival *at = TAILQ_FIRST(&arrivals);

    while (at && !adi_want_fits(want, at->bits, at->rid)) {
        at = TAILQ_NEXT(at, link);
    }
    return at;
}

void adi_arrival_remove(struct adi_arrival *arrival)
{
    TAILQ_REMOVE(&arrivals, arrival, link);
}
