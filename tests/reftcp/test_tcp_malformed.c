/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The TCP network and peers that break the binding's rules (specs/portals-wire.md, chapters 4 and 5): each is met by
 * what the rule demands, is counted once or not at all, and leaves the process sound.
 */
#include "tests/reftcp/place.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <unistd.h>

static struct place a;
static struct raw peer;

static void begin(void)
{
    place_begin(&a, 0);
    place_open(&a, 0);
    raw_call(&peer, &a, 1);
}

static void end(void)
{
    raw_end(&peer);
    place_end(&a);
}

static unsigned long drops(void)
{
    return recorder_calls(&a.core, RECORDER_DROPPED);
}

/* A put without data that breaks nothing, with match bits of its own choice: what arrives after the bad one. */
static bool good_put_arrives(unsigned nth)
{
    struct octets put = {.len = 0};

    octets_put(&put, WIRE_PORTALS_PUT, &peer.self, &a.self, UINT64_MAX, 0);
    return raw_say(&peer, put.at, put.len) && recorder_await(&a.core, RECORDER_ARRIVE, nth);
}

static void hello_is_answered(void)
{
    unsigned char answer[48];
    struct octets want = {.len = 0};

    begin();
    raw_hello(&peer, &a, 0);
    octets_u32(&want, 0x50544c33);
    octets_u32(&want, 0x00010000);
    octets_id(&want, &a.self);
    octets_id(&want, &peer.self);
    octets_u32(&want, 0);
    octets_u32(&want, PLACE_GROUP_SIZE);
    CHECK(raw_hear(&peer, answer, sizeof answer), "an answer comes");
    CHECK_MEM(answer, want.at, sizeof answer, "it is the HELLO that the binding describes");
    CHECK(good_put_arrives(1), "a message can follow");
    end();
}

/* Says a HELLO with one field changed; the stream must end without an answer and without a count. */
static void refused(size_t offset, uint32_t value, const char *what)
{
    struct octets hello = {.len = 0};
    struct octets field = {.len = 0};

    begin();
    octets_u32(&hello, 0x50544c33);
    octets_u32(&hello, 0x00010000);
    octets_id(&hello, &peer.self);
    octets_id(&hello, &a.self);
    octets_u32(&hello, 0);
    octets_u32(&hello, PLACE_GROUP_SIZE);
    octets_u32(&field, value);
    memcpy(hello.at + offset, field.at, 4);
    (void)raw_say(&peer, hello.at, hello.len);
    CHECK(raw_closed(&peer), "a HELLO with %s is refused without an answer", what);
    CHECK_EQ(drops(), 0, "and nothing is counted");
    end();
}

static void bad_hellos_are_refused(void)
{
    refused(0, 0x50544c34, "another magic");
    refused(4, 0x00020000, "another major version");
    refused(8, 0, "no sender");
    refused(12, 65536, "a port that cannot be");
    refused(20, PLACE_GROUP_SIZE, "a rank outside its group");
    refused(24, 0x7f000002, "another target node");
    refused(28, 1, "another target process");
}

static void another_minor_version_is_welcome(void)
{
    struct octets hello = {.len = 0};
    unsigned char answer[48];

    begin();
    octets_u32(&hello, 0x50544c33);
    octets_u32(&hello, 0x00010009);
    octets_id(&hello, &peer.self);
    octets_id(&hello, &a.self);
    octets_u32(&hello, 0);
    octets_u32(&hello, PLACE_GROUP_SIZE);
    (void)raw_say(&peer, hello.at, hello.len);
    CHECK(raw_hear(&peer, answer, sizeof answer), "minor version 9 is answered");
    end();
}

static void garbage_is_refused_at_its_fourth_octet(void)
{
    begin();
    (void)raw_say(&peer, "\0\0\0\1", 4); /* a PUT, but no HELLO before it */
    CHECK(raw_closed(&peer), "four octets that are not the magic suffice");
    end();
    begin();
    (void)raw_say(&peer, "GET / HTTP/1.1\r\n\r\n", 18);
    CHECK(raw_closed(&peer), "another protocol is refused");
    CHECK_EQ(drops(), 0, "and not counted");
    end();
}

/* Says one bad message of `len` octets after the greeting; it is discarded, and the stream goes on. */
static void discarded(const struct octets *message, size_t payload, const char *what)
{
    unsigned char *data = calloc(1, payload + 1);

    CHECK(raw_greet(&peer, &a, 0), "greeting");
    (void)raw_say(&peer, message->at, message->len);
    (void)(payload && raw_say(&peer, data, payload));
    CHECK(good_put_arrives(1), "%s: the stream goes on behind it", what);
    CHECK_EQ(drops(), 1, "one is counted");
    CHECK_EQ(recorder_note(&a.core, RECORDER_ARRIVE, 0).header.md, UINT64_MAX, "and the good one understood");
    free(data);
    end();
}

static void broken_rules_are_discarded(void)
{
    struct octets m = {.len = 0};
    struct wire_portals_id other;

    begin();
    other = peer.self;
    other.rid++;
    octets_put(&m, WIRE_PORTALS_PUT, &other, &a.self, 1, 100000);
    discarded(&m, 100000, "a put in another one's name");

    begin();
    m.len = 0;
    other = a.self;
    other.pid ^= 1;
    octets_put(&m, WIRE_PORTALS_PUT, &peer.self, &other, 1, 7);
    discarded(&m, 7, "a put for another process");

    begin();
    m.len = 0;
    other = a.self;
    other.gid++;
    octets_put(&m, WIRE_PORTALS_GET, &peer.self, &other, 1, 7);
    discarded(&m, 0, "a get for another group");

    begin();
    m.len = 0;
    octets_put(&m, WIRE_PORTALS_GET, &peer.self, &a.self, UINT64_MAX, 7);
    discarded(&m, 0, "a get without descriptor");

    begin();
    m.len = 0;
    octets_answer(&m, WIRE_PORTALS_REPLY, &peer.self, &a.self, 9, 10);
    discarded(&m, 10, "a reply that is longer than was asked for");

    begin();
    m.len = 0;
    octets_answer(&m, WIRE_PORTALS_ACK, &peer.self, &a.self, 9, 10);
    discarded(&m, 0, "an acknowledgement of more than was sent");
}

/* Says one message whose end cannot be found: counted, and the stream closed. */
static void closed(const struct octets *message, const char *what)
{
    CHECK(raw_greet(&peer, &a, 0), "greeting");
    (void)raw_say(&peer, message->at, message->len);
    CHECK(raw_closed(&peer), "%s closes the stream", what);
    CHECK_EQ(drops(), 1, "and is counted once");
    CHECK_EQ(recorder_calls(&a.core, RECORDER_ARRIVE), 0, "nothing arrived");
    end();
}

static void what_cannot_be_delimited_closes(void)
{
    struct octets m = {.len = 0};

    begin();
    octets_u32(&m, 99);
    closed(&m, "an unknown operation");

    begin();
    m.len = 0;
    octets_put(&m, WIRE_PORTALS_PUT, &peer.self, &a.self, 1, (1ULL << 40) + 1);
    closed(&m, "a length above the maximum");

    begin();
    m.len = 0;
    octets_answer(&m, WIRE_PORTALS_REPLY, &peer.self, &a.self, UINT64_MAX, UINT64_MAX);
    closed(&m, "a reply of all ones");

    begin();
    m.len = 0;
    octets_u32(&m, 0x50544c33);
    octets_u32(&m, 0x00010000);
    octets_id(&m, &peer.self);
    octets_id(&m, &a.self);
    octets_u32(&m, 0);
    octets_u32(&m, PLACE_GROUP_SIZE);
    closed(&m, "a second HELLO");
}

static void truncated_streams(void)
{
    struct octets m = {.len = 0};
    char room[64] = "";

    begin();
    recorder_sink(&a.core, room, sizeof room, &a);
    CHECK(raw_greet(&peer, &a, 0), "greeting");
    octets_put(&m, WIRE_PORTALS_PUT, &peer.self, &a.self, 1, 50);
    (void)raw_say(&peer, m.at, m.len);
    (void)raw_say(&peer, "some of it", 10);
    CHECK(recorder_await(&a.core, RECORDER_ARRIVE, 1), "the header arrives");
    raw_end(&peer);
    CHECK(recorder_await(&a.core, RECORDER_LANDED, 1), "the end of the stream ends the landing");
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_LANDED), 1, "as not complete");
    raw_call(&peer, &a, 2);
    CHECK(raw_greet(&peer, &a, 0), "another peer is welcome");
    (void)raw_say(&peer, m.at, 40);
    raw_end(&peer);
    raw_call(&peer, &a, 3);
    CHECK(raw_greet(&peer, &a, 0) && good_put_arrives(2), "a stream that ends inside a header does no harm");
    CHECK_EQ(drops(), 0, "and is not counted");
    end();
}

static void octet_by_octet(void)
{
    struct octets m = {.len = 0};
    char room[8] = "........";

    begin();
    recorder_sink(&a.core, room, sizeof room, &a);
    CHECK(raw_greet(&peer, &a, 0), "greeting");
    octets_put(&m, WIRE_PORTALS_PUT, &peer.self, &a.self, 1, 5);
    memcpy(m.at + m.len, "hello", 5);
    m.len += 5;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < m.len; i++) {
            (void)raw_say(&peer, m.at + i, 1);
        }
    }
    CHECK(recorder_await(&a.core, RECORDER_LANDED, 3), "three messages sent octet by octet land");
    CHECK_MEM(room, "hello...", 8, "with their data");
    CHECK_EQ(recorder_calls(&a.core, RECORDER_ARRIVE), 3, "three, not more");
    end();
}

static void early_barriers_are_kept(void)
{
    static const uint32_t sequence_round[3][2] = {{1, 0}, {1, 31}, {2, 0}};
    struct octets m = {.len = 0};
    struct octets put = {.len = 0};

    place_begin(&a, 0);
    raw_call(&peer, &a, 1);
    CHECK(raw_greet(&peer, &a, 0), "a HELLO for an interface that is not open is answered");
    for (int i = 0; i < 3; i++) {
        m.len = 0;
        octets_u32(&m, 5);
        octets_id(&m, &peer.self);
        octets_id(&m, &a.self);
        octets_u64(&m, sequence_round[i][0]);
        octets_u32(&m, sequence_round[i][1]);
        (void)raw_say(&peer, m.at, m.len);
    }
    octets_put(&put, WIRE_PORTALS_PUT, &peer.self, &a.self, 1, 0);
    (void)raw_say(&peer, put.at, put.len);
    (void)raw_say(&peer, "\0\0\0\11", 4);
    CHECK(raw_closed(&peer), "all has been read when the unknown operation behind it closes the stream");
    place_open(&a, 0);
    CHECK_EQ(drops(), 2, "put and unknown operation are counted when the interface opens, the barriers are not");
    CHECK_EQ(recorder_calls(&a.core, RECORDER_ARRIVE), 2, "of each round one barrier arrives");
    CHECK_EQ(recorder_note(&a.core, RECORDER_ARRIVE, 0).header.sequence, 2, "of round 0 the last one");
    CHECK_EQ(recorder_note(&a.core, RECORDER_ARRIVE, 1).header.round, 31, "and that of round 31");
    end();
}

static void random_octets_never_crash(void)
{
    unsigned seed = 20261121;
    unsigned char junk[400];

    place_begin(&a, 0);
    place_open(&a, 0);
    printf("# seed %u\n", seed);
    for (int round = 0; round < 200; round++) {
        raw_call(&peer, &a, 1);
        (void)raw_greet(&peer, &a, 0);
        for (size_t i = 0; i < sizeof junk; i++) {
            junk[i] = (unsigned char)(rand_r(&seed) >> 8);
        }
        junk[0] = junk[1] = junk[2] = 0;
        junk[3] = (unsigned char)(round % 7);
        (void)raw_say(&peer, junk, sizeof junk);
        raw_end(&peer);
    }
    raw_call(&peer, &a, 1);
    CHECK(raw_greet(&peer, &a, 0), "after 200 streams of junk a good one is welcome");
    CHECK_EQ(recorder_calls(&a.core, RECORDER_ARRIVE), 0, "no junk arrived as a message");
    end();
}

int main(void)
{
    TAP_RUN(hello_is_answered);
    TAP_RUN(bad_hellos_are_refused);
    TAP_RUN(another_minor_version_is_welcome);
    TAP_RUN(garbage_is_refused_at_its_fourth_octet);
    TAP_RUN(broken_rules_are_discarded);
    TAP_RUN(what_cannot_be_delimited_closes);
    TAP_RUN(truncated_streams);
    TAP_RUN(octet_by_octet);
    TAP_RUN(early_barriers_are_kept);
    TAP_RUN(random_octets_never_crash);
    return tap_done();
}
