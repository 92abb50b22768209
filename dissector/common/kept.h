/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What is kept of the packets of a capture, in arrays: things of one size, in the order of their packets, in the memory
 * of the file. It takes less memory and time than Wireshark's data of a packet do.
 */
#ifndef DISSECTOR_COMMON_KEPT_H
#define DISSECTOR_COMMON_KEPT_H

#include <epan/packet.h>

#include <stddef.h>
#include <stdint.h>

/* struct kept is zero but for `octets`, the size of a thing, and becomes so again with every capture file. A thing
 * begins with a uint32_t, the number of its packet. */
struct kept {
    size_t octets;
    char **chunks;
    uint32_t count, room; /* things, and chunks that there are pointers for */
};

/* kept_add - first pass: a new thing of this packet, zero but for the packet's number. It stays where it is. */
void *kept_add(struct kept *kept, uint32_t packet);

/* kept_at - the thing of that number, from 0, which there is.
 * kept_find - the thing of that number, from 0, among those of a packet; NULL: it has not so many. */
void *kept_at(const struct kept *kept, uint32_t number);
void *kept_find(const struct kept *kept, uint32_t packet, uint32_t number);

#endif
