/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The messages of Portals 3.0 as they travel over TCP. What is sent is demanded by tables 6 to 9 of the Portals 3.0
 * document (section 4.1); how it becomes octets is laid down in specs/portals-wire.md. The tables of rows are the
 * messages' only description; the codec here is made from the same rows.
 *
 * Decoding looks at the form only: that the header is whole, its operation known and its lengths within bounds, so that
 * the end of the message can be told. Whether a well-formed message is also legal is judged by wire/portals/rules.h.
 */
#ifndef WIRE_PORTALS_MESSAGES_H
#define WIRE_PORTALS_MESSAGES_H

#include "wire/octets/row.h"
#include "wire/octets/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What the first four octets of a message say. HELLO's code doubles as the magic at the opening of a stream. */
enum wire_portals_operation {
    WIRE_PORTALS_PUT = 1,
    WIRE_PORTALS_ACK = 2,
    WIRE_PORTALS_GET = 3,
    WIRE_PORTALS_REPLY = 4,
    WIRE_PORTALS_BARRIER = 5,
    WIRE_PORTALS_NUMBER = 6,
    WIRE_PORTALS_ACKNOWLEDGE = 7,
    WIRE_PORTALS_HELLO = 0x50544c33, /* "PTL3" */

    /* Of Portals 3.2 and later: the same messages with a tag behind their header (binding 4.8). A header in memory has
     * the operation without it, and `tagged`. */
    WIRE_PORTALS_TAG = 32,
    WIRE_PORTALS_GETPUT = 8, /* of Portals 3.3; always tagged */
};

enum {
    WIRE_PORTALS_MAJOR = 1,          /* the version of the binding: another major is another protocol */
    WIRE_PORTALS_MINOR = 0,          /* of a process that knows neither NUMBER nor ACKNOWLEDGE */
    WIRE_PORTALS_MINOR_NUMBERED = 1, /* of a process that does: only then they may be sent to it */
    WIRE_PORTALS_HEADER_MAX = 100,   /* octets of the longest header */
    WIRE_PORTALS_NUMBER_OCTETS = 20, /* of a NUMBER */
    WIRE_PORTALS_COUNT = 13,         /* kinds of message */
};

/* The memory descriptor handle that stands for none: a put with it wants no acknowledgement. */
#define WIRE_PORTALS_MD_NONE UINT64_MAX
/* A group or rank id that its sender does not know; as an id in a match criterion the same value means any. */
#define WIRE_PORTALS_ID_UNKNOWN UINT32_MAX
/* The largest requested or manipulated length that the binding allows, in octets. */
#define WIRE_PORTALS_LENGTH_MAX ((uint64_t)1 << 40)

/* A process, by both of its names: (nid, pid) and (gid, rid). On the wire all four are always given (3.4.3). */
struct wire_portals_id {
    uint32_t nid; /* node: its IPv4 address as a number, 127.0.0.1 is 0x7f000001 */
    uint32_t pid; /* process: it says at which TCP port it listens (specs/portals-wire.md) */
    uint32_t gid; /* group (job) */
    uint32_t rid; /* rank in the group */
};

/* wire_portals_is_id - whether two ids are the same in all four. */
static inline bool wire_portals_is_id(const struct wire_portals_id *id, const struct wire_portals_id *other)
{
    return memcmp(id, other, sizeof *id) == 0;
}

/* Any message's header. A message uses the members that its rows name; decoding leaves the others zero. */
struct wire_portals_header {
    uint32_t operation;               /* enum wire_portals_operation */
    struct wire_portals_id initiator; /* who sent this message */
    struct wire_portals_id target;    /* for whom it is */
    uint32_t portal;                  /* PUT, GET; echoed in ACK, REPLY: portal table index */
    uint32_t cookie;                  /* PUT, GET: access control table index */
    uint64_t match_bits;              /* PUT, GET; echoed */
    uint64_t offset;                  /* PUT, GET; echoed: octets from the beginning of the target's memory */
    uint64_t md;                      /* PUT, GET; echoed: the requester's descriptor, opaque to everybody else */
    uint64_t rlength;                 /* requested length, octets; in a PUT also the length of the data */
    uint64_t mlength;       /* ACK, REPLY: manipulated length, octets; in a REPLY also the length of the data */
    uint16_t version_major; /* HELLO */
    uint16_t version_minor; /* HELLO */
    uint32_t interface;     /* HELLO: number of the network interface at both ends */
    uint32_t group_size;    /* HELLO: processes in the sender's group */
    uint64_t sequence;      /* BARRIER: how manieth barrier of this interface, from 1 */
    uint32_t round;         /* BARRIER: round of the dissemination, from 0 */
    uint64_t epoch;         /* NUMBER, ACKNOWLEDGE: which counting this is; a later one has a larger value */
    uint64_t number;        /* NUMBER: of the message behind it, from 1. Other kinds: who keeps the header of a
                             * numbered message may keep epoch and number with it; the codec leaves them alone */
    uint64_t incarnation;   /* ACKNOWLEDGE: which life of its sender this is; a later one has a larger value */
    uint64_t acknowledged;  /* ACKNOWLEDGE: all messages of the epoch up to this number have been received */
    uint32_t tagged;        /* PUT, ACK, GET, REPLY: whether the following three are there; the codec's, no row */
    uint32_t uid;           /* tagged: user of the sender */
    uint64_t hdr_data;      /* tagged: header data of the put; echoed */
    uint64_t local_offset;  /* tagged: octets from the beginning of the initiator's memory; echoed */
    uint32_t missing;       /* ACKNOWLEDGE: 1 when later ones have come without the next one, else 0 */
};

/* The kinds of message: PUT, ACK, GET, REPLY, BARRIER, NUMBER, ACKNOWLEDGE, HELLO; tagged PUT, ACK, GET, REPLY, and
 * GETPUT. */
extern const struct wire_message wire_portals_messages[WIRE_PORTALS_COUNT];

/* wire_portals_message_of - the message whose operation this is, or NULL when there is none. */
const struct wire_message *wire_portals_message_of(uint32_t operation);

/* wire_portals_message_named - the message of that name ("put"), or NULL when there is none. */
const struct wire_message *wire_portals_message_named(const char *name);

/* wire_portals_kind - the operation by which a message of that header goes over the wire.
 * wire_portals_payload - octets that follow the header. */
static inline uint32_t wire_portals_kind(const struct wire_portals_header *header)
{
    return header->tagged ? header->operation + WIRE_PORTALS_TAG : header->operation;
}
uint64_t wire_portals_payload(const struct wire_portals_header *header);

/* wire_portals_decode - reads the header at the beginning of `len` octets. Says how many octets the header has and how
 * many octets of payload follow it (they need not be there). Either length may be asked for with NULL: not wanted.
 * WIRE_SHORT: more octets are needed to tell. WIRE_UNKNOWN: no such operation. WIRE_TOO_LONG: a requested or
 * manipulated length above WIRE_PORTALS_LENGTH_MAX. Writes its outputs only on WIRE_OK; does not block or allocate. */
WIRE_MUST_USE enum wire_status wire_portals_decode(const void *octets, size_t len, struct wire_portals_header *header,
                                                   size_t *header_octets, uint64_t *payload_octets);

/* wire_portals_encode - writes the header to `buffer` and its length to `len`; the payload is the caller's to send.
 * Does not judge: a forger gets the octets asked for. WIRE_UNKNOWN: no such operation. WIRE_NO_SPACE: `cap` is below
 * the header's length; WIRE_PORTALS_HEADER_MAX always suffices. */
WIRE_MUST_USE enum wire_status wire_portals_encode(const struct wire_portals_header *header, void *buffer, size_t cap,
                                                   size_t *len);

#endif
