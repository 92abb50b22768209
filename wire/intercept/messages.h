/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The messages of the Intercept network: five kinds of frame, and what a short-message packet carries (RMPP, and the
 * control messages of the VDMA handler). specs/intercept-wire.md lays their octets down; the tables of rows are their
 * only description in the tree. A message's table begins with the frame's own rows: it describes all octets up to the
 * data, so a frame can be printed or written by one table. Behind the data stand padding and CRC, which follow from it.
 */
#ifndef WIRE_INTERCEPT_MESSAGES_H
#define WIRE_INTERCEPT_MESSAGES_H

#include "wire/octets/row.h"

#include <stdint.h>

/* What the first octet of a frame says. */
enum wire_intercept_kind {
    WIRE_INTERCEPT_VDMA = 1,
    WIRE_INTERCEPT_SHORT = 2,
    WIRE_INTERCEPT_COMMAND = 3,
    WIRE_INTERCEPT_ACKNOWLEDGE = 4,
    WIRE_INTERCEPT_RETRANSMIT = 5,
};

/* The messages, in the order of wire_intercept_messages: frames, RMPP (table 5.1), control messages. */
enum wire_intercept_message {
    WIRE_INTERCEPT_VDMA_DATA,
    WIRE_INTERCEPT_SHORT_MESSAGE, /* one whose content is none of those below */
    WIRE_INTERCEPT_CREDIT,
    WIRE_INTERCEPT_LINK_ACKNOWLEDGE,
    WIRE_INTERCEPT_LINK_RETRANSMIT,
    WIRE_INTERCEPT_RTS,
    WIRE_INTERCEPT_CTS,
    WIRE_INTERCEPT_NEXT_CTS,
    WIRE_INTERCEPT_DATA,
    WIRE_INTERCEPT_STOP_DATA,
    WIRE_INTERCEPT_LAST_DATA,
    WIRE_INTERCEPT_MSGEND,
    WIRE_INTERCEPT_MSGERROR,
    WIRE_INTERCEPT_CONNECT,
    WIRE_INTERCEPT_REFUSE,
    WIRE_INTERCEPT_GET,
    WIRE_INTERCEPT_PUT,
    WIRE_INTERCEPT_DONE,
    WIRE_INTERCEPT_GET_EXT_REPLY,
    WIRE_INTERCEPT_TRY_MATCH,
    WIRE_INTERCEPT_MATCH_REPLY,
    WIRE_INTERCEPT_UPD_CONN,
    WIRE_INTERCEPT_COUNT,
};

enum {
    WIRE_INTERCEPT_RMPP_TYPES = 8,    /* types 1 to 8, from WIRE_INTERCEPT_RTS on */
    WIRE_INTERCEPT_CONTROL_TYPES = 9, /* types 1 to 9, from WIRE_INTERCEPT_CONNECT on */
    WIRE_INTERCEPT_CONTROL_VERSION = 1,
    WIRE_INTERCEPT_FLAG_INTERRUPT = 1,
    WIRE_INTERCEPT_FLAG_MULTICAST = 2,
    WIRE_INTERCEPT_HANDLER_VNIC = 0, /* reserved for the VDMA handler: what comes for it is a control message */
    WIRE_INTERCEPT_VNICS = 16,
    WIRE_INTERCEPT_CHANNELS = 4,
    WIRE_INTERCEPT_PLANES_ALL = 15,
    WIRE_INTERCEPT_QUADWORD = 8,        /* octets */
    WIRE_INTERCEPT_HEADER_OCTETS = 16,  /* of a frame's header */
    WIRE_INTERCEPT_CRC_OCTETS = 4,      /* behind a frame's payload */
    WIRE_INTERCEPT_SHORT_MAX = 504,     /* octets of payload of a short-message packet */
    WIRE_INTERCEPT_VDMA_MAX = 512,      /* octets of payload of a VDMA packet */
    WIRE_INTERCEPT_FRAME_MAX = 532,     /* octets of the longest frame */
    WIRE_INTERCEPT_FIXED_MAX = 112,     /* octets of the longest table of rows */
    WIRE_INTERCEPT_PORTALS_OCTETS = 80, /* of the Portals header in RTS and TRY_MATCH */
    WIRE_INTERCEPT_TAGGED_OCTETS = 104, /* of that of a tagged message (specs/portals-wire.md, 4.8) */
    WIRE_INTERCEPT_RTS_ROOM = 488,      /* of Portals header and data in an RTS */
    WIRE_INTERCEPT_BLOCK_MAX = 31,      /* octets of a first or last block */
};
/* The one command. */
enum { WIRE_INTERCEPT_COMMAND_CREDIT = 1 };

/* What became of a request: numbers in two's complement, as the 32 bits on the wire. */
#define WIRE_INTERCEPT_STATUS_OK           UINT32_C(0)
#define WIRE_INTERCEPT_STATUS_NO_MATCH     UINT32_C(0xffffffff) /* Portals wants nothing of the message */
#define WIRE_INTERCEPT_STATUS_FAULT        UINT32_C(0xfffffffe) /* memory cannot be accessed */
#define WIRE_INTERCEPT_STATUS_CONNECTED    UINT32_C(0xfffffffd) /* there is a connection already */
#define WIRE_INTERCEPT_STATUS_UNKNOWN      UINT32_C(0xfffffffc) /* no such process, request or connection */
#define WIRE_INTERCEPT_STATUS_NO_RESOURCES UINT32_C(0xfffffffb) /* a table is full */

#define WIRE_INTERCEPT_WINDOW_END (UINT32_C(1) << 25) /* the first address that 25 bits cannot say */

/* All messages, by enum wire_intercept_message. `operation` is the frame's kind. `payload_row` is the row of the
 * innermost length; the octets of the fixed part that it counts too are in `counted`. */
extern const struct wire_message wire_intercept_messages[WIRE_INTERCEPT_COUNT];

/* wire_intercept_message_named - the message of that name ("rts"), or NULL when there is none. */
const struct wire_message *wire_intercept_message_named(const char *name);

#endif
