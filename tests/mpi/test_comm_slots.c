/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Slots: what stands for context ids in the match bits of the local device, and how the processes of a client agree on
 * them, with the proposals of the others laid ready by hand. Ids below LATER are small; up to FIRST slots are for
 * copies that are made beside other work, and 2^22 pairs of slots are for others.
 */
#include <stdint.h>

#include "ref-impl/mpi/contexts/context.h"
#include "ref-impl/mpi/contexts/slot.h"
#include "tests/mpi/play.h"
#include "tests/unit/tap.h"

enum { FIRST = 1 << 17, LATER = FIRST / 8 * 7, PAIRS = 1 << 16, TAG = 240 };

static void lay(unsigned long long value)
{
    play_ready(&value, sizeof(value));
}

static unsigned long long sent(void)
{
    size_t len;

    return *(const unsigned long long *)(const void *)play_sent(&len);
}

/* The slot that the processes of the world agree on for an id, or 0. */
static uint32_t slot_for(uint64_t cid)
{
    uint32_t slot = 0;

    return comm_slot_find(cid, comm_world()->local, NULL, &slot) == MPI_SUCCESS ? slot : 0;
}

/* A communicator that has a slot, until the world is closed. */
static void occupy(uint32_t slot)
{
    comm_name(comm_new((struct comm_context){1, slot}, comm_self()->local, NULL, NULL));
}

static void small(void)
{
    play_open(0, "000", "000");
    CHECK(slot_for(2) == 2 && slot_for(201) == 201 && slot_for(LATER - 2) == LATER - 2,
          "small ids are their own slots");
    CHECK_STR(play_words(), "", "without a word");
    CHECK(comm_world()->context.slot == 0 && comm_self()->context.slot == FIRST, "as the world is; self has the next");
    play_close();
}

static void large(void)
{
    play_open(0, "0001", "0001");
    lay(1);
    lay(1);
    CHECK_EQ(slot_for(LATER - 1), FIRST + 2, "the second of this pair would be too large");
    CHECK_STR(play_words(), "r1 r2 s1 s2", "the first of the client hears the others, and tells them");
    CHECK(play_context() == 1 && play_tag() == TAG, "in the world's collective context");
    lay(9);
    lay(7);
    CHECK_EQ(slot_for(UINT64_C(1) << 40), FIRST + 18, "the highest proposal is taken");
    lay(2);
    lay(2);
    CHECK_EQ(slot_for(UINT64_MAX - 20), FIRST + 20, "and counted on from");
    play_close();
}

static void as_member(void)
{
    play_open(2, "0001", "0001");
    lay(5);
    CHECK_EQ(slot_for(FIRST), FIRST + 10, "what the first says");
    CHECK_STR(play_words(), "s0 r0", "to the first, and from it");
    CHECK_EQ(sent(), 1, "1 at first");
    play_close();
    play_open(3, "0001", "0001");
    CHECK_EQ(slot_for(FIRST), FIRST + 2, "who is alone in a client decides alone");
    CHECK_STR(play_words(), "", "without a word");
    play_close();
}

/* An intercommunicator of 1, 3 with 0, 2, of which 0 and 1 are in one client. */
static void two_groups(void)
{
    struct mpi_group *local, *remote;
    uint32_t slot = 0;

    play_open(1, "0011", "0011");
    local = group_new((int[]){1, 3}, 2);
    remote = group_new((int[]){2, 0}, 2);
    lay(4);
    CHECK_EQ(comm_slot_find(FIRST, local, remote, &slot), MPI_SUCCESS, "a slot");
    CHECK_EQ(slot, FIRST + 8, "for both");
    CHECK_STR(play_words(), "s0 r0", "those of both groups that are in the client");
    group_release(local);
    group_release(remote);
    play_close();
}

/* Pairs have come round: from then on it matters which are in use. */
static void round_about(void)
{
    play_open(1, "00", "00");
    occupy(FIRST + 2 * 5);
    lay(PAIRS + 5); /* of a process that has none of them */
    lay(PAIRS + 6);
    lay(PAIRS + 6);
    CHECK_EQ(slot_for(FIRST), FIRST + 2 * 6, "one that neither has in use");
    CHECK_STR(play_words(), "s0 r0 s0 r0 s0 r0", "raised, and nobody raises it again");
    CHECK_EQ(sent(), PAIRS + 6, "this one did");
    lay(2 * PAIRS);
    lay(2 * PAIRS + 1);
    lay(2 * PAIRS + 1);
    CHECK_EQ(slot_for(FIRST), FIRST + 2, "the slot of MPI_COMM_SELF is never free");
    play_close();
}

/* Somebody has none left. */
static void none_left(void)
{
    uint32_t slot = 77;

    play_open(1, "00", "00");
    lay(UINT64_MAX);
    CHECK_EQ(comm_slot_find(FIRST, comm_world()->local, NULL, &slot), MPI_ERR_OTHER, "all are told");
    CHECK_EQ(slot, 77, "and nothing is given");
    lay(1);
    CHECK_EQ(slot_for(FIRST), FIRST + 2, "later there may be one");
    play_close();
}

/* A copy of the world that is made beside other work, or the class of the error. */
static int copied(struct mpi_comm **made)
{
    *made = comm_new(comm_self()->context, comm_world()->local, NULL, NULL);
    return comm_context_settle(comm_world(), *made);
}

/* Which pair is tried first, and how far a process that has it in use goes on, comes of the original's slot. */
static void beside(void)
{
    struct mpi_comm *first, *second;
    uint64_t pair = 1;

    play_open(1, "00", "00");
    lay(pair);
    CHECK_EQ(copied(&first), MPI_SUCCESS, "a pair that is good for both");
    CHECK_STR(play_words(), "s0 r0", "is found at once");
    CHECK(play_context() == 1, "in the collective context of the original");
    CHECK_EQ(first->context.slot, LATER + 2 * pair, "of the slots that nothing else has");
    CHECK_EQ(first->context.cid, (UINT64_C(1) << 63) + LATER + 2 * pair, "and an id of its own by it");
    lay(pair + 2532); /* this process has the first pair in use: its proposal is the highest */
    lay(pair + 5000);
    lay(pair + 5000);
    CHECK_EQ(copied(&second), MPI_SUCCESS, "another one");
    CHECK_EQ(sent(), pair + 5000, "that is good for both");
    CHECK_EQ(second->context.slot, LATER + 2 * (pair + 5000), "is taken when nobody goes on from it");
    CHECK_STR(play_words(), "s0 r0 s0 r0 s0 r0", "in as many rounds");
    comm_release(first);
    comm_release(second);
    lay(UINT64_MAX);
    CHECK_EQ(copied(&first), MPI_ERR_OTHER, "somebody has none left");
    CHECK(first->context.slot == FIRST && first->context.cid == comm_self()->context.cid, "and nothing is kept");
    comm_release(first);
    play_close();
}

//= PUMA-035
int main(void)
{
    TAP_RUN(small);
    TAP_RUN(large);
    TAP_RUN(as_member);
    TAP_RUN(two_groups);
    TAP_RUN(round_about);
    TAP_RUN(none_left);
    TAP_RUN(beside);
    return tap_done();
}
