/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What a message breaks, in the packet list: a reader of the list sees it without opening the packet.
 */
#ifndef DISSECTOR_COMMON_MARK_H
#define DISSECTOR_COMMON_MARK_H

#include "dissector/common/wireshark_compat.h"

#include <epan/packet.h>

/* mark_broken - appends " [P30-302]" to the information column, behind the message that was told last; once for
 * requirements that are broken several times in a row. */
void mark_broken(packet_info *pinfo, const char *requirement);

#endif
