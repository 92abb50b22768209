/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the collective operations have in common, for the files of this folder: messages under the collective context,
 * the heads of the clients, room for what is under way.
 *
 * In the global phase of an operation with a root each client is spoken for by one process, its head: the root for its
 * own client, the master for every other. Heads stand in a circle that begins at the root's: position 0 is the root.
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_PARTS_H
#define REF_IMPL_MPI_COLLECTIVES_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ref-impl/mpi/collectives/coll.h"

/* The tags of messages [IMPI 4.25]. */
enum coll_tag {
    COLL_BARRIER = 110, //= IMPI-238
    COLL_BCAST = 120,
    COLL_GATHER = 130,
    COLL_GATHERV = 140,
    COLL_SCATTER = 150,
    COLL_SCATTERV = 160,
    COLL_ALLTOALL = 170,
    COLL_ALLTOALLV = 180,
    COLL_REDUCE = 190,
    COLL_SCAN = 200,
    COLL_READY = 210, /* this one and those below are for one client alone: no other sees them */
    COLL_PIECE = 220,
    COLL_WAKE = 230,
    COLL_NEIGHBOR = 240, /* between clients too: the document says nothing of topologies */
};

/* coll_send, coll_receive - one message to, or from, a rank of the communicator; they block, at first until it is this
 * operation's turn (nonblocking/operation.h). */
int coll_send(struct mpi_comm *comm, enum coll_tag tag, int peer, const struct coll_data *data);
int coll_receive(struct mpi_comm *comm, enum coll_tag tag, int peer, const struct coll_data *data);

/* coll_trade - sends to one rank and receives from another, in whatever order they go; blocks. */
int coll_trade(struct mpi_comm *comm, enum coll_tag tag, int to, const struct coll_data *out, int from,
               const struct coll_data *in);

/* coll_copy - what a process sends to itself. */
int coll_copy(const struct coll_data *from, const struct coll_data *to);

enum { COLL_FEW_OCTETS = 64 };

/* Memory for elements of a type, in the room itself where they are few, which then stays where it is. `data.buffer` may
 * lie outside `memory`, where the type's octets are not at 0. */
struct coll_room {
    void *memory;
    size_t octets; /* of it, where it is not `few` */
    struct coll_data data;
    _Alignas(max_align_t) unsigned char few[COLL_FEW_OCTETS];
};

/* coll_room_new - room for `count` elements, to be given back with coll_room_free, which does nothing where `memory` is
 * NULL. False: memory is used up. */
bool coll_room_new(struct coll_room *room, int count, struct mpi_type *type);
void coll_room_free(struct coll_room *room);

/* coll_room_close - frees the memory that is kept for the next room. */
void coll_room_close(void);

/* coll_head - the rank of the process that speaks for a client in an operation with this root. */
int coll_head(const struct mpi_comm *comm, int client, int root);

/* coll_position - where this process's client stands in the circle;
 * coll_at - the rank of the head at a position. */
int coll_position(const struct mpi_comm *comm, int root);
int coll_at(const struct mpi_comm *comm, int position, int root);

/* coll_is_local - whether a rank is in the same client as this process. */
bool coll_is_local(const struct mpi_comm *comm, int rank);

/* coll_is_linear - whether the masters are so few that the trees are not used [IMPI 2.3.5]. */
bool coll_is_linear(const struct mpi_comm *comm);

#endif
