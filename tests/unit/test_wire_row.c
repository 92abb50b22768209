/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Rows: access by row, and that the tables of the Portals messages are sound and say the same as the codec.
 */
#include "tests/unit/tap.h"
#include "wire/octets/row.h"
#include "wire/portals/messages.h"

/* How the document's tables 6 to 9 and the binding list the fields: name, offset, width. By hand, on purpose. */
struct expected_row {
    const char *message;
    const char *name;
    unsigned offset;
    unsigned width;
};

static const struct expected_row expected[] = {
    {"put", "operation", 0, 4},
    {"put", "initiator.nid", 4, 4},
    {"put", "initiator.pid", 8, 4},
    {"put", "initiator.gid", 12, 4},
    {"put", "initiator.rid", 16, 4},
    {"put", "target.nid", 20, 4},
    {"put", "target.pid", 24, 4},
    {"put", "target.gid", 28, 4},
    {"put", "target.rid", 32, 4},
    {"put", "portal", 36, 4},
    {"put", "cookie", 40, 4},
    {"put", "match_bits", 44, 8},
    {"put", "offset", 52, 8},
    {"put", "md", 60, 8},
    {"put", "rlength", 68, 8},
    {"ack", "operation", 0, 4},
    {"ack", "initiator.nid", 4, 4},
    {"ack", "initiator.pid", 8, 4},
    {"ack", "initiator.gid", 12, 4},
    {"ack", "initiator.rid", 16, 4},
    {"ack", "target.nid", 20, 4},
    {"ack", "target.pid", 24, 4},
    {"ack", "target.gid", 28, 4},
    {"ack", "target.rid", 32, 4},
    {"ack", "portal", 36, 4},
    {"ack", "match_bits", 40, 8},
    {"ack", "offset", 48, 8},
    {"ack", "md", 56, 8},
    {"ack", "rlength", 64, 8},
    {"ack", "mlength", 72, 8},
    {"get", "operation", 0, 4},
    {"get", "initiator.nid", 4, 4},
    {"get", "initiator.pid", 8, 4},
    {"get", "initiator.gid", 12, 4},
    {"get", "initiator.rid", 16, 4},
    {"get", "target.nid", 20, 4},
    {"get", "target.pid", 24, 4},
    {"get", "target.gid", 28, 4},
    {"get", "target.rid", 32, 4},
    {"get", "portal", 36, 4},
    {"get", "cookie", 40, 4},
    {"get", "match_bits", 44, 8},
    {"get", "offset", 52, 8},
    {"get", "md", 60, 8},
    {"get", "rlength", 68, 8},
    {"reply", "operation", 0, 4},
    {"reply", "initiator.nid", 4, 4},
    {"reply", "initiator.pid", 8, 4},
    {"reply", "initiator.gid", 12, 4},
    {"reply", "initiator.rid", 16, 4},
    {"reply", "target.nid", 20, 4},
    {"reply", "target.pid", 24, 4},
    {"reply", "target.gid", 28, 4},
    {"reply", "target.rid", 32, 4},
    {"reply", "portal", 36, 4},
    {"reply", "match_bits", 40, 8},
    {"reply", "offset", 48, 8},
    {"reply", "md", 56, 8},
    {"reply", "rlength", 64, 8},
    {"reply", "mlength", 72, 8},
    {"barrier", "operation", 0, 4},
    {"barrier", "initiator.nid", 4, 4},
    {"barrier", "initiator.pid", 8, 4},
    {"barrier", "initiator.gid", 12, 4},
    {"barrier", "initiator.rid", 16, 4},
    {"barrier", "target.nid", 20, 4},
    {"barrier", "target.pid", 24, 4},
    {"barrier", "target.gid", 28, 4},
    {"barrier", "target.rid", 32, 4},
    {"barrier", "sequence", 36, 8},
    {"barrier", "round", 44, 4},
    {"number", "operation", 0, 4},
    {"number", "epoch", 4, 8},
    {"number", "number", 12, 8},
    {"acknowledge", "operation", 0, 4},
    {"acknowledge", "initiator.nid", 4, 4},
    {"acknowledge", "initiator.pid", 8, 4},
    {"acknowledge", "initiator.gid", 12, 4},
    {"acknowledge", "initiator.rid", 16, 4},
    {"acknowledge", "target.nid", 20, 4},
    {"acknowledge", "target.pid", 24, 4},
    {"acknowledge", "target.gid", 28, 4},
    {"acknowledge", "target.rid", 32, 4},
    {"acknowledge", "incarnation", 36, 8},
    {"acknowledge", "epoch", 44, 8},
    {"acknowledge", "acknowledged", 52, 8},
    {"acknowledge", "missing", 60, 4},
    {"hello", "operation", 0, 4},
    {"hello", "version_major", 4, 2},
    {"hello", "version_minor", 6, 2},
    {"hello", "initiator.nid", 8, 4},
    {"hello", "initiator.pid", 12, 4},
    {"hello", "initiator.gid", 16, 4},
    {"hello", "initiator.rid", 20, 4},
    {"hello", "target.nid", 24, 4},
    {"hello", "target.pid", 28, 4},
    {"hello", "target.gid", 32, 4},
    {"hello", "target.rid", 36, 4},
    {"hello", "interface", 40, 4},
    {"hello", "group_size", 44, 4},
    {"tagged-put", "operation", 0, 4},
    {"tagged-put", "initiator.nid", 4, 4},
    {"tagged-put", "initiator.pid", 8, 4},
    {"tagged-put", "initiator.gid", 12, 4},
    {"tagged-put", "initiator.rid", 16, 4},
    {"tagged-put", "target.nid", 20, 4},
    {"tagged-put", "target.pid", 24, 4},
    {"tagged-put", "target.gid", 28, 4},
    {"tagged-put", "target.rid", 32, 4},
    {"tagged-put", "portal", 36, 4},
    {"tagged-put", "cookie", 40, 4},
    {"tagged-put", "match_bits", 44, 8},
    {"tagged-put", "offset", 52, 8},
    {"tagged-put", "md", 60, 8},
    {"tagged-put", "rlength", 68, 8},
    {"tagged-put", "uid", 76, 4},
    {"tagged-put", "hdr_data", 80, 8},
    {"tagged-put", "local_offset", 88, 8},
    {"tagged-ack", "operation", 0, 4},
    {"tagged-ack", "initiator.nid", 4, 4},
    {"tagged-ack", "initiator.pid", 8, 4},
    {"tagged-ack", "initiator.gid", 12, 4},
    {"tagged-ack", "initiator.rid", 16, 4},
    {"tagged-ack", "target.nid", 20, 4},
    {"tagged-ack", "target.pid", 24, 4},
    {"tagged-ack", "target.gid", 28, 4},
    {"tagged-ack", "target.rid", 32, 4},
    {"tagged-ack", "portal", 36, 4},
    {"tagged-ack", "match_bits", 40, 8},
    {"tagged-ack", "offset", 48, 8},
    {"tagged-ack", "md", 56, 8},
    {"tagged-ack", "rlength", 64, 8},
    {"tagged-ack", "mlength", 72, 8},
    {"tagged-ack", "uid", 80, 4},
    {"tagged-ack", "hdr_data", 84, 8},
    {"tagged-ack", "local_offset", 92, 8},
    {"tagged-get", "operation", 0, 4},
    {"tagged-get", "initiator.nid", 4, 4},
    {"tagged-get", "initiator.pid", 8, 4},
    {"tagged-get", "initiator.gid", 12, 4},
    {"tagged-get", "initiator.rid", 16, 4},
    {"tagged-get", "target.nid", 20, 4},
    {"tagged-get", "target.pid", 24, 4},
    {"tagged-get", "target.gid", 28, 4},
    {"tagged-get", "target.rid", 32, 4},
    {"tagged-get", "portal", 36, 4},
    {"tagged-get", "cookie", 40, 4},
    {"tagged-get", "match_bits", 44, 8},
    {"tagged-get", "offset", 52, 8},
    {"tagged-get", "md", 60, 8},
    {"tagged-get", "rlength", 68, 8},
    {"tagged-get", "uid", 76, 4},
    {"tagged-get", "hdr_data", 80, 8},
    {"tagged-get", "local_offset", 88, 8},
    {"tagged-reply", "operation", 0, 4},
    {"tagged-reply", "initiator.nid", 4, 4},
    {"tagged-reply", "initiator.pid", 8, 4},
    {"tagged-reply", "initiator.gid", 12, 4},
    {"tagged-reply", "initiator.rid", 16, 4},
    {"tagged-reply", "target.nid", 20, 4},
    {"tagged-reply", "target.pid", 24, 4},
    {"tagged-reply", "target.gid", 28, 4},
    {"tagged-reply", "target.rid", 32, 4},
    {"tagged-reply", "portal", 36, 4},
    {"tagged-reply", "match_bits", 40, 8},
    {"tagged-reply", "offset", 48, 8},
    {"tagged-reply", "md", 56, 8},
    {"tagged-reply", "rlength", 64, 8},
    {"tagged-reply", "mlength", 72, 8},
    {"tagged-reply", "uid", 80, 4},
    {"tagged-reply", "hdr_data", 84, 8},
    {"tagged-reply", "local_offset", 92, 8},
    {"getput", "operation", 0, 4},
    {"getput", "initiator.nid", 4, 4},
    {"getput", "initiator.pid", 8, 4},
    {"getput", "initiator.gid", 12, 4},
    {"getput", "initiator.rid", 16, 4},
    {"getput", "target.nid", 20, 4},
    {"getput", "target.pid", 24, 4},
    {"getput", "target.gid", 28, 4},
    {"getput", "target.rid", 32, 4},
    {"getput", "portal", 36, 4},
    {"getput", "cookie", 40, 4},
    {"getput", "match_bits", 44, 8},
    {"getput", "offset", 52, 8},
    {"getput", "md", 60, 8},
    {"getput", "rlength", 68, 8},
    {"getput", "uid", 76, 4},
    {"getput", "hdr_data", 80, 8},
    {"getput", "local_offset", 88, 8},
};

static void tables_are_those_of_the_document(void)
{
    size_t rows = 0;

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct wire_message *message = wire_portals_message_named(expected[i].message);
        const struct wire_row *row = message ? wire_row_find(message, expected[i].name) : NULL;

        CHECK(row && row->offset == expected[i].offset && row->width == expected[i].width, "%s: %s at %u, %u octets",
              expected[i].message, expected[i].name, expected[i].offset, expected[i].width);
    }
    for (size_t i = 0; i < WIRE_PORTALS_COUNT; i++) {
        rows += wire_portals_messages[i].row_count;
    }
    CHECK_EQ(rows, sizeof expected / sizeof expected[0], "there are no other rows");
}

static void rows_follow_each_other(void)
{
    for (size_t i = 0; i < WIRE_PORTALS_COUNT; i++) {
        const struct wire_message *message = &wire_portals_messages[i];
        unsigned at = 0;

        for (size_t j = 0; j < message->row_count; j++) {
            CHECK(message->rows[j].offset == at, "%s: %s begins where the row before ends", message->name,
                  message->rows[j].name);
            CHECK(message->rows[j].label && message->rows[j].clause && message->rows[j].help, "and is described");
            at += message->rows[j].width;
        }
        CHECK_EQ(message->octets, at, "the header ends where the last row does");
        CHECK(message->octets <= WIRE_PORTALS_HEADER_MAX, "no header is above the maximum");
        CHECK(wire_portals_message_of(message->operation) == message, "an operation has one message");
        CHECK(message->payload_row < (int)message->row_count, "the payload's length is one of the rows");
    }
}

/* Writes a distinct value through each row and demands that the codec finds it in the member of that name, by encoding
 * the decoded header again: a member that the codec put elsewhere would come out at another place. */
static void codec_and_rows_agree(void)
{
    for (size_t i = 0; i < WIRE_PORTALS_COUNT; i++) {
        const struct wire_message *message = &wire_portals_messages[i];

        for (size_t j = 1; j < message->row_count; j++) {
            unsigned char octets[WIRE_PORTALS_HEADER_MAX] = {0};
            unsigned char again[WIRE_PORTALS_HEADER_MAX] = {0};
            struct wire_portals_header header;
            size_t header_octets = 0;
            size_t len = 0;
            const struct wire_row *row = &message->rows[j];

            CHECK_EQ(wire_row_set(&message->rows[0], octets, sizeof octets, message->operation), WIRE_OK, "set code");
            CHECK_EQ(wire_row_set(row, octets, sizeof octets, 0x5a + j), WIRE_OK, "set");
            CHECK_EQ(wire_portals_decode(octets, message->octets, &header, &header_octets, NULL), WIRE_OK, "decode");
            CHECK_EQ(header_octets, message->octets, "length");
            CHECK_EQ(wire_portals_encode(&header, again, sizeof again, &len), WIRE_OK, "encode");
            CHECK(len == message->octets && memcmp(octets, again, sizeof octets) == 0, "%s: %s is the codec's too",
                  message->name, row->name);
        }
    }
}

static void get_and_set_mind_the_edges(void)
{
    unsigned char octets[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct wire_row row = {.name = "x", .offset = 4, .width = 4, .base = WIRE_DEC};
    uint64_t value = 99;

    CHECK_EQ(wire_row_get(&row, octets, 8, &value), WIRE_OK, "a field at the very end");
    CHECK_EQ(value, 0x05060708, "its value");
    value = 99;
    CHECK_EQ(wire_row_get(&row, octets, 7, &value), WIRE_SHORT, "one octet less");
    CHECK_EQ(wire_row_get(&row, octets, 3, &value), WIRE_SHORT, "less than its offset");
    CHECK_EQ(value, 99, "leaves the output alone");
    CHECK_EQ(wire_row_set(&row, octets, 7, 1), WIRE_NO_SPACE, "no room for the last octet");
    CHECK_EQ(wire_row_set(&row, octets, 8, UINT64_C(0x100000000)), WIRE_MALFORMED, "a value of five octets in four");
    CHECK_EQ(octets[7], 8, "nothing was written");
    CHECK_EQ(wire_row_set(&row, octets, 8, 0xffffffff), WIRE_OK, "the largest value");
    CHECK(octets[3] == 4 && octets[4] == 0xff && octets[7] == 0xff, "stands in its field only");
    row.width = 3;
    CHECK_EQ(wire_row_get(&row, octets, 8, &value), WIRE_MALFORMED, "a width that no number has");
    CHECK_EQ(wire_row_set(&row, octets, 8, 0), WIRE_MALFORMED, "nor for writing");
    row.width = 1;
    CHECK_EQ(wire_row_max(&row), 255, "largest value of one octet");
    row.width = 8;
    CHECK_EQ(wire_row_max(&row), UINT64_MAX, "largest value of eight octets");
}

/* Numbers with a sign, and fields that are no numbers. */
static void signs_and_octets(void)
{
    unsigned char octets[20] = {0xff, 0xff, 0xff, 0xfe, [19] = 7};
    struct wire_row number = {.name = "x", .offset = 0, .width = 4, .base = WIRE_INT};
    struct wire_row host = {.name = "y", .offset = 4, .width = 16, .base = WIRE_HOST};
    uint64_t value = 99;

    CHECK_EQ(wire_row_get(&number, octets, 20, &value), WIRE_OK, "a number below zero");
    CHECK(wire_row_signed(&number, value) == -2, "is -2");
    CHECK(wire_row_signed(&number, 0x7fffffff) == INT32_MAX, "the largest of four octets");
    CHECK(wire_row_signed(&number, 0x80000000) == INT32_MIN, "and the least");
    number.width = 8;
    CHECK(wire_row_signed(&number, UINT64_MAX) == -1 && wire_row_signed(&number, (uint64_t)1 << 63) == INT64_MIN,
          "of eight octets too");
    CHECK_EQ(wire_row_get(&host, octets, 20, &value), WIRE_MALFORMED, "16 octets are no number");
    CHECK_EQ(wire_row_set(&host, octets, 20, 1), WIRE_MALFORMED, "nor can they be set to one");
    CHECK(wire_row_octets(&host, octets, 20) == octets + 4, "they stand where the row says");
    CHECK(!wire_row_octets(&host, octets, 19) && !wire_row_octets(&host, octets, 3), "unless the octets end before");
}

static void values_have_names(void)
{
    const struct wire_message *put = wire_portals_message_named("put");

    CHECK_STR(wire_row_value_name(wire_row_find(put, "md"), UINT64_MAX), "PTL_MD_NONE", "the descriptor of all ones");
    CHECK(!wire_row_value_name(wire_row_find(put, "md"), 0), "no other has a name");
    CHECK_STR(wire_row_value_name(wire_row_find(put, "operation"), 4), "reply", "operation 4");
    CHECK(!wire_row_find(put, "mlength"), "a put has no manipulated length");
    CHECK(!wire_portals_message_named("putt"), "no message of that name");
    CHECK(!wire_portals_message_of(0) && !wire_portals_message_of(8), "nor of that operation");
}

int main(void)
{
    TAP_RUN(tables_are_those_of_the_document);
    TAP_RUN(rows_follow_each_other);
    TAP_RUN(codec_and_rows_agree);
    TAP_RUN(get_and_set_mind_the_edges);
    TAP_RUN(signs_and_octets);
    TAP_RUN(values_have_names);
    return tap_done();
}
