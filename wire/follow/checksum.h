/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whether a TCP segment came as it was sent.
 */
#ifndef WIRE_FOLLOW_CHECKSUM_H
#define WIRE_FOLLOW_CHECKSUM_H

#include "wire/follow/segment.h"

/* wire_checksum_of - what the checksum of a segment says, whose header of `header` octets begins at `tcp` and whose
 * data follows it. Unknown where octets were not captured, where the sender's card was yet to compute it, and where the
 * receiver's may have put several segments together under the checksum of the first. Absent where it is 0 and should
 * not be, as in captures that are made by hand, or where a disk lost octets. */
enum wire_checksum wire_checksum_of(const struct wire_segment *segment, const unsigned char *tcp, size_t header);

#endif
