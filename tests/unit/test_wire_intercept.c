/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The codec of Intercept frames against the vectors: what each says is written down here once more by hand and encodes
 * to the vector's octets, each decodes and encodes to itself again, and each of its truncations says that it is one.
 */
#include "tests/unit/tap.h"
#include "tests/unit/vector.h"
#include "wire/intercept/crc32.h"
#include "wire/intercept/frame.h"

#include <stdlib.h>
#include <string.h>

/* The parts that many frames have. */
#define FROM_1 .destination = 2, .source = 1
#define FROM_2 .destination = 1, .source = 2
#define SHORT(message_)                                                                                                \
    .message = WIRE_INTERCEPT_##message_, .planes = 15, .flags = 1, .destination_vnic = 1, .source_vnic = 1
#define CONTROL(message_) .message = WIRE_INTERCEPT_##message_, .planes = 1, .flags = 1, .key = 0xa1
#define RANK_1            .rank = 0x10005
#define DATA(octets)      .data = (const unsigned char *)(octets), .data_len = sizeof(octets) - 1
#define ALL               UINT64_MAX
#define PORTALS_PUT                                                                                                    \
    "\0\0\0\1"                                                                                                         \
    "\0\0\0\1\0\0\303\121\0\0\0\7\0\0\0\0"                                                                             \
    "\0\0\0\2\0\0\303\122\0\0\0\7\0\0\0\1"                                                                             \
    "\0\0\0\4\0\0\0\0"                                                                                                 \
    "\001\043\105\147\211\253\315\357\0\0\0\0\0\0\0\020"                                                               \
    "\0\0\0\1\0\0\0\2\0\0\0\0\0\0\0\5\0\0\0\0"

static const struct {
    const char *name;
    struct wire_intercept_frame frame;
} expected[] = {
    {"vdma_data",
     {.message = WIRE_INTERCEPT_VDMA_DATA,
      .planes = 11,
      .sequence = 5,
      FROM_1,
      .channel = 2,
      .window_address = 4096,
      DATA("\000\021\042\063\104\125\146\167\210\231\252\273\314\335\356\377")}},
    {"vdma_data-ones",
     {.message = WIRE_INTERCEPT_VDMA_DATA,
      .planes = 15,
      .flags = 1,
      .sequence = 255,
      .destination = 65535,
      .source = 65535,
      .channel = 3,
      .window_address = 33554424,
      DATA("\377\377\377\377\377\377\377\377")}},
    {"short_message",
     {.message = WIRE_INTERCEPT_SHORT_MESSAGE, .content = WIRE_SHORT, .planes = 4, .destination = 1, .source = 1}},
    {"short_message-multicast",
     {.content = WIRE_SHORT,
      .message = WIRE_INTERCEPT_SHORT_MESSAGE,
      .planes = 15,
      .destination_vnic = 1,
      .source_vnic = 1,
      .flags = 2,
      .destination = 65535,
      .source = 1,
      DATA("\0\0\0\0\0\0\0\011")}},
    {"command", {.message = WIRE_INTERCEPT_CREDIT, .planes = 1, .sequence = 7, FROM_2, .command = 1, .amount = 32}},
    {"acknowledge", {.message = WIRE_INTERCEPT_LINK_ACKNOWLEDGE, .planes = 8, .sequence = 255}},
    {"retransmit", {.message = WIRE_INTERCEPT_LINK_RETRANSMIT, .planes = 1}},
    {"rts", {SHORT(RTS), FROM_1, DATA(PORTALS_PUT "hello")}},
    {"rts-empty",
     {.message = WIRE_INTERCEPT_RTS,
      .planes = 2,
      .sequence = 1,
      FROM_1,
      .destination_vnic = 1,
      .source_vnic = 1,
      .message_number = 258,
      DATA(PORTALS_PUT)}},
    {"cts", {SHORT(CTS), FROM_2, .n = 16, .mlength = 8000}},
    {"next_cts", {SHORT(NEXT_CTS), FROM_2, .message_number = 7, .n = 3}},
    {"data", {SHORT(DATA), FROM_1, .message_number = 7, DATA("\1\2\3\4\5\6\7\010")}},
    {"stop_data", {SHORT(STOP_DATA), FROM_1, .message_number = 7, .packet_number = 15, DATA("\252")}},
    {"last_data", {SHORT(LAST_DATA), FROM_1, .message_number = ALL, .packet_number = 16}},
    {"msgend", {SHORT(MSGEND), FROM_2}},
    {"msgerror", {SHORT(MSGERROR), FROM_2, .message_number = 7, .status = WIRE_INTERCEPT_STATUS_FAULT, DATA("page")}},
    {"connect", {CONTROL(CONNECT), RANK_1, FROM_1, .peer_rank = 0x20006}},
    {"refuse", {CONTROL(REFUSE), .rank = 0x20006, FROM_2, .status = WIRE_INTERCEPT_STATUS_CONNECTED}},
    {"vdma_get",
     {CONTROL(GET), RANK_1, FROM_1, .channel_granted = 1, .slices = 2, .window_start = 0xfe0, .address = 0x7f0012345020,
      .slice_length = 1044480, .key_remaining = 0x51, .first_block_length = 31, .first_block_addr = 0x7f0012345001,
      .last_block_length = 7, .last_block_addr = 0x7f0012500000}},
    {"vdma_get-ones",
     {.message = WIRE_INTERCEPT_GET,
      .planes = 1,
      .flags = 1,
      .key = ALL,
      .rank = ALL,
      FROM_1,
      .channel_granted = UINT32_MAX,
      .slice = UINT32_MAX,
      .slices = UINT32_MAX,
      .window_start = UINT32_MAX,
      .address = ALL,
      .slice_length = ALL,
      .key_remaining = ALL,
      .first_block_length = ALL,
      .first_block_addr = ALL,
      .last_block_length = ALL,
      .last_block_addr = ALL}},
    {"vdma_put", {CONTROL(PUT), RANK_1, FROM_1, .address = 0x7f0012345000, .put_length = 2621440}},
    {"done", {CONTROL(DONE), RANK_1, FROM_2}},
    {"get_ext_reply",
     {CONTROL(GET_EXT_REPLY), RANK_1, FROM_1, .key_remaining = 0x51, .first_length = 3, .last_length = 2,
      DATA("abc\0\0\0\0\0yz")}},
    {"try_match",
     {CONTROL(TRY_MATCH), RANK_1, FROM_1, .message_number = 8, .address = 0x7f0012345000, .match_length = 2621440,
      DATA(PORTALS_PUT)}},
    {"match_reply", {CONTROL(MATCH_REPLY), RANK_1, FROM_2, .status = WIRE_INTERCEPT_STATUS_NO_MATCH}},
    {"upd_conn", {CONTROL(UPD_CONN), RANK_1, FROM_1, .nic_count = 3, DATA("\0\1\1\1\377\377")}},
};

/* Frames whose content is none of the messages. */
static const struct {
    const char *name;
    enum wire_status content;
} no_message[] = {
    {"content-type-unknown", WIRE_UNKNOWN}, {"content-short", WIRE_SHORT},
    {"content-long", WIRE_TOO_LONG},        {"content-padding", WIRE_MALFORMED},
    {"content-version", WIRE_UNKNOWN},      {"content-portals-header", WIRE_MALFORMED},
    {"content-addresses", WIRE_MALFORMED},
};

static unsigned found;

static void check_expected(const struct vector *vector, const struct wire_intercept_frame *got)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = 0;

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct wire_intercept_frame want = expected[i].frame;

        if (strcmp(expected[i].name, vector->name) == 0) {
            found++;
            wire_intercept_complete(&want);
            CHECK(got->message == want.message, "%s: the message", vector->name);
            CHECK(got->content == want.content, "%s: what is inside", vector->name);
            CHECK_EQ(wire_intercept_encode(&want, octets, sizeof octets, &len), WIRE_OK, "encodes");
            CHECK(len == vector->len, "%s: its length", vector->name);
            CHECK_MEM(octets, vector->octets, vector->len, "and to the vector's octets");
        }
    }
    for (size_t i = 0; i < sizeof no_message / sizeof no_message[0]; i++) {
        if (strcmp(no_message[i].name, vector->name) == 0) {
            found++;
            CHECK(got->message == WIRE_INTERCEPT_SHORT_MESSAGE, "%s: none of the messages", vector->name);
            CHECK(got->content == no_message[i].content, "%s: why", vector->name);
        }
    }
}

static void check_truncations(const struct vector *vector)
{
    struct wire_intercept_frame frame = {.source = 77};
    size_t octets = 88;

    for (size_t len = 0; len < vector->len; len++) {
        /* A copy of just that size, so that an address sanitiser sees a read beyond it. */
        unsigned char *copy = len ? malloc(len) : NULL;

        if (len) {
            memcpy(copy, vector->octets, len);
        }
        CHECK(wire_intercept_decode(copy, len, &frame, &octets) == WIRE_SHORT, "%s: %zu octets are too short",
              vector->name, len);
        free(copy);
    }
    CHECK(frame.source == 77 && octets == 88, "%s: outputs stay untouched", vector->name);
}

/* Whatever bit is wrong, the frame is not taken. */
static void check_bits(const struct vector *vector)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    struct wire_intercept_frame frame;

    memcpy(octets, vector->octets, vector->len);
    for (size_t bit = 0; bit < 8 * vector->len; bit++) {
        octets[bit / 8] ^= (unsigned char)(1 << bit % 8);
        CHECK(wire_intercept_decode(octets, vector->len, &frame, NULL) != WIRE_OK, "%s: bit %zu is noticed",
              vector->name, bit);
        octets[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

static void check_vector(const struct vector *vector)
{
    unsigned char again[WIRE_INTERCEPT_FRAME_MAX];
    struct wire_intercept_frame frame;
    size_t octets = 0;
    size_t len = 0;

    if (!CHECK(wire_intercept_decode(vector->octets, vector->len, &frame, &octets) == WIRE_OK, "%s decodes",
               vector->name)) {
        return;
    }
    CHECK(octets == vector->len, "%s: the frame's octets", vector->name);
    check_expected(vector, &frame);
    CHECK_EQ(wire_intercept_encode(&frame, again, sizeof again, &len), WIRE_OK, "encodes");
    CHECK_EQ(len, vector->len, "to the same length");
    CHECK_MEM(again, vector->octets, vector->len, "and to the same octets");
    CHECK_EQ(wire_intercept_encode(&frame, again, vector->len - 1, &len), WIRE_NO_SPACE, "not into one octet less");
    check_truncations(vector);
    check_bits(vector);
}

static void every_vector(void)
{
    vector_each(VECTORS "/intercept", check_vector);
    CHECK_EQ(found, sizeof expected / sizeof expected[0] + sizeof no_message / sizeof no_message[0],
             "every expected vector is there");
}

static void check_invalid(const struct vector *vector)
{
    static const struct {
        const char *name;
        enum wire_status status;
    } statuses[] = {
        {"malformed", WIRE_MALFORMED},
        {"unknown", WIRE_UNKNOWN},
        {"too-long", WIRE_TOO_LONG},
        {"short", WIRE_SHORT},
    };
    struct wire_intercept_frame frame;

    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (strcmp(statuses[i].name, vector->expect) == 0) {
            CHECK(wire_intercept_decode(vector->octets, vector->len, &frame, NULL) == statuses[i].status, "%s",
                  vector->name);
            return;
        }
    }
    CHECK(false, "%s expects a status", vector->name);
}

static void invalid_ones_say_why(void)
{
    vector_each(VECTORS "/intercept/invalid", check_invalid);
}

/* The table of chapter 3.2 of the binding. */
static void crc_is_that_of_the_standard(void)
{
    unsigned char octets[32];

    CHECK_EQ(wire_intercept_crc32(0, NULL, 0), 0, "of nothing");
    CHECK_EQ(wire_intercept_crc32(0, "a", 1), 0xe8b7be43, "of a letter");
    CHECK_EQ(wire_intercept_crc32(0, "123456789", 9), 0xcbf43926, "of nine digits");
    CHECK_EQ(wire_intercept_crc32(wire_intercept_crc32(0, "1234", 4), "56789", 5), 0xcbf43926, "in two pieces");
    memset(octets, 0, sizeof octets);
    CHECK_EQ(wire_intercept_crc32(0, octets, sizeof octets), 0x190a55ad, "of zeros");
    memset(octets, 0xff, sizeof octets);
    CHECK_EQ(wire_intercept_crc32(0, octets, sizeof octets), 0xff6cab0b, "of ones");
}

/* The same bit by bit, as 3.2 says it. */
static uint32_t crc_bit_by_bit(uint32_t before, const unsigned char *octets, size_t len)
{
    uint32_t crc = ~before;

    for (size_t bit = 0; bit < 8 * len; bit++) {
        uint32_t out = (crc ^ (uint32_t)octets[bit / 8] >> bit % 8) & 1;

        crc = out ? crc >> 1 ^ UINT32_C(0xedb88320) : crc >> 1;
    }
    return ~crc;
}

static void crc_is_the_same_bit_by_bit(void)
{
    unsigned char octets[64 + 8];
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof octets; i++) {
        octets[i] = (unsigned char)(i * 151 + i / 3);
    }
    for (size_t begin = 0; begin < 8; begin++) {
        for (size_t len = 0; len <= 64; len++) {
            uint32_t plain = crc_bit_by_bit((uint32_t)len, octets + begin, len);

            wrong += wire_intercept_crc32((uint32_t)len, octets + begin, len) != plain;
        }
    }
    CHECK_EQ(wrong, 0, "lengths and beginnings of which it is another");
    for (size_t bit = 0; bit < 8 * 64; bit++) {
        unsigned char one[64] = {0};

        one[bit / 8] = (unsigned char)(1U << bit % 8);
        wrong += wire_intercept_crc32(0, one, sizeof one) != crc_bit_by_bit(0, one, sizeof one);
    }
    CHECK_EQ(wrong, 0, "bits whose weight is another");
}

static void rows_follow_each_other(void)
{
    for (size_t i = 0; i < WIRE_INTERCEPT_COUNT; i++) {
        const struct wire_message *message = &wire_intercept_messages[i];
        unsigned at = 0;

        for (size_t j = 0; j < message->row_count; j++) {
            const struct wire_row *row = &message->rows[j];

            CHECK(row->offset == at, "%s: %s begins where the row before ends", message->name, row->name);
            CHECK(row->label && row->clause && row->help, "and is described");
            CHECK(wire_row_find(message, row->name) == row, "%s: %s is its name alone", message->name, row->name);
            at += row->width;
        }
        CHECK(message->octets == at, "%s ends where the last row does", message->name);
        CHECK(message->octets <= WIRE_INTERCEPT_FIXED_MAX, "and is below the maximum");
        CHECK(message->payload_row < 0 || strstr(message->rows[message->payload_row].name, "length"),
              "%s: data is counted by a length", message->name);
        CHECK(wire_intercept_message_named(message->name) == message, "a name has one message");
    }
    CHECK(!wire_intercept_message_named("put"), "no other message has a name");
}

static void forgers_get_what_they_ask_for(void)
{
    struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_COUNT};
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = 0;

    CHECK_EQ(wire_intercept_encode(&frame, octets, sizeof octets, &len), WIRE_UNKNOWN, "no such message");
    frame = (struct wire_intercept_frame){.message = WIRE_INTERCEPT_VDMA_DATA, .kind = 9, .length = 24, .channel = 4};
    CHECK_EQ(wire_intercept_encode(&frame, octets, sizeof octets, &len), WIRE_OK, "a kind that is none");
    CHECK_EQ(len, 16 + 24 + 4, "and zeros for data that is not there");
    CHECK_EQ(wire_intercept_decode(octets, len, &frame, NULL), WIRE_UNKNOWN, "is not taken");
}

int main(void)
{
    TAP_RUN(every_vector);
    TAP_RUN(invalid_ones_say_why);
    TAP_RUN(crc_is_that_of_the_standard);
    TAP_RUN(crc_is_the_same_bit_by_bit);
    TAP_RUN(rows_follow_each_other);
    TAP_RUN(forgers_get_what_they_ask_for);
    return tap_done();
}
