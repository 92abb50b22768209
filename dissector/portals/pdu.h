/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * A message under dissection: what the parts of the plugin tell each other about it.
 */
#ifndef DISSECTOR_PORTALS_PDU_H
#define DISSECTOR_PORTALS_PDU_H

#include "dissector/common/follower.h"
#include "dissector/common/wireshark_compat.h"

#include "wire/portals/messages.h"

#include <epan/packet.h>

struct stream_way;
struct pdu_note;

/* The message. Lives for one call. `message` and `header` are good once the header has been decoded. */
struct pdu {
    tvbuff_t *tvb; /* begins with the message and holds nothing behind it */
    packet_info *pinfo;
    proto_tree *tree;         /* the message's own subtree; NULL where nobody asks for any of its fields */
    proto_tree *payload_tree; /* the same, for fields of others, which somebody may ask for */
    proto_item *item;         /* the subtree's head */
    const struct wire_message *message;
    struct wire_portals_header header;
    size_t header_octets;
    uint64_t payload_octets;            /* what the header promises; the tvb may hold less */
    struct stream_way *way;             /* the direction of the stream in which it travels */
    struct stream_way *back;            /* the other one */
    struct pdu_note *note;              /* NULL when the first pass did not see the message */
    const struct follower_found *found; /* what is wrong with it, or NULL */
};

#endif
