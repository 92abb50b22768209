/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The packets that IMPI hosts exchange (chapter 3 of the IMPI 0.0 document): a header of 128 octets, behind which, in
 * DATA and DATASYNC packets, pk_len octets of user data follow. One table of rows describes the header; every type of
 * packet has all of its fields, and uses those that table 3.1 lists for it.
 *
 * The codec looks at the form only. What is legal between two hosts is judged by wire/impi/check_channel.h. To cut a
 * stream into packets there is wire_impi_packets_next:
 *
 *     struct wire_impi_packets packets = wire_impi_packets_begin();
 *     while ((status = wire_impi_packets_next(&packets, &octets, &len, &piece)) == WIRE_OK) {
 *         if (piece.kind == WIRE_IMPI_HEADER) ...
 *     }
 *     // WIRE_SHORT: all octets are used up, feed more. WIRE_UNKNOWN: no such pk_type, at packets.packet_offset.
 */
#ifndef WIRE_IMPI_PACKET_H
#define WIRE_IMPI_PACKET_H

#include "wire/octets/row.h"
#include "wire/octets/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* pk_type. */
enum wire_impi_type {
    WIRE_IMPI_DATA = 0,      /* message data */
    WIRE_IMPI_DATASYNC = 1,  /* message data; a SYNCACK is expected */
    WIRE_IMPI_PROTOACK = 2,  /* protocol acknowledgement: so many packets were received */
    WIRE_IMPI_SYNCACK = 3,   /* synchronization acknowledgement: a DATASYNC met its receive */
    WIRE_IMPI_CANCEL = 4,    /* cancel request */
    WIRE_IMPI_CANCELYES = 5, /* cancel reply: destroyed */
    WIRE_IMPI_CANCELNO = 6,  /* cancel reply: too late */
    WIRE_IMPI_FINI = 7,      /* end of connection */
};

enum {
    WIRE_IMPI_TYPES = 8,           /* kinds of packet */
    WIRE_IMPI_PACKET_OCTETS = 128, /* of a header */
    WIRE_IMPI_HOST_OCTETS = 16,    /* of a host identifier */
    WIRE_IMPI_RANK_OCTETS = 4,     /* what opens a connection between hosts: the rank of the host that connected */
};

/* A process (IMPI_Proc, 3.2): unique in the whole job by both members together. */
struct wire_impi_process {
    unsigned char host[WIRE_IMPI_HOST_OCTETS]; /* p_hostid: an IPv6 address, or an IPv4 address in the last 4 octets */
    int64_t pid;                               /* p_pid */
};

/* A header (IMPI_Packet, 3.5). The member x is the document's pk_x. */
struct wire_impi_packet {
    uint32_t type; /* enum wire_impi_type */
    uint32_t len;  /* DATA, DATASYNC: octets of user data behind the header; in others without meaning */
    struct wire_impi_process src, dest;
    uint64_t srqid;  /* the sender's request */
    uint64_t drqid;  /* the receiver's request */
    uint64_t msglen; /* octets of the whole message */
    int32_t lsrank;  /* the sender's rank in the communicator */
    int32_t tag;
    uint64_t cid;    /* context id of the communicator */
    uint64_t seqnum; /* optional */
    int64_t count;   /* optional: the send call's count */
    uint64_t dtype;  /* optional: an opaque handle of the datatype */
    uint64_t reserved;
};

/* The header's rows, one message for each type, index = pk_type: "DATA" to "FINI". All have the same rows. */
extern const struct wire_message wire_impi_packet_messages[WIRE_IMPI_TYPES];

/* wire_impi_packet_message - the message of that pk_type, or NULL when there is none. */
const struct wire_message *wire_impi_packet_message(uint32_t type);

/* wire_impi_packet_named - the message of that name ("SYNCACK"), or NULL when there is none. */
const struct wire_message *wire_impi_packet_named(const char *name);

/* wire_impi_packet_uses - whether packets of this type use the field (table 3.1): 1 yes, 0 no, its value means nothing.
 * pk_reserved is used by none. False for a type that does not exist. */
bool wire_impi_packet_uses(uint32_t type, const struct wire_row *row);

/* wire_impi_packet_has_data - whether pk_len octets of user data follow the header: DATA and DATASYNC. */
static inline bool wire_impi_packet_has_data(uint32_t type)
{
    return type == WIRE_IMPI_DATA || type == WIRE_IMPI_DATASYNC;
}

/* wire_impi_process_same - whether both name the same process: all 24 octets are equal. */
bool wire_impi_process_same(const struct wire_impi_process *one, const struct wire_impi_process *other);

/* wire_impi_host_same - whether two host identifiers are of the same host: equal, or the same IPv4 address in the two
 * forms of 1.2.3, with 12 octets of zero before it or with ten of zero and two of ff. */
bool wire_impi_host_same(const unsigned char *one, const unsigned char *other);

/* wire_impi_packet_decode - reads the header at the beginning of `len` octets. WIRE_SHORT: fewer than 128.
 * WIRE_UNKNOWN: no such pk_type. Writes `packet` only on WIRE_OK; does not block or allocate. */
WIRE_MUST_USE enum wire_status wire_impi_packet_decode(const void *octets, size_t len, struct wire_impi_packet *packet);

/* wire_impi_packet_measure - how many octets the packet has, with its data, whose header stands at the beginning of
 * `len` octets; otherwise as wire_impi_packet_decode. */
WIRE_MUST_USE enum wire_status wire_impi_packet_measure(const void *octets, size_t len, uint64_t *all);

/* wire_impi_packet_encode - writes the header's 128 octets. Does not judge: a forger gets the octets asked for, of any
 * type. WIRE_NO_SPACE: `cap` is below 128. */
WIRE_MUST_USE enum wire_status wire_impi_packet_encode(const struct wire_impi_packet *packet, void *buffer, size_t cap);

enum wire_impi_packets_kind {
    WIRE_IMPI_HEADER,    /* a whole header */
    WIRE_IMPI_USER_DATA, /* one or more octets of the data of the packet before */
};

/* One direction of a channel between hosts, behind the rank that opens it. Initialise with wire_impi_packets_begin. */
struct wire_impi_packets {
    uint64_t offset;        /* octets consumed so far */
    uint64_t packet_offset; /* where the packet at hand began */
    uint32_t data_left;     /* octets of its data still to come */
    struct wire_impi_packet packet;
    unsigned char kept[WIRE_IMPI_PACKET_OCTETS];
    size_t kept_len; /* octets of the header at hand that have arrived */
    bool broken;     /* an unknown pk_type: the next packet cannot be found */
};

/* A piece of a packet. Pointers are good until the next call with the same stream or until the fed octets go. */
struct wire_impi_packets_piece {
    enum wire_impi_packets_kind kind;
    uint64_t offset; /* of the piece's first octet in the stream */
    const struct wire_impi_packet *packet;
    const unsigned char *octets;
    size_t len;
    uint32_t left; /* octets of data still to come; 0: the packet is complete */
};

/* wire_impi_packets_begin - a stream of which nothing has been seen. */
struct wire_impi_packets wire_impi_packets_begin(void);

/* wire_impi_packets_next - takes octets from the front of *octets, advancing *octets and *len, and gives the next
 * piece, without a copy of the data. WIRE_SHORT: all are used up without completing a piece. WIRE_UNKNOWN: the header
 * at packets->packet_offset has a pk_type that does not exist; every later call says so again. Does not limit pk_len:
 * that is the caller's, who knows what was negotiated. */
WIRE_MUST_USE enum wire_status wire_impi_packets_next(struct wire_impi_packets *packets, const unsigned char **octets,
                                                      size_t *len, struct wire_impi_packets_piece *piece);

/* wire_impi_packets_skip - steps over octets that nobody has; false, and nothing is done, unless all of them belong to
 * the data at hand. */
WIRE_MUST_USE bool wire_impi_packets_skip(struct wire_impi_packets *packets, uint32_t octets);

/* wire_impi_packets_missing - octets that complete the packet at hand as far as can be told, 0 between packets. */
uint64_t wire_impi_packets_missing(const struct wire_impi_packets *packets);

#endif
