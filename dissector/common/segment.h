/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The TCP segment of a packet as it was captured. Wireshark shows a dissector only octets that it has put together;
 * sequence numbers, acknowledgements and ends are read from the packet itself.
 */
#ifndef DISSECTOR_COMMON_SEGMENT_H
#define DISSECTOR_COMMON_SEGMENT_H

#include "dissector/common/wireshark_compat.h"

#include "wire/follow/segment.h"

#include <epan/packet.h>

/* segment_of - reads the segment of the packet that is being dissected; its octets are those of the packet. False where
 * no TCP header is found. */
bool segment_of(packet_info *pinfo, struct wire_segment *segment);

#endif
