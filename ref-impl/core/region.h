/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Scattered regions (Portals 3.3, PTL_MD_IOVEC): pieces of memory, one behind the other. Networks know of one piece
 * only, so octets that lie in one are sent from it or stored into it directly, and others by way of a bounce buffer.
 * A descriptor of one piece has no such region, and nothing of this is on its way. For the lock of the interface.
 */
#ifndef REF_IMPL_CORE_REGION_H
#define REF_IMPL_CORE_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/status.h"
#include "ref-impl/core/types.h"
#include "ref-impl/short_path.h"

struct region;

/* region_make - makes the region of a descriptor as a program has given it: NULL where it is not scattered. Else the
 * array of pieces is copied, and value->length, which was their number, becomes that of octets. CORE_ILLEGAL: a piece
 * cannot be, or they are more than `most`; CORE_NO_SPACE. The caller frees the region. */
CORE_MUST_USE enum core_status region_make(struct core_md *value, uint32_t most, struct region **made);

/* region_room - stores in *start where `length` octets from `offset` on, all of them in the region, may be written: in
 * place (*bounce is NULL), or in memory that the caller frees (*bounce), for region_write afterwards. NULL for no
 * octets. False: no memory.
 * region_gather - the same for octets that are to be read: *bounce holds them already. */
ASIDE CORE_MUST_USE bool region_room(const struct region *region, uint64_t offset, uint64_t length, void **start,
                                     void **bounce);
ASIDE CORE_MUST_USE bool region_gather(const struct region *region, uint64_t offset, uint64_t length,
                                       const void **start, void **bounce);

/* region_read, region_write - copy octets of the region from `offset` on, to and from one piece of memory. */
ASIDE void region_read(const struct region *region, uint64_t offset, void *to, uint64_t length);
ASIDE void region_write(const struct region *region, uint64_t offset, const void *from, uint64_t length);

#endif
