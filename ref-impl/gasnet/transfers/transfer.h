/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Puts and gets: one message of Portals each, or several where the octets are many. The memory on this side is
 * described in one of three ways, as the document has it:
 *
 *   in the segment          RARSRC, from the offset in it
 *   elsewhere, and small    a chunk of the request store, a bounce buffer
 *   elsewhere, and large    a temporary descriptor over it, which goes when the message has ended
 */
#ifndef REF_IMPL_GASNET_TRANSFERS_TRANSFER_H
#define REF_IMPL_GASNET_TRANSFERS_TRANSFER_H

#include <portals3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ref-impl/gasnet/base/bits.h"
#include "ref-impl/gasnet/base/poll.h"
#include "ref-impl/gasnet/transfers/ops.h"

/* When the memory of a put may be used again: when the operation has ended, when the operation says that all is sent,
 * or when the call returns, for it is copied. */
enum transfer_memory { MEMORY_KEPT, MEMORY_TOLD, MEMORY_COPIED };

/* transfer_open - makes the descriptor over the request store; `messages` takes the events of messages there.
 * transfer_store - that descriptor.
 * transfer_sink - who takes the events of RARSRC: it hands those of data that come to `data`. */
void transfer_open(const struct poll_sink *messages);
ptl_handle_md_t transfer_store(void);
const struct poll_sink *transfer_sink(const struct poll_sink *data);

/* transfer_put, transfer_get - add a put or get to an operation; wait where tickets or chunks are lacking. Octets that
 * do not lie in the node's segment end the process. A copied put is of at most CHUNK_OCTETS. */
void transfer_put(struct gasnet_op *op, uint32_t node, void *destination, const void *source, size_t octets,
                  enum transfer_memory memory);
void transfer_get(struct gasnet_op *op, void *destination, uint32_t node, const void *source, size_t octets);

/* transfer_data - sends the data of a long request to `offset` in the node's segment, as kind KIND_DATA with that
 * number; counts as unsent of the operation unless that is NULL. The caller has taken the message's ticket, and, where
 * transfer_needs_temporary says so, one for a temporary descriptor. */
struct transfer_data {
    uint32_t node;
    uint64_t offset;
    void *source;
    size_t octets;
    uint64_t number;
};
bool transfer_needs_temporary(const void *source, size_t octets);
void transfer_data(struct gasnet_op *op, const struct transfer_data *data);

#endif
