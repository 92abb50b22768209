/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The packets between IMPI hosts against the vectors: what each says is written down here once more by hand, each
 * encodes to itself again, each of its truncations says that it is one, and a stream may come in pieces of any size.
 */
#include "tests/unit/tap.h"
#include "tests/unit/vector.h"
#include "wire/impi/packet.h"

#include <stdlib.h>

#define FOLDER VECTORS "/impi-packet"

/* clang-format off */
#define HOST_A {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0, 1}
#define HOST_B {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 2}
#define HOST_ONES {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
#define A {HOST_A, 101}
#define B {HOST_B, -2}
#define ONES {HOST_ONES, -1}
#define ALL UINT64_MAX
#define ALL_ONES(t) {t, UINT32_MAX, ONES, ONES, ALL, ALL, ALL, -1, -1, ALL, ALL, -1, ALL, ALL}
/* clang-format on */

struct expected {
    const char *name;
    struct wire_impi_packet packet;
};

static const struct expected expected[] = {
    {"cancel", {.type = 4, .src = A, .dest = B, .srqid = 17}},
    {"cancel-ones", ALL_ONES(4)},
    {"cancel-zeros", {.type = 4}},
    {"cancelno", {.type = 6, .src = B, .dest = A, .srqid = 17}},
    {"cancelno-ones", ALL_ONES(6)},
    {"cancelno-zeros", {.type = 6}},
    {"cancelyes", {.type = 5, .src = B, .dest = A, .srqid = 17}},
    {"cancelyes-ones", ALL_ONES(5)},
    {"cancelyes-zeros", {.type = 5}},
    {"data", {0, 5, A, B, 17, 0, 5, 1, 7, 0, 1, 5, 0xdeadbeef, 0}},
    {"data-empty", {.src = A, .dest = B, .tag = 110, .cid = 1}},
    {"data-ones", ALL_ONES(0)},
    {"data-rest", {0, 12, A, B, 18, 0xa5, 20, 1, INT32_MAX, 0xffffffffffffffee, 3, 0, 0, 0}},
    {"data-zeros", {.type = 0}},
    {"datasync-empty", {.type = 1, .src = A, .dest = B, .srqid = (uint64_t)1 << 63, .lsrank = 1}},
    {"datasync", {1, 8, A, B, 18, 0, 20, 1, INT32_MAX, 0xffffffffffffffee, 2, 0, 0, 0}},
    {"datasync-ones", ALL_ONES(1)},
    {"datasync-zeros", {.type = 1}},
    {"fini", {.type = 7}},
    {"fini-ones", ALL_ONES(7)},
    {"fini-zeros", {.type = 7}},
    {"protoack", {.type = 2, .src = B, .dest = A}},
    {"protoack-ones", ALL_ONES(2)},
    {"protoack-zeros", {.type = 2}},
    {"syncack", {.type = 3, .src = B, .dest = A, .srqid = 18, .drqid = 0xa5}},
    {"syncack-ones", ALL_ONES(3)},
    {"syncack-with-lengths", {3, 128, B, A, 18, 0, 128, -1, -1, 0x4900000000000000, 9, -1, 0, 0}},
    {"syncack-zeros", {.type = 3}},
};

/* How section 3.5 lists the fields, with the types that use them by table 3.1. */
struct expected_row {
    const char *name;
    unsigned offset, width;
    const char *used_by; /* a letter a type: d s P S c y n F */
};

static const struct expected_row expected_rows[] = {
    {"pk_type", 0, 4, "dsPScynF"},
    {"pk_len", 4, 4, "ds"},
    {"pk_src.p_hostid", 8, 16, "dsPScyn"},
    {"pk_src.p_pid", 24, 8, "dsPScyn"},
    {"pk_dest.p_hostid", 32, 16, "dsPScyn"},
    {"pk_dest.p_pid", 48, 8, "dsPScyn"},
    {"pk_srqid", 56, 8, "dsScyn"},
    {"pk_drqid", 64, 8, "dsS"},
    {"pk_msglen", 72, 8, "ds"},
    {"pk_lsrank", 80, 4, "ds"},
    {"pk_tag", 84, 4, "ds"},
    {"pk_cid", 88, 8, "ds"},
    {"pk_seqnum", 96, 8, "ds"},
    {"pk_count", 104, 8, "ds"},
    {"pk_dtype", 112, 8, "ds"},
    {"pk_reserved", 120, 8, ""},
};

enum { ROWS = sizeof expected_rows / sizeof expected_rows[0] };

static const char letters[WIRE_IMPI_TYPES + 1] = "dsPScynF";
static unsigned found;

static void check_members(const struct wire_impi_packet *got, const struct wire_impi_packet *want)
{
    CHECK_EQ(got->type, want->type, "pk_type");
    CHECK_EQ(got->len, want->len, "pk_len");
    CHECK_MEM(got->src.host, want->src.host, 16, "pk_src.p_hostid");
    CHECK_MEM(got->dest.host, want->dest.host, 16, "pk_dest.p_hostid");
    CHECK(got->src.pid == want->src.pid && got->dest.pid == want->dest.pid, "p_pid of both");
    CHECK_EQ(got->srqid, want->srqid, "pk_srqid");
    CHECK_EQ(got->drqid, want->drqid, "pk_drqid");
    CHECK_EQ(got->msglen, want->msglen, "pk_msglen");
    CHECK(got->lsrank == want->lsrank && got->tag == want->tag, "pk_lsrank and pk_tag");
    CHECK_EQ(got->cid, want->cid, "pk_cid");
    CHECK_EQ(got->seqnum, want->seqnum, "pk_seqnum");
    CHECK(got->count == want->count, "pk_count");
    CHECK_EQ(got->dtype, want->dtype, "pk_dtype");
    CHECK_EQ(got->reserved, want->reserved, "pk_reserved");
}

static void check_truncations(const struct vector *vector)
{
    struct wire_impi_packet packet = {.type = 77};
    uint64_t all = 78;

    for (size_t len = 0; len < WIRE_IMPI_PACKET_OCTETS; len++) {
        /* A copy of just that size, so that an address sanitiser sees a read beyond it. */
        unsigned char *copy = len ? malloc(len) : NULL;

        if (len) {
            memcpy(copy, vector->octets, len);
        }
        CHECK(wire_impi_packet_decode(copy, len, &packet) == WIRE_SHORT, "%s: %zu octets are too short", vector->name,
              len);
        CHECK(wire_impi_packet_measure(copy, len, &all) == WIRE_SHORT, "%s: and cannot be measured", vector->name);
        free(copy);
    }
    CHECK_EQ(packet.type, 77, "the output stays untouched");
    CHECK_EQ(all, 78, "this one too");
}

static void check_vector(const struct vector *vector)
{
    const struct expected *want = NULL;
    unsigned char again[WIRE_IMPI_PACKET_OCTETS];
    struct wire_impi_packet packet;
    uint64_t all = 0;

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        want = strcmp(expected[i].name, vector->name) == 0 ? &expected[i] : want;
    }
    if (strcmp(vector->name, "stream") == 0 || !CHECK(want, "%s: is expected", vector->name)) {
        return;
    }
    found++;
    CHECK_EQ(wire_impi_packet_decode(vector->octets, vector->len, &packet), WIRE_OK, "decodes");
    check_members(&packet, &want->packet);
    CHECK_EQ(wire_impi_packet_measure(vector->octets, vector->len, &all), WIRE_OK, "can be measured");
    CHECK_EQ(all, WIRE_IMPI_PACKET_OCTETS + (uint64_t)(wire_impi_packet_has_data(packet.type) ? packet.len : 0),
             "has its header and its data");
    CHECK_EQ(wire_impi_packet_encode(&packet, again, sizeof again), WIRE_OK, "encodes");
    CHECK_MEM(again, vector->octets, sizeof again, "to the same octets");
    CHECK_EQ(wire_impi_packet_encode(&packet, again, sizeof again - 1), WIRE_NO_SPACE, "not into one octet less");
    check_truncations(vector);
}

static void every_vector(void)
{
    vector_each(FOLDER, check_vector);
    CHECK_EQ(found, sizeof expected / sizeof expected[0], "every expected vector is there");
}

static void rows_are_those_of_the_document(void)
{
    for (uint32_t type = 0; type < WIRE_IMPI_TYPES; type++) {
        const struct wire_message *message = wire_impi_packet_message(type);

        CHECK(message && message->octets == 128 && message->operation == type, "type %u has a header of 128", type);
        CHECK_EQ(message->row_count, ROWS, "with all fields");
        for (size_t i = 0; i < ROWS; i++) {
            const struct expected_row *want = &expected_rows[i];
            const struct wire_row *row = &message->rows[i];

            CHECK(strcmp(row->name, want->name) == 0 && row->offset == want->offset && row->width == want->width,
                  "%s stands at %u", want->name, want->offset);
            CHECK(wire_impi_packet_uses(type, row) == (strchr(want->used_by, letters[type]) != NULL), "%s in a %s",
                  want->name, message->name);
        }
        CHECK_EQ(message->payload_row, wire_impi_packet_has_data(type) ? 1 : -1, "pk_len counts user data only");
        CHECK(wire_impi_packet_named(message->name) == message, "is found by name");
    }
    CHECK(!wire_impi_packet_message(8) && !wire_impi_packet_named("PING"), "there are no others");
    CHECK(!wire_impi_packet_uses(8, &wire_impi_packet_messages[0].rows[0]), "which use nothing");
}

static void unknown_types_are_refused(void)
{
    static const uint32_t types[] = {8, 0x01000000, 0x07000000, UINT32_MAX};
    unsigned char octets[WIRE_IMPI_PACKET_OCTETS];
    uint64_t all;

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct wire_impi_packet packet = {.type = types[i]};

        CHECK_EQ(wire_impi_packet_encode(&packet, octets, sizeof octets), WIRE_OK, "a forger may encode any type");
        packet.type = 77;
        CHECK_EQ(wire_impi_packet_decode(octets, sizeof octets, &packet), WIRE_UNKNOWN, "a receiver does not take it");
        CHECK_EQ(packet.type, 77, "and writes nothing");
        CHECK_EQ(wire_impi_packet_measure(octets, sizeof octets, &all), WIRE_UNKNOWN, "nor does he know its length");
    }
}

/* What the stream vector holds: type and data of each packet, in order. */
static const struct {
    uint32_t type;
    const char *data;
    uint32_t len;
} in_stream[] = {
    {0, "hello", 5}, {1, "\0\1\2\3\4\5\6\7", 8}, {2, "", 0}, {0, "\10\11\12\13\14\15\16\17\20\21\22\23", 12},
    {7, "", 0},
};

enum { IN_STREAM = sizeof in_stream / sizeof in_stream[0] };

/* Cuts the stream, fed in pieces of `step` octets, and compares. True when all packets were found. */
static bool cut(const struct vector *vector, size_t step)
{
    struct wire_impi_packets packets = wire_impi_packets_begin();
    unsigned char data[64];
    size_t data_len = 0, count = 0;
    bool good = true;

    for (size_t at = 0; at < vector->len; at += step) {
        const unsigned char *octets = vector->octets + at;
        size_t len = vector->len - at < step ? vector->len - at : step;
        struct wire_impi_packets_piece piece;

        while (wire_impi_packets_next(&packets, &octets, &len, &piece) == WIRE_OK && count < IN_STREAM) {
            data_len = piece.kind == WIRE_IMPI_HEADER ? 0 : data_len;
            if (piece.kind == WIRE_IMPI_USER_DATA && data_len + piece.len <= sizeof data) {
                memcpy(data + data_len, piece.octets, piece.len);
                data_len += piece.len;
            }
            if (piece.left == 0) {
                good = good && piece.packet->type == in_stream[count].type && data_len == in_stream[count].len &&
                       memcmp(data, in_stream[count].data, data_len) == 0;
                count++;
            }
        }
        good = good && len == 0;
    }
    return good && count == IN_STREAM && packets.offset == vector->len && wire_impi_packets_missing(&packets) == 0;
}

static void streams_come_in_pieces(void)
{
    static struct vector vector;

    vector_load(FOLDER "/stream.hex", &vector);
    for (size_t step = 1; step <= vector.len; step++) {
        CHECK(cut(&vector, step), "in pieces of %zu", step);
    }
}

static void streams_know_what_is_missing(void)
{
    struct wire_impi_packets packets = wire_impi_packets_begin();
    struct wire_impi_packets_piece piece;
    static struct vector vector;
    const unsigned char *octets = vector.octets;
    size_t len = 100;

    vector_load(FOLDER "/data.hex", &vector);
    CHECK_EQ(wire_impi_packets_next(&packets, &octets, &len, &piece), WIRE_SHORT, "100 octets of a header");
    CHECK_EQ(wire_impi_packets_missing(&packets), 28, "lack 28");
    len = 30;
    CHECK_EQ(wire_impi_packets_next(&packets, &octets, &len, &piece), WIRE_OK, "the header");
    CHECK(len == 2 && piece.left == 5, "is whole; 5 octets of data follow");
    CHECK_EQ(wire_impi_packets_next(&packets, &octets, &len, &piece), WIRE_OK, "two of them");
    CHECK_EQ(wire_impi_packets_missing(&packets), 3, "lack 3");
}

static void streams_break_at_an_unknown_type(void)
{
    struct wire_impi_packets packets = wire_impi_packets_begin();
    struct wire_impi_packets_piece piece;
    unsigned char header[2 * WIRE_IMPI_PACKET_OCTETS] = {0, 0, 0, 2, [128] = 7};
    const unsigned char *octets = header;
    size_t len = sizeof header;

    CHECK_EQ(wire_impi_packets_next(&packets, &octets, &len, &piece), WIRE_OK, "a PROTOACK");
    CHECK_EQ(wire_impi_packets_next(&packets, &octets, &len, &piece), WIRE_UNKNOWN, "a FINI with its octets swapped");
    CHECK_EQ(packets.packet_offset, 128, "is where it begins");
    octets = header;
    len = sizeof header;
    CHECK_EQ(wire_impi_packets_next(&packets, &octets, &len, &piece), WIRE_UNKNOWN, "nothing helps any more");
}

static void hosts_have_two_forms(void)
{
    const unsigned char plain[16] = {[12] = 10, [15] = 1};
    const unsigned char mapped[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 1};
    const unsigned char other[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 2};
    const unsigned char half[16] = {[10] = 0xff, [12] = 10, [15] = 1};
    const unsigned char six[16] = {0x20, 1, 0x0d, 0xb8, [12] = 10, [15] = 1};
    struct wire_impi_process one = {HOST_A, 7}, two = {HOST_A, 7};

    CHECK(wire_impi_host_same(plain, mapped) && wire_impi_host_same(mapped, plain), "both forms are one host");
    CHECK(wire_impi_host_same(six, six) && !wire_impi_host_same(six, plain), "an IPv6 address is itself");
    CHECK(!wire_impi_host_same(mapped, other) && !wire_impi_host_same(half, plain), "others are others");
    CHECK(wire_impi_process_same(&one, &two), "the same process");
    two.pid = 7 + ((int64_t)1 << 32);
    CHECK(!wire_impi_process_same(&one, &two), "pids have 64 bits");
    two.pid = 7;
    two.host[0] = 1;
    CHECK(!wire_impi_process_same(&one, &two), "and hosts 128");
}

int main(void)
{
    TAP_RUN(every_vector);
    TAP_RUN(rows_are_those_of_the_document);
    TAP_RUN(unknown_types_are_refused);
    TAP_RUN(streams_come_in_pieces);
    TAP_RUN(streams_know_what_is_missing);
    TAP_RUN(streams_break_at_an_unknown_type);
    TAP_RUN(hosts_have_two_forms);
    return tap_done();
}
