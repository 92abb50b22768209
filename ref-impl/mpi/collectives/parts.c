/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the collective operations have in common: messages, room, heads of clients. On top of p2p.h; chapters 4.2
 * and 4.3 of IMPI.
 */
#include "ref-impl/mpi/collectives/parts.h"

#include <stdint.h>
#include <stdlib.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/messages/p2p.h"

//= PUMA-080
//= PUMA-083
//= PUMA-084
//= PUMA-085
//= PUMA-086
//= PUMA-087
//= PUMA-103
//= PUMA-104
//= PUMA-105
//= PUMA-107
static struct p2p_message message_of(struct mpi_comm *comm, enum coll_tag tag, int peer, const struct coll_data *data)
{
    return (struct p2p_message){
        .comm = comm,
        .collective = true, //= IMPI-186
        .peer = peer,
        .tag = (int)tag,
        .buffer = data->buffer,
        .count = data->count,
        .type = data->type,
    };
}

int coll_send(struct mpi_comm *comm, enum coll_tag tag, int peer, const struct coll_data *data)
{
    struct p2p_message message = message_of(comm, tag, peer, data);

    p2p_await_turn(comm);
    return p2p_send(&message, P2P_STANDARD);
}

int coll_receive(struct mpi_comm *comm, enum coll_tag tag, int peer, const struct coll_data *data)
{
    struct p2p_message message = message_of(comm, tag, peer, data);

    p2p_await_turn(comm);
    return p2p_receive(&message, NULL);
}

int coll_trade(struct mpi_comm *comm, enum coll_tag tag, int to, const struct coll_data *out, int from,
               const struct coll_data *in)
{
    struct p2p_message sent = message_of(comm, tag, to, out);
    struct p2p_message received = message_of(comm, tag, from, in);

    p2p_await_turn(comm);
    return p2p_exchange(&sent, &received, NULL);
}

/* By way of packed octets. */
static int copy_packed(const struct coll_data *from, const struct coll_data *to, size_t octets)
{
    void *packed = octets < PTRDIFF_MAX ? malloc(octets + 1) : NULL;
    int code;

    if (!packed) {
        return MPI_ERR_OTHER;
    }
    code = type_pack(from->type, (size_t)from->count, TYPE_NATIVE, from->buffer, packed, octets);
    if (code == MPI_SUCCESS) {
        code = type_unpack(to->type, (size_t)to->count, TYPE_NATIVE, packed, octets, to->buffer);
    }
    free(packed);
    return code;
}

int coll_copy(const struct coll_data *from, const struct coll_data *to)
{
    size_t octets = type_octets(from->type, (size_t)from->count, TYPE_NATIVE);
    size_t room = type_octets(to->type, (size_t)to->count, TYPE_NATIVE);
    ptrdiff_t at;

    if (type_as_is(from->type, (size_t)from->count, TYPE_NATIVE, &at)) {
        return type_unpack(to->type, (size_t)to->count, TYPE_NATIVE, (const char *)from->buffer + at, octets,
                           to->buffer);
    }
    if (type_as_is(to->type, (size_t)to->count, TYPE_NATIVE, &at)) {
        return type_pack(from->type, (size_t)from->count, TYPE_NATIVE, from->buffer, (char *)to->buffer + at, room);
    }
    return copy_packed(from, to, octets);
}

struct coll_data coll_block(const struct coll_blocks *blocks, int rank)
{
    ptrdiff_t elements = blocks->vector ? blocks->displs[rank] : (ptrdiff_t)blocks->count * rank;
    uintptr_t at = (uintptr_t)blocks->buffer + (uintptr_t)elements * (uintptr_t)type_extent(blocks->type);

    if (blocks->types) {
        at = (uintptr_t)blocks->buffer + (uintptr_t)(ptrdiff_t)blocks->displs[rank];
        return (struct coll_data){(void *)at, blocks->counts[rank], blocks->types[rank]};
    }
    return (struct coll_data){(void *)at, blocks->vector ? blocks->counts[rank] : blocks->count, blocks->type};
}

/* Memory that the last room gave back. An operation that is called again and again would else get pages from the system
 * each time, which takes longer than what it does with them. */
static struct {
    void *memory;
    size_t octets;
} kept;

enum { KEPT_OCTETS_MAX = 16 << 20 };

static void *memory_take(struct coll_room *room, size_t octets)
{
    void *memory = kept.memory;

    room->octets = octets;
    if (octets > kept.octets) {
        return malloc(octets);
    }
    room->octets = kept.octets;
    kept.memory = NULL;
    kept.octets = 0;
    return memory;
}

bool coll_room_new(struct coll_room *room, int count, struct mpi_type *type)
{
    ptrdiff_t from, to, octets;

    room->memory = NULL;
    if (type_range(type, (size_t)count, &from, &to) && !__builtin_sub_overflow(to, from, &octets) &&
        octets < PTRDIFF_MAX) {
        room->memory = octets <= COLL_FEW_OCTETS ? room->few : memory_take(room, (size_t)octets);
    }
    if (room->memory) {
        room->data = (struct coll_data){(void *)((uintptr_t)room->memory - (uintptr_t)from), count, type};
    }
    return room->memory != NULL;
}

void coll_room_free(struct coll_room *room)
{
    if (room->memory == room->few) {
        return;
    }
    if (room->memory && room->octets > kept.octets && room->octets <= KEPT_OCTETS_MAX) {
        free(kept.memory);
        kept.memory = room->memory;
        kept.octets = room->octets;
    } else {
        free(room->memory);
    }
}

void coll_room_close(void)
{
    free(kept.memory);
    kept.memory = NULL;
    kept.octets = 0;
}

int coll_head(const struct mpi_comm *comm, int client, int root)
{
    return comm->masters.number[root] == client ? root : comm->masters.rank[client];
}

int coll_position(const struct mpi_comm *comm, int root)
{
    const struct comm_masters *masters = &comm->masters;

    return (masters->own - masters->number[root] + masters->count) % masters->count;
}

int coll_at(const struct mpi_comm *comm, int position, int root)
{
    const struct comm_masters *masters = &comm->masters;

    return coll_head(comm, (position + masters->number[root]) % masters->count, root);
}

bool coll_is_local(const struct mpi_comm *comm, int rank)
{
    return comm->masters.number[rank] == comm->masters.own;
}

bool coll_is_linear(const struct mpi_comm *comm)
{
    return comm->masters.count <= world_now()->maxlinear; //= IMPI-215
}
