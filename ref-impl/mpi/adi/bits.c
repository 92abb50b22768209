/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match bits of MPI on Puma: see adi/bits.h. The communicators that are there from the start have the first and the
 * last contexts.
 */
#include "ref-impl/mpi/adi/bits.h"

#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/state.h"

enum { CONTEXT_SHIFT = 3, RANK_SHIFT = 16, TAG_SHIFT = 32 };

#define RANK_BITS ((ptl_match_bits_t)0xffff << RANK_SHIFT)
#define TAG_BITS  ((ptl_match_bits_t)0xffffffff << TAG_SHIFT)

static ptl_match_bits_t context_of(uint32_t slot)
{
    uint32_t context = slot < COMM_SLOT_SELF ? slot : ADI_CONTEXTS - 2 + (slot - COMM_SLOT_SELF);

    return (ptl_match_bits_t)(context % ADI_CONTEXTS) << CONTEXT_SHIFT;
}

//= PUMA-033
//= PUMA-034
static ptl_match_bits_t bits_of(const struct request_match *match, int rank, int tag)
{
    return (ptl_match_bits_t)(uint32_t)tag << TAG_SHIFT | ((ptl_match_bits_t)(unsigned)rank << RANK_SHIFT & RANK_BITS) |
           context_of(match->slot);
}

ptl_match_bits_t adi_bits(const struct request *request)
{
    return bits_of(&request->match, request->message.comm->rank, request->match.tag);
}

//= PUMA-037
//= PUMA-038
struct adi_want adi_want(const struct request_match *match, int rank)
{
    bool any_tag = match->tag == REQUEST_ANY;
    bool any_rank = match->peer == REQUEST_ANY || rank < 0;

    return (struct adi_want){
        .bits = bits_of(match, any_rank ? 0 : rank, any_tag ? 0 : match->tag),
        .ignored = (any_tag ? TAG_BITS : 0) | (any_rank ? RANK_BITS : 0) | ADI_READY | ADI_LONG,
        .rid = match->peer == REQUEST_ANY ? LOCAL_EACH : local_rid(match->peer),
    };
}

bool adi_want_fits(const struct adi_want *want, ptl_match_bits_t bits, int rid)
{
    return ((bits ^ want->bits) & ~want->ignored) == 0 && (want->rid == LOCAL_EACH || want->rid == rid);
}

/* By the tag and the sender: one process sends as one rank in a context, so the rank's bits add nothing. */
int adi_bits_chain(ptl_match_bits_t bits, int rid)
{
    return (int)(((bits >> TAG_SHIFT) * 31 + (unsigned)rid) % ADI_CHAINS);
}

int adi_want_chain(const struct adi_want *want)
{
    return want->rid == LOCAL_EACH || want->ignored & TAG_BITS ? -1 : adi_bits_chain(want->bits, want->rid);
}

//= PUMA-039
struct request_outcome adi_outcome(ptl_match_bits_t bits, int rid, size_t length)
{
    return (struct request_outcome){
        .source = local_rank(rid),
        .lsrank = -1,
        .tag = (int)(bits >> TAG_SHIFT),
        .msglen = length,
    };
}
