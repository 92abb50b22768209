/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory that the processes of a communicator share: see slots_memory.h. Rank 0 makes it and offers it to the others
 * (../common/shared_memory.h); who finds nothing says so.
 */
#include "ref-impl/mpi/collectives/slots_memory.h"

#include <sys/mman.h>

#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/common/shared_memory.h"
#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/messages/beside.h"
#include "ref-impl/mpi/messages/p2p.h"
#include "ref-impl/nal/drive.h"

enum {
    LOOKS_BEFORE_ADVANCE = 256, /* at a place, before messages go on, */
    LOOKS_BEFORE_OTHERS = 16,   /* ... and what others may ask of windows, which they wait for */
};

/* ---- sharing ---------------------------------------------------------------------------------------------------- */

static size_t octets_of(const struct mpi_comm *comm)
{
    return sizeof(struct comm_shared) + (size_t)comm->local->count * sizeof(struct slots_slot);
}

bool slots_share(struct mpi_comm *comm, bool willing)
{
    struct shared_memory_offer offer = {0, -1, 0};
    struct comm_slots *slots = &comm->slots;
    const size_t octets = octets_of(comm);
    const struct coll_data data = {&offer, (int)sizeof(offer), type_find(MPI_BYTE)};
    int have, all = 0, code;
    const struct coll_reduction every = {&have, &all, 1, type_find(MPI_INT), op_find(MPI_MIN)};

    if (comm->rank == 0) {
        slots->shared = shared_memory_make("assay-mpi-slots", octets, &offer);
    }
    code = coll_bcast(comm, &data, 0);
    if (comm->rank > 0 && code == MPI_SUCCESS) {
        slots->shared = shared_memory_find(&offer, octets);
    }
    slots->octets = octets;
    have = willing && slots->shared;
    code = coll_allreduce(comm, &every);
    if (comm->rank == 0) {
        shared_memory_withdraw(&offer); /* the descriptor is rank 0's: that number means another file elsewhere */
    }
    if (slots->shared && (code != MPI_SUCCESS || !all)) {
        (void)munmap(slots->shared, octets);
        slots->shared = NULL;
    }
    return slots->shared != NULL;
}

/* ---- waiting ---------------------------------------------------------------------------------------------------- */

/* Looks again and again. */
static bool look(_Atomic uint32_t *place, uint32_t operation)
{
    static struct drive_spin spin;
    bool found;

    if (spin.budget_us == 0) {
        drive_spin_init(&spin, (uint32_t)world_now()->native);
    }
    drive_spin_begin(&spin);
    for (int looks = 1; !(found = slots_reached(place, operation)) && drive_spin_again(&spin); looks++) {
        if (looks % (beside_any() ? LOOKS_BEFORE_OTHERS : LOOKS_BEFORE_ADVANCE) == 0) {
            p2p_progress();
        }
    }
    drive_spin_end(&spin, found);
    return found;
}

static struct p2p_message wake_up(struct mpi_comm *comm, int peer)
{
    return (struct p2p_message){
        .comm = comm, .collective = true, .peer = peer, .tag = COLL_WAKE, .type = type_find(MPI_BYTE)};
}

/* Says for whom it sleeps before it looks for the last time, as slots_tell looks for sleepers after it has written: one
 * of the two sees the other. Whoever takes `sleeps_for` back decides whether there will be a message. */
static int sleep_for(struct mpi_comm *comm, int peer, _Atomic uint32_t *place, uint32_t operation)
{
    struct slots_slot *own = &comm->slots.shared->slot[comm->rank], *other = &comm->slots.shared->slot[peer];
    struct p2p_message message = wake_up(comm, peer);
    int code = MPI_SUCCESS;

    atomic_store(&own->sleeps_for, peer + 1);
    atomic_fetch_add(&other->sleepers, 1);
    if (!slots_reached(place, operation) || atomic_exchange(&own->sleeps_for, 0) == 0) {
        code = p2p_receive(&message, NULL);
    }
    atomic_fetch_sub(&other->sleepers, 1);
    return code;
}

int slots_await(struct mpi_comm *comm, int peer, _Atomic uint32_t *place, uint32_t operation)
{
    int code = MPI_SUCCESS;

    while (code == MPI_SUCCESS && !slots_reached(place, operation) && !look(place, operation)) {
        if (drive_spin_may_sleep()) {
            code = sleep_for(comm, peer, place, operation);
        } else {
            p2p_progress();
        }
    }
    return code;
}

int slots_tell(struct mpi_comm *comm)
{
    struct comm_shared *shared = comm->slots.shared;
    int code = MPI_SUCCESS;

    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&shared->slot[comm->rank].sleepers, memory_order_relaxed) == 0) {
        return MPI_SUCCESS;
    }
    for (int rank = 0; rank < comm->local->count && code == MPI_SUCCESS; rank++) {
        int32_t expected = comm->rank + 1;

        if (atomic_compare_exchange_strong(&shared->slot[rank].sleeps_for, &expected, 0)) {
            struct p2p_message message = wake_up(comm, rank);

            code = p2p_send(&message, P2P_STANDARD);
        }
    }
    return code;
}
