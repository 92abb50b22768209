/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The cursor: octet order, the edges of buffers, and that failure is for ever.
 */
#include "tests/unit/tap.h"
#include "wire/octets/cursor.h"

static const unsigned char fifteen[15] = {0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0xe7, 0xf8,
                                          0x01, 0x12, 0x23, 0x34, 0x45, 0x56, 0x67};

static void reads_most_significant_first(void)
{
    struct wire_reader reader = wire_reader_over(fifteen, sizeof fifteen);

    CHECK_EQ(wire_read_u8(&reader), 0x81, "one octet");
    CHECK_EQ(wire_read_u16(&reader), 0x92a3, "two octets");
    CHECK_EQ(wire_read_u32(&reader), 0xb4c5d6e7, "four octets");
    CHECK_EQ(wire_read_u64(&reader), 0xf801122334455667, "eight octets");
    CHECK(!reader.failed && reader.left == 0, "all octets were read and nothing failed");
    CHECK(wire_read_octets(&reader, 0) == fifteen + 15 && !reader.failed, "nothing can be read at the end");
    CHECK_EQ(wire_read_u8(&reader), 0, "a read beyond the end gives zero");
    CHECK(reader.failed, "and fails the reader");
}

static void failed_reader_stays_failed(void)
{
    struct wire_reader reader = wire_reader_over(fifteen, 7);

    CHECK_EQ(wire_read_u64(&reader), 0, "eight octets of seven are none");
    CHECK(reader.failed && reader.left == 7, "a failed read takes nothing");
    CHECK_EQ(wire_read_u8(&reader), 0, "a failed reader gives zero although octets are left");
    CHECK(!wire_read_octets(&reader, 0), "not even nothing can be read from a failed reader");
    reader = wire_reader_over(fifteen, 1);
    CHECK_EQ(wire_read_u16(&reader), 0, "two of one");
    reader = wire_reader_over(fifteen, 3);
    CHECK_EQ(wire_read_u32(&reader), 0, "four of three");
    CHECK(reader.failed, "failed");
}

static void empty_and_huge(void)
{
    struct wire_reader reader = wire_reader_over(NULL, 0);
    struct wire_writer writer = wire_writer_over(NULL, 0);

    (void)wire_read_octets(&reader, 0);
    CHECK(!reader.failed, "nothing is in no buffer");
    CHECK(!wire_read_octets(&reader, 1) && reader.failed, "one octet is not");
    reader = wire_reader_over(fifteen, sizeof fifteen);
    CHECK(!wire_read_octets(&reader, SIZE_MAX) && reader.failed, "a step of the greatest size does not wrap round");
    wire_write_octets(&writer, fifteen, 0);
    CHECK(!writer.failed && writer.written == 0, "nothing fits into no buffer");
    wire_write_u8(&writer, 1);
    CHECK(writer.failed, "one octet does not");
    CHECK(!wire_write_space(&writer, SIZE_MAX), "nor does the greatest size");
}

static void writes_most_significant_first(void)
{
    unsigned char buffer[16];
    struct wire_writer writer = wire_writer_over(buffer, 15);

    memset(buffer, 0xee, sizeof buffer);
    wire_write_u8(&writer, 0x81);
    wire_write_u16(&writer, 0x92a3);
    wire_write_u32(&writer, 0xb4c5d6e7);
    wire_write_u64(&writer, 0xf801122334455667);
    CHECK_MEM(buffer, fifteen, 15, "the octets stand in network order");
    CHECK(!writer.failed && writer.written == 15, "fifteen octets were written");
    wire_write_u8(&writer, 0);
    CHECK(writer.failed && writer.written == 15 && buffer[15] == 0xee, "a sixteenth is not written");
}

static void failed_writer_stays_failed(void)
{
    unsigned char buffer[8];
    struct wire_writer writer = wire_writer_over(buffer, 7);

    memset(buffer, 0xee, sizeof buffer);
    wire_write_u64(&writer, 0);
    wire_write_u8(&writer, 0);
    wire_write_u16(&writer, 0);
    wire_write_u32(&writer, 0);
    wire_write_octets(&writer, fifteen, 1);
    CHECK(writer.failed && writer.written == 0, "once failed, nothing is counted");
    for (size_t i = 0; i < sizeof buffer; i++) {
        CHECK_EQ(buffer[i], 0xee, "and nothing is written");
    }
}

static void parts_end_where_they_should(void)
{
    unsigned char buffer[8] = {0};
    struct wire_reader reader = wire_reader_over(fifteen, 6);
    struct wire_reader part = wire_read_part(&reader, 4);
    struct wire_writer writer = wire_writer_over(buffer, 6);
    struct wire_writer room = wire_write_part(&writer, 4);

    CHECK_EQ(wire_read_u16(&part), 0x8192, "a part begins where its reader was");
    CHECK_EQ(wire_read_u32(&part), 0, "and has its own end");
    CHECK(part.failed && !reader.failed && reader.left == 2, "which is not the end of the whole");
    part = wire_read_part(&reader, 3);
    CHECK(part.failed && reader.failed, "a part that is not there fails both");
    CHECK_EQ(wire_read_u8(&part), 0, "and gives nothing");

    wire_write_u32(&room, 0x01020304);
    wire_write_u8(&room, 5);
    CHECK(room.failed && !writer.failed && writer.written == 4 && buffer[4] == 0, "a part has its own end to write to");
    room = wire_write_part(&writer, 3);
    CHECK(room.failed && writer.failed, "and room that is not there fails both");
    wire_write_u8(&room, 6);
    CHECK(buffer[4] == 0 && buffer[0] == 1 && buffer[3] == 4, "nothing is written to it");
}

int main(void)
{
    TAP_RUN(reads_most_significant_first);
    TAP_RUN(failed_reader_stays_failed);
    TAP_RUN(empty_and_huge);
    TAP_RUN(writes_most_significant_first);
    TAP_RUN(failed_writer_stays_failed);
    TAP_RUN(parts_end_where_they_should);
    return tap_done();
}
