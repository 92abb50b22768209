/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One direction of a connection between IMPI client and server, cut into messages (declared in wire/impi/startup.h).
 * Commands announce their length. What does not is found by its place: the server's choice opens its direction, the
 * client's key comes behind an AUTH that offered it, if the server has chosen it or, where nobody has told what the
 * server chose, if the octets begin with no command's code.
 *
 *              fixed part whole, payload follows
 *     COMMAND ----------------------------------> PAYLOAD
 *      |   ^                                         |
 *      |   +-----------------------------------------+
 *      |              last octet of payload
 *      +--> BROKEN   negative length
 */
#include "wire/impi/startup.h"

#include <string.h>

struct wire_impi_startup wire_impi_startup_begin(enum wire_impi_direction direction)
{
    struct wire_impi_startup stream = {.direction = direction};

    return stream;
}

void wire_impi_startup_method(struct wire_impi_startup *stream, int32_t which)
{
    stream->method_told = true;
    stream->method = which;
}

static enum wire_status next_payload(struct wire_impi_startup *stream, const unsigned char **octets, size_t *len,
                                     struct wire_impi_startup_piece *piece)
{
    const struct wire_impi_command *command = &stream->command;
    size_t count = *len < stream->payload_left ? *len : stream->payload_left;

    if (count == 0) {
        return WIRE_SHORT;
    }
    stream->payload_left -= (uint32_t)count;
    *piece = (struct wire_impi_startup_piece){
        .kind = WIRE_IMPI_PAYLOAD,
        .offset = stream->offset,
        .command = command,
        .message = wire_impi_startup_message(stream->direction, command->kind, command->bare),
        .octets = *octets,
        .len = count,
        .left = stream->payload_left,
    };
    stream->offset += count;
    *octets += count;
    *len -= count;
    return WIRE_OK;
}

/* Whether the octets kept so far belong to the client's key. Asked with at least a head's octets. */
static bool is_key(const struct wire_impi_startup *stream)
{
    uint32_t code = 0;

    if (!stream->key_due || stream->method_told) {
        return stream->key_due && stream->method == WIRE_IMPI_AUTH_KEY;
    }
    for (size_t i = 0; i < sizeof code; i++) {
        code = code << 8 | stream->kept[i];
    }
    return code > INT32_MAX || !wire_impi_code_name((int32_t)code);
}

static enum wire_status decode_kept(struct wire_impi_startup *stream, struct wire_impi_command *command, size_t *used)
{
    *used = WIRE_IMPI_HEAD_OCTETS;
    if (stream->direction == WIRE_IMPI_FROM_SERVER && !stream->begun) {
        return wire_impi_choice_decode(stream->kept, stream->kept_len, command);
    }
    if (stream->kept_len >= WIRE_IMPI_HEAD_OCTETS && is_key(stream)) {
        return wire_impi_key_decode(stream->kept, stream->kept_len, command);
    }
    return wire_impi_command_decode(stream->direction, stream->kept, stream->kept_len, command, used);
}

/* How many octets the fixed part at hand must have before more can be said about it. */
static size_t wanted(const struct wire_impi_startup *stream)
{
    return stream->kept_len < WIRE_IMPI_HEAD_OCTETS ? WIRE_IMPI_HEAD_OCTETS : stream->kept_len + 1;
}

/* Moves octets into `kept`, at most until it holds `until` of them. */
static void keep(struct wire_impi_startup *stream, size_t until, const unsigned char **octets, size_t *len)
{
    size_t count = until - stream->kept_len;

    count = *len < count ? *len : count;
    if (count) {
        memcpy(stream->kept + stream->kept_len, *octets, count);
        *octets += count;
        *len -= count;
    }
    stream->kept_len += count;
    stream->offset += count;
}

/* A fixed part is whole: what will follow it? */
static void settle(struct wire_impi_startup *stream, const struct wire_impi_command *command)
{
    const struct wire_message *message = wire_impi_startup_message(stream->direction, command->kind, command->bare);

    stream->command = *command;
    stream->payload_left = message->payload_row >= 0 ? (uint32_t)command->len - message->counted : 0;
    stream->key_due = command->kind == WIRE_IMPI_SAYS_AUTH && stream->direction == WIRE_IMPI_FROM_CLIENT &&
                      !stream->begun && command->auth_mask >> WIRE_IMPI_AUTH_KEY & 1;
    stream->begun = true;
    stream->kept_len = 0;
}

static enum wire_status next_command(struct wire_impi_startup *stream, const unsigned char **octets, size_t *len,
                                     struct wire_impi_startup_piece *piece)
{
    struct wire_impi_command command;
    enum wire_status status = WIRE_SHORT;
    size_t used = 0;

    if (stream->kept_len == 0) {
        stream->message_offset = stream->offset;
    }
    /* octet by octet behind the head: at most eight times */
    while (status == WIRE_SHORT && *len > 0) {
        keep(stream, wanted(stream), octets, len);
        status = decode_kept(stream, &command, &used);
    }
    if (status != WIRE_OK) {
        stream->broken = status != WIRE_SHORT;
        return status;
    }
    settle(stream, &command);
    *piece = (struct wire_impi_startup_piece){
        .kind = WIRE_IMPI_COMMAND,
        .offset = stream->message_offset,
        .command = &stream->command,
        .message = wire_impi_startup_message(stream->direction, command.kind, command.bare),
        .octets = stream->kept,
        .len = used,
        .left = stream->payload_left,
    };
    return WIRE_OK;
}

enum wire_status wire_impi_startup_next(struct wire_impi_startup *stream, const unsigned char **octets, size_t *len,
                                        struct wire_impi_startup_piece *piece)
{
    if (stream->broken) {
        return WIRE_TOO_LONG;
    }
    return stream->payload_left ? next_payload(stream, octets, len, piece) : next_command(stream, octets, len, piece);
}

uint64_t wire_impi_startup_missing(const struct wire_impi_startup *stream)
{
    if (stream->payload_left) {
        return stream->payload_left;
    }
    return stream->kept_len ? wanted(stream) - stream->kept_len : 0;
}
