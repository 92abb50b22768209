/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory that the processes of a communicator share: see slots_memory.h. Rank 0 makes it, without a name, and offers it
 * to the others, who open it where the system shows the files of rank 0's process. So nothing stays behind, however the
 * processes end; and who is on another node, or may not look there, finds something else or nothing, and says so.
 */
#include "ref-impl/mpi/collectives/slots_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/messages/p2p.h"
#include "ref-impl/nal/drive.h"

enum { LOOKS_BEFORE_ADVANCE = 256 }; /* at a place, before messages go on */

/* Where the memory is. */
struct offer {
    long process;
    int file; /* -1: there is none */
    uint64_t secret;
};

/* ---- sharing ---------------------------------------------------------------------------------------------------- */

static size_t octets_of(const struct mpi_comm *comm)
{
    return sizeof(struct comm_shared) + (size_t)comm->local->count * sizeof(struct slots_slot);
}

/* Maps the file, if it is as long as it has to be. */
static bool map(struct mpi_comm *comm, int file)
{
    struct comm_slots *slots = &comm->slots;
    struct stat status;
    void *memory;

    if (file < 0 || fstat(file, &status) != 0 || (size_t)status.st_size != octets_of(comm)) {
        return false;
    }
    memory = mmap(NULL, octets_of(comm), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    slots->shared = memory;
    slots->octets = octets_of(comm);
    return true;
}

static void unmap(struct comm_slots *slots)
{
    if (slots->shared) {
        (void)munmap(slots->shared, slots->octets);
        slots->shared = NULL;
    }
}

/* Its memory is set aside at once: a later write could only die of it. */
static void make(struct mpi_comm *comm, struct offer *offer)
{
    *offer = (struct offer){(long)getpid(), memfd_create("assay-mpi-slots", MFD_CLOEXEC), 0};
    if (offer->file >= 0 && getrandom(&offer->secret, sizeof(offer->secret), 0) == (ssize_t)sizeof(offer->secret) &&
        posix_fallocate(offer->file, 0, (off_t)octets_of(comm)) == 0 && map(comm, offer->file)) {
        comm->slots.shared->secret = offer->secret;
    }
}

static void find(struct mpi_comm *comm, const struct offer *offer)
{
    char path[64];
    int file;

    (void)snprintf(path, sizeof(path), "/proc/%ld/fd/%d", offer->process, offer->file);
    file = open(path, O_RDWR | O_CLOEXEC);
    if (map(comm, file) && comm->slots.shared->secret != offer->secret) {
        unmap(&comm->slots);
    }
    if (file >= 0) {
        (void)close(file);
    }
}

bool slots_share(struct mpi_comm *comm, bool willing)
{
    struct offer offer = {0, -1, 0};
    const struct coll_data data = {&offer, (int)sizeof(offer), type_find(MPI_BYTE)};
    int have, all = 0, code;
    const struct coll_reduction every = {&have, &all, 1, type_find(MPI_INT), op_find(MPI_MIN)};

    if (comm->rank == 0) {
        make(comm, &offer);
    }
    code = coll_bcast(comm, &data, 0);
    if (comm->rank > 0 && code == MPI_SUCCESS) {
        find(comm, &offer);
    }
    have = willing && comm->slots.shared;
    code = coll_allreduce(comm, &every);
    if (comm->rank == 0 && offer.file >= 0) {
        (void)close(offer.file);
    }
    if (code != MPI_SUCCESS || !all) {
        unmap(&comm->slots);
    }
    return comm->slots.shared != NULL;
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
        if (looks % LOOKS_BEFORE_ADVANCE == 0) {
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
