/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending in the wide-area device: see send.c. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_WIDE_SEND_H
#define REF_IMPL_MPI_WIDE_SEND_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/mpi/wide/packet.h"

struct request;

/* wide_send - begins to send to a process of another client. */
void wide_send(struct request *request);

/* wide_send_next - the next packet of a message, whose turn it is. Sets *more when it is not the last one for now. */
struct wire_impi_packet wide_send_next(struct request *request, struct wide_packet *packet, bool *more);

/* wide_send_finish - throws away what could not leave in this channel, messages and CANCELs: nobody receives them any
 * more, and they must not follow the FINI. */
void wide_send_finish(int rank);

/* wide_send_settle - finishes a send if nothing of it is still to come. */
void wide_send_settle(struct request *request);

/* wide_send_answered - a SYNCACK has come. */
void wide_send_answered(const struct wire_impi_packet *packet, int rank);

/* wide_send_find - the send to that process with this pk_srqid that is not retired, or NULL. */
struct request *wide_send_find(int rank, uint64_t srqid);

/* wide_send_open - begins anew. */
void wide_send_open(void);

#endif
