/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who sends to whom in a collective operation between clients: every rank's messages, one rank at a time, against those
 * that chapter 4 of IMPI prescribes. "s4 r0" is one sent to rank 4, then one wanted from rank 0.
 */
#include <stdio.h>
#include <string.h>

#include "ref-impl/mpi/collectives/tree.h"
#include "tests/mpi/play.h"
#include "tests/unit/tap.h"

/* Checks what a rank does in an operation of the world. */
static void does(const char *what, int rank, const char *clients, void (*operation)(void), const char *expected)
{
    const char *words;

    play_open(rank, clients, clients);
    operation();
    words = play_words();
    CHECK(strcmp(words, expected) == 0, "%s, clients %s, rank %d: %s (is: %s)", what, clients, rank, expected, words);
    play_close();
}

static void check_barrier(int rank, const char *clients, const char *expected)
{
    const char *words;
    char said[256];

    play_open(rank, clients, clients);
    MPI_Barrier(MPI_COMM_WORLD);
    words = play_words();
    snprintf(said, sizeof(said), "%s", words);
    CHECK(strcmp(said, expected) == 0, "barrier, clients %s, rank %d: %s (is: %s)", clients, rank, expected, said);
    CHECK(said[0] == '\0' || (play_context() == 1 && play_tag() == 110), "context 1, tag 110");
    play_close();
}

static void barriers(void)
{
    check_barrier(0, "0", "");
    /* One client: around in steps of 1, 2, 4, .. */
    check_barrier(0, "000", "s1 r2 s2 r1");
    check_barrier(2, "000", "s0 r1 s1 r0");
    /* Two and three clients: to the first master and back, around that the local part. */
    check_barrier(0, "0011", "r1 r2 s2 s1");
    check_barrier(1, "0011", "s0 r0");
    check_barrier(2, "0011", "r3 s0 r0 s3");
    check_barrier(0, "012", "r1 r2 s1 s2");
    check_barrier(2, "012", "s0 r0");
    /* The example of 4.2: masters are ranks 0, 2 and 6. */
    check_barrier(0, "00110122", "r1 r4 r2 r6 s2 s6 s1 s4");
    check_barrier(2, "00110122", "r3 r5 s0 r0 s3 s5");
    check_barrier(6, "00110122", "r7 s0 r0 s7");
    check_barrier(5, "00110122", "s2 r2");
    /* Four: still linear. */
    check_barrier(0, "0123", "r1 r2 r3 s1 s2 s3");
    check_barrier(3, "0123", "s0 r0");
    /* Six: a tree. Masters that are not numbered as their ranks: 0, 2, 3, 5, 6, 7. */
    check_barrier(0, "012345", "r4 r2 r1 s1 s2 s4");
    check_barrier(1, "012345", "r5 r3 s0 r0 s3 s5");
    check_barrier(2, "012345", "s0 r0");
    check_barrier(3, "012345", "s1 r1");
    check_barrier(5, "012345", "s1 r1");
    check_barrier(0, "00123345", "r1 r6 r3 r2 s2 s3 s6 s1");
    check_barrier(2, "00123345", "r7 r4 s0 r0 s4 s7");
    check_barrier(4, "00123345", "r5 s2 r2 s5");
    /* Five and nine: numbers of no full tree. */
    check_barrier(0, "01234", "r4 r2 r1 s1 s2 s4");
    check_barrier(1, "01234", "r3 s0 r0 s3");
    check_barrier(0, "012345678", "r8 r4 r2 r1 s1 s2 s4 s8");
    check_barrier(3, "012345678", "r7 s1 r1 s7");
    check_barrier(8, "012345678", "s0 r0");
}

static void barrier_limits(void)
{
    play_open(0, "012", "012");
    play_maxlinear(2);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_STR(play_words(), "r2 r1 s1 s2", "with a limit of 2 three masters are a tree");
    play_close();
    play_open(1, "012345", "012345");
    play_maxlinear(8);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_STR(play_words(), "s0 r0", "with a limit of 8 six are not");
    play_close();
}

static int value, result;

static void bcast_from_0(void)
{
    play_ready((int[]){42}, 4);
    value = 42;
    CHECK_EQ(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Bcast");
    CHECK_EQ(value, 42, "the root's value");
    CHECK_EQ(play_tag(), 120, "tag 120");
}

static void bcast_from_3(void)
{
    play_ready((int[]){42}, 4);
    value = 42;
    CHECK_EQ(MPI_Bcast(&value, 1, MPI_INT, 3, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Bcast");
    CHECK_EQ(value, 42, "the root's value");
}

static void bcasts(void)
{
    /* One client: a spanning tree, five messages in three steps, and nobody waits for a child. */
    //= PUMA-082
    //= PUMA-085
    does("bcast", 0, "000000", bcast_from_0, "s4 s2 s1");
    does("bcast", 1, "000000", bcast_from_0, "r0");
    does("bcast", 2, "000000", bcast_from_0, "r0 s3");
    does("bcast", 4, "000000", bcast_from_0, "r0 s5");
    does("bcast from 3", 3, "000000", bcast_from_3, "s1 s5 s4");
    does("bcast from 3", 1, "000000", bcast_from_3, "r3 s2");
    does("bcast", 0, "001122", bcast_from_0, "s2 s4 s1");
    does("bcast", 2, "001122", bcast_from_0, "r0 s3");
    does("bcast", 5, "001122", bcast_from_0, "r4");
    /* The root is no master: its own master hears it as all others of its client do. */
    does("bcast from 3", 3, "001122", bcast_from_3, "s0 s4 s2");
    does("bcast from 3", 2, "001122", bcast_from_3, "r3");
    does("bcast from 3", 0, "001122", bcast_from_3, "r3 s1");
    does("bcast from 3", 4, "001122", bcast_from_3, "r3 s5");
    /* Six masters: 0 to 1, 2, 4; 1 to 3, 5. */
    does("bcast", 0, "012345", bcast_from_0, "s1 s2 s4");
    does("bcast", 1, "012345", bcast_from_0, "r0 s3 s5");
    does("bcast", 4, "012345", bcast_from_0, "r0");
    /* Root 3 in client 2, whose master is rank 2: positions 0 .. 5 are ranks 3, 4, 5, 6, 0, 1. */
    does("bcast from 3", 3, "0122345", bcast_from_3, "s4 s5 s0 s2");
    does("bcast from 3", 2, "0122345", bcast_from_3, "r3");
    does("bcast from 3", 4, "0122345", bcast_from_3, "r3 s6 s1");
    does("bcast from 3", 0, "0122345", bcast_from_3, "r3");
    does("bcast from 3", 1, "0122345", bcast_from_3, "r4");
}

/* Every operand is 10 ** rank, so that the sum tells which have come. */
static void reduce_to(int root, MPI_Op op)
{
    int own = 1, rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < rank; i++) {
        own *= 10;
    }
    result = -1;
    CHECK_EQ(MPI_Reduce(&own, &result, 1, MPI_INT, op, root, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Reduce");
    CHECK_EQ(play_tag(), 190, "tag 190");
    CHECK(play_context() == 1, "the collective context");
}

static void reduce_to_0(void)
{
    for (int i = 1; i < 8; i++) {
        play_ready((int[]){5 * i}, 4);
    }
    reduce_to(0, MPI_SUM);
}

static void reduce_to_3(void)
{
    for (int i = 1; i < 8; i++) {
        play_ready((int[]){5 * i}, 4);
    }
    reduce_to(3, MPI_SUM);
}

static void keep_left(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        ((int *)inout)[i] = ((int *)in)[i] * 10 + ((int *)inout)[i];
    }
}

static void ordered_to_0(void)
{
    MPI_Op op;

    MPI_Op_create(keep_left, 0, &op);
    for (int i = 1; i < 8; i++) {
        play_ready((int[]){i}, 4);
    }
    reduce_to(0, op);
    MPI_Op_free(&op);
}

static void reductions(void)
{
    /* One client: along the lowest bit, the operands in the order of ranks. */
    //= PUMA-080
    does("reduce", 0, "000", reduce_to_0, "r1 r2");
    CHECK_EQ(result, 1 + 5 + 10, "the sum");
    does("reduce", 1, "000", reduce_to_0, "s0");
    /* Several: first within the clients. */
    does("reduce", 0, "001122", reduce_to_0, "r1 r2 r4");
    CHECK_EQ(result, 1 + 5 + 10 + 15, "the sum of all three");
    does("reduce", 1, "001122", reduce_to_0, "s0");
    does("reduce", 2, "001122", reduce_to_0, "r3 s0");
    /* The root stands in for its own master. */
    does("reduce to 3", 3, "001122", reduce_to_3, "r2 r0 r4");
    does("reduce to 3", 2, "001122", reduce_to_3, "s3");
    does("reduce to 3", 0, "001122", reduce_to_3, "r1 s3");
    /* Six: 1 to 0, 3 to 2, 5 to 4, then 2 and 4 to 0. */
    does("reduce", 0, "012345", reduce_to_0, "r1 r2 r4");
    does("reduce", 1, "012345", reduce_to_0, "s0");
    does("reduce", 2, "012345", reduce_to_0, "r3 s0");
    does("reduce", 4, "012345", reduce_to_0, "r5 s0");
    does("reduce to 3", 3, "0122345", reduce_to_3, "r2 r4 r5 r0");
    does("reduce to 3", 5, "0122345", reduce_to_3, "r6 s3");
    does("reduce to 3", 0, "0122345", reduce_to_3, "r1 s3");
    /* Where the order matters: all to the root. */
    does("ordered reduce", 0, "001122", ordered_to_0, "r5 r4 r3 r2 r1");
    does("ordered reduce", 3, "001122", ordered_to_0, "s0");
}

static void scan(void)
{
    int own = 3;

    result = -1;
    play_ready((int[]){4}, 4);
    CHECK_EQ(MPI_Scan(&own, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Scan");
    CHECK_EQ(play_tag(), 200, "tag 200");
}

static void scans(void)
{
    does("scan", 0, "0011", scan, "s1");
    CHECK_EQ(result, 3, "the first has its own");
    does("scan", 2, "0011", scan, "r1 s3");
    CHECK_EQ(result, 7, "the others what has come before as well");
    does("scan", 3, "0011", scan, "r2");
}

static void allreduce(void)
{
    int own = 3;

    for (int i = 0; i < 3; i++) {
        play_ready((int[]){4}, 4);
    }
    CHECK_EQ(MPI_Allreduce(&own, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD), MPI_SUCCESS, "MPI_Allreduce");
    CHECK_EQ(play_tag(), 120, "ends with a broadcast");
}

static void allreduces(void)
{
    does("allreduce", 0, "0011", allreduce, "r1 r2 s2 s1");
    does("allreduce", 2, "0011", allreduce, "r3 s0 r0 s3");
}

static void trees(void)
{
    static const int dimensions[] = {-1, 0, 1, 2, 2, 3, 3, 3, 3, 4};
    int children[31];

    for (int n = 0; n < 10; n++) {
        CHECK_EQ((unsigned)coll_tree_dimension(n), (unsigned)dimensions[n], "cubedim");
    }
    CHECK_EQ((unsigned)coll_tree_dimension(-5), (unsigned)-1, "cubedim of less than nothing");
    CHECK_EQ((unsigned)coll_tree_highest(0, 4), (unsigned)-1, "hibit of 0");
    CHECK_EQ(coll_tree_highest(1, 4), 0, "hibit of 1");
    CHECK_EQ(coll_tree_highest(3, 4), 1, "hibit of 3");
    CHECK_EQ(coll_tree_highest(7, 4), 2, "hibit of 7");
    CHECK_EQ(coll_tree_highest(12, 3), 2, "hibit of 12 below 3");
    CHECK_EQ((unsigned)coll_tree_highest(5, 0), (unsigned)-1, "hibit below nothing");
    CHECK_EQ(coll_tree_children(0, 1, children), 0, "one alone has no children");
    CHECK_EQ(coll_tree_children(0, 0x7fffffff, children), 31, "the largest tree");
    CHECK_EQ(coll_tree_parent(0x40000001), 1, "a far child's parent");
    CHECK_EQ(coll_tree_low_parent(6), 4, "a parent along the lowest bit");
}

int main(void)
{
    TAP_RUN(barriers);
    TAP_RUN(barrier_limits);
    TAP_RUN(bcasts);
    TAP_RUN(reductions);
    TAP_RUN(scans);
    TAP_RUN(allreduces);
    TAP_RUN(trees);
    return tap_done();
}
