/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which Bcast or Reduce a message belongs to (a part of wire/impi/check_collective.h). Nobody else includes this.
 *
 * Messages of several operations are under way at once, and arrive over several channels. Each client is reached once
 * by a Bcast and sends once for a Reduce, so a message belongs to the oldest operation in which its place is free and
 * with whose possible roots its edge agrees; each message leaves fewer roots possible.
 */
#ifndef WIRE_IMPI_CHECK_OPERATION_H
#define WIRE_IMPI_CHECK_OPERATION_H

#include "wire/impi/check_collective_state.h"

/* A message between clients. */
struct wire_impi_edge {
    int64_t src, dest; /* world ranks */
    uint32_t from, to; /* masters of their clients */
    uint64_t mark;
};

/* wire_impi_operation_take - the operation that the message is of, one that begins when none fits. */
struct wire_impi_operation *wire_impi_operation_take(struct wire_impi_collectives *all, int32_t tag,
                                                     const struct wire_impi_edge *edge);

/* wire_impi_operation_fits_any - whether any operation with that tag can have the message, in a form that the job's
 * number of masters allows. */
bool wire_impi_operation_fits_any(const struct wire_impi_collectives *all, int32_t tag,
                                  const struct wire_impi_edge *edge);

/* wire_impi_operation_root - the world rank of the root, or -1 while several are possible. */
int64_t wire_impi_operation_root(const struct wire_impi_collectives *all, const struct wire_impi_operation *operation);

/* wire_impi_operation_is_whole - whether all messages of the operation have been seen. */
bool wire_impi_operation_is_whole(const struct wire_impi_collectives *all, const struct wire_impi_operation *operation);

#endif
