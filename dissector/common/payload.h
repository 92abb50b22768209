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
    build_label_func label;          /* what Decode As calls the number in a packet: payload_label with this table */
    build_valid_func value;          /* the number: payload_value */
    int proto;
    dissector_table_t dissectors;
};

/* payload_register - makes the table for the protocol, and offers it to Decode As. Once, at start-up. */
void payload_register(struct payload_table *table, int proto);

/* payload_give - gives octets to whoever is registered for the number, else to the data dissector. */
void payload_give(const struct payload_table *table, uint32_t number, tvbuff_t *octets, packet_info *pinfo,
                  proto_tree *tree);

/* payload_value - the number of the last message with octets in this packet, as Decode As wants it; payload_label -
 * the same in words, which has room for MAX_DECODE_AS_PROMPT_LEN octets. */
void *payload_value(const struct payload_table *table, packet_info *pinfo);
void payload_label(const struct payload_table *table, packet_info *pinfo, char *text);

#endif
