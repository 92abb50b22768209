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

/* What the first pass over the capture found out about a message. Later passes, which see messages in any order, only
 * read it. Lives as long as the capture file is open. */
struct pdu_note {
    uint32_t packet;        /* see dissector/common/kept.h */
    bool opening : 1;       /* the first message of its direction, and the capture holds the beginning */
    bool opens_wrongly : 1; /* that message is no HELLO, and the user says that this is Portals */
    bool hello_again : 1;   /* a HELLO in a direction that had one */
    bool echo_differs : 1;  /* an answer that does not repeat what its request said */
    bool again : 1;         /* a numbered message that the capture holds already */
    bool early : 1;         /* a numbered message that its receiver discards: one before it is missing */
    bool answers : 1;       /* a request that the follower has seen, whatever Wireshark's TCP made of its segments */
    bool unasked : 1;       /* an answer to no request that the capture holds */
    const void *belongs;    /* request or answer: struct track_exchange; of a barrier: struct barrier_place; or NULL */
    const struct follower_found *found; /* what is wrong with it, or NULL */
};

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
    uint64_t payload_octets; /* what the header promises; the tvb may hold less */
    struct stream_way *way;  /* the direction of the stream in which it travels */
    struct stream_way *back; /* the other one */
    struct pdu_note *note;   /* NULL when the first pass did not see the message */
};

#endif
