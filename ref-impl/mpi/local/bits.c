/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match bits of the local device (local/state.h draws them), and processes as criteria. Chapter 5.3 of the Portals
 * document has tag, sender and context in the bits; here the sender is left to the process id of the match entry, so
 * that a tag may have 31 bits and a long message a number of its own.
 *
 * Context ids are 64 bits wide (IMPI 3.3), the field 24: in it stand slots, of which contexts/slot.c gives each
 * communicator two of its own.
 */
#include "ref-impl/mpi/local/bits.h"

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/messages/request.h"

//= PUMA-033
//= PUMA-034
//= PUMA-035
//= PUMA-045
enum { SLOT_SHIFT = 31, NUMBER_SHIFT = SLOT_SHIFT + LOCAL_SLOT_BITS };

#define LONG_BIT    ((ptl_match_bits_t)1 << 63)
#define FORM_BIT    ((ptl_match_bits_t)1 << 62)
#define NUMBER_BITS ((((ptl_match_bits_t)1 << LOCAL_NUMBER_BITS) - 1) << NUMBER_SHIFT)
#define TAG_BITS    ((ptl_match_bits_t)0x7fffffff)

ptl_match_bits_t local_bits(uint32_t slot, int tag)
{
    return (ptl_match_bits_t)slot << SLOT_SHIFT | ((ptl_match_bits_t)(unsigned)tag & TAG_BITS);
}

ptl_match_bits_t local_bits_message(const struct request *request)
{
    return local_bits(request->match.slot, request->match.tag) | (request->external ? FORM_BIT : 0);
}

//= PUMA-037
//= PUMA-038
struct local_want local_want(const struct request_match *match)
{
    struct local_want want = {
        .bits = local_bits(match->slot, match->tag),
        .ignored = LONG_BIT | FORM_BIT | NUMBER_BITS,
        .rid = match->peer == REQUEST_ANY ? LOCAL_EACH : local_rid(match->peer),
    };

    if (match->tag == REQUEST_ANY) {
        want.bits &= ~TAG_BITS;
        want.ignored |= TAG_BITS;
    }
    return want;
}

bool local_want_is_exact(const struct local_want *want)
{
    return want->rid != LOCAL_EACH && (want->ignored & TAG_BITS) == 0;
}

//= PUMA-177
bool local_want_fits(const struct local_want *want, ptl_match_bits_t bits, int rid)
{
    return ((bits ^ want->bits) & ~want->ignored) == 0 && (want->rid == LOCAL_EACH || want->rid == rid);
}

int local_rid(int rank)
{
    return rank - world_now()->first;
}

int local_rank(int rid)
{
    return world_now()->first + rid;
}

ptl_match_bits_t local_bits_key(ptl_match_bits_t bits)
{
    return bits & ~(LONG_BIT | FORM_BIT | NUMBER_BITS);
}

uint32_t local_bits_hash(ptl_match_bits_t bits, int rid)
{
    return (uint32_t)(((local_bits_key(bits) ^ (uint64_t)(unsigned)rid << 40) * 0x9e3779b97f4a7c15u) >> 32);
}

bool local_bits_long(ptl_match_bits_t bits)
{
    return bits & LONG_BIT;
}

bool local_bits_external(ptl_match_bits_t bits)
{
    return bits & FORM_BIT;
}

uint16_t local_bits_number(ptl_match_bits_t bits)
{
    return (uint16_t)((bits & NUMBER_BITS) >> NUMBER_SHIFT);
}

int local_bits_tag(ptl_match_bits_t bits)
{
    return (int)(bits & TAG_BITS);
}

ptl_match_bits_t local_bits_sequence(ptl_match_bits_t bits, uint32_t sequence)
{
    return (ptl_match_bits_t)(1 + sequence % LOCAL_SEQUENCES) << NUMBER_SHIFT | bits;
}

//= PUMA-064
ptl_match_bits_t local_bits_offer(ptl_match_bits_t bits, uint32_t number)
{
    return LONG_BIT | ((ptl_match_bits_t)number << NUMBER_SHIFT & NUMBER_BITS) | bits;
}
