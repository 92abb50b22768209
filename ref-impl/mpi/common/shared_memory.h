/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory that processes of one machine share: one makes it, without a name, and offers it to the others, who open it
 * where the system shows the files of that process. So nothing stays behind, however the processes end; and who is on
 * another machine, or may not look there, finds something else or nothing.
 */
#ifndef REF_IMPL_MPI_COMMON_SHARED_MEMORY_H
#define REF_IMPL_MPI_COMMON_SHARED_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Where the memory is, as it may be told to other processes. */
struct shared_memory_offer {
    long process;
    int file; /* -1: there is none */
    uint64_t secret;
};

/* shared_memory_make - memory of so many octets, all zero but for its begin, where the offer's secret stands as a
 * uint64_t; it is set aside at once. NULL: there is none. Each process gives its own back with munmap.
 * shared_memory_withdraw - nobody can find it any more; those who have keep it.
 * shared_memory_find - the memory of another process's offer. NULL: it cannot be reached. */
void *shared_memory_make(const char *name, size_t octets, struct shared_memory_offer *offer);
void shared_memory_withdraw(struct shared_memory_offer *offer);
void *shared_memory_find(const struct shared_memory_offer *offer, size_t octets);

#endif
