/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The minimum spanning tree within a client: see collectives/within_tree.h. In the tree along the lowest bit the
 * processes below a position are those that follow it, so that their blocks are one row of octets and their operands
 * stand in order.
 */
#include "ref-impl/mpi/collectives/within_tree.h"

#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/collectives/tree.h"

enum { CHILDREN_MAX = 31 };

static int position_of(const struct mpi_comm *comm, int root)
{
    return (comm->rank - root + comm->local->count) % comm->local->count;
}

static int rank_at(const struct mpi_comm *comm, int position, int root)
{
    return (position + root) % comm->local->count;
}

/* So many processes are in the subtree of a position: it, and those behind it. */
static int below(int position, int count)
{
    int width = position ? position & -position : count;

    return position + width < count ? width : count - position;
}

//= PUMA-082
int within_tree_bcast(struct mpi_comm *comm, const struct coll_data *data, int root)
{
    int position = position_of(comm, root);
    int children[CHILDREN_MAX];
    int count = coll_tree_low_children(position, comm->local->count, children);
    int code = MPI_SUCCESS;

    if (position > 0) {
        code = coll_receive(comm, COLL_BCAST, rank_at(comm, coll_tree_low_parent(position), root), data);
    }
    for (int i = count - 1; i >= 0 && code == MPI_SUCCESS; i--) { /* the largest subtree first */
        code = coll_send(comm, COLL_BCAST, rank_at(comm, children[i], root), data);
    }
    return code;
}

/* The row of blocks of a subtree. */
static struct coll_data row(unsigned char *all, size_t block, int position, int count)
{
    return (struct coll_data){all + (size_t)position * block, (int)(block * (size_t)below(position, count)),
                              type_find(MPI_BYTE)};
}

//= PUMA-089
int within_tree_gather(struct mpi_comm *comm, unsigned char *all, size_t block, int root)
{
    int position = position_of(comm, root), size = comm->local->count;
    int children[CHILDREN_MAX];
    int count = coll_tree_low_children(position, size, children);
    int code = MPI_SUCCESS;

    for (int i = 0; i < count && code == MPI_SUCCESS; i++) {
        struct coll_data theirs = row(all, block, children[i], size);

        code = coll_receive(comm, COLL_GATHER, rank_at(comm, children[i], root), &theirs);
    }
    if (position > 0 && code == MPI_SUCCESS) {
        struct coll_data ours = row(all, block, position, size);

        code = coll_send(comm, COLL_GATHER, rank_at(comm, coll_tree_low_parent(position), root), &ours);
    }
    return code;
}

int within_tree_scatter(struct mpi_comm *comm, unsigned char *all, size_t block, int root)
{
    int position = position_of(comm, root), size = comm->local->count;
    int children[CHILDREN_MAX];
    int count = coll_tree_low_children(position, size, children);
    int code = MPI_SUCCESS;

    if (position > 0) {
        struct coll_data ours = row(all, block, position, size);

        code = coll_receive(comm, COLL_SCATTER, rank_at(comm, coll_tree_low_parent(position), root), &ours);
    }
    for (int i = count - 1; i >= 0 && code == MPI_SUCCESS; i--) {
        struct coll_data theirs = row(all, block, children[i], size);

        code = coll_send(comm, COLL_SCATTER, rank_at(comm, children[i], root), &theirs);
    }
    return code;
}

int within_tree_reduce(struct mpi_comm *comm, const struct coll_data *so_far, const struct coll_data *room,
                       const struct mpi_op *op)
{
    int children[CHILDREN_MAX];
    int count = coll_tree_low_children(comm->rank, comm->local->count, children);
    int code = MPI_SUCCESS;

    for (int i = 0; i < count && code == MPI_SUCCESS; i++) {
        code = coll_receive(comm, COLL_REDUCE, children[i], room);
        if (code == MPI_SUCCESS) {
            /* so_far op room: the operation leaves its result in the second one */
            op_apply(op, so_far->type, so_far->count, so_far->buffer, room->buffer);
            type_copy(so_far->type, (size_t)so_far->count, room->buffer, so_far->buffer);
        }
    }
    if (comm->rank > 0 && code == MPI_SUCCESS) {
        code = coll_send(comm, COLL_REDUCE, coll_tree_low_parent(comm->rank), so_far);
    }
    return code;
}
