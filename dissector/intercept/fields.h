/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Wireshark's fields of the Intercept network. Those of frames are made from the rows of wire/intercept/messages.h,
 * with "intercept." before the row's name; those of the Portals header that RTS and TRY_MATCH carry from the rows of
 * wire/portals/messages.h, with "intercept.portals.". What is found out and not sent stands in struct icpt_fields.
 */
#ifndef DISSECTOR_INTERCEPT_FIELDS_H
#define DISSECTOR_INTERCEPT_FIELDS_H

#include "dissector/common/wireshark_compat.h"

#include "wire/octets/row.h"

#include <epan/packet.h>

struct icpt_fields {
    int message;     /* the name of what the frame carries */
    int plane;       /* of the link */
    int crc;         /* behind the payload */
    int data;        /* of a packet */
    int padding;     /* behind it */
    int again;       /* sent before */
    int late;        /* behind one with a higher number */
    int requirement; /* id of the broken requirement */
    int begun_in;    /* packet of the RTS or TRY_MATCH */
    int complete_in; /* packet with which the message is whole */
    int whole;       /* octets of the whole message */
    int whole_len;   /* how many */
};

extern struct icpt_fields icpt_fields;
extern int icpt_tree_frame, icpt_tree_message;

/* icpt_fields_register - makes and registers all fields. Once, at start-up.
 * icpt_fields_rows - adds the rows of a message to a tree, as far as the octets of `tvb` reach. */
void icpt_fields_register(int proto);
void icpt_fields_rows(proto_tree *tree, tvbuff_t *tvb, const struct wire_message *message);

#endif
