/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The TCP network between presences that keep the rules: delivery, order, interfaces, closing, death.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/tcp/net.h"
#include "ref-impl/nal/tcp/tcp.h"
#include "tests/reftcp/place.h"
#include "tests/unit/tap.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static struct place a, b;

static void pair_begin(void)
{
    place_begin(&a, 0);
    place_begin(&b, 1);
    place_open(&a, 0);
    place_open(&b, 0);
}

static void pair_end(void)
{
    place_end(&a);
    place_end(&b);
}

static void a_put_arrives_with_its_data(void)
{
    char data[] = "eight oc";
    char room[16] = "................";
    int token, cookie;

    pair_begin();
    recorder_sink(&b.core, room, sizeof room, &token);
    struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);
    put.portal = 4;
    put.cookie = 2;
    put.match_bits = 0xfedcba9876543210;
    put.offset = 3;
    put.md = 0x8877665544332211;
    put.rlength = 8;
    CHECK_EQ(nal_send(a.nal, &put, data, 8, &cookie), NAL_OK, "the message is taken");
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 1), "it lands");
    struct wire_portals_header got = recorder_note(&b.core, RECORDER_ARRIVE, 0).header;
    CHECK(got.portal == 4 && got.cookie == 2 && got.offset == 3 && got.rlength == 8, "numbers arrive");
    CHECK(got.match_bits == put.match_bits && got.md == put.md, "match bits and descriptor arrive bit by bit");
    CHECK(memcmp(&got.initiator, &a.self, sizeof a.self) == 0, "with all four ids of the sender");
    CHECK_MEM(room, "eight oc........", 16, "the data is in place, and nothing behind it is touched");
    CHECK(recorder_note(&b.core, RECORDER_LANDED, 0).token == &token, "landed names the token");
    CHECK(recorder_note(&b.core, RECORDER_LANDED, 0).complete, "complete");
    CHECK(recorder_await(&a.core, RECORDER_SENT, 1), "the sender is told");
    CHECK(recorder_note(&a.core, RECORDER_SENT, 0).token == &cookie, "with its cookie");
    pair_end();
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), 1, "exactly once");
    CHECK_EQ(recorder_calls(&b.core, RECORDER_LANDED), 1, "landed exactly once");
}

static void many_messages_keep_their_order(void)
{
    enum { COUNT = 1000, BIG = 300000 };
    unsigned char *data = malloc(BIG);
    unsigned char *room = malloc(BIG);
    unsigned wrong = 0;

    pair_begin();
    memset(data, 0x5a, BIG);
    recorder_sink(&b.core, room, BIG, &b);
    for (unsigned i = 0; i < COUNT; i++) {
        uint64_t length = i % 50 == 0 ? BIG : i % 7 * 100;
        struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);

        put.match_bits = i;
        put.rlength = length;
        wrong += nal_send(a.nal, &put, data, length, &a) != NAL_OK;
    }
    CHECK_EQ(wrong, 0, "all are taken without waiting");
    CHECK(recorder_await(&b.core, RECORDER_LANDED, COUNT), "all land");
    for (unsigned i = 0; i < COUNT; i++) {
        wrong += recorder_note(&b.core, RECORDER_ARRIVE, i).header.match_bits != i;
    }
    CHECK_EQ(wrong, 0, "in the order of sending");
    CHECK(recorder_await(&a.core, RECORDER_SENT, COUNT), "every sending is reported");
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_SENT), 0, "as complete");
    CHECK_EQ(recorder_incomplete(&b.core, RECORDER_LANDED), 0, "and every landing");
    CHECK_MEM(room, data, BIG, "the last big one's data is whole");
    pair_end();
    free(data);
    free(room);
}

static void what_is_sent_now_is_a_copy(void)
{
    char data[TCP_HELD_OCTETS + 1] = "on its way";
    char room[16] = "................";
    struct wire_portals_header put;
    int token, cookie;

    pair_begin();
    recorder_sink(&b.core, room, sizeof room, &token);
    put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);
    put.rlength = 10;
    CHECK_EQ(nal_send_now(a.nal, &put, data, 10), NAL_NOT_NOW, "the first message has to open the way");
    CHECK_EQ(nal_send(a.nal, &put, data, 10, &cookie), NAL_OK, "and does");
    CHECK(recorder_await(&a.core, RECORDER_SENT, 1), "its sender is told");
    memcpy(data, "unchanged.", 10);
    CHECK_EQ(nal_send_now(a.nal, &put, data, 10), NAL_OK, "a short one leaves now");
    memset(data, 'x', 10);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 2), "it lands");
    CHECK_MEM(room, "unchanged.......", 16, "as it was when it was sent");
    put.rlength = sizeof data;
    CHECK_EQ(nal_send_now(a.nal, &put, data, sizeof data), NAL_NOT_NOW, "a long one does not");
    pair_end();
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), 1, "nobody is told of what was sent now");
}

/* The turn of a place that only begins to take it. */
static void turn_take(struct place *place)
{
    while (!nal_drive_take(place->nal)) {
        sched_yield();
    }
}

static void copies_do_not_pile_up(void)
{
    enum { LARGE = 64 << 20, MANY = 1 << 20 };
    unsigned char *data = calloc(1, LARGE);
    char room[8];
    unsigned long sent = 1;
    struct wire_portals_header put;

    pair_begin();
    recorder_sink(&b.core, room, sizeof room, &b);
    put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);
    (void)nal_send(a.nal, &put, NULL, 0, &a);
    CHECK(recorder_await(&a.core, RECORDER_SENT, 1) && recorder_await(&b.core, RECORDER_LANDED, 1), "a way is open");
    turn_take(&b); /* and so it reads nothing */
    put.rlength = TCP_HELD_OCTETS;
    while (sent < MANY && nal_send_now(a.nal, &put, data, TCP_HELD_OCTETS) == NAL_OK) {
        sent++;
    }
    CHECK(sent < MANY, "a peer that does not read gets %lu messages and no more", sent);
    nal_drive_give(b.nal);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, sent), "all of them land when it does");
    turn_take(&b);
    put.rlength = LARGE;
    CHECK_EQ(nal_send(a.nal, &put, data, LARGE, &a), NAL_OK, "a large one");
    put.rlength = 0;
    CHECK_EQ(nal_send_now(a.nal, &put, NULL, 0), NAL_NOT_NOW, "is not overtaken while its sender waits");
    nal_drive_give(b.nal);
    CHECK(recorder_await(&a.core, RECORDER_SENT, 2), "it leaves");
    pair_end();
    free(data);
}

static void surplus_is_thrown_away(void)
{
    enum { LENGTH = 1 << 20 };
    unsigned char *data = calloc(1, LENGTH);
    char room[4] = "....";
    struct wire_portals_header put;

    pair_begin();
    recorder_sink(&b.core, room, 3, &b);
    put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);
    put.rlength = LENGTH;
    memcpy(data, "abcd", 4);
    (void)nal_send(a.nal, &put, data, LENGTH, NULL);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 1), "a truncated message lands");
    CHECK_MEM(room, "abc.", 4, "no more than wanted is stored");
    recorder_sink(&b.core, NULL, 0, NULL);
    (void)nal_send(a.nal, &put, data, LENGTH, NULL);
    put.match_bits = 9;
    put.rlength = 0;
    (void)nal_send(a.nal, &put, NULL, 0, NULL);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 3), "what follows an unwanted message arrives");
    CHECK_EQ(recorder_note(&b.core, RECORDER_ARRIVE, 2).header.match_bits, 9, "and is understood");
    CHECK_EQ(recorder_calls(&b.core, RECORDER_LANDED), 1, "without a token nothing is reported as landed");
    pair_end();
    free(data);
}

static void both_may_call_at_once(void)
{
    enum { ROUNDS = 20 };
    unsigned good = 0;

    for (unsigned round = 0; round < ROUNDS; round++) {
        pair_begin();
        struct wire_portals_header there = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);
        struct wire_portals_header back = place_header(WIRE_PORTALS_PUT, &b.self, &a.self);
        (void)nal_send(a.nal, &there, NULL, 0, NULL);
        (void)nal_send(b.nal, &back, NULL, 0, NULL);
        (void)nal_send(a.nal, &there, NULL, 0, NULL);
        (void)nal_send(b.nal, &back, NULL, 0, NULL);
        good += recorder_await(&a.core, RECORDER_ARRIVE, 2) && recorder_await(&b.core, RECORDER_ARRIVE, 2);
        pair_end();
    }
    CHECK_EQ(good, ROUNDS, "messages that cross while both open a stream all arrive");
}

static void a_process_can_send_to_itself(void)
{
    enum { COUNT = 200 };
    char data[] = "to myself";
    char room[sizeof data] = "";
    unsigned wrong = 0;

    place_begin(&a, 0);
    place_open(&a, 0);
    recorder_sink(&a.core, room, sizeof room, &a);
    for (unsigned i = 0; i < COUNT; i++) {
        struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &a.self, &a.self);
        put.match_bits = i;
        put.rlength = sizeof data;
        (void)nal_send(a.nal, &put, data, sizeof data, &a);
    }
    CHECK(recorder_await(&a.core, RECORDER_LANDED, COUNT), "all land");
    for (unsigned i = 0; i < COUNT; i++) {
        wrong += recorder_note(&a.core, RECORDER_ARRIVE, i).header.match_bits != i;
    }
    CHECK_EQ(wrong, 0, "in order");
    CHECK_STR(room, data, "with their data");
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), COUNT, "every sending is reported");
    struct wire_portals_header astray = place_header(WIRE_PORTALS_PUT, &a.self, &a.self);
    astray.target.rid = 3;
    (void)nal_send(a.nal, &astray, NULL, 0, NULL);
    CHECK(recorder_await(&a.core, RECORDER_DROPPED, 1),
          "one for another rank at this address is discarded and counted");
    CHECK(nal_distance(a.nal, &a.self) == 0.0, "the distance to oneself is none");
    place_end(&a);
}

static void interfaces_are_independent(void)
{
    struct recorder second;
    struct nal *nal = NULL;
    struct nal_config config = {1, {0}, PLACE_GROUP_SIZE};

    pair_begin();
    recorder_begin(&second);
    config.self = a.self;
    struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);
    CHECK_EQ(tcp_net_open(a.net, &config, &recorder_upcalls, &second, &nal), NAL_OK, "a second interface opens");
    (void)nal_send(nal, &put, NULL, 0, NULL);
    (void)nal_send(nal, &put, NULL, 0, NULL);
    (void)nal_send(a.nal, &put, NULL, 0, NULL);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 1), "the message of interface 0 arrives");
    nal_close(nal);
    /* The peer has no interface 1 yet: its messages are counted until it has. */
    config.self = b.self;
    CHECK(drops_await(&b.net->arrivals, 1, 2), "what comes for a closed interface is discarded");
    CHECK_EQ(tcp_net_open(b.net, &config, &recorder_upcalls, &second, &nal), NAL_OK, "the peer opens interface 1");
    nal_close(nal);
    CHECK_EQ(recorder_calls(&second, RECORDER_DROPPED), 2, "what came before the interface opened is counted for it");
    CHECK_EQ(recorder_calls(&b.core, RECORDER_DROPPED), 0, "and not for the other one");
    CHECK_EQ(recorder_calls(&b.core, RECORDER_ARRIVE), 1, "where nothing else arrived");
    pair_end();
}

static void closing_flushes_what_is_queued(void)
{
    enum { LENGTH = 16 << 20 };
    unsigned char *data = malloc(LENGTH);
    unsigned char *room = calloc(1, LENGTH);

    pair_begin();
    memset(data, 0xa5, LENGTH);
    recorder_sink(&b.core, room, LENGTH, &b);
    struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);
    put.rlength = LENGTH;
    (void)nal_send(a.nal, &put, data, LENGTH, &a);
    place_end(&a);
    memset(data, 0, LENGTH); /* the memory is ours again once the interface is closed */
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), 1, "the sending was reported before the close returned");
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_SENT), 0, "as complete");
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 1), "a message sent just before the end arrives");
    CHECK_EQ(recorder_incomplete(&b.core, RECORDER_LANDED), 0, "whole");
    CHECK(room[0] == 0xa5 && room[LENGTH / 2] == 0xa5 && room[LENGTH - 1] == 0xa5, "with the data that was sent");
    place_end(&b);
    free(data);
    free(room);
}

enum { TURMOIL_THREADS = 3, TURMOIL_SENDS = 400, TURMOIL_OCTETS = 200000 };

static unsigned char turmoil_data[TURMOIL_OCTETS];
static unsigned char turmoil_room[TURMOIL_OCTETS];

/* Sends messages of changing lengths from `a` to `b`, and now and then takes back what `b` is receiving. */
static void *turmoil_send(void *argument)
{
    unsigned seed = *(unsigned *)argument;

    for (unsigned i = 0; i < TURMOIL_SENDS; i++) {
        struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);

        put.rlength = (uint64_t)rand_r(&seed) % (i % 8 == 0 ? TURMOIL_OCTETS : 200);
        (void)nal_send(a.nal, &put, turmoil_data, put.rlength, &a);
        if (i % 16 == 0) {
            nal_revoke(b.nal, &b);
        }
    }
    return NULL;
}

static void turmoil(void)
{
    pthread_t threads[TURMOIL_THREADS];
    unsigned seeds[TURMOIL_THREADS];

    pair_begin();
    recorder_sink(&b.core, turmoil_room, sizeof turmoil_room, &b);
    for (unsigned i = 0; i < TURMOIL_THREADS; i++) {
        seeds[i] = 1000 + i;
        CHECK(pthread_create(&threads[i], NULL, turmoil_send, &seeds[i]) == 0, "thread %u, seed %u", i, seeds[i]);
    }
    for (unsigned i = 0; i < TURMOIL_THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    /* Both close while messages are under way: what was promised must still be kept, exactly once. */
    nal_close(b.nal);
    b.nal = NULL;
    nal_close(a.nal);
    a.nal = NULL;
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), TURMOIL_THREADS * TURMOIL_SENDS,
             "every sending was reported once");
    CHECK_EQ(recorder_calls(&b.core, RECORDER_LANDED), recorder_calls(&b.core, RECORDER_ARRIVE),
             "and the end of every landing");
    pair_end();
}

static void a_dead_peer_is_no_obstacle(void)
{
    struct wire_portals_id gone;
    int cookie;

    pair_begin();
    gone = b.self;
    struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &a.self, &gone);
    (void)nal_send(a.nal, &put, NULL, 0, NULL);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 1), "the peer lived");
    place_end(&b);
    /* The first ones may still fit into the dead stream; once its end is seen they fail. */
    unsigned sends = 0;
    while (recorder_incomplete(&a.core, RECORDER_SENT) == 0 && sends < 10000) {
        sends += nal_send(a.nal, &put, NULL, 0, &cookie) == NAL_OK;
        CHECK(recorder_await(&a.core, RECORDER_SENT, sends), "sending %u to a dead peer ends", sends);
    }
    CHECK(recorder_incomplete(&a.core, RECORDER_SENT) > 0, "and is reported as not complete");
    put.target.pid = 0;
    CHECK_EQ(nal_send(a.nal, &put, NULL, 0, &cookie), NAL_NO_ROUTE, "port 0 is nowhere");
    put.target.pid = 65536;
    CHECK_EQ(nal_send(a.nal, &put, NULL, 0, &cookie), NAL_NO_ROUTE, "nor is 65536");
    put.target.pid = 5;
    put.target.nid = 0xe0000001;
    CHECK_EQ(nal_send(a.nal, &put, NULL, 0, &cookie), NAL_NO_ROUTE, "nor a multicast address");
    place_end(&a);
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), sends, "nothing else was reported");
}

/* A port that nobody else is given while the socket is open, and at which nobody listens so far; -1: there is none. */
static int reserve_port(uint32_t *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)) != 0 ||
        bind(fd, (struct sockaddr *)&address, len) != 0 || getsockname(fd, (struct sockaddr *)&address, &len) != 0) {
        return -1;
    }
    *port = ntohs(address.sin_port);
    return fd;
}

/* Its address is known before it is there. */
static void a_peer_that_is_expected_is_waited_for(void)
{
    pair_begin();
    tcp_net_expect(a.net, 20000);
    struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);
    int reserved = reserve_port(&put.target.pid);
    place_end(&b);
    CHECK_EQ(nal_send(a.nal, &put, NULL, 0, &put), NAL_OK, "a message for whom is not there is taken");
    place_begin_at(&b, 1, put.target.pid);
    place_open(&b, 0);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 1), "it arrives");
    CHECK(recorder_await(&a.core, RECORDER_SENT, 1), "and is sent");
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_SENT), 0, "as a whole");
    pair_end();
    close(reserved);
}

static void an_expected_peer_may_never_come(void)
{
    pair_begin();
    tcp_net_expect(a.net, 700);
    struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);
    int reserved = reserve_port(&put.target.pid);
    CHECK(reserved >= 0, "a port at which nobody listens");
    uint64_t begun = clock_now_ms();
    CHECK_EQ(nal_send(a.nal, &put, NULL, 0, &put), NAL_OK, "a message is taken");
    CHECK(recorder_await(&a.core, RECORDER_SENT, 1), "its sending ends");
    CHECK(clock_now_ms() - begun >= 300, "but not at once");
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_SENT), 1, "as not complete");
    CHECK_EQ(nal_send(a.nal, &put, NULL, 0, &put), NAL_OK, "another is taken");
    place_end(&a); /* does not wait for its peer to come */
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_SENT), 2, "and given up with the interface");
    place_end(&b);
    close(reserved);
}

static void memory_that_is_none_does_no_harm(void)
{
    enum { LENGTH = 1 << 20 };
    unsigned char *data = calloc(1, LENGTH);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    unsigned char *hole = mmap(NULL, LENGTH, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pair_begin();
    struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &a.self, &b.self);
    put.rlength = LENGTH;
    (void)nal_send(a.nal, &put, hole, LENGTH, &a);
    CHECK(recorder_await(&a.core, RECORDER_SENT, 1), "a payload that cannot be read is given up");
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_SENT), 1, "and reported so");
    /* A landing whose first pages are good, so that the read into the hole is the kernel's. */
    CHECK(mprotect(hole, LENGTH / 2 / page * page, PROT_READ | PROT_WRITE) == 0, "half a hole");
    recorder_sink(&b.core, hole, LENGTH, &b);
    (void)nal_send(a.nal, &put, data, LENGTH, NULL);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 1), "a landing that cannot be written is given up");
    CHECK_EQ(recorder_incomplete(&b.core, RECORDER_LANDED), 1, "and reported so");
    recorder_sink(&b.core, NULL, 0, NULL);
    put.rlength = 0;
    put.match_bits = 5;
    (void)nal_send(a.nal, &put, NULL, 0, NULL);
    unsigned long arrived = recorder_calls(&b.core, RECORDER_ARRIVE);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 2), "the stream goes on (%lu before)", arrived);
    CHECK_EQ(recorder_note(&b.core, RECORDER_ARRIVE, 1).header.match_bits, 5, "where it was");
    pair_end();
    munmap(hole, LENGTH);
    free(data);
}

int main(void)
{
    TAP_RUN(a_put_arrives_with_its_data);
    TAP_RUN(many_messages_keep_their_order);
    TAP_RUN(what_is_sent_now_is_a_copy);
    TAP_RUN(copies_do_not_pile_up);
    TAP_RUN(surplus_is_thrown_away);
    TAP_RUN(both_may_call_at_once);
    TAP_RUN(a_process_can_send_to_itself);
    TAP_RUN(interfaces_are_independent);
    TAP_RUN(closing_flushes_what_is_queued);
    TAP_RUN(turmoil);
    TAP_RUN(a_dead_peer_is_no_obstacle);
    TAP_RUN(a_peer_that_is_expected_is_waited_for);
    TAP_RUN(an_expected_peer_may_never_come);
    TAP_RUN(memory_that_is_none_does_no_harm);
    return tap_done();
}
