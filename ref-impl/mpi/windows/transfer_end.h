/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a call of one-sided communication keeps until the last of its messages is done.
 */
#ifndef REF_IMPL_MPI_WINDOWS_TRANSFER_END_H
#define REF_IMPL_MPI_WINDOWS_TRANSFER_END_H

#include <stdbool.h>
#include <stddef.h>

struct mpi_type;
struct request;

struct window_transfer {
    unsigned parts;        /* under way, and one while it is being begun */
    unsigned char *octets; /* packed: in the program's buffer, or in `staging` */
    size_t len;
    void *staging;           /* to be freed, or NULL */
    void *buffer;            /* of a get that must be unpacked: where to; else NULL */
    int count;               /* of elements there */
    struct mpi_type *type;   /* held */
    struct request *request; /* of the program, or NULL */
};

/* transfer_part_begun, transfer_part_done - one of its messages, or the call itself; the last one done unpacks what was
 * got, and frees the transfer. NULL: nothing. */
void transfer_part_begun(struct window_transfer *transfer);
void transfer_part_done(struct window_transfer *transfer);

#endif
