/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The world table on the link: its octets, and what no agent would write.
 */
#include "ref-impl/impi/common/link.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Two clients: one of a host with two processes, one of two hosts with one each. Written by hand. */
static const unsigned char table[] = {
    0,
    0,
    0,
    176, /* octets that follow */
    0,
    0,
    0,
    2, /* version of the table */
    0,
    0,
    0,
    2, /* my rank */
    0,
    0,
    0,
    2, /* clients */
    0,
    0,
    0,
    3, /* hosts */
    0,
    0,
    0,
    4, /* processes */
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0, /* version 0.0 */
    0,
    0,
    3,
    0xe8, /* datalen 1000 */
    0,
    0,
    0x80,
    0, /* tagub 32768 */
    0,
    0,
    4,
    0, /* xsize 1024 */
    0,
    0,
    0,
    4, /* maxlinear 4 */
    0xff,
    0xff,
    0xff,
    0xff, /* xsize given: -1 */
    0,
    0,
    0,
    4, /* maxlinear given: 4 */
    0,
    0,
    0,
    3, /* ackmark */
    0,
    0,
    0,
    5, /* hiwater */
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    2, /* hosts of the clients */
    0,
    0,
    0,
    2,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    1, /* processes of the hosts */
    /* processes: host identifier, process identifier */
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0xff,
    0xff,
    127,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0xff,
    0xff,
    127,
    0,
    0,
    1,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    10,
    0,
    0,
    7,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    0xff,
    0x20,
    1,
    0x0d,
    0xb8,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    9,
    0x80,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
};

static struct link_world *decoded(void)
{
    struct link_world *world = NULL;

    CHECK_EQ(sizeof table, 180, "the table of the test has the length that it says");
    CHECK_EQ(link_world_decode(table, sizeof table, &world), WIRE_OK, "it can be read");
    return world;
}

static void reads(void)
{
    struct link_world *w = decoded();
    static const uint32_t clients[] = {0, 0, 1, 1};
    static const uint32_t hosts[] = {0, 0, 1, 2};
    static const int64_t pids[] = {1, 0x100000001, -1, INT64_MIN};

    if (!w) {
        return;
    }
    CHECK(w->rank == 2 && w->clients == 2 && w->hosts == 3 && w->size == 4, "the sizes");
    CHECK(w->major == 0 && w->minor == 0 && w->datalen == 1000 && w->tagub == 32768, "the values");
    CHECK(w->xsize == 1024 && w->maxlinear == 4 && w->xsize_given == -1 && w->maxlinear_given == 4, "of collectives");
    CHECK(w->ackmark == 3 && w->hiwater == 5, "the marks");
    for (uint32_t rank = 0; rank < 4; rank++) {
        CHECK_EQ(w->members[rank].client, clients[rank], "its client");
        CHECK_EQ(w->members[rank].host, hosts[rank], "its host");
        CHECK(w->members[rank].process.pid == pids[rank], "its identifier");
        CHECK_MEM(w->members[rank].process.host, table + 84 + 24 * rank, 16, "under its host's");
    }
    link_world_free(w);
}

static void writes(void)
{
    struct link_world *w = decoded();
    unsigned char octets[sizeof table];

    if (!w) {
        return;
    }
    CHECK_EQ(link_world_octets(w), sizeof table, "its length is known before");
    CHECK_EQ(link_world_encode(w, 2, octets, sizeof octets - 1), WIRE_NO_SPACE, "too little room");
    CHECK_EQ(link_world_encode(w, 2, octets, sizeof octets), WIRE_OK, "it can be written");
    CHECK_MEM(octets, table, sizeof table, "as it was read");
    link_world_free(w);
}

static void truncated(void)
{
    unsigned char octets[sizeof table];

    for (size_t len = 0; len < sizeof table; len++) {
        struct link_world *w = NULL;

        CHECK_EQ(link_world_decode(table, len, &w), WIRE_SHORT, "cut off");
        /* with a length that says so, too */
        memcpy(octets, table, sizeof octets);
        octets[3] = (unsigned char)(len - 4);
        CHECK(len < 4 || link_world_decode(octets, len, &w) == WIRE_MALFORMED, "cut off and admitted: %zu", len);
        CHECK(!w, "and nothing is made");
    }
}

/* The table with four of its octets changed. */
static enum wire_status changed(size_t at, uint32_t value)
{
    unsigned char octets[sizeof table];
    struct link_world *w = NULL;

    memcpy(octets, table, sizeof octets);
    for (size_t i = 0; i < 4; i++) {
        octets[at + i] = (unsigned char)(value >> (24 - 8 * i));
    }
    enum wire_status status = link_world_decode(octets, sizeof octets, &w);
    link_world_free(w);
    return status;
}

static void contradictions(void)
{
    CHECK_EQ(changed(4, 1), WIRE_UNKNOWN, "another version of the table");
    CHECK_EQ(changed(8, 4), WIRE_MALFORMED, "a rank above all");
    CHECK_EQ(changed(12, 33), WIRE_TOO_LONG, "more clients than a mask has bits");
    CHECK_EQ(changed(12, 0xffffffff), WIRE_TOO_LONG, "many more");
    CHECK_EQ(changed(16, LINK_HOSTS_MAX + 1), WIRE_TOO_LONG, "too many hosts");
    CHECK_EQ(changed(20, LINK_PROCESSES_MAX + 1), WIRE_TOO_LONG, "too many processes");
    CHECK_EQ(changed(20, 3), WIRE_MALFORMED, "a length that is not that of so many processes");
    CHECK_EQ(changed(32, 0), WIRE_MALFORMED, "no data in a packet");
    CHECK_EQ(changed(56, 0), WIRE_MALFORMED, "no ackmark");
    CHECK_EQ(changed(56, 6), WIRE_MALFORMED, "an ackmark above the hiwater");
    CHECK_EQ(changed(64, 0), WIRE_MALFORMED, "a client without hosts");
    CHECK_EQ(changed(64, 3), WIRE_MALFORMED, "a client with all hosts");
    CHECK_EQ(changed(68, 3), WIRE_MALFORMED, "more hosts than there are");
    CHECK_EQ(changed(68, 1), WIRE_MALFORMED, "fewer hosts than there are");
    CHECK_EQ(changed(72, 0), WIRE_MALFORMED, "a host without processes");
    CHECK_EQ(changed(76, 0xffffffff), WIRE_MALFORMED, "more processes than there are");
    CHECK_EQ(changed(80, 2), WIRE_MALFORMED, "one too many");
}

static void received(void)
{
    int pair[2];
    char number[16];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
        CHECK(false, "a pair of sockets");
        return;
    }
    snprintf(number, sizeof number, "%d", pair[1]);
    setenv("ASSAY_IMPI_LINK", number, 1);
    CHECK_EQ(link_open(), pair[1], "the descriptor of the environment");
    CHECK(!getenv("ASSAY_IMPI_LINK") && link_open() == LINK_NONE, "is taken once");
    CHECK(write(pair[0], table, sizeof table) == (ssize_t)sizeof table, "a table on the link");
    struct link_world *w = link_world_receive(pair[1]);
    CHECK(w && w->size == 4, "is received");
    link_world_free(w);
    CHECK(write(pair[0], table, 100) == 100, "half a table");
    close(pair[0]);
    CHECK(!link_world_receive(pair[1]), "and the end: none");
    close(pair[1]);
    setenv("ASSAY_IMPI_LINK", "77", 1);
    CHECK_EQ(link_open(), LINK_UNUSABLE, "a number that is no descriptor");
    setenv("ASSAY_IMPI_LINK", "x", 1);
    CHECK_EQ(link_open(), LINK_UNUSABLE, "no number");
}

int main(void)
{
    TAP_RUN(reads);
    TAP_RUN(writes);
    TAP_RUN(truncated);
    TAP_RUN(contradictions);
    TAP_RUN(received);
    return tap_done();
}
