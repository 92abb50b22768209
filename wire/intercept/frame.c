/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The codec of frames: one straight-line reader and one writer for each message, made from its list of rows. A row
 * whose width is not that of its member does not compile.
 */
#include "wire/intercept/frame.h"

#include "wire/intercept/crc32.h"
#include "wire/intercept/message_rows.h"
#include "wire/octets/cursor.h"

#include <assert.h>
#include <stdbool.h>

/* Where every frame has its length, RMPP and control messages their type and their own length. */
enum { VNIC_AT = 8, LENGTH_AT = 10, CONTENT_AT = 16, CONTENT_LENGTH_AT = 20, RMPP_OCTETS = 16, CONTROL_OCTETS = 24 };

/* The operations of tagged messages in a Portals header: specs/portals-wire.md, 4.8. */
enum { TAGGED_ABOVE = 32, TAGGED_BELOW = 64 };

/* ---- readers and writers ---- */

#define READ_1(reader)         wire_read_u8(reader)
#define READ_2(reader)         wire_read_u16(reader)
#define READ_4(reader)         wire_read_u32(reader)
#define READ_8(reader)         wire_read_u64(reader)
#define WRITE_1(writer, value) wire_write_u8(writer, value)
#define WRITE_2(writer, value) wire_write_u16(writer, value)
#define WRITE_4(writer, value) wire_write_u32(writer, value)
#define WRITE_8(writer, value) wire_write_u64(writer, value)

#define READ_ROW(member, label, clause, offset, width, base, values, help)                                             \
    static_assert(sizeof(frame->member) == (width), "the row's width is the member's");                                \
    frame->member = READ_##width(reader);
#define WRITE_ROW(member, label, clause, offset, width, base, values, help) WRITE_##width(writer, frame->member);

#define READER(id, name, label, clause, kind, ROWS, payload_row)                                                       \
    static void read_##id(struct wire_reader *reader, struct wire_intercept_frame *frame)                              \
    {                                                                                                                  \
        ROWS(READ_ROW)                                                                                                 \
    }
#define WRITER(id, name, label, clause, kind, ROWS, payload_row)                                                       \
    static void write_##id(struct wire_writer *writer, const struct wire_intercept_frame *frame)                       \
    {                                                                                                                  \
        ROWS(WRITE_ROW)                                                                                                \
    }
#define CODEC(id, name, label, clause, kind, ROWS, payload_row) [WIRE_INTERCEPT_##id] = {read_##id, write_##id},

ICPT_MESSAGES(READER)
ICPT_MESSAGES(WRITER)

static const struct {
    void (*decode)(struct wire_reader *reader, struct wire_intercept_frame *frame);
    void (*encode)(struct wire_writer *writer, const struct wire_intercept_frame *frame);
} codecs[WIRE_INTERCEPT_COUNT] = {ICPT_MESSAGES(CODEC)};

/* ---- lengths ---- */

size_t wire_intercept_padded(size_t len)
{
    return (len + WIRE_INTERCEPT_QUADWORD - 1) / WIRE_INTERCEPT_QUADWORD * WIRE_INTERCEPT_QUADWORD;
}

static uint16_t u16_at(const unsigned char *octets)
{
    struct wire_reader reader = wire_reader_over(octets, 2);

    return wire_read_u16(&reader);
}

static uint32_t u32_at(const unsigned char *octets)
{
    struct wire_reader reader = wire_reader_over(octets, 4);

    return wire_read_u32(&reader);
}

//= ICPT-024
//= ICPT-027
//= ICPT-087
enum wire_status wire_intercept_measure(const void *octets, size_t len, size_t *frame_octets)
{
    const unsigned char *at = octets;
    unsigned max = 0;
    unsigned length;

    if (len < WIRE_INTERCEPT_HEADER_OCTETS) {
        return WIRE_SHORT;
    }
    if (at[0] < WIRE_INTERCEPT_VDMA || at[0] > WIRE_INTERCEPT_RETRANSMIT) {
        return WIRE_UNKNOWN;
    }
    length = u16_at(at + LENGTH_AT);
    if (at[0] == WIRE_INTERCEPT_VDMA) {
        max = WIRE_INTERCEPT_VDMA_MAX;
    } else if (at[0] == WIRE_INTERCEPT_SHORT) {
        max = WIRE_INTERCEPT_SHORT_MAX;
    }
    if (length > max) {
        return WIRE_TOO_LONG;
    }
    if (length % WIRE_INTERCEPT_QUADWORD) {
        return WIRE_MALFORMED;
    }
    *frame_octets = WIRE_INTERCEPT_HEADER_OCTETS + length + WIRE_INTERCEPT_CRC_OCTETS;
    return WIRE_OK;
}

/* ---- what a short-message packet carries ---- */

/* The message by its type; false when there is none. `payload` has the 16 octets of the shorter header at least. */
static bool find_message(const unsigned char *octets, enum wire_intercept_message *message)
{
    uint32_t type = u32_at(octets + CONTENT_AT);

    if (octets[VNIC_AT] != WIRE_INTERCEPT_HANDLER_VNIC) {
        *message = (enum wire_intercept_message)(WIRE_INTERCEPT_RTS + type - 1);
        return type >= 1 && type <= WIRE_INTERCEPT_RMPP_TYPES;
    }
    if ((type & UINT16_MAX) != WIRE_INTERCEPT_CONTROL_VERSION) {
        return false;
    }
    type >>= 16;
    *message = (enum wire_intercept_message)(WIRE_INTERCEPT_CONNECT + type - 1);
    return type >= 1 && type <= WIRE_INTERCEPT_CONTROL_TYPES;
}

//= IW-33
size_t wire_intercept_portals_octets(const unsigned char *header, size_t len)
{
    uint32_t operation = len >= 4 ? u32_at(header) : 0;
    bool tagged = operation > TAGGED_ABOVE && operation < TAGGED_BELOW;

    return tagged ? WIRE_INTERCEPT_TAGGED_OCTETS : WIRE_INTERCEPT_PORTALS_OCTETS;
}

/* Whether the data behind a message's fields is as long as it must be. */
static bool data_fits(const struct wire_intercept_frame *frame)
{
    switch ((int)frame->message) {
    case WIRE_INTERCEPT_RTS:
        return frame->data_len >= wire_intercept_portals_octets(frame->data, frame->data_len);
    case WIRE_INTERCEPT_TRY_MATCH:
        return frame->data_len == wire_intercept_portals_octets(frame->data, frame->data_len);
    case WIRE_INTERCEPT_UPD_CONN:
        return frame->data_len % 2 == 0 && frame->data_len / 2 == frame->nic_count;
    case WIRE_INTERCEPT_GET_EXT_REPLY:
        return frame->first_length <= WIRE_INTERCEPT_BLOCK_MAX && frame->last_length <= WIRE_INTERCEPT_BLOCK_MAX &&
               frame->data_len == wire_intercept_padded(frame->first_length) + frame->last_length;
    default:
        return true;
    }
}

static bool all_zero(const unsigned char *octets, size_t len)
{
    while (len && octets[len - 1] == 0) {
        len--;
    }
    return len == 0;
}

/* Finds out what the `length` octets of payload are and reads it; on WIRE_OK the frame is that message. */
//= ICPT-152
//= ICPT-289
//= ICPT-295
static enum wire_status read_content(const unsigned char *octets, size_t length, struct wire_intercept_frame *frame)
{
    size_t least = octets[VNIC_AT] == WIRE_INTERCEPT_HANDLER_VNIC ? CONTROL_OCTETS : RMPP_OCTETS;
    struct wire_reader reader = wire_reader_over(octets, WIRE_INTERCEPT_HEADER_OCTETS + length);
    struct wire_intercept_frame got = {.content = WIRE_OK};
    const struct wire_message *message;
    size_t own;

    if (length < least) {
        return WIRE_SHORT;
    }
    if (!find_message(octets, &got.message)) {
        return WIRE_UNKNOWN;
    }
    message = &wire_intercept_messages[got.message];
    own = u32_at(octets + CONTENT_LENGTH_AT);
    if (own < message->counted) {
        return WIRE_SHORT;
    }
    if (own > length || (message->payload_row < 0 && own > message->counted)) {
        return WIRE_TOO_LONG;
    }
    if (length != wire_intercept_padded(own) || !all_zero(octets + CONTENT_AT + own, length - own)) {
        return WIRE_MALFORMED;
    }
    codecs[got.message].decode(&reader, &got);
    got.data = reader.at;
    got.data_len = own - message->counted;
    if (!data_fits(&got)) {
        return WIRE_MALFORMED;
    }
    *frame = got;
    return WIRE_OK;
}

/* ---- frames ---- */

/* The frame's own message, in the order of the kinds. */
static enum wire_intercept_message message_of_kind(unsigned kind)
{
    return (enum wire_intercept_message)(WIRE_INTERCEPT_VDMA_DATA + kind - WIRE_INTERCEPT_VDMA);
}

/* Reads the frame whose header and payload are the `len` octets: measured, and its CRC judged or not there. */
static void read_frame(const unsigned char *octets, size_t len, struct wire_intercept_frame *frame)
{
    struct wire_reader reader = wire_reader_over(octets, len);
    struct wire_intercept_frame got = {.content = WIRE_OK};

    got.message = message_of_kind(octets[0]);
    codecs[got.message].decode(&reader, &got);
    got.data = reader.at;
    got.data_len = reader.left;
    if (octets[0] == WIRE_INTERCEPT_SHORT) {
        enum wire_status content = read_content(octets, got.length, &got);

        got.content = content;
    }
    *frame = got;
}

enum wire_status wire_intercept_decode(const void *octets, size_t len, struct wire_intercept_frame *frame,
                                       size_t *frame_octets)
{
    const unsigned char *at = octets;
    size_t all = 0;
    enum wire_status status = wire_intercept_measure(octets, len, &all);

    if (status != WIRE_OK) {
        return status;
    }
    if (len < all) {
        return WIRE_SHORT;
    }
    if (wire_intercept_crc32(0, octets, all - WIRE_INTERCEPT_CRC_OCTETS) !=
        u32_at(at + all - WIRE_INTERCEPT_CRC_OCTETS)) {
        return WIRE_MALFORMED;
    }
    read_frame(octets, all - WIRE_INTERCEPT_CRC_OCTETS, frame);
    if (frame_octets) {
        *frame_octets = all;
    }
    return WIRE_OK;
}

enum wire_status wire_intercept_decode_entry(const void *octets, size_t len, struct wire_intercept_frame *frame)
{
    size_t all = 0;
    enum wire_status status = wire_intercept_measure(octets, len, &all);

    if (status != WIRE_OK) {
        return status;
    }
    if (len + WIRE_INTERCEPT_CRC_OCTETS < all) {
        return WIRE_SHORT;
    }
    read_frame(octets, all - WIRE_INTERCEPT_CRC_OCTETS, frame);
    return WIRE_OK;
}

void wire_intercept_complete(struct wire_intercept_frame *frame)
{
    const struct wire_message *message = &wire_intercept_messages[frame->message];
    size_t own = message->counted + frame->data_len;

    frame->kind = (uint8_t)message->operation;
    frame->length = (uint16_t)wire_intercept_padded(own);
    if (frame->message >= WIRE_INTERCEPT_CONNECT) {
        frame->control_type = (uint16_t)(frame->message - WIRE_INTERCEPT_CONNECT + 1);
        frame->version = WIRE_INTERCEPT_CONTROL_VERSION;
        frame->control_length = (uint32_t)own;
    } else if (frame->message >= WIRE_INTERCEPT_RTS) {
        frame->rmpp_type = (uint32_t)(frame->message - WIRE_INTERCEPT_RTS + 1);
        frame->rmpp_length = (uint32_t)own;
    }
}

enum wire_status wire_intercept_encode(const struct wire_intercept_frame *frame, void *buffer, size_t cap, size_t *len)
{
    struct wire_writer writer = wire_writer_over(buffer, cap);
    size_t end = (size_t)WIRE_INTERCEPT_HEADER_OCTETS + frame->length;

    if ((unsigned)frame->message >= WIRE_INTERCEPT_COUNT) {
        return WIRE_UNKNOWN;
    }
    codecs[frame->message].encode(&writer, frame);
    wire_write_octets(&writer, frame->data, frame->data_len);
    while (!writer.failed && writer.written < end) {
        wire_write_u8(&writer, 0);
    }
    if (!writer.failed) {
        wire_write_u32(&writer, wire_intercept_crc32(0, buffer, writer.written));
    }
    if (writer.failed) {
        return WIRE_NO_SPACE;
    }
    *len = writer.written;
    return WIRE_OK;
}
