/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages that wait for their receives: see local/unexpected.h.
 */
#include "ref-impl/mpi/local/unexpected.h"

#include "ref-impl/mpi/common/pool.h"
#include "ref-impl/mpi/local/state.h"

#include <stdlib.h>

enum { CHAINS = 4096 }; /* a power of two */

TAILQ_HEAD(arrival_list, local_arrival);

/* Most of them have few octets, or none. */
enum { FEW = 64 };

static struct pool usual = POOL_OF(sizeof(struct local_arrival) + FEW);
static struct arrival_list all;
static struct arrival_list *chains; /* CHAINS of them */

bool local_unexpected_open(void)
{
    TAILQ_INIT(&all);
    chains = malloc(CHAINS * sizeof(*chains));
    for (int i = 0; chains && i < CHAINS; i++) {
        TAILQ_INIT(&chains[i]);
    }
    return chains;
}

void local_unexpected_close(void)
{
    struct local_arrival *arrival;

    while ((arrival = TAILQ_FIRST(&all))) {
        TAILQ_REMOVE(&all, arrival, link);
        local_unexpected_free(arrival);
    }
    pool_close(&usual);
    free(chains);
    chains = NULL;
}

struct local_arrival *local_unexpected_new(size_t octets)
{
    bool pooled = octets <= FEW;
    struct local_arrival *arrival = pooled ? pool_take(&usual) : malloc(sizeof(*arrival) + octets);

    if (arrival) {
        arrival->pooled = pooled;
    }
    return arrival;
}

void local_unexpected_free(struct local_arrival *arrival)
{
    if (arrival->pooled) {
        pool_give(&usual, arrival);
    } else {
        free(arrival);
    }
}

static struct arrival_list *chain_of(ptl_match_bits_t bits, int rid)
{
    return &chains[local_bits_hash(bits, rid) >> 20 & (CHAINS - 1)];
}

void local_unexpected_add(struct local_arrival *arrival)
{
    TAILQ_INSERT_TAIL(&all, arrival, link);
    TAILQ_INSERT_TAIL(chain_of(arrival->bits, arrival->rid), arrival, chain);
}

void local_unexpected_remove(struct local_arrival *arrival)
{
    TAILQ_REMOVE(&all, arrival, link);
    TAILQ_REMOVE(chain_of(arrival->bits, arrival->rid), arrival, chain);
}

bool local_unexpected_fits(const struct local_arrival *arrival, const struct local_want *want)
{
    return local_want_fits(want, arrival->bits, arrival->rid);
}

//= PUMA-178
struct local_arrival *local_unexpected_find(const struct local_want *want)
{
    bool exact = local_want_is_exact(want);
    struct local_arrival *at = TAILQ_FIRST(exact ? chain_of(want->bits, want->rid) : &all);

    while (at && !local_unexpected_fits(at, want)) {
        at = exact ? TAILQ_NEXT(at, chain) : TAILQ_NEXT(at, link);
    }
    return at;
}

//= PUMA-148
struct local_arrival *local_unexpected_long(int rid, uint32_t number)
{
    struct local_arrival *at = TAILQ_FIRST(&all);

    while (at && !(at->rid == rid && local_bits_long(at->bits) && at->number == number)) {
        at = TAILQ_NEXT(at, link);
    }
    return at;
}

/* The number alone names a message among the last LOCAL_SEQUENCES of its sender. An earlier one with the same number
 * and the same key is received before it, so the newest is the one that is meant, if that is still here. */
struct local_arrival *local_unexpected_short(int rid, ptl_match_bits_t bits)
{
    struct arrival_list *chain = chain_of(bits, rid);
    struct local_arrival *at = TAILQ_LAST(chain, arrival_list);

    while (at && !(at->rid == rid && !local_bits_long(at->bits) && local_bits_key(at->bits) == local_bits_key(bits) &&
                   local_bits_number(at->bits) == local_bits_number(bits))) {
        at = TAILQ_PREV(at, arrival_list, chain);
    }
    return at;
}
