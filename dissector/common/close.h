/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * How one direction of a TCP connection ends. Wireshark shows a dissector only octets, and a FIN or a reset has none;
 * so each protocol of this plugin also looks at its packets after they have been dissected, and asks here.
 */
#ifndef DISSECTOR_COMMON_CLOSE_H
#define DISSECTOR_COMMON_CLOSE_H

#include "dissector/common/way.h"

/* What a packet says about the end of the direction in which it travels. */
struct close_sign {
    bool fin, reset;
    bool gap; /* octets before the end are missing from what has been seen */
};

/* close_sign_of - reads the TCP header of the packet `tvb`, whole as it was captured. `way` is where the direction
 * stands behind this packet. No sign where no TCP header is found. */
struct close_sign close_sign_of(tvbuff_t *tvb, packet_info *pinfo, const struct way *way);

#endif
