/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The stream splitter. A stream is in one of three states:
 *
 *              header whole, payload follows
 *     HEADER --------------------------------> PAYLOAD
 *      |  ^                                      |
 *      |  +--------------------------------------+
 *      |            last octet of payload
 *      +--> BROKEN   unknown operation, length above the maximum
 *
 * PAYLOAD is payload_left > 0, BROKEN is broken != WIRE_OK, HEADER is neither.
 */
#include "wire/portals/stream.h"

#include <string.h>

enum { OPERATION_OCTETS = 4 };

struct wire_stream wire_stream_begin(void)
{
    struct wire_stream stream = {.broken = WIRE_OK};

    return stream;
}

/* How many octets the header at hand must have before more can be said about it. */
static size_t header_wanted(const struct wire_stream *stream)
{
    const struct wire_message *message;
    uint32_t operation = 0;

    for (size_t i = 0; i < OPERATION_OCTETS && i < stream->kept_len; i++) {
        operation = operation << 8 | stream->kept[i];
    }
    message = stream->kept_len >= OPERATION_OCTETS ? wire_portals_message_of(operation) : NULL;
    return message ? message->octets : OPERATION_OCTETS;
}

/* Moves octets of a header into the splitter, at most as many as belong to it. */
static void keep(struct wire_stream *stream, const unsigned char **octets, size_t *len)
{
    size_t wanted = header_wanted(stream) - stream->kept_len;
    size_t count = *len < wanted ? *len : wanted;

    if (count) {
        memcpy(stream->kept + stream->kept_len, *octets, count);
        *octets += count;
        *len -= count;
    }
    stream->kept_len += count;
    stream->offset += count;
}

static enum wire_status next_payload(struct wire_stream *stream, const unsigned char **octets, size_t *len,
                                     struct wire_piece *piece)
{
    size_t count = *len < stream->payload_left ? *len : (size_t)stream->payload_left;

    if (count == 0) {
        return WIRE_SHORT;
    }
    stream->payload_left -= count;
    *piece = (struct wire_piece){WIRE_STREAM_PAYLOAD, stream->offset, stream->message, &stream->header, *octets, count,
                                 stream->payload_left};
    stream->offset += count;
    *octets += count;
    *len -= count;
    return WIRE_OK;
}

static enum wire_status next_header(struct wire_stream *stream, const unsigned char **octets, size_t *len,
                                    struct wire_piece *piece)
{
    enum wire_status status;

    if (stream->kept_len == 0) {
        stream->message_offset = stream->offset;
    }
    /* Twice: the operation tells how long the header is. */
    keep(stream, octets, len);
    keep(stream, octets, len);
    status = wire_portals_decode(stream->kept, stream->kept_len, &stream->header, NULL, &stream->payload_left);
    if (status != WIRE_OK) {
        stream->broken = status == WIRE_SHORT ? WIRE_OK : status;
        return status;
    }
    stream->message = wire_portals_message_of(wire_portals_kind(&stream->header));
    *piece = (struct wire_piece){WIRE_STREAM_HEADER, stream->message_offset, stream->message,     &stream->header,
                                 stream->kept,       stream->kept_len,       stream->payload_left};
    stream->kept_len = 0;
    return WIRE_OK;
}

enum wire_status wire_stream_next(struct wire_stream *stream, const unsigned char **octets, size_t *len,
                                  struct wire_piece *piece)
{
    if (stream->broken != WIRE_OK) {
        return stream->broken;
    }
    return stream->payload_left ? next_payload(stream, octets, len, piece) : next_header(stream, octets, len, piece);
}

bool wire_stream_skip(struct wire_stream *stream, uint64_t octets)
{
    if (stream->broken != WIRE_OK || stream->payload_left < octets) {
        return false;
    }
    stream->payload_left -= octets;
    stream->offset += octets;
    return true;
}

bool wire_stream_may_end(const struct wire_stream *stream)
{
    return stream->broken == WIRE_OK && stream->payload_left == 0 && stream->kept_len == 0;
}

uint64_t wire_stream_missing(const struct wire_stream *stream)
{
    if (stream->payload_left) {
        return stream->payload_left;
    }
    return stream->kept_len ? header_wanted(stream) - stream->kept_len : 0;
}
