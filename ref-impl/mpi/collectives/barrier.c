/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * MPI_Barrier: chapter 4.10 of IMPI. Empty messages, from the processes of a client to its master, among the masters,
 * and back.
 *
 *      locals:   send to the master                                wait for it
 *      masters:  wait for all locals    global phase, see below    send to all locals
 *
 * The global phase, where there are several masters: up to the limit of 2.3.5 all send to master 0 and wait for its
 * answer; above it they do so along a tree (collectives/tree.h).
 */
#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/collectives/tree.h"
#include "ref-impl/mpi/collectives/within.h"

enum { TREE_CHILDREN_MAX = 31 };

static struct coll_data nothing(void)
{
    return (struct coll_data){NULL, 0, type_find(MPI_BYTE)};
}

static int tell(struct mpi_comm *comm, int rank)
{
    const struct coll_data data = nothing();

    return coll_send(comm, COLL_BARRIER, rank, &data); //= IMPI-209
}

static int await(struct mpi_comm *comm, int rank)
{
    const struct coll_data data = nothing();

    return coll_receive(comm, COLL_BARRIER, rank, &data);
}

/* What is done with a rank: one of the two above. */
typedef int step(struct mpi_comm *comm, int rank);

static int each_local(struct mpi_comm *comm, step *what)
{
    int code = MPI_SUCCESS;

    for (int rank = 0; rank < comm->local->count && code == MPI_SUCCESS; rank++) {
        if (rank != comm->rank && coll_is_local(comm, rank)) {
            code = what(comm, rank);
        }
    }
    return code;
}

static int each_other_master(struct mpi_comm *comm, step *what)
{
    int code = MPI_SUCCESS;

    for (int number = 1; number < comm->masters.count && code == MPI_SUCCESS; number++) {
        code = what(comm, comm->masters.rank[number]);
    }
    return code;
}

static int linear(struct mpi_comm *comm)
{
    int first = comm->masters.rank[0];
    int code;

    if (comm->masters.own > 0) {
        code = tell(comm, first); //= IMPI-212
        return code == MPI_SUCCESS ? await(comm, first) : code;
    }
    code = each_other_master(comm, await); //= IMPI-213
    return code == MPI_SUCCESS ? each_other_master(comm, tell) : code;
}

static int tree(struct mpi_comm *comm)
{
    const struct comm_masters *masters = &comm->masters;
    int children[TREE_CHILDREN_MAX];
    int count = coll_tree_children(masters->own, masters->count, children);
    int code = MPI_SUCCESS;

    for (int i = count - 1; i >= 0 && code == MPI_SUCCESS; i--) {
        code = await(comm, masters->rank[children[i]]); //= IMPI-216
    }
    if (masters->own > 0) {
        int parent = masters->rank[coll_tree_parent(masters->own)];

        code = code == MPI_SUCCESS ? tell(comm, parent) : code;
        code = code == MPI_SUCCESS ? await(comm, parent) : code;
    }
    for (int i = 0; i < count && code == MPI_SUCCESS; i++) {
        code = tell(comm, masters->rank[children[i]]); //= IMPI-217
    }
    return code;
}

int coll_barrier(struct mpi_comm *comm)
{
    int master = comm->masters.rank[comm->masters.own];
    int code;

    if (within_one(comm)) {
        return within_barrier(comm);
    }
    if (comm->rank != master) {
        code = tell(comm, master);
        return code == MPI_SUCCESS ? await(comm, master) : code; //= IMPI-211
    }
    code = each_local(comm, await); //= IMPI-210
    if (code == MPI_SUCCESS && comm->masters.count > 1) {
        code = coll_is_linear(comm) ? linear(comm) : tree(comm); //= IMPI-214
    }
    return code == MPI_SUCCESS ? each_local(comm, tell) : code;
}
