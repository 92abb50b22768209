/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Slots: what stands for a pair of context ids in the match bits of the local device, which have less room than an id
 * has bits. Only the processes of one client need to agree on it; no packet shows it.
 */
#ifndef REF_IMPL_MPI_CONTEXTS_SLOT_H
#define REF_IMPL_MPI_CONTEXTS_SLOT_H

#include <stdint.h>

#include "ref-impl/mpi/communicators/comm.h"

/* comm_slot_find - the slot for a new context id of the processes of one group, or two (`remote` may be NULL): no other
 * live communicator of any of them that are in this client has it. Blocks until all of those have called it, unless the
 * id is small. MPI_ERR_OTHER: all slots are in use, or memory is used up. */
int comm_slot_find(uint64_t cid, const struct mpi_group *local, const struct mpi_group *remote, uint32_t *slot);

/* Pairs of slots that processes agree on beside other work (context.h), counted without end.
 * comm_slot_later_from - the first of them from `pair` on that no communicator of this process has, or
 * COMM_SLOT_NO_PAIR.
 * comm_slot_later - the slot of a pair. */
#define COMM_SLOT_NO_PAIR UINT64_MAX
uint64_t comm_slot_later_from(uint64_t pair);
uint32_t comm_slot_later(uint64_t pair);

/* comm_slot_limit - from now on only so many slots from 0 on are good, besides those of MPI_COMM_SELF; 0: all are.
 * comm_slot_close - begins anew. */
void comm_slot_limit(uint32_t contexts);
void comm_slot_close(void);

#endif
