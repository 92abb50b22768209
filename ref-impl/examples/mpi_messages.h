/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages as MPI wants them, over Portals: chapter 5.3 of the specification. Messages have a tag; a receive names the
 * sender and the tag, or leaves either open; messages of one sender that fit the same receive are received in the order
 * in which they were sent, whether they come before or after their receives.
 *
 * Not thread-safe: one thread calls, as in the MPI of that time.
 */
#ifndef REF_IMPL_EXAMPLES_MPI_MESSAGES_H
#define REF_IMPL_EXAMPLES_MPI_MESSAGES_H

#include <portals.h>
#include <stdbool.h>

enum {
    MPI_LONG_LENGTH = 2048,   /* messages of so many octets and more are long */
    MPI_SHORT_BUFFERS = 4096, /* unexpected short messages that one process can keep */
    MPI_EVENTS = 16384,       /* unexpected messages of both kinds that it can know of at a time */
};

#define MPI_ANY_RANK PTL_ID_ANY
#define MPI_ANY_TAG  UINT32_MAX

/* Tags are below 2^24. MPI_ANY_TAG means those below MPI_TAG_NAMED; the others must be named, as if they were another
 * communicator's. */
#define MPI_TAG_NAMED ((uint32_t)1 << 23)

/* A message on its way. The caller keeps it, and the octets that it is about, until it is done. */
struct mpi_request {
    bool done;
    ptl_id_t rank;     /* of a receive: who sent it */
    uint32_t tag;      /* of the message */
    ptl_size_t length; /* of the message, which may be more than the receive had room for */
    bool expected;     /* of a receive: it was posted before the message came */

    /* The rest is for MPI. */
    unsigned awaited; /* events that are still to come */
    ptl_handle_me_t get_entry;
    ptl_handle_md_t descriptor;
    bool is_long;
};

/* mpi_open and mpi_close are called by all processes of the job. */
void mpi_open(void);
void mpi_close(void);

/* mpi_rank, mpi_size - this process in the job, and how many there are. */
ptl_id_t mpi_rank(void);
ptl_id_t mpi_size(void);

/* MPIsend schedules a message for transmission. */
void MPIsend(struct mpi_request *request, void *buf, ptl_size_t len, ptl_id_t to, uint32_t tag);

/* MPIreceive posts a receive. The first `len` octets of the message are kept. */
void MPIreceive(struct mpi_request *request, void *buf, ptl_size_t len, ptl_id_t from, uint32_t tag);

/* MPIwait waits until a request is done. */
void MPIwait(struct mpi_request *request);

/* mpi_dropped is how many messages this process has discarded; more than 0 is a defect. */
ptl_sr_value_t mpi_dropped(void);

#endif
