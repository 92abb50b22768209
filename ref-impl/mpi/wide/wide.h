/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The wide-area device: messages between processes of different clients, as IMPI packets (chapter 3 of the IMPI
 * document) over the link to the host agent. wide.c says how it is built. Its thread reads the link and answers by
 * itself, so that acknowledgements and replies need no call of the program.
 */
#ifndef REF_IMPL_MPI_WIDE_WIDE_H
#define REF_IMPL_MPI_WIDE_WIDE_H

#include "ref-impl/mpi/messages/device.h"

/* wide_as_device - the device that reaches the processes of other clients. `close` sends what finalization wants and
 * blocks until the agent is done too (IMPI 2.4, 3.8). */
extern const struct device wide_as_device;

#endif
