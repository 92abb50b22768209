/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Context ids and what is said when communicators are made and freed: chapters 4.3 to 4.9 of IMPI, with the numbers
 * that the other processes contribute laid ready by hand.
 */
#include <stdint.h>
#include <string.h>

#include "tests/mpi/play.h"
#include "tests/unit/tap.h"

static void lay(unsigned long long value)
{
    play_ready(&value, sizeof(value));
}

static void lay_two(unsigned long long first, unsigned long long second)
{
    play_ready((unsigned long long[]){first, second}, 16);
}

/* The 8 octets at a place of the last message sent. */
static unsigned long long sent(size_t index)
{
    unsigned long long value = 0;
    size_t len;
    const unsigned char *octets = play_sent(&len);

    if (CHECK(len >= 8 * (index + 1), "so many octets were sent")) {
        memcpy(&value, octets + 8 * index, 8);
    }
    return value;
}

static uint64_t context_of(MPI_Comm comm)
{
    return comm_find(comm)->context.cid;
}

static void dup_as_first(void)
{
    MPI_Comm dup, again;

    play_open(0, "01", "01");
    lay(1);
    CHECK_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &dup), MPI_SUCCESS, "MPI_Comm_dup");
    CHECK_STR(play_words(), "r1 s1", "the maximum to rank 0, then to all");
    CHECK_EQ(play_context(), 1, "under the collective context of the old one");
    CHECK_EQ(sent(0), 1, "the highest offer");
    CHECK_EQ(context_of(dup), 2, "the first new context is 2");
    lay(101);
    MPI_Comm_dup(dup, &again);
    CHECK_EQ(play_context(), 3, "and 3 is its collective one");
    CHECK_EQ(context_of(again), 102, "above what another offers");
    play_words();
    MPI_Comm_free(&again);
    CHECK_STR(play_words(), "r1 s1", "MPI_Comm_free is a barrier");
    CHECK(play_context() == 103 && play_tag() == 110, "on the communicator's own collective context");
    CHECK(again == MPI_COMM_NULL, "and the handle is null");
    play_close();
}

static void within_a_client(void)
{
    MPI_Comm dup;

    play_open(0, "00", "00");
    lay(1);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    play_words();
    CHECK_EQ(MPI_Comm_free(&dup), MPI_SUCCESS, "MPI_Comm_free within a client");
    CHECK_STR(play_words(), "", "waits for nobody");
    CHECK(dup == MPI_COMM_NULL, "and the handle is null");
    play_close();
}

static void intercomm_within_a_client(void)
{
    MPI_Comm both, dup;

    play_open(0, "00", "00");
    lay_two(9, 1);
    play_ready((int[]){1}, 4);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1, 17, &both);
    play_words();
    lay(31);
    CHECK_EQ(MPI_Comm_dup(both, &dup), MPI_SUCCESS, "MPI_Comm_dup");
    CHECK_STR(play_words(), "s0 r0", "exchange with the other leader");
    CHECK_EQ(play_context(), 11, "where no receive of the program can meet it");
    CHECK_EQ(MPI_Comm_free(&both), MPI_SUCCESS, "MPI_Comm_free");
    CHECK_STR(play_words(), "", "waits for nobody");
    play_close();
}

static void offers(void)
{
    MPI_Comm dup, none;

    play_open(1, "01", "01");
    lay(101);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    CHECK_STR(play_words(), "s0 r0", "rank 1 sends its offer, and hears the maximum");
    CHECK_EQ(sent(0), 1, "1 at first");
    CHECK_EQ(context_of(dup), 102, "102");
    lay(200);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    CHECK_EQ(sent(0), 103, "then the old maximum and two");
    CHECK_EQ(context_of(dup), 201, "an even maximum is taken as it is");
    lay(205);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    CHECK_EQ(sent(0), 203, "an even own one is raised by one");
    lay(209);
    play_ready((int[]){7, 0, 0, MPI_UNDEFINED, 0, 1}, 24);
    play_words();
    CHECK_EQ(MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &none), MPI_SUCCESS, "MPI_Comm_split");
    CHECK_STR(play_words(), "s0 r0 s0 r0", "both exchanges, though left out");
    CHECK(none == MPI_COMM_NULL, "no communicator");
    lay(500);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    CHECK_EQ(sent(0), 211, "who is left out has counted as well");
    play_close();
}

static void no_more(void)
{
    const unsigned long long limit = 18446744073709551600ull;
    MPI_Comm dup = MPI_COMM_NULL;

    play_open(1, "01", "01");
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    lay(limit - 1);
    CHECK_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &dup), MPI_ERR_OTHER, "out of contexts");
    CHECK(dup == MPI_COMM_NULL, "no communicator");
    lay(limit - 3);
    CHECK_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &dup), MPI_SUCCESS, "the last pair but one");
    CHECK(context_of(dup) == limit - 2, "is just below the limit");
    play_close();
}

static void split(void)
{
    MPI_Comm part;
    MPI_Group group, world;
    int members[3], size, rank;

    play_open(3, "0011", "0011");
    lay(1);
    /* Colours 1 0 1 1, keys 5 0 5 -1: the new order is 3, 0, 2. */
    play_ready((int[]){1, 5, 0, 0, 0, 1, 1, 5, 2, 1, -1, 3}, 48);
    CHECK_EQ(MPI_Comm_split(MPI_COMM_WORLD, 1, -1, &part), MPI_SUCCESS, "MPI_Comm_split");
    CHECK_STR(play_words(), "s2 r2 s0 r2", "a maximum of all, then colours and keys to rank 0 and from the master");
    MPI_Comm_size(part, &size);
    MPI_Comm_rank(part, &rank);
    CHECK(size == 3 && rank == 0, "first of three");
    MPI_Comm_group(part, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, 3, (int[]){0, 1, 2}, world, members);
    CHECK(members[0] == 3 && members[1] == 0 && members[2] == 2, "by key, then by rank");
    CHECK_EQ(context_of(part), 2, "context 2");
    play_close();
}

/* Ranks that others lie about. */
static void split_with_liars(void)
{
    MPI_Comm part;
    MPI_Group group, world;
    int members[4];

    play_open(3, "0011", "0011");
    lay(1);
    play_ready((int[]){0, 1, 1000000, 0, 1, -1, 0, 1, 3, 0, 0, 3}, 48);
    CHECK_EQ(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &part), MPI_SUCCESS, "MPI_Comm_split");
    MPI_Comm_group(part, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, 4, (int[]){0, 1, 2, 3}, world, members);
    CHECK(members[0] == 3 && members[1] == 0 && members[2] == 1 && members[3] == 2, "everybody is in his place");
    play_close();
}

/* The other leader claims to lead more processes than there are, or ones that are none, one twice, or this one. */
static void intercomm_with_liars(void)
{
    static const struct {
        unsigned long long size;
        int first;
    } lies[] = {{0, 2}, {5, 2}, {1ull << 40, 2}, {2, 4}, {2, -1}, {2, 3}, {2, 0}};
    MPI_Comm both = MPI_COMM_NULL;

    for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
        play_open(0, "0111", "0111");
        MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        lay_two(9, lies[i].size);
        play_ready((int[]){lies[i].first, 3}, 8);
        CHECK_EQ(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1, 17, &both), MPI_ERR_OTHER, "is found out");
        CHECK(both == MPI_COMM_NULL, "no communicator");
        play_close();
    }
}

/* The other leader tells its maximum and size as two MPI_INT, before this one speaks or after. */
static void intercomm_in_printed_form(void)
{
    MPI_Comm both;
    int size = 0;

    for (int early = 0; early < 2; early++) {
        play_open(1, "0111", "0111");
        play_ready((int[]){9, 2}, 8);
        play_ready((int[]){3, 2}, 8);
        if (early) {
            play_early();
        }
        CHECK_EQ(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 2, 17, &both), MPI_SUCCESS, "is understood");
        CHECK_STR(play_words(), "s2 r2 s2 r2", "in as many messages");
        CHECK_EQ(play_first_length(), early ? 8 : 16, "who has been spoken to answers in the same form");
        MPI_Comm_remote_size(both, &size);
        CHECK(context_of(both) == 10 && size == 2, "context and size");
        play_close();
    }
    play_open(1, "0111", "0111");
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    play_ready((int[]){-9, 2}, 8);
    CHECK_EQ(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 2, 17, &both), MPI_ERR_OTHER, "less than nothing");
    play_close();
}

/* An intercommunicator between world ranks 0, 1 and 2, 3; this process is 0 or 1. */
static MPI_Comm between(int rank)
{
    MPI_Comm half, both;

    play_open(rank, "0011", "0011");
    /* What is heard in the split: offers of the others, or the maximum; then who they are, or all that. */
    if (rank == 0) {
        lay(1);
        lay(1);
        play_ready((int[]){0, 0, 1}, 12);
        play_ready((int[]){1, 0, 2}, 12);
        play_ready((int[]){1, 0, 3}, 12);
    } else {
        lay(1);
        play_ready((int[]){0, 0, 0, 0, 0, 1, 1, 0, 2, 1, 0, 3}, 48);
    }
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &half);
    play_words();
    if (rank == 0) {
        lay(3);        /* the offer of the other member of this half */
        lay_two(9, 2); /* from the other leader: its maximum, and two members */
    } else {
        lay_two(9, 2);
    }
    play_ready((int[]){2, 3}, 8);
    CHECK_EQ(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 2, 17, &both), MPI_SUCCESS, "MPI_Intercomm_create");
    return both;
}

static void intercomm_as_leader(void)
{
    MPI_Comm both, dup, merged;
    int size = 0, inter = 0;
    MPI_Group group, world;
    int members[4];

    both = between(0);
    CHECK_STR(play_words(), "r1 s2 r2 s1 s2 r2 s1",
              "reduce; sizes with the other leader, to mine; then lists the same way");
    CHECK_EQ(context_of(both), 10, "above the maximum of both sides");
    MPI_Comm_remote_size(both, &size);
    MPI_Comm_test_inter(both, &inter);
    CHECK(size == 2 && inter == 1, "two on the other side");
    lay(31);
    lay(20);
    CHECK_EQ(MPI_Comm_dup(both, &dup), MPI_SUCCESS, "MPI_Comm_dup");
    CHECK_STR(play_words(), "r1 s0 r0 s1", "hear the remote member, exchange with the leader, tell the member");
    CHECK(play_context() == 10 && play_tag() == 210, "on the point-to-point context, tag 210");
    CHECK_EQ(context_of(dup), 32, "above the maximum, that of a remote member");
    lay(33);
    lay_two(35, 0);
    CHECK_EQ(MPI_Intercomm_merge(dup, 1, &merged), MPI_SUCCESS, "MPI_Intercomm_merge");
    CHECK_STR(play_words(), "r1 s0 r0 s1", "the same way");
    CHECK(play_context() == 32 && play_tag() == 220, "tag 220");
    CHECK(sent(0) == 35 && sent(1) == 1, "maximum, and this side's choice, to the other's members");
    MPI_Comm_group(merged, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, 4, (int[]){0, 1, 2, 3}, world, members);
    CHECK(members[0] == 2 && members[1] == 3 && members[2] == 0 && members[3] == 1, "the other side said low");
    play_words();
    CHECK_EQ(MPI_Comm_free(&both), MPI_SUCCESS, "MPI_Comm_free");
    CHECK_STR(play_words(), "r1 s0 r0 s1", "the same way");
    CHECK(play_context() == 10 && play_tag() == 230, "tag 230");
    play_close();
}

static void intercomm_as_member(void)
{
    MPI_Comm both, merged;
    MPI_Group group, world;
    int members[4];

    both = between(1);
    CHECK_STR(play_words(), "s0 r0 r0", "the maximum to the leader, then all from it");
    CHECK_EQ(context_of(both), 10, "the same context");
    lay_two(35, 0);
    CHECK_EQ(MPI_Intercomm_merge(both, 0, &merged), MPI_SUCCESS, "MPI_Intercomm_merge");
    CHECK_STR(play_words(), "s0 r0", "to the remote leader, and from it");
    CHECK_EQ(sent(0), 11, "the own maximum");
    MPI_Comm_group(merged, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, 4, (int[]){0, 1, 2, 3}, world, members);
    CHECK(members[0] == 0 && members[3] == 3, "both said low: the lower leader goes first");
    CHECK_EQ(MPI_Comm_free(&both), MPI_SUCCESS, "MPI_Comm_free");
    CHECK_STR(play_words(), "s0 r0", "to the remote leader, and from it");
    play_close();
}

static void refusals(void)
{
    MPI_Comm comm = MPI_COMM_WORLD, stale;
    MPI_Group world, some;
    int flag;

    play_open(0, "0", "0");
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_EQ(MPI_Comm_free(&comm), MPI_ERR_COMM, "the world stays");
    CHECK_EQ(MPI_Comm_dup(MPI_COMM_NULL, &comm), MPI_ERR_COMM, "the null communicator");
    CHECK_EQ(MPI_Comm_dup((MPI_Comm)MPI_INT, &comm), MPI_ERR_COMM, "a datatype");
    CHECK_EQ(MPI_Comm_split(MPI_COMM_WORLD, -5, 0, &comm), MPI_ERR_ARG, "a negative colour");
    CHECK_EQ(MPI_Comm_remote_size(MPI_COMM_WORLD, &flag), MPI_ERR_COMM, "an intracommunicator has no other side");
    CHECK_EQ(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &comm), MPI_ERR_COMM, "nor can be merged");
    CHECK_EQ(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &comm), MPI_ERR_GROUP, "the null group");
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    CHECK_EQ(MPI_Group_incl(world, 2, (int[]){0, 0}, &some), MPI_ERR_RANK, "a rank twice");
    CHECK_EQ(MPI_Group_incl(world, 1, (int[]){1}, &some), MPI_ERR_RANK, "a rank that is none");
    CHECK_EQ(MPI_Group_incl(world, 0, NULL, &some), MPI_SUCCESS, "nobody");
    CHECK(some == MPI_GROUP_EMPTY, "is the empty group");
    CHECK_EQ(MPI_Comm_dup(MPI_COMM_SELF, &comm), MPI_SUCCESS, "MPI_COMM_SELF can be copied");
    stale = comm;
    CHECK_EQ(MPI_Comm_free(&comm), MPI_SUCCESS, "and the copy freed");
    CHECK_EQ(MPI_Comm_test_inter(stale, &flag), MPI_ERR_COMM, "then the handle is stale");
    play_close();
}

int main(void)
{
    TAP_RUN(dup_as_first);
    TAP_RUN(within_a_client);
    TAP_RUN(offers);
    TAP_RUN(no_more);
    TAP_RUN(split);
    TAP_RUN(split_with_liars);
    TAP_RUN(intercomm_with_liars);
    TAP_RUN(intercomm_in_printed_form);
    TAP_RUN(intercomm_as_leader);
    TAP_RUN(intercomm_as_member);
    TAP_RUN(intercomm_within_a_client);
    TAP_RUN(refusals);
    return tap_done();
}
