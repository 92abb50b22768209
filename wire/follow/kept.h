/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A segment that is kept with its octets: a part of reassembly.c.
 */
#ifndef WIRE_FOLLOW_KEPT_H
#define WIRE_FOLLOW_KEPT_H

#include "wire/follow/segment.h"

#include <string.h>

struct wire_reassembly_held {
    struct wire_reassembly_held *next;
    struct wire_segment segment; /* whose data are `octets` */
    struct wire_packet packet;
    unsigned char octets[];
};

/* wire_kept_make - a copy; whoever has it gives its memory back. */
static inline struct wire_reassembly_held *
wire_kept_make(const struct wire_memory *memory, const struct wire_segment *segment, const struct wire_packet *packet)
{
    struct wire_reassembly_held *kept = memory->take(memory->context, sizeof *kept + segment->len);

    *kept = (struct wire_reassembly_held){.segment = *segment, .packet = *packet};
    kept->segment.data = kept->octets;
    if (segment->len > 0) {
        memcpy(kept->octets, segment->data, segment->len);
    }
    return kept;
}

#endif
