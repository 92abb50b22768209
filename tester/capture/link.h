/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Link layers: what stands before an IP packet in a capture. A part of segment.c.
 */
#ifndef TESTER_CAPTURE_LINK_H
#define TESTER_CAPTURE_LINK_H

#include "wire/octets/cursor.h"

/* capture_link_take - takes the link layer of that number off the reader, with what stands behind it: tags of VLANs,
 * labels, sessions. The type of what follows (tunnel.h); CAPTURE_TYPE_NONE when the number is not known.
 * capture_link_ethernet - does so with a frame of Ethernet. */
unsigned capture_link_take(unsigned link, struct wire_reader *reader);
unsigned capture_link_ethernet(struct wire_reader *reader);

#endif
