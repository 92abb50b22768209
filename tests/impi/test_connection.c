/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets that wait, packets out of a stream, and who is meant by the names in them.
 */
#include "ref-impl/impi/agent/connection.h"
#include "ref-impl/impi/common/member_index.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Puts and takes at random; what comes out must be what went in. */
static void queues(void)
{
    struct queue q = {0};
    unsigned char in = 0;
    unsigned char out = 0;
    bool same = true;

    srand(4711); /* the seed of this test */
    for (int round = 0; round < 20000 && same; round++) {
        unsigned char octets[700];
        size_t len = (size_t)rand() % sizeof octets;

        for (size_t i = 0; i < len; i++) {
            octets[i] = in++;
        }
        same = queue_put(&q, octets, len);
        len = (size_t)rand() % (queue_len(&q) + 1);
        for (size_t i = 0; i < len; i++) {
            same = same && queue_front(&q)[i] == out++;
        }
        queue_take(&q, len);
    }
    CHECK(same, "twenty thousand rounds of random lengths");
    CHECK(q.cap < 1 << 20, "memory follows what is there: %zu octets", q.cap);
    queue_take(&q, queue_len(&q));
    CHECK(queue_space(&q, SIZE_MAX - 1) == NULL, "room that no machine has");
    CHECK_EQ(queue_len(&q), 0, "and nothing has happened");
    CHECK(queue_space(&q, 3 << 20) && queue_put(&q, "x", 1), "a large room");
    queue_take(&q, 1);
    CHECK_EQ(q.cap, 0, "is given back when it is empty");
    queue_free(&q);
}

/* What is passed on to somebody who reads little at a time comes whole and in order, whether it waited or not. */
static void passing(void)
{
    enum { PIECE = 5000, ALL = 4 << 20 };
    static unsigned char octets[PIECE], got[PIECE];
    struct queue q = {0};
    int ends[2];
    size_t put = 0, taken = 0, waited = 0;
    bool same = socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;

    while (same && taken < ALL) {
        if (put < ALL) {
            size_t len = put % 7 == 0 ? PIECE : 1 + put % PIECE;

            for (size_t i = 0; i < len; i++) {
                octets[i] = (unsigned char)((put + i) % 251);
            }
            same = queue_pass(&q, ends[0], octets, len);
            put += len;
        }
        waited = queue_len(&q) > waited ? queue_len(&q) : waited;
        (void)queue_send(&q, ends[0]);
        ssize_t some = recv(ends[1], got, put < ALL ? 1000 : PIECE, MSG_DONTWAIT);
        for (ssize_t i = 0; i < some; i++) {
            same = same && got[i] == (unsigned char)(taken++ % 251);
        }
    }
    CHECK(same && taken == put, "all of it in order: %zu of %zu octets", taken, put);
    CHECK(waited > 0, "some of it waited");
    close(ends[1]);
    CHECK(queue_pass(&q, ends[0], octets, PIECE) && queue_len(&q) == PIECE, "nothing is lost where nobody is left");
    CHECK_EQ(queue_send(&q, ends[0]), QUEUE_BROKEN, "which who sends is told");
    close(ends[0]);
    queue_free(&q);
}

/* A header of a type and length, all other octets 9. */
static void header(unsigned char *octets, uint32_t type, uint32_t len)
{
    memset(octets, 9, WIRE_IMPI_PACKET_OCTETS);
    for (int i = 0; i < 4; i++) {
        octets[i] = (unsigned char)(type >> (24 - 8 * i));
        octets[4 + i] = (unsigned char)(len >> (24 - 8 * i));
    }
}

static void packets(void)
{
    unsigned char octets[WIRE_IMPI_PACKET_OCTETS * 3 + 5];
    struct connection_packet packet;
    int pair[2];

    header(octets, WIRE_IMPI_DATASYNC, 5);
    memcpy(octets + 128, "12345", 5);
    header(octets + 133, WIRE_IMPI_PROTOACK, 0x80000000);
    header(octets + 261, WIRE_IMPI_DATA, 0);
    for (size_t piece = 1; piece <= sizeof octets; piece++) {
        struct connection connection = {.fd = -1};
        char types[16] = "";

        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
            CHECK(false, "a pair of sockets");
            return;
        }
        connection.fd = pair[0];
        for (size_t at = 0; at < sizeof octets; at += piece) {
            size_t len = sizeof octets - at < piece ? sizeof octets - at : piece;

            if (write(pair[1], octets + at, len) != (ssize_t)len || connection_read(&connection) != QUEUE_MOVED) {
                CHECK(false, "octets go through");
            }
            while (connection_next(&connection, 5, &packet) == CONNECTION_PACKET) {
                snprintf(types + strlen(types), sizeof types - strlen(types), "%u:%zu ", (unsigned)packet.header.type,
                         packet.len - 128);
            }
        }
        close(pair[1]);
        if (strcmp(types, "1:5 2:0 0:0 ") != 0 || connection_read(&connection) != QUEUE_ENDED ||
            connection_left(&connection) != 0) {
            CHECK_STR(types, "1:5 2:0 0:0 ", "types and lengths in pieces, and then the end");
            CHECK(false, "in pieces of %zu", piece);
        }
        connection_close(&connection);
    }
    CHECK(true, "three packets in pieces of every size");
}

static void limits(void)
{
    unsigned char octets[WIRE_IMPI_PACKET_OCTETS];
    struct connection connection = {.fd = -1};
    struct connection_packet packet;
    static const uint32_t unknown[] = {8, 0x01000000, 0x07000000, 0xffffffff};

    for (size_t i = 0; i < 4; i++) {
        header(octets, unknown[i], 0);
        CHECK(queue_put(&connection.in, octets, sizeof octets) &&
                  connection_next(&connection, 5, &packet) == CONNECTION_UNKNOWN_TYPE,
              "type");
        CHECK_EQ(packet.header.type, unknown[i], "is told");
        queue_free(&connection.in);
    }
    header(octets, WIRE_IMPI_DATA, 6);
    CHECK(queue_put(&connection.in, octets, sizeof octets) &&
              connection_next(&connection, 5, &packet) == CONNECTION_TOO_LONG,
          "one too long");
    CHECK_EQ(packet.header.len, 6, "is told");
    queue_free(&connection.in);
    header(octets, WIRE_IMPI_DATA, 0xffffffff);
    CHECK(queue_put(&connection.in, octets, sizeof octets) &&
              connection_next(&connection, 0xfffffffe, &packet) == CONNECTION_TOO_LONG,
          "huge");
    CHECK(connection_next(&connection, 0xffffffff, &packet) == CONNECTION_MORE,
          "a huge one within a huge limit is waited for");
    queue_free(&connection.in);
    CHECK(queue_put(&connection.in, octets, 127) && connection_next(&connection, 5, &packet) == CONNECTION_MORE,
          "half a header");
    CHECK_EQ(connection_left(&connection), 127, "which is counted");
    connection_close(&connection);
}

static void names(void)
{
    struct link_member members[] = {
        {0, 0, {{[10] = 0xff, [11] = 0xff, 127, 0, 0, 1}, 7}},
        {0, 0, {{[10] = 0xff, [11] = 0xff, 127, 0, 0, 1}, -7}},
        {1, 1, {{[12] = 127, 0, 0, 2}, 7}},
        {1, 1, {{[0] = 0x20, 1, [15] = 1}, INT64_MIN}},
        {1, 2, {{0}, 0}},
    };
    struct member_index *index = member_index_create(members, 5);
    uint32_t one = 0;
    uint32_t other = 0;

    if (!index) {
        CHECK(false, "memory");
        return;
    }
    for (uint32_t rank = 0; rank < 5; rank++) {
        CHECK(member_index_find(index, &members[rank].process) == (int64_t)rank, "by its own name");
    }
    struct wire_impi_process zeros = {{[12] = 127, 0, 0, 1}, 7};
    struct wire_impi_process mapped = {{[10] = 0xff, [11] = 0xff, 127, 0, 0, 2}, 7};
    struct wire_impi_process mixed = {{[11] = 0xff, 127, 0, 0, 2}, 7};
    CHECK(member_index_find(index, &zeros) == 0 && member_index_find(index, &mapped) == 2,
          "by the other form of its address");
    CHECK(member_index_find(index, &mixed) == -1, "no form at all");
    mapped.pid = (int64_t)7 + ((int64_t)1 << 32);
    CHECK(member_index_find(index, &mapped) == -1, "all 64 bits of an identifier count");
    CHECK(!member_index_duplicate(index, &one, &other), "all are different");
    member_index_free(index);
    members[4].process = zeros;
    index = member_index_create(members, 5);
    CHECK(index && member_index_duplicate(index, &one, &other) && one + other == 4,
          "two forms of one name are twins: %u, %u", one, other);
    member_index_free(index);
}

int main(void)
{
    TAP_RUN(queues);
    TAP_RUN(passing);
    TAP_RUN(packets);
    TAP_RUN(limits);
    TAP_RUN(names);
    return tap_done();
}
