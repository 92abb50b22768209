/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The memory behind slots.h: how it is laid out, how processes come to share it, how they wait in it.
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_SLOTS_MEMORY_H
#define REF_IMPL_MPI_COLLECTIVES_SLOTS_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/mpi/communicators/comm.h"

enum {
    SLOTS_LINE = 128, /* octets that processors fetch together: two lines of the cache */
    SLOTS_CELLS = 8,
    SLOTS_OCTETS = 1008, /* that one process contributes, at most: a cell has 1,024 octets */
};

/* What a process contributes to one operation. */
struct slots_cell {
    _Alignas(SLOTS_LINE) _Atomic uint32_t operation; /* whose it is; written last */
    uint32_t length;
    _Alignas(16) unsigned char octets[SLOTS_OCTETS];
};

/* What a process writes, but for `sleepers` and, to take it back, `sleeps_for`. */
struct slots_slot {
    _Alignas(SLOTS_LINE) _Atomic uint32_t through;   /* with all operations up to this one */
    _Alignas(SLOTS_LINE) _Atomic uint32_t sleepers;  /* who sleep until this process writes: so many */
    _Alignas(SLOTS_LINE) _Atomic int32_t sleeps_for; /* the rank + 1 that is to wake this process; 0: it is awake */
    struct slots_cell cell[SLOTS_CELLS];
};

struct comm_shared {
    uint64_t secret; /* common/shared_memory.h */
    struct slots_slot slot[];
};

/* slots_share - has all processes of the communicator share memory; false, at all of them, where one cannot, or is not
 * willing. Blocks. */
bool slots_share(struct mpi_comm *comm, bool willing);

/* slots_reached - whether `*place` is `operation` or later: what was written before it can be read.
 * slots_await - blocks until it is, in the slot of `peer`. An error class.
 * slots_tell - wakes who sleep for this process, which has written to its slot before. An error class. */
static inline bool slots_reached(_Atomic uint32_t *place, uint32_t operation)
{
    return (int32_t)(atomic_load_explicit(place, memory_order_acquire) - operation) >= 0;
}
int slots_await(struct mpi_comm *comm, int peer, _Atomic uint32_t *place, uint32_t operation);
int slots_tell(struct mpi_comm *comm);

#endif
