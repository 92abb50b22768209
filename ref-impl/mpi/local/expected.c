/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receives that wait for their messages: see local/expected.h.
 */
#include "ref-impl/mpi/local/expected.h"

#include "ref-impl/mpi/local/state.h"

enum { CHAINS = 1024 }; /* a power of two */

static struct request_list all;
static struct request_list wild;           /* those of which sender or tag is open */
static struct request_list chains[CHAINS]; /* the others */
static uint64_t next_age;
static unsigned large_ones;

void local_expected_open(void)
{
    TAILQ_INIT(&all);
    TAILQ_INIT(&wild);
    large_ones = 0;
    for (int i = 0; i < CHAINS; i++) {
        TAILQ_INIT(&chains[i]);
    }
}

static struct request_list *chain_of(ptl_match_bits_t bits, int rid)
{
    return &chains[local_bits_hash(bits, rid) >> 22 & (CHAINS - 1)];
}

static struct request_list *place_of(const struct local_want *want)
{
    return local_want_is_exact(want) ? chain_of(want->bits, want->rid) : &wild;
}

void local_expected_add(struct request *request)
{
    request->local.place = LOCAL_LISTED;
    request->local.age = next_age++;
    large_ones += request->length >= LOCAL_LISTED_OCTETS;
    TAILQ_INSERT_TAIL(&all, request, local.queue);
    TAILQ_INSERT_TAIL(place_of(&request->local.want), request, local.chain);
}

void local_expected_remove(struct request *request)
{
    TAILQ_REMOVE(&all, request, local.queue);
    TAILQ_REMOVE(place_of(&request->local.want), request, local.chain);
    request->local.place = LOCAL_NOWHERE;
    large_ones -= request->length >= LOCAL_LISTED_OCTETS;
}

bool local_expected_any(void)
{
    return !TAILQ_EMPTY(&all);
}

bool local_expected_any_large(void)
{
    return large_ones > 0;
}

struct request *local_expected_oldest(void)
{
    return TAILQ_FIRST(&all);
}

/* The oldest of a list that takes a message. */
static struct request *find_in(const struct request_list *list, ptl_match_bits_t bits, int rid)
{
    struct request *at = TAILQ_FIRST(list);

    while (at && !local_want_fits(&at->local.want, bits, rid)) {
        at = TAILQ_NEXT(at, local.chain);
    }
    return at;
}

struct request *local_expected_find(ptl_match_bits_t bits, int rid)
{
    struct request *oldest = TAILQ_FIRST(&all), *exact, *open;

    if (!oldest || local_want_fits(&oldest->local.want, bits, rid)) {
        return oldest; /* mostly */
    }
    exact = find_in(chain_of(bits, rid), bits, rid);
    open = find_in(&wild, bits, rid);
    return exact && (!open || exact->local.age < open->local.age) ? exact : open;
}

bool local_expected_overlaps(const struct local_want *want)
{
    if (!local_want_is_exact(want)) {
        return local_expected_any();
    }
    return find_in(chain_of(want->bits, want->rid), want->bits, want->rid) || find_in(&wild, want->bits, want->rid);
}
