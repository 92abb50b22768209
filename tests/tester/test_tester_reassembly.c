/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Connections out of segments (reassembly.h): that nobody can choose addresses which make finding them slow, that
 * both directions are found as one connection, where another one between the same ends begins, and how one that was
 * captured at both ends is told from one whose segments were sent again; and what checksums say.
 */
#include "wire/follow/checksum.h"
#include "wire/follow/reassembly.h"

#include "tester/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "tests/unit/tap.h"

enum { CONNECTIONS = 8000, SLOWER_MOST = 10, GROUPS = 4096, OFTEN = 5 };

static unsigned opened, doubled, besides, ended;
static size_t heard;

static void on_opened(void *context, struct wire_reassembly_connection *connection, const struct wire_packet *packet)
{
    (void)context, (void)connection, (void)packet;
    opened++;
}

static void on_twice(void *context, struct wire_reassembly_connection *connection, const struct wire_packet *copy)
{
    (void)context, (void)connection, (void)copy;
    doubled++;
}

static void on_octets(void *context, struct wire_reassembly_connection *connection, unsigned side,
                      const unsigned char *octets, size_t len, const struct wire_packet *packet)
{
    (void)context, (void)connection, (void)side, (void)octets, (void)packet;
    heard += len;
}

static void on_beside(void *context, struct wire_reassembly_connection *connection, const struct wire_packet *packet)
{
    (void)context, (void)connection, (void)packet;
    besides++;
}

static void on_ended(void *context, struct wire_reassembly_connection *connection, unsigned side, bool reset,
                     const struct wire_packet *packet)
{
    (void)context, (void)connection, (void)side, (void)reset, (void)packet;
    ended++;
}

static void on_gone(void *context, struct wire_reassembly_connection *connection)
{
    (void)context, (void)connection;
}

static void *take_memory(void *context, size_t octets)
{
    (void)context;
    return memory_zero(octets);
}

static void give_memory(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static const struct wire_memory memory = {NULL, take_memory, give_memory};
static uint64_t keys[WIRE_REASSEMBLY_KEYS];

static const struct wire_reassembly_listener listener = {.opened = on_opened,
                                                         .octets = on_octets,
                                                         .twice = on_twice,
                                                         .ended = on_ended,
                                                         .beside = on_beside,
                                                         .gone = on_gone};

/* A well-known hash without a key, FNV-1a, as anybody can compute it beforehand. */
static uint32_t fnv(const struct wire_end *end)
{
    uint32_t hash = 0x811c9dc5u ^ end->port;

    for (size_t i = 0; i < sizeof end->address; i++) {
        hash = (hash ^ end->address[i]) * 0x01000193u;
    }
    return hash ^ hash >> 15;
}

/* The next address behind this one, of those in a group if they are chosen. */
static void step(struct wire_end *end, uint64_t *count, bool chosen)
{
    do {
        ++*count;
        memcpy(end->address + 4, count, sizeof *count);
    } while (chosen && fnv(end) % GROUPS != 0);
}

/* The processor's time for so many connections, in seconds. */
static double take(bool chosen)
{
    static struct wire_segment segments[CONNECTIONS];
    struct wire_packet packet = {0};
    struct wire_reassembly *reassembly = wire_reassembly_open(&listener, &memory, keys);
    struct wire_end from = {.family = 6, .address = {0xfd}, .port = 5000};
    uint64_t count = 0;

    for (int i = 0; i < CONNECTIONS; i++) {
        step(&from, &count, chosen);
        segments[i] = (struct wire_segment){
            .from = from, .to = {.family = 6, .address = {0xfe}, .port = 4000}, .flags = WIRE_TCP_SYN};
    }
    clock_t begun = clock();
    for (int i = 0; i < CONNECTIONS; i++) {
        wire_reassembly_take(reassembly, &segments[i], &packet);
    }
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    wire_reassembly_close(reassembly);
    return seconds;
}

static void both_directions(void)
{
    struct wire_packet packet = {0};
    struct wire_reassembly *reassembly = wire_reassembly_open(&listener, &memory, keys);
    struct wire_end one = {.family = 4, .address = {10, 0, 0, 1}, .port = 700};
    struct wire_end other = {.family = 4, .address = {10, 0, 0, 1}, .port = 600};

    opened = 0;
    wire_reassembly_take(reassembly, &(struct wire_segment){.from = one, .to = other, .flags = WIRE_TCP_SYN}, &packet);
    wire_reassembly_take(
        reassembly, &(struct wire_segment){.from = other, .to = one, .flags = WIRE_TCP_SYN | WIRE_TCP_ACK}, &packet);
    CHECK_EQ(opened, 1, "an answer belongs to the connection that it answers");
    wire_reassembly_close(reassembly);
}

/* A capture of segments between two ends, the first of which is `sides[0]`. */
struct told {
    unsigned side, flags; /* with what the checksum says in front */
    uint32_t seq;
    size_t len; /* where the flags are ANSWER there are no octets: so much is acknowledged */
};

enum { ANSWER = 1 << 16 | WIRE_TCP_ACK, OTHER = 1 << 17 /* other octets */ };

static void play(const struct told *told, size_t count)
{
    static const unsigned char data[64], other[64] = {0, 0, 0, 0, 0, 0, 0, 1};
    const struct wire_end ends[2] = {{.family = 4, .address = {10, 0, 0, 1}, .port = 700},
                                     {.family = 4, .address = {10, 0, 0, 2}, .port = 600}};
    struct wire_reassembly *reassembly = wire_reassembly_open(&listener, &memory, keys);

    opened = doubled = besides = ended = 0;
    heard = 0;
    for (size_t i = 0; i < count; i++) {
        const struct wire_packet packet = {.number = i + 1};
        bool answer = (told[i].flags & ANSWER) == ANSWER;
        const struct wire_segment segment = {.from = ends[told[i].side],
                                             .to = ends[!told[i].side],
                                             .seq = told[i].seq,
                                             .ack = answer ? (uint32_t)told[i].len : 0,
                                             .flags = told[i].flags & 0xff,
                                             .checksum = told[i].flags >> 8 & 0xff,
                                             .data = told[i].flags & OTHER ? other : data,
                                             .len = answer ? 0 : told[i].len};

        wire_reassembly_take(reassembly, &segment, &packet);
    }
    wire_reassembly_finish(reassembly);
    wire_reassembly_close(reassembly);
}

#define PLAY(...)                                                                                                      \
    play((const struct told[]){__VA_ARGS__}, sizeof((const struct told[]){__VA_ARGS__}) / sizeof(struct told))

static void beginnings(void)
{
    PLAY({0, WIRE_TCP_SYN, 100, 0}, {1, WIRE_TCP_SYN | WIRE_TCP_ACK, 500, 0}, {1, 0, 501, 8},
         {1, WIRE_TCP_SYN | WIRE_TCP_ACK, 90000, 0});
    CHECK_EQ(opened, 2, "an answer to a SYN that was not captured begins another connection");
    PLAY({0, WIRE_TCP_SYN, 100, 0}, {1, WIRE_TCP_SYN | WIRE_TCP_ACK, 500, 0}, {1, 0, 501, 8},
         {1, WIRE_TCP_SYN | WIRE_TCP_ACK, 500, 0});
    CHECK_EQ(opened, 1, "the same answer again does not");
    PLAY({0, 0, 101, 8}, {0, WIRE_TCP_SYN, 100, 0}, {1, 0, 501, 8}, {1, WIRE_TCP_SYN | WIRE_TCP_ACK, 500, 0});
    CHECK_EQ(opened, 1, "nor does one that was captured behind the first octets");
}

static void several(void)
{
    enum { SYN = WIRE_TCP_SYN, FAR = 1 << 30 };

    PLAY({0, SYN, 100, 0}, {0, 0, 101, 8}, {0, SYN, FAR, 0}, {0, 0, FAR + 1, 8}, {0, 0, 109, 8}, {0, 0, FAR + 9, 8});
    CHECK(opened == 2 && heard == 32 && besides == 1, "two connections of the same ends, each with its own numbers");
    PLAY({0, SYN, 100, 0}, {0, 0, 101, 8}, {0, 0, FAR, 8}, {0, 0, 109, 8}, {0, 0, FAR + 8, 8});
    CHECK(opened == 2 && heard == 32 && besides == 1, "also where that one's SYN was not captured");
    PLAY({0, SYN, 100, 0}, {0, 0, 101, 8}, {0, SYN, FAR, 0}, {0, 0, FAR + 1, 8}, {0, 0, 101, 8});
    CHECK(opened == 2 && heard == 16 && besides == 0, "what is sent again of the first is not at the same time");
    PLAY({0, SYN, 100, 0}, {0, 0, 101, 8}, {1, ANSWER, FAR, 109}, {0, WIRE_TCP_ACK, 3U << 30, 8}, {0, 0, 109, 8});
    CHECK(opened == 2 && heard == 24, "far in both numbers");
    PLAY({0, SYN, 100, 0}, {0, 0, 101, 8}, {0, WIRE_TCP_RST, FAR, 0}, {0, 0, 109, 8});
    CHECK(opened == 1 && heard == 16 && !ended, "a reset far off is nobody's");
    PLAY({0, SYN, 100, 0}, {0, 0, 101, 8}, {0, 0, 101 + (1 << 28), 8}, {0, 0, 109 + (1 << 28), 8});
    CHECK(opened == 1 && heard == 24, "a lot may be missing");
}

static void captured_twice(void)
{
    PLAY({0, WIRE_TCP_SYN, 100, 0}, {0, WIRE_TCP_SYN, 100, 0}, {0, 0, 101, 8}, {0, 0, 101, 8}, {0, 0, 109, 8},
         {0, 0, 109, 8});
    CHECK_EQ(doubled, 1, "what is always there twice was captured at both ends");
    PLAY({0, WIRE_TCP_SYN, 100, 0}, {0, 0, 101, 8}, {0, 0, 109, 8}, {0, 0, 108 + 8, 1}, {0, 0, 116, 1}, {0, 0, 116, 1},
         {0, 0, 117, 8});
    CHECK_EQ(doubled, 0, "single octets that come again keep a connection alive");
    PLAY({0, WIRE_TCP_SYN, 100, 0}, {0, 0, 101, 8}, {0, 0, 109, 8}, {0, 0, 117, 8}, {0, 0, 125, 8}, {0, 0, 133, 8},
         {0, 0, 141, 8}, {0, 0, 149, 8}, {0, 0, 157, 8}, {0, 0, 165, 8}, {0, 0, 165, 8}, {0, 0, 173, 8}, {0, 0, 181, 8},
         {0, 0, 181, 8}, {0, 0, 189, 8}, {0, 0, 189, 8});
    CHECK_EQ(doubled, 0, "three of many that come again were sent again");
}

/* A SYN with the number of the one before. */
static void the_same_number(void)
{
    enum { SYN = WIRE_TCP_SYN };

    PLAY({0, SYN, 100, 0}, {0, 0, 101, 8}, {0, SYN, 100, 0}, {0, OTHER, 101, 8}, {0, 0, 109, 8});
    CHECK(opened == 2 && heard == 24, "other octets behind it: another connection");
    PLAY({0, SYN, 100, 0}, {0, 0, 101, 24}, {0, SYN, 100, 0}, {0, 0, 101, 8}, {0, OTHER, 109, 8}, {0, 0, 117, 8});
    CHECK(opened == 2 && heard == 48, "to which also belongs what came since and was the same");
    PLAY({0, SYN, 100, 0}, {1, SYN | WIRE_TCP_ACK, 500, 0}, {0, 0, 101, 8}, {1, 0, 501, 8}, {0, SYN, 100, 0},
         {1, SYN | WIRE_TCP_ACK, 500, 0}, {0, 0, 101, 8}, {1, OTHER, 501, 8});
    CHECK(opened == 2 && heard == 32, "also where only the answers are others");
    PLAY({0, SYN, 100, 0}, {0, 0, 101, 8}, {0, SYN, 100, 0}, {0, 0, 101, 8}, {0, 0, 109, 8});
    CHECK(opened == 1 && heard == 16, "the same octets: the same connection");
    PLAY({0, SYN, 100, 0}, {0, 0, 101, 8}, {0, OTHER, 101, 8}, {0, 0, 109, 8});
    CHECK(opened == 1 && heard == 16, "without a SYN other octets are no other connection");
    PLAY({0, SYN, 100, 0}, {0, 0, 101, 8}, {0, SYN, 100, 0}, {0, WIRE_CHECKSUM_WRONG << 8 | OTHER, 101, 8});
    CHECK(opened == 1 && heard == 8, "nor are those that were damaged on their way");
}

static void damaged_on_the_way(void)
{
    enum { RIGHT = WIRE_CHECKSUM_RIGHT << 8, WRONG = WIRE_CHECKSUM_WRONG << 8, SYN = WIRE_TCP_SYN };
    enum { NONE = WIRE_CHECKSUM_ABSENT << 8 };

    PLAY({0, RIGHT | SYN, 100, 0}, {0, RIGHT, 101, 8}, {1, ANSWER, 501, 109}, {0, NONE, 109, 8});
    CHECK_EQ(heard, 8, "a checksum that is not there where others were is a wrong one");
    PLAY({0, NONE | SYN, 100, 0}, {0, NONE, 101, 8}, {1, ANSWER, 501, 109}, {0, NONE, 109, 8});
    CHECK_EQ(heard, 16, "where there are none, their lack says nothing");
    PLAY({0, RIGHT | SYN, 100, 0}, {0, RIGHT, 101, 8}, {1, ANSWER, 501, 109}, {0, WRONG, 109, 8},
         {0, WRONG | SYN, 900, 8}, {1, ANSWER, 501, 109});
    CHECK(heard == 8 && opened == 1, "what its receiver does not acknowledge was damaged on its way: it says nothing");
    PLAY({0, RIGHT | SYN, 100, 0}, {0, WRONG, 101, 8}, {0, RIGHT, 101, 16}, {1, ANSWER, 501, 117});
    CHECK_EQ(heard, 16, "and is whole when it comes again");
    PLAY({0, RIGHT | SYN, 100, 0}, {0, RIGHT, 101, 8}, {0, WRONG, 109, 8}, {0, WRONG, 117, 8}, {1, ANSWER, 501, 117},
         {0, RIGHT, 125, 8}, {1, ANSWER, 501, 133});
    CHECK_EQ(heard, 32, "what was acknowledged had come as it is: the capture was edited");
    PLAY({0, RIGHT | SYN, 100, 0}, {0, RIGHT, 101, 8}, {0, WRONG, 109, 8});
    CHECK_EQ(heard, 16, "so it is held where nothing of its receiver was captured");
    PLAY({0, WRONG | SYN, 100, 0}, {0, WRONG, 101, 8}, {0, RIGHT, 109, 8}, {0, WRONG, 117, 8});
    CHECK_EQ(heard, 24, "and where most checksums are wrong");
}

static void checksums(void)
{
    unsigned char tcp[] = {0x02, 0xbc, 0x02, 0x58, 1,    2, 3, 4,   5,   6,   7,   8,  0x50,
                           0x18, 2,    0,    0xff, 0xff, 0, 0, 'o', 'c', 't', 'e', 't'};
    struct wire_segment segment = {
        .from = {.family = 4, .address = {10, 0, 0, 1}}, .to = {.family = 4, .address = {10, 0, 0, 2}}, .len = 5};

    CHECK_EQ(wire_checksum_of(&segment, tcp, 20), WIRE_CHECKSUM_WRONG, "a wrong checksum");
    tcp[16] = 0x2c, tcp[17] = 0xd4;
    CHECK_EQ(wire_checksum_of(&segment, tcp, 20), WIRE_CHECKSUM_RIGHT, "the right one");
    segment.missing = 1;
    CHECK_EQ(wire_checksum_of(&segment, tcp, 20), WIRE_CHECKSUM_UNKNOWN, "where an octet is missing");
    segment.missing = 0;
    tcp[16] = 0x14, tcp[17] = 0x22;
    CHECK_EQ(wire_checksum_of(&segment, tcp, 20), WIRE_CHECKSUM_UNKNOWN, "what a card was to complete");
    tcp[16] = tcp[17] = 0;
    CHECK_EQ(wire_checksum_of(&segment, tcp, 20), WIRE_CHECKSUM_ABSENT, "none");
    tcp[6] = 0x2f, tcp[7] = 0xd8;
    CHECK_EQ(wire_checksum_of(&segment, tcp, 20), WIRE_CHECKSUM_RIGHT, "0, which is the right one of this segment");
    tcp[6] = 3, tcp[7] = 4;
    segment.from = (struct wire_end){.family = 6, .address = {0xfd}};
    segment.to = (struct wire_end){.family = 6, .address = {0xfe}};
    tcp[16] = 0x45, tcp[17] = 0xd5;
    CHECK_EQ(wire_checksum_of(&segment, tcp, 20), WIRE_CHECKSUM_RIGHT, "the right one of IPv6");
}

int main(void)
{
    double even = 0, chosen = 0;
    bool slower = true;

    CHECK(getrandom(keys, sizeof keys, 0) == (ssize_t)sizeof keys, "keys that nobody knows");
    /* What else the machine does can hit one measurement, hardly five. */
    for (int i = 0; i < OFTEN && slower; i++) {
        even = take(false);
        chosen = take(true);
        slower = chosen >= SLOWER_MOST * even + 0.02;
    }
    CHECK(!slower, "chosen addresses take %.4f s, others %.4f s", chosen, even);
    both_directions();
    beginnings();
    several();
    captured_twice();
    the_same_number();
    damaged_on_the_way();
    checksums();
    return tap_done();
}
