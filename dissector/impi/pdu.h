/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * An IMPI message under dissection: what the parts of the plugin tell each other about it. Messages are those of
 * start-up between client and server, and the packets between hosts with the rank that opens a channel.
 */
#ifndef DISSECTOR_IMPI_PDU_H
#define DISSECTOR_IMPI_PDU_H

#include "dissector/common/follower.h"
#include "dissector/common/wireshark_compat.h"

#include "wire/impi/check.h"
#include "wire/impi/packet.h"
#include "wire/impi/startup.h"

#include <epan/packet.h>

struct impi_stream;
struct impi_note;

/* By what a message is read. What opens a direction, and the key, announce themselves by their place alone. */
enum impi_form {
    IMPI_FORM_COMMAND, /* start-up */
    IMPI_FORM_CHOICE,
    IMPI_FORM_KEY,
    IMPI_FORM_RANK, /* between hosts */
    IMPI_FORM_PACKET,
};

/* What is asked and what answers it. */
struct impi_exchange {
    uint32_t request_frame;
    uint32_t answer_frame; /* 0 until it comes */
    nstime_t request_time;
};

/* A message between two processes that expects something to follow its first packet. */
struct impi_message {
    uint32_t first_frame; /* its first packet; see dissector/common/kept.h */
    uint32_t id;          /* of the message among those of the capture */
    uint32_t cancel_frame;
    bool synced;                /* a SYNCACK has come */
    uint64_t srqid;             /* pk_srqid */
    uint64_t octets;            /* of the whole message */
    uint64_t so_far;            /* on the first pass: octets of the packets until now */
    struct impi_exchange *sync; /* DATASYNC and SYNCACK, or NULL: no DATASYNC has come */
};

/* A packet's place in its long message. */
struct impi_part {
    struct impi_message *message;
    uint64_t offset;     /* of its data in the message */
    bool follows;        /* it is not the first packet */
    bool completes;      /* it is the last one */
    uint32_t next_frame; /* the packet that goes on */
};

/* The message. Lives for one call. What belongs to its form is good once it has been decoded. */
struct impi_pdu {
    tvbuff_t *tvb; /* begins with the message and holds nothing behind it */
    packet_info *pinfo;
    proto_tree *tree;         /* the message's own subtree; NULL for a packet where nobody asks for any of its fields */
    proto_tree *payload_tree; /* the same, for fields of others, which somebody may ask for */
    proto_item *item;         /* the subtree's head */
    enum impi_form form;
    const struct wire_message *message; /* NULL for a rank */
    struct wire_impi_command command;   /* start-up */
    struct wire_impi_packet packet;     /* IMPI_FORM_PACKET */
    int32_t rank;                       /* IMPI_FORM_RANK */
    size_t header_octets;
    uint64_t payload_octets; /* what the header promises; the tvb may hold less */
    struct impi_stream *stream;
    unsigned way;           /* the number of its direction */
    struct impi_note *note; /* NULL when the first pass did not see the message */
};

#endif
