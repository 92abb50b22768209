/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Wireshark's fields. Those of the messages are made from the rows of wire/portals/messages.h at start-up; a row's name
 * is its filter name behind "portals.", so one filter serves all messages that have such a field. The few fields that
 * no row describes, because they are found out and not sent, stand in struct fields_own.
 */
#ifndef DISSECTOR_PORTALS_FIELDS_H
#define DISSECTOR_PORTALS_FIELDS_H

#include "dissector/common/wireshark_compat.h"

#include "wire/octets/row.h"

#include <epan/packet.h>

/* The fields that are not rows, by Wireshark's number. */
struct fields_own {
    int data;            /* a message's payload */
    int data_octets;     /* its length */
    int continuation;    /* octets of a payload that began in an earlier packet */
    int continuation_of; /* that packet */
    int undecoded;       /* octets in which no message could be found */
    int request_in;      /* packet of the request that is answered here */
    int response_in;     /* packet of the answer to this request */
    int time;            /* from request to answer */
    int requirement;     /* id of the broken requirement */
    int barrier_message; /* which message of its barrier, from 1 */
    int barrier_total;   /* how many messages the barrier takes */
    int barrier_first;   /* packet of the barrier's first message */
    int barrier_time;    /* since that one */
};

extern struct fields_own fields_own;

/* The subtrees, by Wireshark's number. */
struct fields_trees {
    int message;
    int process; /* the four ids of a process */
};

extern struct fields_trees fields_trees;

/* fields_register - makes and registers all fields for the protocol `proto`. Once, at start-up. */
void fields_register(int proto);

/* fields_of_row - the field of a row of one of wire_portals_messages, or -1 when the row is not of them. */
int fields_of_row(const struct wire_row *row);

/* fields_of_process - the field for the whole process to whose ids `row` belongs ("portals.initiator"), or -1 when the
 * row is not part of a process id. */
int fields_of_process(const struct wire_row *row);

#endif
