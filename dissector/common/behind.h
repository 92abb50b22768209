/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What is looked at when all of a packet has been dissected.
 */
#ifndef DISSECTOR_COMMON_BEHIND_H
#define DISSECTOR_COMMON_BEHIND_H

#include "dissector/common/wireshark_compat.h"

#include <epan/packet.h>

/* behind_register - has `dissect` called behind the dissectors of every packet, while the protocol `proto` is enabled.
 * Once for each protocol, at start-up. */
void behind_register(int proto, dissector_t dissect);

/* behind_turn - a number that is another one in each dissection of a packet. */
uint32_t behind_turn(void);

#endif
