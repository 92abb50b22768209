/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cancelling in the wide-area device, on both sides: see cancel.c. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_WIDE_CANCEL_H
#define REF_IMPL_MPI_WIDE_CANCEL_H

#include "wire/impi/packet.h"

struct request;

/* wide_cancel_send - tries to undo a send, also one that is done and not retired: then it is active again until the
 * receiver has answered. */
void wide_cancel_send(struct request *request);

/* wide_cancel_asked - a CANCEL has come.
 * wide_cancel_answered - a reply to ours has. */
void wide_cancel_asked(const struct wire_impi_packet *packet, int rank);
void wide_cancel_answered(const struct wire_impi_packet *packet, int rank);

#endif
