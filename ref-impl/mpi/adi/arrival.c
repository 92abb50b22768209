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

TAILQ_HEAD(arrivals, adi_arrival);

static struct arrivals arrivals, chains[ADI_CHAINS];

static struct arrivals *chain_of(const struct adi_arrival *arrival)
{
    return &chains[adi_bits_chain(arrival->bits, arrival->rid)];
}

void adi_arrivals_open(void)
{
    TAILQ_INIT(&arrivals);
    for (int i = 0; i < ADI_CHAINS; i++) {
        TAILQ_INIT(&chains[i]);
    }
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
        TAILQ_INSERT_TAIL(chain_of(arrival), arrival, chain);
        puma_release(d->heap, &message);
        d->idle = 0;
        any = true;
    }
    return any;
}

struct adi_arrival *adi_arrival_find(const struct adi_want *want)
{
    int chain = adi_want_chain(want);
    struct adi_arrival *at = TAILQ_FIRST(chain < 0 ? &arrivals : &chains[chain]);

    while (at && !adi_want_fits(want, at->bits, at->rid)) {
        at = chain < 0 ? TAILQ_NEXT(at, link) : TAILQ_NEXT(at, chain);
    }
    return at;
}

void adi_arrival_remove(struct adi_arrival *arrival)
{
    TAILQ_REMOVE(&arrivals, arrival, link);
    TAILQ_REMOVE(chain_of(arrival), arrival, chain);
}
