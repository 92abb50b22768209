/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Messages: the packets of one message, found by the nodes and its number, or by the VDMA channel; and its octets, put
 * together where its packets count (wire/intercept/check.h).
 */
#ifndef DISSECTOR_INTERCEPT_MESSAGE_H
#define DISSECTOR_INTERCEPT_MESSAGE_H

#include "dissector/common/wireshark_compat.h"

#include "wire/intercept/frame.h"

#include <epan/packet.h>

/* One message, in the memory of the file. */
struct icpt_message {
    guint32 begun_in, complete_in; /* packets; 0: not complete */
    unsigned char header[WIRE_INTERCEPT_TAGGED_OCTETS];
    size_t header_len;
    unsigned char *octets; /* `wanted` of them; NULL: there are none, or too many */
    uint64_t wanted, received;
    uint64_t address; /* of a long one: at its sender */
    uint64_t last_at; /* where its last block goes */
    bool is_long;
};

/* message_register - forgets all when a file is closed. Once, at start-up.
 * message_note - first pass: a frame that counts. The message that it belongs to, or NULL. */
void message_register(void);
struct icpt_message *message_note(const struct wire_intercept_frame *frame, const packet_info *pinfo);

#endif
