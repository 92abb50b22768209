/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Communicators made from communicators: duplicates, splits, groups, two groups that talk to each other and then merge.
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

/* Prints, in the order of world ranks, what each rank has to say. */
static void say(const char *what, int a, int b, int c)
{
    int mine[3] = {a, b, c}, all[3 * 64];

    MPI_Gather(mine, 3, MPI_INT, all, 3, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s:", what);
        for (int i = 0; i < size; i++) {
            printf(" (%d %d %d)", all[3 * i], all[3 * i + 1], all[3 * i + 2]);
        }
        printf("\n");
    }
}

static void describe(const char *what, MPI_Comm comm)
{
    int at = -1, of = -1, sum = -1;

    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &at);
        MPI_Comm_size(comm, &of);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    }
    say(what, at, of, sum);
}

static int compare(MPI_Comm one, MPI_Comm other)
{
    int result;

    MPI_Comm_compare(one, other, &result);
    return result == MPI_IDENT ? 0 : result == MPI_CONGRUENT ? 1 : result == MPI_SIMILAR ? 2 : 3;
}

static void splits(void)
{
    MPI_Comm dup, parity, reversed, part;

    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    describe("dup", dup);
    MPI_Comm_split(dup, rank % 2, -rank, &parity);
    describe("by parity, backwards", parity);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
    describe("backwards", reversed);
    MPI_Comm_split(parity, rank < 2 ? MPI_UNDEFINED : 5, 0, &part);
    describe("some", part);
    say("compared", compare(dup, MPI_COMM_WORLD), compare(reversed, dup), compare(dup, dup));
    MPI_Comm_free(&dup);
    MPI_Comm_free(&parity);
    MPI_Comm_free(&reversed);
    if (part != MPI_COMM_NULL) {
        MPI_Comm_free(&part);
    }
}

static void groups(void)
{
    MPI_Group world, evens, rest, all, common;
    int ranges[1][3] = {{0, 0, 2}}, zero = 0, translated[2], result;
    MPI_Comm comm;

    ranges[0][1] = size - 1;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, ranges, &evens);
    MPI_Group_difference(world, evens, &rest);
    MPI_Group_union(rest, evens, &all);
    MPI_Group_intersection(all, evens, &common);
    MPI_Group_rank(rest, &result);
    say("rank among the odd", result == MPI_UNDEFINED ? -1 : result, 0, 0);
    MPI_Group_translate_ranks(evens, 1, &zero, all, translated);
    MPI_Group_translate_ranks(all, 1, &zero, evens, translated + 1);
    say("translated", translated[0], translated[1] == MPI_UNDEFINED, 0);
    MPI_Group_translate_ranks(evens, 2, (int[]){MPI_PROC_NULL, 0}, all, translated);
    say("nobody translated", translated[0] == MPI_PROC_NULL, translated[1], 0);
    MPI_Group_compare(all, world, &result);
    say("compared", result == MPI_SIMILAR, result == MPI_IDENT, 0);
    MPI_Comm_create(MPI_COMM_WORLD, common, &comm);
    describe("created", comm);
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&world);
    MPI_Group_free(&evens);
    MPI_Group_free(&rest);
    MPI_Group_free(&all);
    MPI_Group_free(&common);
}

/* The two halves of the world. */
static void halves(void)
{
    int upper = rank >= size / 2, remote = -1, inter = -1, message = rank, got = -1, partner, local;
    MPI_Comm half, both, again, merged;
    MPI_Status status;

    MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 17, &both);
    MPI_Comm_remote_size(both, &remote);
    MPI_Comm_test_inter(both, &inter);
    MPI_Comm_rank(both, &local);
    MPI_Comm_dup(both, &again);
    partner = local < remote ? local : MPI_PROC_NULL;
    MPI_Sendrecv(&message, 1, MPI_INT, partner, 5, &got, 1, MPI_INT, partner, 5, again, &status);
    say("across", remote, inter, got);
    MPI_Intercomm_merge(both, !upper, &merged);
    describe("merged, the upper half first", merged);
    MPI_Comm_free(&merged);
    MPI_Intercomm_merge(again, 0, &merged);
    describe("merged in order", merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&again);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    splits();
    groups();
    if (size > 1) {
        halves();
    }
    MPI_Finalize();
    return 0;
}
