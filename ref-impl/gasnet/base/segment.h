/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The segment of each node, the remote access region: the memory that puts and gets of others reach. Three descriptors
 * lie over it, which differ in who is told:
 *
 *   RAR     target of puts and gets; nobody is told, the node itself does nothing for them
 *   RARAM   target of the data of long requests; logged where requests are
 *   RARSRC  source of puts and destination of gets when the memory is in the segment; target of data of long replies
 */
#ifndef REF_IMPL_GASNET_BASE_SEGMENT_H
#define REF_IMPL_GASNET_BASE_SEGMENT_H

#include <portals3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ref-impl/gasnet/base/poll.h"

/* segment_attach - makes the segment, with who takes the events of RARAM and of RARSRC, and learns where those of the
 * others are. False without memory. */
bool segment_attach(size_t octets, const struct poll_sink *requests, const struct poll_sink *own);

/* segment_of - stores where a node's segment is.
 * segment_offset - stores where in the segment of `node` these octets are; false when they do not lie in it.
 * segment_source - the descriptor RARSRC. */
void segment_of(uint32_t node, void **start, uint64_t *octets);
bool segment_offset(uint32_t node, const void *memory, uint64_t octets, uint64_t *offset);
ptl_handle_md_t segment_source(void);

#endif
