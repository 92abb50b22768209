/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The reliability layer (specs/portals-wire.md, 4.7) above a line whose every loss is scripted: nothing may be lost,
 * doubled or overtaken above it, and what cannot be saved is said to have failed.
 */
#include "ref-impl/nal/wrap/reliable/net.h"
#include "tests/reliable/line.h"
#include "tests/unit/tap.h"

#include <string.h>

enum { MANY = 300, OCTETS = 1000 };

static uint64_t bits[MANY];
static unsigned char data[OCTETS];
static unsigned char room[OCTETS];
static int sink_token;

static void *a_core(void)
{
    return &line_sides[LINE_A].core;
}

static void *b_core(void)
{
    return &line_sides[LINE_B].core;
}

static void begin(line_judge *judge)
{
    line_begin(judge);
    for (unsigned i = 0; i < OCTETS; i++) {
        data[i] = (unsigned char)(i * 7 + 1);
    }
    memset(room, 0, sizeof room);
    recorder_sink(b_core(), room, sizeof room, &sink_token);
}

static void put_many(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        bits[i] = i;
        CHECK_EQ(line_put(&bits[i], data, sizeof data), NAL_OK, "the put is taken");
    }
}

/* All puts came once, in order, with all of their data, and A knows it. */
static void all_came(unsigned count)
{
    unsigned wrong = 0;

    CHECK(recorder_await(a_core(), RECORDER_SENT, count), "all are acknowledged");
    CHECK_EQ(recorder_incomplete(a_core(), RECORDER_SENT), 0, "none has failed");
    line_settle();
    CHECK_EQ(recorder_calls(a_core(), RECORDER_SENT), count, "each was told once");
    CHECK_EQ(recorder_calls(b_core(), RECORDER_ARRIVE), count, "each came once");
    CHECK_EQ(recorder_calls(b_core(), RECORDER_LANDED), count, "each landed once");
    CHECK_EQ(recorder_incomplete(b_core(), RECORDER_LANDED), 0, "as a whole");
    CHECK_EQ(recorder_calls(b_core(), RECORDER_DROPPED), 0, "nothing was counted as dropped");
    for (unsigned i = 0; i < count; i++) {
        wrong += recorder_note(b_core(), RECORDER_ARRIVE, i).header.match_bits != i;
    }
    CHECK_EQ(wrong, 0, "in the order of sending");
    CHECK(memcmp(room, data, sizeof data) == 0, "with its data");
}

static void nothing_lost(void)
{
    begin(NULL);
    put_many(MANY);
    all_came(MANY);
    line_end();
}

static enum line_deed first_times_lost(int side, unsigned nth, const struct wire_portals_header *header, bool again)
{
    (void)nth;
    return side == LINE_A && header->operation == WIRE_PORTALS_PUT && !again ? LINE_DROP : LINE_DELIVER;
}

static void every_message_lost_once(void)
{
    begin(first_times_lost);
    put_many(100);
    all_came(100);
    CHECK(line_count(LINE_A, false) >= 200, "each was sent twice at least");
    line_end();
}

static enum line_deed all_doubled(int side, unsigned nth, const struct wire_portals_header *header, bool again)
{
    (void)side;
    (void)nth;
    (void)header;
    (void)again;
    return LINE_DOUBLE;
}

static void every_message_doubled(void)
{
    begin(all_doubled);
    put_many(MANY);
    all_came(MANY);
    line_end();
}

static enum line_deed every_other_held(int side, unsigned nth, const struct wire_portals_header *header, bool again)
{
    (void)again;
    return side == LINE_A && header->operation == WIRE_PORTALS_PUT && nth % 2 == 0 ? LINE_HOLD : LINE_DELIVER;
}

static void neighbours_exchanged(void)
{
    begin(every_other_held);
    put_many(100);
    all_came(100);
    line_end();
}

static enum line_deed acknowledges_lost(int side, unsigned nth, const struct wire_portals_header *header, bool again)
{
    (void)again;
    return side == LINE_B && header->operation == WIRE_PORTALS_ACKNOWLEDGE && nth < 5 ? LINE_DROP : LINE_DELIVER;
}

static void acknowledgements_lost(void)
{
    begin(acknowledges_lost);
    put_many(1);
    all_came(1);
    /* More than six where the line's thread is slower than the layer's patience. */
    CHECK(line_count(LINE_B, true) >= 6, "five were lost, the sixth arrived");
    CHECK(line_count(LINE_A, false) >= 6, "each time the message was sent again");
    line_end();
}

/* A dice with a seed, for all faults at once in both directions. */
static uint64_t dice;

static enum line_deed diced(int side, unsigned nth, const struct wire_portals_header *header, bool again)
{
    static const enum line_deed deeds[] = {LINE_DROP, LINE_DOUBLE, LINE_HOLD, LINE_CUT};

    (void)side;
    (void)nth;
    (void)again;
    dice = dice * 6364136223846793005U + 1442695040888963407U;
    unsigned face = (unsigned)(dice >> 33) % 20;
    if (face >= 4 || (deeds[face] == LINE_CUT && header->operation != WIRE_PORTALS_PUT)) {
        return LINE_DELIVER;
    }
    return deeds[face];
}

static void everything_at_once(void)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        dice = seed;
        begin(diced);
        put_many(MANY);
        all_came(MANY);
        line_end();
    }
}

static enum line_deed first_put_cut(int side, unsigned nth, const struct wire_portals_header *header, bool again)
{
    (void)side;
    (void)nth;
    return header->operation == WIRE_PORTALS_PUT && !again ? LINE_CUT : LINE_DELIVER;
}

//= PW-35
static void cut_inside_the_payload(void)
{
    begin(first_put_cut);
    put_many(1);
    all_came(1);
    line_end();
}

static void broken_between_messages(void)
{
    begin(NULL);
    put_many(1);
    CHECK(recorder_await(a_core(), RECORDER_SENT, 1), "the first one is acknowledged");
    line_break();
    line_settle();
    bits[1] = 1;
    CHECK_EQ(line_put(&bits[1], data, sizeof data), NAL_OK, "the next one is taken");
    all_came(2);
    line_end();
}

/* What the core takes back while the rest of the message has not come again is not written to any more. */
static void revoked_while_cut(void)
{
    begin(first_put_cut);
    line_door_set(LINE_NUMBERED);
    bits[0] = 0;
    CHECK_EQ(line_put(&bits[0], data, sizeof data), NAL_OK, "taken");
    CHECK(recorder_await(b_core(), RECORDER_ARRIVE, 1), "begun");
    nal_revoke(line_sides[LINE_B].nal, &sink_token);
    CHECK(recorder_await(a_core(), RECORDER_SENT, 1), "acknowledged in the end");
    CHECK(recorder_await(b_core(), RECORDER_LANDED, 1), "landed is told");
    line_settle();
    CHECK_EQ(recorder_calls(b_core(), RECORDER_LANDED), 1, "once");
    CHECK_EQ(recorder_calls(b_core(), RECORDER_ARRIVE), 1, "and nothing came twice");
    line_end();
}

static enum line_deed all_puts_cut(int side, unsigned nth, const struct wire_portals_header *header, bool again)
{
    (void)side;
    (void)nth;
    (void)again;
    if (header->operation != WIRE_PORTALS_PUT) {
        return LINE_DELIVER;
    }
    line_door_set(LINE_REFUSED); /* the process is gone from now on */
    return LINE_CUT;
}

static void peer_dies_inside_a_message(void)
{
    begin(all_puts_cut);
    put_many(3);
    CHECK(recorder_await(a_core(), RECORDER_SENT, 3), "all are told");
    CHECK_EQ(recorder_incomplete(a_core(), RECORDER_SENT), 3, "as failed");
    CHECK(recorder_await(b_core(), RECORDER_LANDED, 1), "what was begun is told");
    CHECK_EQ(recorder_incomplete(b_core(), RECORDER_LANDED), 1, "as failed");
    line_end();
}

static void peer_of_version_1_0(void)
{
    begin(NULL);
    line_door_set(LINE_PLAIN);
    put_many(20);
    CHECK(recorder_await(a_core(), RECORDER_SENT, 20), "all are sent");
    CHECK(recorder_await(b_core(), RECORDER_LANDED, 20), "all came");
    CHECK_EQ(line_count(LINE_B, true), 0, "nothing was acknowledged");
    CHECK_EQ(recorder_note(b_core(), RECORDER_ARRIVE, 19).header.number, 0, "nothing was numbered");
    line_end();
}

static void refused_at_once(void)
{
    begin(NULL);
    line_door_set(LINE_REFUSED);
    put_many(2);
    CHECK(recorder_await(a_core(), RECORDER_SENT, 2), "told");
    CHECK_EQ(recorder_incomplete(a_core(), RECORDER_SENT), 2, "as failed");
    line_door_set(LINE_NUMBERED);
    put_many(1);
    CHECK(recorder_await(a_core(), RECORDER_SENT, 3), "later it is there");
    CHECK_EQ(recorder_incomplete(a_core(), RECORDER_SENT), 2, "and gets what is sent then");
    line_end();
}

//= PW-36
static void closed_interface(void)
{
    struct wire_portals_header barrier = {.operation = WIRE_PORTALS_BARRIER, .sequence = 1};

    begin(NULL);
    line_interface_close(LINE_B);
    put_many(5);
    barrier.initiator = line_sides[LINE_A].self;
    barrier.target = line_sides[LINE_B].self;
    CHECK_EQ(nal_send(line_sides[LINE_A].nal, &barrier, NULL, 0, &barrier), NAL_OK, "a barrier's message");
    CHECK(recorder_await(a_core(), RECORDER_SENT, 6), "all are acknowledged");
    CHECK_EQ(recorder_incomplete(a_core(), RECORDER_SENT), 0, "none has failed");
    CHECK_EQ(recorder_calls(b_core(), RECORDER_ARRIVE), 0, "nothing came to the closed interface");
    line_interface_open(LINE_B);
    CHECK_EQ(recorder_calls(b_core(), RECORDER_DROPPED), 5, "they are counted when it opens");
    CHECK_EQ(recorder_calls(b_core(), RECORDER_ARRIVE), 1, "one was kept");
    CHECK_EQ(recorder_note(b_core(), RECORDER_ARRIVE, 0).header.operation, WIRE_PORTALS_BARRIER, "the barrier's");
    line_end();
}

static void another_process_at_the_address(void)
{
    begin(NULL);
    put_many(3);
    CHECK(recorder_await(a_core(), RECORDER_SENT, 3), "the first process has all");
    line_break();
    line_settle();
    line_restart();
    recorder_sink(b_core(), room, sizeof room, &sink_token);
    put_many(2);
    CHECK(recorder_await(a_core(), RECORDER_SENT, 5), "all are told");
    CHECK_EQ(recorder_incomplete(a_core(), RECORDER_SENT), 0, "the second process has the rest");
    CHECK_EQ(recorder_calls(b_core(), RECORDER_ARRIVE), 2, "and only the rest");
    line_end();
}

/* Closing waits for what is on its way. */
static void closing_flushes(void)
{
    begin(first_times_lost);
    put_many(20);
    line_interface_close(LINE_A);
    CHECK_EQ(recorder_calls(a_core(), RECORDER_SENT), 20, "all are told before the close returns");
    CHECK_EQ(recorder_incomplete(a_core(), RECORDER_SENT), 0, "and all have come");
    CHECK_EQ(recorder_calls(b_core(), RECORDER_LANDED), 20, "indeed");
    line_end();
}

/* A process of another job; each number another one. */
static struct wire_portals_id outsider(uint32_t number)
{
    return (struct wire_portals_id){0x0a000000 + number, 5000, 8, 0};
}

static void outsider_put(uint32_t who, uint64_t number)
{
    struct wire_portals_header put = {.operation = WIRE_PORTALS_PUT,
                                      .initiator = outsider(who),
                                      .target = line_sides[LINE_B].self,
                                      .md = UINT64_MAX,
                                      .epoch = 1,
                                      .number = number};

    line_inject(LINE_B, &put);
}

/* How many places for peers B has made. */
static unsigned places(void)
{
    const struct reliable_peer *peer = line_sides[LINE_B].net->interfaces[0].peers;
    unsigned count = 0;

    for (; peer; peer = peer->next) {
        count++;
    }
    return count;
}

static void names_that_come_and_go(void)
{
    begin(NULL);
    for (uint32_t i = 0; i < 100000; i++) {
        struct wire_portals_id id = outsider(i);

        reliable_net_peer(line_sides[LINE_B].net, 0, &id, i % 2 ? NETWORK_PEER_NUMBERED : NETWORK_PEER_PLAIN);
        reliable_net_peer(line_sides[LINE_B].net, 0, &id, NETWORK_PEER_LOST);
        reliable_net_peer(line_sides[LINE_B].net, 0, &id, NETWORK_PEER_REFUSED);
    }
    CHECK(places() <= RELIABLE_CHAINS, "a hundred thousand names have taken %u places", places());
    for (uint32_t i = 0; i < 2000; i++) {
        struct wire_portals_id id = outsider(i);

        reliable_net_peer(line_sides[LINE_B].net, 0, &id, NETWORK_PEER_NUMBERED);
    }
    CHECK(places() >= 2000, "those who stay have one each, %u", places());
    put_many(100);
    all_came(100);
    line_end();
}

static void too_many_that_number(void)
{
    begin(NULL);
    recorder_sink(b_core(), NULL, 0, NULL);
    for (uint32_t i = 0; i < RELIABLE_COUNTED + 1000; i++) {
        outsider_put(i, 1);
    }
    CHECK_EQ(recorder_calls(b_core(), RECORDER_ARRIVE), RELIABLE_COUNTED, "so many processes of other jobs are heard");
    CHECK(places() <= RELIABLE_COUNTED + RELIABLE_CHAINS, "the others leave nothing behind, %u places", places());
    outsider_put(0, 1);
    outsider_put(RELIABLE_COUNTED - 1, 1);
    CHECK_EQ(recorder_calls(b_core(), RECORDER_ARRIVE), RELIABLE_COUNTED, "none is heard twice");
    outsider_put(0, 2);
    CHECK_EQ(recorder_calls(b_core(), RECORDER_ARRIVE), RELIABLE_COUNTED + 1, "those that are go on");
    line_settle();
    recorder_begin(b_core());
    recorder_sink(b_core(), room, sizeof room, &sink_token);
    put_many(100);
    all_came(100);
    line_end();
}

/* A network below a process that has no other side: greeting somebody loses them again, and somebody else is there, of
 * the same chain of the table. */
static struct {
    struct nal nal;
    struct reliable_net *net;
    unsigned sent;
} alone;

static enum nal_status alone_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                  uint64_t length, void *cookie)
{
    (void)nal, (void)header, (void)payload, (void)length, (void)cookie;
    alone.sent++;
    return NAL_NO_MEMORY;
}

static void alone_close(struct nal *nal)
{
    (void)nal;
}

static enum nal_status alone_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                  struct nal **nal)
{
    static const struct nal_ops ops = {
        .name = "alone",
        .send = alone_send,
        .close = alone_close,
    };

    (void)config, (void)upcalls, (void)core;
    alone.nal.ops = &ops;
    *nal = &alone.nal;
    return NAL_OK;
}

static enum nal_status alone_greet(uint32_t interface, const struct wire_portals_id *target)
{
    struct wire_portals_id another = *target;

    another.nid += RELIABLE_CHAINS;
    reliable_net_peer(alone.net, interface, target, NETWORK_PEER_LOST);
    reliable_net_peer(alone.net, interface, &another, NETWORK_PEER_NUMBERED);
    return NAL_OK;
}

/* Whoever is being greeted keeps its place, or a message for it would go to somebody else. */
static void a_place_is_kept_while_it_is_used(void)
{
    static const struct reliable_below below = {alone_open, alone_greet};
    static struct recorder core;
    struct wire_portals_id self = {0x7f000001, 50001, 7, 0};
    struct nal_config config = {0, self, 1};
    struct wire_portals_header put = {
        .operation = WIRE_PORTALS_PUT, .initiator = self, .target = outsider(0), .md = UINT64_MAX};
    struct nal *nal = NULL;

    recorder_begin(&core);
    alone.net = reliable_net_new(&below, &self, 1);
    CHECK(alone.net && reliable_net_open(alone.net, &config, &recorder_upcalls, &core, &nal) == NAL_OK, "a layer");
    CHECK_EQ(nal_send(nal, &put, NULL, 0, &put), NAL_OK, "a message is taken while its target is lost");
    CHECK(recorder_await(&core, RECORDER_SENT, 1), "it is told");
    CHECK_EQ(recorder_incomplete(&core, RECORDER_SENT), 1, "as failed");
    CHECK_EQ(alone.sent, 0, "and nobody else has got it");
    nal_close(nal);
    reliable_net_stop(alone.net);
    reliable_net_free(alone.net);
}

/* Whatever a peer says of our epoch, 0 is none. */
static void the_last_epoch(void)
{
    CHECK(reliable_epoch_after(5) > 5, "the time is larger");
    CHECK(reliable_epoch_after(UINT64_MAX - 1) == UINT64_MAX, "or one more than what was");
    CHECK(reliable_epoch_after(UINT64_MAX) != 0, "behind the last one it begins again, but not with none");
}

int main(void)
{
    TAP_RUN(nothing_lost);
    TAP_RUN(every_message_lost_once);
    TAP_RUN(every_message_doubled);
    TAP_RUN(neighbours_exchanged);
    TAP_RUN(acknowledgements_lost);
    TAP_RUN(everything_at_once);
    TAP_RUN(cut_inside_the_payload);
    TAP_RUN(broken_between_messages);
    TAP_RUN(revoked_while_cut);
    TAP_RUN(peer_dies_inside_a_message);
    TAP_RUN(peer_of_version_1_0);
    TAP_RUN(refused_at_once);
    TAP_RUN(closed_interface);
    TAP_RUN(another_process_at_the_address);
    TAP_RUN(closing_flushes);
    TAP_RUN(names_that_come_and_go);
    TAP_RUN(too_many_that_number);
    TAP_RUN(a_place_is_kept_while_it_is_used);
    TAP_RUN(the_last_epoch);
    return tap_done();
}
