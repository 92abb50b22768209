/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Wireshark's fields of IMPI. Those that travel are made from the rows of wire/impi/startup.h, wire/impi/packet.h and
 * wire/impi/labels.h at start-up: a row's name is its filter name behind "impi.", a label's is its name in small
 * letters without the document's prefix ("impi.c_nhosts"). A field of a packet whose type does not use it goes by
 * another filter name ("impi.unused.pk_tag"), so that a filter finds only what means something. The few fields that no
 * row describes, because they are found out and not sent, stand in struct impi_fields_own.
 */
#ifndef DISSECTOR_IMPI_FIELDS_H
#define DISSECTOR_IMPI_FIELDS_H

#include "dissector/common/wireshark_compat.h"

#include "wire/impi/labels.h"
#include "wire/octets/row.h"

#include <epan/packet.h>

/* The fields that are not rows, by Wireshark's number. */
struct impi_fields_own {
    int message;     /* name of a start-up message */
    int opaque;      /* octets of a command that the dissector does not know */
    int values;      /* octets of values whose form is not known */
    int offers_none; /* bits of an authentication mask */
    int offers_key;
    int offers_tls;
    int client;    /* whose values these are */
    int host_rank; /* what opens a channel */
    int src, dest; /* a process, with all that is known of it */
    int src_rank;  /* in MPI_COMM_WORLD */
    int dest_rank;
    int collective;                                        /* the collective operation of a packet */
    int operation_number, operation_phase, operation_root; /* and which it is, followed over the whole job */
    int data;                                              /* a packet's user data */
    int continuation;    /* octets of a message that began in an earlier packet and is not put together */
    int continuation_of; /* that packet */
    int undecoded;       /* octets in which no message could be found */
    int request_in;      /* packet of what is answered here */
    int response_in;     /* packet of the answer to this */
    int time;            /* between the two */
    int first_in;        /* packet in which the message begins */
    int next_in;         /* packet in which it goes on */
    int cancels;         /* packet of the message that is to be cancelled */
    int cancelled_in;    /* packet of the CANCEL of this message */
    int flow_sent;       /* packets that count, of this pair of processes, with this one */
    int flow_unacked;    /* of them without an acknowledgement */
    int flow_acks;       /* acknowledgements of this pair, with this one */
    int requirement;     /* id of the broken requirement */
    int noted;           /* id of the requirement about which a note is made */
};

extern struct impi_fields_own impi_fields_own;

/* Fields of fragments, as Wireshark's reassembly wants them. */
struct impi_fields_fragments {
    int fragments, fragment, overlap, overlap_conflict, multiple_tails, too_long, error, count;
    int reassembled_in, reassembled_length;
};

extern struct impi_fields_fragments impi_fields_fragments;

/* The subtrees, by Wireshark's number. */
struct impi_fields_trees {
    int message;
    int mask;
    int client;  /* one client's values */
    int process; /* host and process identifier */
    int unused;  /* fields without meaning */
    int flow;
    int fragments, fragment;
};

extern struct impi_fields_trees impi_fields_trees;

/* impi_fields_register - makes and registers all fields for the protocol `proto`. Once, at start-up. */
void impi_fields_register(int proto);

/* impi_fields_of_row - the field of a row of a start-up message or a packet, or -1 when the row is not of them. */
int impi_fields_of_row(const struct wire_row *row);

/* impi_fields_unused - the field of a packet's row where its type does not use it, or -1. */
int impi_fields_unused(const struct wire_row *row);

/* impi_fields_of_label - the field of a label's elements, or -1 when it is not of wire_impi_labels. */
int impi_fields_of_label(const struct wire_impi_label *label);

#endif
