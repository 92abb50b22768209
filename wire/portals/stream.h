/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One direction of a Portals TCP stream, cut into messages. Whoever has octets (from a socket, a capture, a file) feeds
 * them in pieces of any size and gets pieces of messages back: a header when all of it has arrived, then its payload as
 * it comes, without a copy. No allocation: a header is kept inside the splitter until it is whole.
 *
 *     while ((status = wire_stream_next(&stream, &octets, &len, &piece)) == WIRE_OK) {
 *         if (piece.kind == WIRE_STREAM_HEADER) ...
 *     }
 *     // WIRE_SHORT: all octets are used up, feed more. Anything else: the stream is broken at stream.offset.
 *
 * Judges form only; who may send what is judged by wire/portals/rules.h.
 */
#ifndef WIRE_PORTALS_STREAM_H
#define WIRE_PORTALS_STREAM_H

#include "wire/portals/messages.h"

#include <stdbool.h>

enum wire_stream_kind {
    WIRE_STREAM_HEADER,  /* a whole header */
    WIRE_STREAM_PAYLOAD, /* one or more octets of the payload of the header before */
};

/* One direction of a stream. Initialise with wire_stream_begin. Read `offset` and `message_offset` at will. */
struct wire_stream {
    uint64_t offset;                    /* octets consumed so far, since the stream began */
    uint64_t message_offset;            /* where the message at hand began */
    uint64_t payload_left;              /* octets of its payload still to come */
    const struct wire_message *message; /* its kind, once its header is whole */
    struct wire_portals_header header;  /* its header, once whole */
    unsigned char kept[WIRE_PORTALS_HEADER_MAX];
    size_t kept_len;         /* octets of the header at hand that have arrived */
    enum wire_status broken; /* WIRE_OK, or why the stream cannot be cut any further */
};

/* A piece of a message. Pointers are good until the next call with the same stream or until the fed octets go. */
struct wire_piece {
    enum wire_stream_kind kind;
    uint64_t offset;                          /* of the piece's first octet in the stream */
    const struct wire_message *message;       /* the kind of message to which it belongs */
    const struct wire_portals_header *header; /* that message's header */
    const unsigned char *octets;              /* the header's or the payload's octets */
    size_t len;                               /* their number */
    uint64_t left;                            /* octets of payload still to come; 0: the message is complete */
};

/* wire_stream_begin - a stream of which nothing has been seen. */
struct wire_stream wire_stream_begin(void);

/* wire_stream_next - takes octets from the front of *octets and gives the next piece. Advances *octets and *len.
 * WIRE_SHORT: all used up without completing a piece. WIRE_UNKNOWN or WIRE_TOO_LONG: the header at
 * stream->message_offset makes it impossible to find the next one; every later call says so again. */
WIRE_MUST_USE enum wire_status wire_stream_next(struct wire_stream *stream, const unsigned char **octets, size_t *len,
                                                struct wire_piece *piece);

/* wire_stream_skip - steps over octets that nobody has; false, and nothing is done, unless all of them belong to the
 * payload at hand. */
WIRE_MUST_USE bool wire_stream_skip(struct wire_stream *stream, uint64_t octets);

/* wire_stream_may_end - true between messages, where a stream may be closed in order. */
bool wire_stream_may_end(const struct wire_stream *stream);

/* wire_stream_missing - octets that are missing to complete the message at hand, or 0 between messages. When not even
 * its operation is there: to complete that. */
uint64_t wire_stream_missing(const struct wire_stream *stream);

#endif
