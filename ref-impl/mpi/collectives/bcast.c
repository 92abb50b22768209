/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * MPI_Bcast: from the root to the heads of the other clients, then from each head to the rest of its client.
 * Chapter 4.11 of IMPI, reconstructed: linear up to the limit of 2.3.5, else along a tree.
 */
#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/collectives/tree.h"
#include "ref-impl/mpi/collectives/within.h"

enum { TREE_CHILDREN_MAX = 31 };

/* The root sends to the head of each other client, in the order of their masters. */
static int linear(struct mpi_comm *comm, const struct coll_data *data, int root)
{
    int code = MPI_SUCCESS;

    if (comm->rank != root) {
        return coll_receive(comm, COLL_BCAST, root, data); //= IMPI-219
    }
    for (int client = 0; client < comm->masters.count && code == MPI_SUCCESS; client++) {
        if (client != comm->masters.own) {
            code = coll_send(comm, COLL_BCAST, comm->masters.rank[client], data);
        }
    }
    return code;
}

static int tree(struct mpi_comm *comm, const struct coll_data *data, int root)
{
    int position = coll_position(comm, root);
    int children[TREE_CHILDREN_MAX];
    int count = coll_tree_children(position, comm->masters.count, children);
    int code = MPI_SUCCESS;

    if (position > 0) {
        code = coll_receive(comm, COLL_BCAST, coll_at(comm, coll_tree_parent(position), root), data); //= IMPI-221
    }
    for (int i = 0; i < count && code == MPI_SUCCESS; i++) {
        code = coll_send(comm, COLL_BCAST, coll_at(comm, children[i], root), data); //= IMPI-220
    }
    return code;
}

int coll_bcast(struct mpi_comm *comm, const struct coll_data *data, int root)
{
    int head = coll_head(comm, comm->masters.own, root);
    int code = MPI_SUCCESS;

    if (within_one(comm)) {
        return within_bcast(comm, data, root);
    }
    if (comm->rank != head) {
        return coll_receive(comm, COLL_BCAST, head, data); //= IMPI-218
    }
    if (comm->masters.count > 1) { //= IMPI-182
        code = coll_is_linear(comm) ? linear(comm, data, root) : tree(comm, data, root);
    }
    for (int rank = 0; rank < comm->local->count && code == MPI_SUCCESS; rank++) { //= IMPI-222
        if (rank != head && coll_is_local(comm, rank)) {
            code = coll_send(comm, COLL_BCAST, rank, data);
        }
    }
    return code;
}
