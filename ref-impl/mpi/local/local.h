/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The local device: messages between the processes of one client, over Portals as chapter 5.3 of the Portals document
 * has it. The network matches them in the match list and moves them from buffer to buffer; state.h draws the lists and
 * says how.
 *
 * `receive`, and `advance` when it posts receives that had to wait, may give the engine's lock away until a message
 * that is just arriving is there.
 */
#ifndef REF_IMPL_MPI_LOCAL_LOCAL_H
#define REF_IMPL_MPI_LOCAL_LOCAL_H

#include "ref-impl/mpi/messages/device.h"

/* local_as_device - the device that reaches the processes of the same client. `open` makes the structures of chapter
 * 5.3; the process is in its Portals job; blocks until all processes of the client can receive. `close` waits for all
 * to come, and takes everything away. */
extern const struct device local_as_device;

#endif
