/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What travels inside messages: other dissectors get it by a number of the message, whether they have registered for
 * that or a user has chosen them by "Decode As".
 */
#ifndef DISSECTOR_COMMON_PAYLOAD_H
#define DISSECTOR_COMMON_PAYLOAD_H

#include "dissector/common/wireshark_compat.h"

#include <epan/decode_as.h>
#include <epan/packet.h>

/* A table of dissectors by number. It lives as long as Wireshark does. */
struct payload_table {
    const char *name, *title, *what; /* "portals.portal", "Portals portal index", "portal" */
    dissector_table_t dissectors;
};

/* payload_register - makes the table for the protocol, and offers it to Decode As. Once, at start-up.
 * payload_handoff - when all protocols are registered. */
void payload_register(struct payload_table *table, int proto);
void payload_handoff(void);

/* payload_give - gives octets to whoever is registered for the number, else to the data dissector. */
void payload_give(const struct payload_table *table, uint32_t number, tvbuff_t *octets, packet_info *pinfo,
                  proto_tree *tree);

#endif
