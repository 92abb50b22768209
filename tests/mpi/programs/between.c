/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations of intercommunicators: processes of odd rank against the others, every operation with a root at
 * each process of either group in turn, with one element and with many; and intercommunicators that are parts of one.
 * Prints what each process got.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 20000, SHOWN = 16 };

static MPI_Comm inter;
static int me, all, mine, local, remote, odd;
static int shown[SHOWN], next;

static int sum_of(const int *values, int count)
{
    unsigned sum = 0;

    for (int i = 0; i < count; i++) {
        sum = sum * 31 + (unsigned)values[i];
    }
    return (int)(sum % 1000003);
}

static void note(const int *values, int count)
{
    shown[next % SHOWN] = (shown[next % SHOWN] * 7 + sum_of(values, count)) % 1000003;
    next++;
}

/* What a process says of the root: itself, another of its own group, or its rank in the other group. */
static int root_of(int owner, int rank)
{
    return owner != odd ? rank : rank == mine ? MPI_ROOT : MPI_PROC_NULL;
}

/* What the lowest rank gives: order matters, grouping does not. */
static void first(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    memcpy(inout, in, sizeof(int) * (size_t)*count);
}

static void rooted(int *out, int *in, int count, MPI_Op op)
{
    for (int turn = 0; turn < all; turn++) {
        int owner = turn % 2, root = root_of(owner, turn / 2);

        memset(in, 0, sizeof(int) * (size_t)(count * all));
        memcpy(in, out, root == MPI_ROOT ? sizeof(int) * (size_t)count : 0);
        MPI_Bcast(in, count, MPI_INT, root, inter);
        note(in, count);
        memset(in, 0, sizeof(int) * (size_t)(count * all));
        MPI_Gather(out, count, MPI_INT, in, count, MPI_INT, root, inter);
        note(in, count * remote);
        memset(in, 0, sizeof(int) * (size_t)(count * all));
        MPI_Scatter(out, count, MPI_INT, in, count, MPI_INT, root, inter);
        note(in, count);
        memset(in, 0, sizeof(int) * (size_t)(count * all));
        MPI_Reduce(out, in, count, MPI_INT, op, root, inter);
        note(in, count);
    }
}

static void unrooted(int *out, int *in, int count, MPI_Op op)
{
    int *counts = calloc((size_t)all, sizeof(int)), *places = calloc((size_t)all, sizeof(int)), share = all * count;

    MPI_Barrier(inter);
    memset(in, 0, sizeof(int) * (size_t)(count * all));
    MPI_Allgather(out, count, MPI_INT, in, count, MPI_INT, inter);
    note(in, count * remote);
    memset(in, 0, sizeof(int) * (size_t)(count * all));
    MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, inter);
    note(in, count * remote);
    for (int i = 0; i < remote; i++) {
        counts[i] = count - (count > 1 ? (mine + i) % 3 : 0);
        places[i] = i * count;
    }
    memset(in, 0, sizeof(int) * (size_t)(count * all));
    MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, inter);
    note(in, count * remote);
    memset(in, 0, sizeof(int) * (size_t)(count * all));
    MPI_Allreduce(out, in, count, MPI_INT, op, inter);
    note(in, count);
    for (int i = 0; i < local; i++) {
        counts[i] = share / local + (i < share % local);
    }
    memset(in, 0, sizeof(int) * (size_t)(count * all));
    MPI_Reduce_scatter(out, in, counts, MPI_INT, op, inter);
    note(in, counts[mine]);
    free(counts);
    free(places);
}

static void later(int *out, int *in)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];

    memset(in, 0, sizeof(int) * 2 * (size_t)all);
    MPI_Iallgather(out, 1, MPI_INT, in, 1, MPI_INT, inter, &requests[0]);
    MPI_Ibarrier(inter, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    note(in, remote);
}

/* What there is in a part: none where only one group has processes in it. */
static void look(MPI_Comm part)
{
    int seen[4] = {-1, -1, -1, -1};

    if (part != MPI_COMM_NULL) {
        MPI_Comm_rank(part, &seen[0]);
        MPI_Comm_size(part, &seen[1]);
        MPI_Comm_remote_size(part, &seen[2]);
        MPI_Allreduce(&me, &seen[3], 1, MPI_INT, MPI_SUM, part);
        MPI_Barrier(part);
        MPI_Comm_free(&part);
    }
    note(seen, 4);
}

static void parts(void)
{
    int evens[SHOWN], count = 0;
    MPI_Comm part;
    MPI_Group group, some;

    MPI_Comm_split(inter, mine % 2, -mine, &part);
    look(part);
    for (int i = local - 1; i >= 0; i--) {
        if (i % 2 == 0) {
            evens[count++] = i;
        }
    }
    MPI_Comm_group(inter, &group);
    MPI_Group_incl(group, count, evens, &some);
    MPI_Comm_create(inter, some, &part);
    look(part);
    MPI_Group_free(&some);
    MPI_Group_free(&group);
}

int main(int argc, char **argv)
{
    MPI_Comm half;
    MPI_Op op;
    int *out, *in, *every, scan;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    odd = me % 2;
    MPI_Comm_split(MPI_COMM_WORLD, odd, me, &half);
    MPI_Comm_rank(half, &mine);
    MPI_Comm_size(half, &local);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - odd, 4, &inter);
    MPI_Comm_remote_size(inter, &remote);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    MPI_Op_create(first, 0, &op);
    out = malloc(sizeof(int) * MANY * (size_t)all);
    in = malloc(sizeof(int) * MANY * (size_t)all);
    every = malloc(sizeof(shown) * (size_t)all);
    for (int i = 0; i < MANY * all; i++) {
        out[i] = (me * 1009 + i * 17) % 5003;
    }
    for (int round = 0; round < 2; round++) {
        rooted(out, in, round ? MANY : 1, MPI_SUM);
        unrooted(out, in, round ? MANY : 1, MPI_MAX);
    }
    rooted(out, in, 3, op);
    unrooted(out, in, 3, op);
    later(out, in);
    parts();
    scan = MPI_Scan(out, in, 1, MPI_INT, MPI_SUM, inter) != MPI_SUCCESS;
    MPI_Gather(shown, SHOWN, MPI_INT, every, SHOWN, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; me == 0 && i < all * SHOWN; i++) {
        printf("%d%c", every[i], i % SHOWN == SHOWN - 1 ? '\n' : ' ');
    }
    if (me == 0) {
        printf("a scan is %s\n", scan ? "refused" : "done");
    }
    free(out);
    free(in);
    free(every);
    MPI_Op_free(&op);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
