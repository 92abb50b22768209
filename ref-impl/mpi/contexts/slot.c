/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Slots: see contexts/slot.h; contexts/context.c wants one for each new pair of context ids. Context ids are 64 bits
 * wide (IMPI 3.3), slots LOCAL_SLOT_BITS.
 *
 *      0                                     LATER   FIRST_ALLOTTED                             SLOTS
 *      +-------------------------------------+-------+------------------------------------------+
 *      | small ids: they are their own slots | later | pair 0: MPI_COMM_SELF | pair 1 | ...     |
 *      +-------------------------------------+-------+------------------------------------------+
 *
 * Small ids cost nothing. A job gets to large ones when some client counts up high; then the processes of this client
 * count pairs of slots by themselves, in the way in which all processes count context ids: the highest of all proposals
 * is taken. Pairs are counted without end and come round in the slots, so that later a pair may be in use with one of
 * them: then it proposes a higher one, until all want the same.
 *
 * Later ones are for communicators that are made beside other work (MPI_Comm_idup): an eighth of the slots below
 * FIRST_ALLOTTED, or below what the device tells from each other.
 */
#include "ref-impl/mpi/contexts/slot.h"

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/messages/p2p.h"
#include "ref-impl/mpi/types/type.h"

enum {
    SLOTS = 1 << LOCAL_SLOT_BITS,
    FIRST_ALLOTTED = SLOTS / 2,
    PAIRS = (SLOTS - FIRST_ALLOTTED) / 2,
    TAG_SLOT = 240, /* behind those of IMPI; it leaves no client */
};

_Static_assert(COMM_SLOT_SELF == FIRST_ALLOTTED, "pair 0 is that of MPI_COMM_SELF");

static uint64_t last_pair;
static uint32_t most; /* contexts that the device tells from each other, or 0 */

static uint32_t slot_of(uint64_t pair)
{
    return (uint32_t)(FIRST_ALLOTTED + 2 * (pair % PAIRS));
}

/* The first pair from `pair` on, of so many with these slots, that no communicator of this process has. */
static uint64_t free_from(uint64_t pair, uint32_t pairs, uint32_t (*slot)(uint64_t pair))
{
    for (uint64_t i = 0; i < pairs; i++) {
        if (!comm_has_slot(slot(pair + i))) {
            return pair + i;
        }
    }
    return COMM_SLOT_NO_PAIR;
}

/* The end of the slots below those that are allotted, and the first of the later ones. */
static uint32_t later_end(void)
{
    return most != 0 ? most : FIRST_ALLOTTED;
}

static uint32_t later_first(void)
{
    return later_end() - later_end() / 8;
}

static uint32_t later_pairs(void)
{
    return later_end() / 16;
}

uint64_t comm_slot_later_from(uint64_t pair)
{
    return free_from(pair, later_pairs(), comm_slot_later);
}

uint32_t comm_slot_later(uint64_t pair)
{
    return later_first() + 2 * (uint32_t)(pair % later_pairs());
}

/* A proposal, in the world's collective context, where each process has its rank in the world. */
static struct p2p_message proposal(int peer, unsigned long long *value)
{
    return (struct p2p_message){comm_world(), true, peer, TAG_SLOT, value, 1, type_find(MPI_UNSIGNED_LONG_LONG), false};
}

static int tell(int peer, unsigned long long value)
{
    struct p2p_message message = proposal(peer, &value);

    return p2p_send(&message, P2P_STANDARD);
}

static int hear(int peer, unsigned long long *value)
{
    struct p2p_message message = proposal(peer, value);

    return p2p_receive(&message, NULL);
}

/* The process of this client behind `rank` in the world that takes part, or -1. */
static int next_member(int rank, const struct mpi_group *local, const struct mpi_group *remote)
{
    for (rank++; rank < world_now()->size; rank++) {
        if (world_is_native(rank) &&
            (group_rank_of(local, rank) != MPI_UNDEFINED || (remote && group_rank_of(remote, rank) != MPI_UNDEFINED))) {
            return rank;
        }
    }
    return -1;
}

/* Raises the value to the highest of all that take part: the first of them hears the others, and tells them. */
static int highest_of_all(const struct mpi_group *local, const struct mpi_group *remote, uint64_t *value)
{
    int first = next_member(-1, local, remote), code = MPI_SUCCESS;
    unsigned long long highest = *value, heard = 0;

    if (first != world_now()->rank) {
        code = tell(first, highest);
        code = code == MPI_SUCCESS ? hear(first, &highest) : code;
        *value = highest;
        return code;
    }
    for (int at = first; code == MPI_SUCCESS && (at = next_member(at, local, remote)) >= 0;) {
        code = hear(at, &heard);
        highest = heard > highest ? heard : highest;
    }
    for (int at = first; code == MPI_SUCCESS && (at = next_member(at, local, remote)) >= 0;) {
        code = tell(at, highest);
    }
    *value = highest;
    return code;
}

//= IMPI-104
//= PUMA-035
int comm_slot_find(uint64_t cid, const struct mpi_group *local, const struct mpi_group *remote, uint32_t *slot)
{
    uint64_t before, agreed = 0;
    int code;

    if (cid < later_first() - 1) {
        *slot = (uint32_t)cid;
        return MPI_SUCCESS;
    }
    if (most != 0) {
        return MPI_ERR_OTHER; /* for all of them: they agreed on the id */
    }
    /* As long as pairs have not come round, the highest one is new to all. Later it is good if nobody raises it. */
    do {
        before = agreed;
        agreed = free_from(before > last_pair ? before : last_pair + 1, PAIRS, slot_of);
        code = highest_of_all(local, remote, &agreed);
        if (code != MPI_SUCCESS || agreed == COMM_SLOT_NO_PAIR) {
            return code != MPI_SUCCESS ? code : MPI_ERR_OTHER;
        }
    } while (agreed >= PAIRS && agreed != before);
    last_pair = agreed;
    *slot = slot_of(agreed);
    return MPI_SUCCESS;
}

void comm_slot_limit(uint32_t contexts)
{
    most = contexts;
}

void comm_slot_close(void)
{
    last_pair = 0;
}
