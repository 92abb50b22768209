/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of the Intercept network: a conversation of two cards that keeps the rules breaks none, and each
 * violation is found in a conversation in which one frame does. The frames are those of the cards' links to a switch,
 * at plane 0.
 */
#include "tests/unit/tap.h"
#include "wire/intercept/check.h"

#include <stdlib.h>
#include <string.h>

enum { CARD = 0, SWITCH = 1, ENTRIES = 512, MASK = 1, PID = 5 };

static struct wire_intercept_check check;
static void *memory;
static uint8_t next[4]; /* sequence of each card, by its address */
static struct wire_intercept_heard heard;

static void hear(uint16_t link, unsigned side, const struct wire_intercept_frame *frame)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = 0;

    CHECK(wire_intercept_encode(frame, octets, sizeof octets, &len) == WIRE_OK, "the frame is made");
    wire_intercept_check_hear(&check, link, side, octets, len, &heard);
}

static void answer(uint16_t link, unsigned side, enum wire_intercept_message kind, uint8_t sequence)
{
    struct wire_intercept_frame frame = {.message = kind, .planes = MASK, .sequence = sequence};

    wire_intercept_complete(&frame);
    hear(link, side, &frame);
}

/* A card sends a packet to the other one. */
static void packet(uint16_t from, struct wire_intercept_frame frame)
{
    frame.planes = MASK;
    frame.source = from;
    frame.destination = (uint16_t)(3 - from);
    frame.sequence = next[from]++;
    if (frame.message != WIRE_INTERCEPT_TRY_MATCH && !frame.rank) {
        frame.rank = (uint64_t)from << 16 | PID;
    }
    wire_intercept_complete(&frame);
    hear(from, CARD, &frame);
}

/* The same, and the switch acknowledges it: as all do that break nothing below. */
static void say(uint16_t from, struct wire_intercept_frame frame)
{
    struct wire_intercept_heard kept;

    packet(from, frame);
    kept = heard;
    answer(from, SWITCH, WIRE_INTERCEPT_LINK_ACKNOWLEDGE, (uint8_t)(next[from] - 1));
    heard = kept;
}

static void announce(uint16_t iuca)
{
    struct wire_intercept_frame frame = {
        .message = WIRE_INTERCEPT_SHORT_MESSAGE, .planes = MASK, .source = iuca, .destination = iuca};

    wire_intercept_complete(&frame);
    hear(iuca, CARD, &frame);
    CHECK(heard.announces && heard.finding_count == 0, "card %u is known", iuca);
    answer(iuca, SWITCH, WIRE_INTERCEPT_LINK_ACKNOWLEDGE, 0);
    next[iuca] = 1;
}

static void begin(void)
{
    const uint64_t key[2] = {7, 11};

    free(memory);
    memory = calloc(1, wire_intercept_check_octets(ENTRIES));
    check = wire_intercept_check_begin(memory, ENTRIES, key);
    announce(1);
    announce(2);
}

static void quiet(const char *what)
{
    CHECK(heard.finding_count == 0, "%s breaks nothing: %s", what, heard.finding_count ? heard.findings[0].name : "");
}

/* So many frames that what comes behind them was sent behind what came before. */
static void meanwhile(void)
{
    for (unsigned i = 0; i < 4; i++) {
        say(1, (struct wire_intercept_frame){
                   .message = WIRE_INTERCEPT_CREDIT, .command = WIRE_INTERCEPT_COMMAND_CREDIT, .amount = 1});
        quiet("credit");
    }
}

static void found(enum wire_intercept_violation violation)
{
    struct wire_intercept_finding text = wire_intercept_violation_text(violation);

    CHECK(heard.finding_count == 1 && heard.findings[0].violation == violation, "%s is found, by %s: %u, %s", text.name,
          text.requirement, heard.finding_count, heard.finding_count ? heard.findings[0].name : "nothing");
}

/* ---- what the cards say ---- */

static unsigned char content[WIRE_INTERCEPT_VDMA_MAX];

#define RMPP(type, ...)                                                                                                \
    ((struct wire_intercept_frame){                                                                                    \
        .message = WIRE_INTERCEPT_##type, .destination_vnic = 1, .source_vnic = 1, __VA_ARGS__})
#define CONTROL(type, ...) ((struct wire_intercept_frame){.message = WIRE_INTERCEPT_##type, __VA_ARGS__})
#define RTS_OF(number, octets)                                                                                         \
    RMPP(RTS, .message_number = (number), .data = content, .data_len = WIRE_INTERCEPT_PORTALS_OCTETS + (octets))
#define DATA_OF(type, number, packet, octets)                                                                          \
    RMPP(type, .message_number = (number), .packet_number = (packet), .data = content, .data_len = (octets))
#define CREDIT_OF(n) CONTROL(CREDIT, .command = WIRE_INTERCEPT_COMMAND_CREDIT, .amount = (n))
#define MATCH_OF(n, octets)                                                                                            \
    CONTROL(TRY_MATCH, .key = 5, .message_number = (n), .match_length = (octets), .data = content,                     \
            .data_len = WIRE_INTERCEPT_PORTALS_OCTETS)
#define GET_OF(octets, ...) CONTROL(GET, .key = 5, .slices = 1, .slice_length = (octets), __VA_ARGS__)

/* Node 1 has sent the RTS of message 0, which goes on behind it; node 2 asks for so many octets by grants of 16. */
static void granted(uint64_t wanted, uint32_t n)
{
    begin();
    say(1, RTS_OF(0, 408));
    quiet("an RTS");
    CHECK(heard.counts, "it counts at its sender's card");
    say(2, RMPP(CTS, .n = n, .mlength = wanted));
    quiet("a CTS");
}

/* Node 1 has asked node 2 to match a message of 8192 octets, 32 of which are no slice's. */
static void matched(void)
{
    begin();
    say(1, CONTROL(UPD_CONN, .nic_count = 1, .data = content, .data_len = 2));
    say(1, CREDIT_OF(64));
    say(2, CREDIT_OF(64));
    say(1, MATCH_OF(0, 8192));
    quiet("a TRY_MATCH");
    say(2, GET_OF(8160, .key_remaining = 9, .first_block_length = 31, .last_block_length = 1));
    quiet("a GET");
}

static void slice_moves(void)
{
    for (uint32_t at = 0; at < 8160; at += 512) {
        size_t len = 8160 - at < 512 ? 8160 - at : 512;

        say(1, CONTROL(VDMA_DATA, .window_address = at, .data = content, .data_len = len));
        quiet("a packet of the slice");
    }
}

static void blocks_move(void)
{
    say(1, CONTROL(GET_EXT_REPLY, .key = 5, .key_remaining = 9, .first_length = 31, .last_length = 1, .data = content,
                   .data_len = 33));
}

/* ---- conversations ---- */

static void good_ones_are_quiet(void)
{
    granted(408 + 17 * 480, 16);
    for (uint32_t number = 0; number < 16; number++) {
        say(1, number == 15 ? DATA_OF(STOP_DATA, 0, number, 480) : DATA_OF(DATA, 0, number, 480));
        quiet("a data packet");
    }
    say(2, RMPP(NEXT_CTS, .n = 1));
    quiet("a further grant");
    say(1, DATA_OF(LAST_DATA, 0, 16, 480));
    quiet("the last data packet");
    say(2, RMPP(MSGEND, .message_number = 0));
    quiet("the end");
    say(1, RTS_OF(2, 5));
    say(1, RTS_OF(1, 5));
    quiet("a message behind a later one, over another plane perhaps");
    CHECK(heard.late, "it is late");
    say(2, RMPP(MSGEND, .message_number = 2));
    quiet("the end of one that fits its RTS");
    matched();
    slice_moves();
    blocks_move();
    quiet("a GET_EXT_REPLY");
    say(2, CONTROL(MATCH_REPLY, .key = 5, .mlength = 8192));
    quiet("a MATCH_REPLY");
    CHECK(check.messages == 1 && check.corrupt == 0, "one message has been heard");
}

static void link_level(void)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX] = {2, 1};

    begin();
    for (int i = 0; i < 7; i++) {
        packet(1, RMPP(MSGEND, .message_number = 9));
        CHECK(heard.finding_count == 0 || heard.findings[0].violation != WIRE_INTERCEPT_WINDOW_FULL, "packet %d", i);
    }
    packet(1, RMPP(MSGEND, .message_number = 9));
    found(WIRE_INTERCEPT_WINDOW_FULL);
    begin();
    next[1] = 50;
    packet(1, RTS_OF(0, 5));
    found(WIRE_INTERCEPT_SEQUENCE_JUMPS);
    begin();
    packet(1, RTS_OF(0, 5));
    next[1]--;
    packet(1, RTS_OF(0, 5));
    quiet("a packet that is sent again");
    CHECK(heard.again && !heard.counts, "it is known for that");
    next[1]--;
    packet(1, RTS_OF(0, 6));
    found(WIRE_INTERCEPT_CHANGED);
    begin();
    answer(1, SWITCH, WIRE_INTERCEPT_LINK_ACKNOWLEDGE, 1);
    found(WIRE_INTERCEPT_ACK_OF_NOTHING);
    answer(1, SWITCH, WIRE_INTERCEPT_LINK_RETRANSMIT, 1);
    quiet("a request for the next packet");
    answer(1, SWITCH, WIRE_INTERCEPT_LINK_RETRANSMIT, 2);
    found(WIRE_INTERCEPT_ASKS_FOR_NOTHING);
    wire_intercept_check_hear(&check, 1, CARD, octets, 36, &heard);
    CHECK(heard.condition == WIRE_INTERCEPT_CORRUPT && heard.finding_count == 0, "a corrupt frame accuses nobody");
}

static void places(void)
{
    struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_MSGEND,
                                         .planes = 2,
                                         .sequence = 1,
                                         .source = 1,
                                         .destination = 2,
                                         .destination_vnic = 1,
                                         .source_vnic = 1};

    begin();
    wire_intercept_complete(&frame);
    hear(1, CARD, &frame);
    found(WIRE_INTERCEPT_WRONG_PLANE);
    begin();
    frame.planes = MASK;
    frame.source = 7;
    hear(1, CARD, &frame);
    found(WIRE_INTERCEPT_FOREIGN_SOURCE);
    begin();
    frame.source = 1;
    frame.flags = 4;
    hear(1, CARD, &frame);
    found(WIRE_INTERCEPT_BREAKS_RULE);
}

static void short_messages(void)
{
    begin();
    say(1, RTS_OF(0, 5));
    say(1, RTS_OF(1, 5));
    found(WIRE_INTERCEPT_BOOT_FIRST);
    say(2, RMPP(MSGEND, .message_number = 0));
    say(1, RTS_OF(0, 6));
    found(WIRE_INTERCEPT_NUMBER_AGAIN);
    begin();
    content[3] = 1; /* a PUT of 300 octets */
    content[74] = 1;
    content[75] = 44;
    say(1, RTS_OF(0, 200));
    found(WIRE_INTERCEPT_RTS_NOT_FULL);
    content[3] = content[74] = content[75] = 0;
    granted(2000, 4);
    say(2, RMPP(CTS, .n = 4, .mlength = 2000));
    found(WIRE_INTERCEPT_CTS_AGAIN);
    say(2, RMPP(NEXT_CTS, .n = 1));
    found(WIRE_INTERCEPT_GRANT_TOO_LARGE);
    say(2, RMPP(CTS, .message_number = 9, .n = 1, .mlength = 500));
    found(WIRE_INTERCEPT_CTS_OF_NOTHING);
    say(1, DATA_OF(DATA, 0, 4, 480));
    found(WIRE_INTERCEPT_DATA_NOT_GRANTED);
    say(1, DATA_OF(DATA, 0, 0, 472));
    found(WIRE_INTERCEPT_DATA_LENGTH);
    say(1, DATA_OF(DATA, 0, 0, 480));
    found(WIRE_INTERCEPT_DATA_AGAIN);
    say(1, DATA_OF(LAST_DATA, 0, 1, 480));
    found(WIRE_INTERCEPT_DATA_TYPE);
    say(1, DATA_OF(DATA, 9, 0, 480));
    found(WIRE_INTERCEPT_DATA_OF_NOTHING);
    say(1, DATA_OF(LAST_DATA, 0, 3, 152));
    quiet("the last data packet before another one");
    meanwhile();
    say(2, RMPP(MSGEND, .message_number = 0));
    found(WIRE_INTERCEPT_END_EARLY);
    say(2, RMPP(MSGEND, .message_number = 0));
    found(WIRE_INTERCEPT_END_OF_NOTHING);
    begin();
    say(1, RTS_OF(0, 100));
    say(2, RMPP(CTS, .n = 1, .mlength = 500));
    found(WIRE_INTERCEPT_CTS_LENGTH);
}

/* A receiver wants no more; what has been granted may be on its way. */
static void ends_in_the_midst(void)
{
    granted(2000, 3);
    say(1, DATA_OF(DATA, 0, 0, 480));
    say(2, RMPP(MSGEND, .message_number = 0));
    quiet("the end of a message of which nothing more is wanted");
    say(1, DATA_OF(STOP_DATA, 0, 2, 480));
    quiet("a data packet that crosses it");
    say(1, DATA_OF(STOP_DATA, 0, 2, 480));
    found(WIRE_INTERCEPT_DATA_OF_NOTHING);
    say(1, DATA_OF(LAST_DATA, 0, 3, 152));
    found(WIRE_INTERCEPT_DATA_OF_NOTHING);
    say(2, RMPP(MSGEND, .message_number = 0));
    found(WIRE_INTERCEPT_END_OF_NOTHING);
    granted(700, 1);
    say(2, RMPP(MSGEND, .message_number = 0));
    quiet("the end before the only data packet");
}

/* Of Portals 3.2 and 3.3: the header has a tag, and the RTS as much less data. */
static void tagged_messages(void)
{
    static unsigned char tagged[WIRE_INTERCEPT_RTS_ROOM] = {
        [3] = 33, [73] = 0, [74] = 0x21, [75] = 0x60}; /* a tagged PUT of 8544 octets */

    begin();
    say(1, RMPP(RTS, .data = tagged, .data_len = 104 + 384));
    quiet("an RTS that is full");
    say(2, RMPP(CTS, .n = 16, .mlength = 384 + 17 * 480));
    quiet("a CTS");
    for (uint32_t number = 0; number < 16; number++) {
        say(1, number == 15 ? DATA_OF(STOP_DATA, 0, number, 480) : DATA_OF(DATA, 0, number, 480));
        quiet("a data packet");
    }
    say(2, RMPP(NEXT_CTS, .n = 1));
    say(1, DATA_OF(LAST_DATA, 0, 16, 480));
    quiet("the last data packet");
    begin();
    say(1, RMPP(RTS, .data = tagged, .data_len = 104 + 300));
    found(WIRE_INTERCEPT_RTS_NOT_FULL);
}

static void long_messages(void)
{
    begin();
    say(1, MATCH_OF(0, 9000));
    found(WIRE_INTERCEPT_NO_CREDIT);
    matched();
    say(2, GET_OF(8, .key_remaining = 0));
    CHECK(heard.finding_count >= 1 && heard.findings[0].violation == WIRE_INTERCEPT_BREAKS_RULE, "8 octets: no slice");
    say(2, GET_OF(32, .key_remaining = 0));
    CHECK(heard.finding_count == 2 && heard.findings[0].violation == WIRE_INTERCEPT_GET_BEYOND &&
              heard.findings[1].violation == WIRE_INTERCEPT_GET_SLICES,
          "a GET beyond the message, and one slice too many");
    say(2, CONTROL(GET, .key = 6, .slices = 1, .slice_length = 32));
    found(WIRE_INTERCEPT_GET_OF_NOTHING);
    matched();
    say(1, CONTROL(VDMA_DATA, .channel = 3, .data = content, .data_len = 8));
    found(WIRE_INTERCEPT_SLICE_OF_NOTHING);
    say(1, CONTROL(VDMA_DATA, .window_address = 8192, .data = content, .data_len = 8));
    found(WIRE_INTERCEPT_SLICE_BEYOND);
    say(1, CONTROL(GET_EXT_REPLY, .key = 5, .key_remaining = 8, .first_length = 31, .last_length = 1, .data = content,
                   .data_len = 33));
    found(WIRE_INTERCEPT_BLOCKS_DIFFER);
    blocks_move();
    found(WIRE_INTERCEPT_BLOCKS_OF_NOTHING);
    say(2, CONTROL(MATCH_REPLY, .key = 5, .mlength = 8192));
    found(WIRE_INTERCEPT_REPLY_EARLY);
    say(2, CONTROL(MATCH_REPLY, .key = 5, .mlength = 8192));
    found(WIRE_INTERCEPT_REPLY_OF_NOTHING);
}

/* A GET of few enough octets, which are not all the message's. */
static void asked_elsewhere(struct wire_intercept_frame get)
{
    begin();
    say(1, CONTROL(UPD_CONN, .nic_count = 1, .data = content, .data_len = 2));
    say(1, CREDIT_OF(64));
    say(2, CREDIT_OF(64));
    say(1, MATCH_OF(0, 8192));
    say(2, get);
    found(WIRE_INTERCEPT_GET_BEYOND);
}

static void places_in_a_message(void)
{
    asked_elsewhere(GET_OF(4096, .address = 4104));
    asked_elsewhere(GET_OF(4096, .address = (uint64_t)-8));
    asked_elsewhere(GET_OF(4096, .key_remaining = 9, .first_block_length = 8, .first_block_addr = 8185));
    asked_elsewhere(GET_OF(4096, .key_remaining = 9, .last_block_length = 8, .last_block_addr = 8192));
}

/* A channel is granted to one card. */
static void another_card_fills_a_slice(void)
{
    struct wire_intercept_frame frame = CONTROL(VDMA_DATA, .window_address = 64, .data = content, .data_len = 8,
                                                .planes = MASK, .source = 3, .destination = 2, .sequence = 1);

    matched();
    announce(3);
    wire_intercept_complete(&frame);
    hear(3, CARD, &frame);
    found(WIRE_INTERCEPT_SLICE_OF_NOTHING);
}

static bool is_explained(const struct wire_intercept_heard *kept)
{
    return wire_intercept_check_explains(&check, kept->findings[0].violation, &kept->basis);
}

/* What is missing explains what rests on it, and came behind it. */
static void gaps_explain(void)
{
    struct wire_intercept_heard early, late;

    begin();
    announce(3);
    say(1, RTS_OF(0, 8));
    say(2, RMPP(MSGEND, .message_number = 0));
    say(2, RMPP(MSGEND, .message_number = 0));
    found(WIRE_INTERCEPT_END_OF_NOTHING);
    early = heard;
    CHECK(!is_explained(&early), "nothing is missing");
    next[3]++;
    say(3, RTS_OF(0, 8));
    CHECK(wire_intercept_check_lacks(&check), "a packet of the third card is");
    CHECK(is_explained(&early), "the first card's last packet may be, too");
    for (unsigned number = 1; number < 9; number++) {
        say(1, RTS_OF(number, 8));
        say(2, RMPP(MSGEND, .message_number = number));
    }
    CHECK(!is_explained(&early), "but was not: it has gone on");
    next[2]++;
    say(2, RMPP(MSGEND, .message_number = 70));
    late = heard;
    CHECK(late.finding_count == 1 && is_explained(&late), "the end of nothing, while the other one is silent");
    say(1, RTS_OF(9, 8));
    CHECK(!is_explained(&late), "what its sender has said does not explain it");
    next[1]++;
    say(1, RTS_OF(11, 8));
    say(2, RMPP(MSGEND, .message_number = 10));
    CHECK(is_explained(&heard), "what the other one has not been heard to say does");
    CHECK(!is_explained(&early), "not what ended long before");
    wire_intercept_check_cut(&check, 77, CARD);
    CHECK(!is_explained(&early), "something was cut off afterwards, of whomever");
    CHECK(is_explained(&heard), "or before, as far as a capture has an order");
}

/* Data stands before the CTS that allows it, close before it or not. */
static struct wire_intercept_heard data_before_cts(bool is_ordered, bool is_far)
{
    struct wire_intercept_heard data;

    begin();
    check.is_ordered = is_ordered;
    say(1, RTS_OF(0, 408));
    packet(1, DATA_OF(LAST_DATA, 0, 0, 480));
    found(WIRE_INTERCEPT_DATA_NOT_GRANTED);
    CHECK(!is_explained(&heard), "by nothing up to now");
    data = heard;
    answer(1, SWITCH, WIRE_INTERCEPT_LINK_ACKNOWLEDGE, (uint8_t)(next[1] - 1));
    if (is_far) {
        meanwhile();
    }
    packet(2, RMPP(CTS, .n = 1, .mlength = 888));
    quiet("the CTS");
    return data;
}

static void what_is_close_may_be_turned(void)
{
    struct wire_intercept_heard data = data_before_cts(false, false);

    CHECK(is_explained(&data), "the CTS may have come before the data");
    say(1, DATA_OF(LAST_DATA, 0, 0, 480));
    found(WIRE_INTERCEPT_DATA_AGAIN);
    CHECK(!is_explained(&heard), "the data has counted, and this is wrong in either order");
    data = data_before_cts(false, true);
    CHECK(!is_explained(&data), "what stands far before the CTS was sent before it");
    data = data_before_cts(true, false);
    CHECK(!is_explained(&data), "nor is anything turned where the order is known");
    granted(888, 1);
    packet(1, DATA_OF(LAST_DATA, 0, 0, 480));
    next[2] += 3;
    packet(2, RMPP(MSGEND, .message_number = 5));
    found(WIRE_INTERCEPT_END_OF_NOTHING);
    CHECK(is_explained(&heard), "what is known to be missing is so in either order");
}

/* Packets are on the other card's link before they are on their sender's. */
static void clocks_may_be_apart(void)
{
    struct wire_intercept_frame frame = RTS_OF(0, 8);
    struct wire_intercept_heard end;

    begin();
    say(1, RTS_OF(0, 8));
    frame.planes = MASK;
    frame.source = 1;
    frame.destination = 2;
    wire_intercept_complete(&frame);
    for (unsigned number = 0; number < 2; number++) {
        frame.message_number = number;
        frame.sequence = (uint8_t)number;
        hear(2, SWITCH, &frame);
        answer(2, CARD, WIRE_INTERCEPT_LINK_ACKNOWLEDGE, (uint8_t)number);
    }
    say(2, RMPP(MSGEND, .message_number = 1));
    found(WIRE_INTERCEPT_END_OF_NOTHING);
    end = heard;
    CHECK(is_explained(&end), "two packets have arrived, and one was sent");
    say(1, RTS_OF(1, 8));
    CHECK(is_explained(&end), "the other one comes late");
    say(2, RMPP(MSGEND, .message_number = 9));
    found(WIRE_INTERCEPT_END_OF_NOTHING);
    CHECK(!is_explained(&heard), "behind it the order is right");
}

/* A plane has died: what was outstanding on it comes again over another one. */
static void rescued_packets_are_known(void)
{
    struct wire_intercept_frame other = {
        .message = WIRE_INTERCEPT_SHORT_MESSAGE, .planes = 2, .source = 1, .destination = 1};
    struct wire_intercept_frame frame = RTS_OF(0, 5);

    begin();
    wire_intercept_complete(&other);
    hear(101, CARD, &other);
    packet(1, frame);
    frame.planes = 3;
    frame.source = 1;
    frame.destination = 2;
    frame.sequence = 1;
    wire_intercept_complete(&frame);
    hear(101, CARD, &frame);
    quiet("an RTS that comes over another plane");
    CHECK(heard.again && heard.plane == 1, "it is known to have been sent before");
}

int main(void)
{
    TAP_RUN(good_ones_are_quiet);
    TAP_RUN(link_level);
    TAP_RUN(places);
    TAP_RUN(short_messages);
    TAP_RUN(ends_in_the_midst);
    TAP_RUN(tagged_messages);
    TAP_RUN(long_messages);
    TAP_RUN(places_in_a_message);
    TAP_RUN(another_card_fills_a_slice);
    TAP_RUN(gaps_explain);
    TAP_RUN(what_is_close_may_be_turned);
    TAP_RUN(clocks_may_be_apart);
    TAP_RUN(rescued_packets_are_known);
    free(memory);
    return tap_done();
}
