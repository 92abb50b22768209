/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The tester's end of a cable of the Intercept network (tester/peers/link.h), rule by rule of specs/intercept-wire.md,
 * 3.6. The card at the other end is the test.
 */
#include "tester/peers/link.h"
#include "tests/unit/tap.h"
#include "wire/intercept/frame.h"

#include <string.h>

enum { SENT_MOST = 64 };

static struct link_end here;
static struct {
    unsigned count;
    size_t len[SENT_MOST];
    unsigned char octets[SENT_MOST][LINK_DATAGRAM_MAX];
} sent;

static void on_transmit(void *owner, const unsigned char *octets, size_t len)
{
    (void)owner;
    if (sent.count < SENT_MOST) {
        memcpy(sent.octets[sent.count], octets, len);
        sent.len[sent.count] = len;
    }
    sent.count++;
}

static void begin(bool acknowledges, bool repeats)
{
    link_release(&here);
    here = (struct link_end){.plane = 2, .acknowledges = acknowledges, .repeats = repeats, .transmit = on_transmit};
    link_reset(&here);
    sent.count = 0;
}

/* A frame of plane 2; packets carry eight octets, told from others by the destination. Returns its octets. */
static size_t frame_make(unsigned char *octets, enum wire_intercept_message message, uint8_t sequence, uint16_t number)
{
    static const unsigned char data[8] = "eight..";
    bool is_packet = message == WIRE_INTERCEPT_SHORT_MESSAGE;
    struct wire_intercept_frame frame = {.message = message,
                                         .planes = 4,
                                         .sequence = sequence,
                                         .destination = number,
                                         .data = is_packet ? data : NULL,
                                         .data_len = is_packet ? sizeof data : 0};
    size_t len = 0;

    wire_intercept_complete(&frame);
    return wire_intercept_encode(&frame, octets, WIRE_INTERCEPT_FRAME_MAX, &len) == WIRE_OK ? len : 0;
}

static bool hear(enum wire_intercept_message message, uint8_t sequence, int64_t now_ms)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = frame_make(octets, message, sequence, 0);

    return link_receive(&here, octets, len, now_ms);
}

static void post(uint16_t number, int64_t now_ms)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = frame_make(octets, WIRE_INTERCEPT_SHORT_MESSAGE, 0, number);

    link_send(&here, octets, len, now_ms);
}

/* Whether frame i that was sent is sound, of that kind, and has that sequence; a link frame names plane 2 alone. */
static bool was(unsigned i, unsigned kind, uint8_t sequence)
{
    struct wire_intercept_frame frame;
    size_t len = 0;

    return i < sent.count && wire_intercept_decode(sent.octets[i], sent.len[i], &frame, &len) == WIRE_OK &&
           len == sent.len[i] && frame.kind == kind && frame.sequence == sequence && frame.planes == 4;
}

static uint16_t number_of(unsigned i)
{
    return (uint16_t)(sent.octets[i][4] << 8 | sent.octets[i][5]);
}

//= IW-20
static void seven_are_outstanding_and_others_wait(void)
{
    begin(true, true);
    for (uint16_t number = 0; number < 9; number++) {
        post(number, 0);
    }
    CHECK(sent.count == 7 && was(6, WIRE_INTERCEPT_SHORT, 6), "the eighth and the ninth wait");
    CHECK_EQ(link_outstanding(&here), 9, "and count");
    hear(WIRE_INTERCEPT_LINK_ACKNOWLEDGE, 3, 0);
    CHECK_EQ(sent.count, 7, "an acknowledgement says nothing of those before it");
    hear(WIRE_INTERCEPT_LINK_ACKNOWLEDGE, 0, 0);
    CHECK(sent.count == 8 && was(7, WIRE_INTERCEPT_SHORT, 7) && number_of(7) == 7, "that of the oldest makes room");
    hear(WIRE_INTERCEPT_LINK_ACKNOWLEDGE, 99, 0);
    CHECK_EQ(link_outstanding(&here), 7, "one of a packet that was never sent does nothing");
    for (uint8_t sequence = 1; sequence < 9; sequence++) {
        hear(WIRE_INTERCEPT_LINK_ACKNOWLEDGE, sequence, 0);
    }
    CHECK(link_outstanding(&here) == 0 && sent.count == 9 && number_of(8) == 8, "in the end all have been sent");
}

static void sequences_wrap(void)
{
    unsigned wrong = 0;

    begin(true, true);
    for (unsigned i = 0; i < 600; i++) {
        sent.count = 0;
        post((uint16_t)i, 0);
        wrong += !was(0, WIRE_INTERCEPT_SHORT, (uint8_t)i);
        hear(WIRE_INTERCEPT_LINK_ACKNOWLEDGE, (uint8_t)i, 0);
        sent.count = 0;
        wrong += !hear(WIRE_INTERCEPT_SHORT_MESSAGE, (uint8_t)i, 0) || !was(0, WIRE_INTERCEPT_ACKNOWLEDGE, (uint8_t)i);
    }
    CHECK_EQ(wrong, 0, "256 follows upon 255 as 0, both ways");
    CHECK_EQ(link_outstanding(&here), 0, "and nothing is left");
}

//= IW-22
static void a_request_goes_back(void)
{
    begin(true, true);
    for (uint16_t number = 0; number < 5; number++) {
        post(number, 0);
    }
    hear(WIRE_INTERCEPT_LINK_ACKNOWLEDGE, 3, 0);
    hear(WIRE_INTERCEPT_LINK_RETRANSMIT, 2, 0);
    CHECK(sent.count == 7 && was(5, WIRE_INTERCEPT_SHORT, 2) && was(6, WIRE_INTERCEPT_SHORT, 4),
          "from the one that was asked for, those that are not acknowledged");
    hear(WIRE_INTERCEPT_LINK_RETRANSMIT, 5, 0);
    CHECK(sent.count == 7 && here.asked == 2, "the next one that will be sent: counted, and nothing more");
    here.repeats = false;
    hear(WIRE_INTERCEPT_LINK_RETRANSMIT, 2, 0);
    CHECK_EQ(sent.count, 7, "nor is anything sent again where the case does so itself");
}

//= IW-24
static void what_waits_too_long_is_sent_again(void)
{
    begin(true, true);
    link_expire(&here, 1000);
    CHECK_EQ(sent.count, 0, "nothing is outstanding");
    for (uint16_t number = 0; number < 3; number++) {
        post(number, 1000);
    }
    hear(WIRE_INTERCEPT_LINK_ACKNOWLEDGE, 1, 1000);
    link_expire(&here, 1019);
    CHECK_EQ(sent.count, 3, "not before 20 milliseconds");
    link_expire(&here, 1020);
    CHECK(sent.count == 5 && was(3, WIRE_INTERCEPT_SHORT, 0) && was(4, WIRE_INTERCEPT_SHORT, 2), "then all that wait");
    link_expire(&here, 1039);
    CHECK_EQ(sent.count, 5, "and not at once again");
    here.repeats = false;
    link_expire(&here, 2000);
    CHECK_EQ(sent.count, 5, "never, where the case does so itself");
}

//= IW-21
//= IW-23
static void packets_are_taken_in_their_order(void)
{
    begin(true, true);
    CHECK(hear(WIRE_INTERCEPT_SHORT_MESSAGE, 0, 0) && was(0, WIRE_INTERCEPT_ACKNOWLEDGE, 0), "in turn: acknowledged");
    CHECK(!hear(WIRE_INTERCEPT_SHORT_MESSAGE, 0, 0) && was(1, WIRE_INTERCEPT_ACKNOWLEDGE, 0) && here.again == 1,
          "once more: acknowledged, and the case does not see it");
    CHECK(!hear(WIRE_INTERCEPT_SHORT_MESSAGE, 2, 0) && was(2, WIRE_INTERCEPT_RETRANSMIT, 1), "a gap: asked for");
    CHECK(!hear(WIRE_INTERCEPT_SHORT_MESSAGE, 3, 0) && sent.count == 3, "once");
    CHECK(!hear(WIRE_INTERCEPT_SHORT_MESSAGE, 8, 0) && !hear(WIRE_INTERCEPT_SHORT_MESSAGE, 249, 0) && sent.count == 3,
          "seven ahead and eight behind: nothing");
    CHECK(hear(WIRE_INTERCEPT_SHORT_MESSAGE, 1, 0) && hear(WIRE_INTERCEPT_SHORT_MESSAGE, 2, 0), "then in turn");
    CHECK(!hear(WIRE_INTERCEPT_SHORT_MESSAGE, 4, 0) && was(5, WIRE_INTERCEPT_RETRANSMIT, 3),
          "the next gap is asked for anew");
    CHECK(!hear(WIRE_INTERCEPT_LINK_ACKNOWLEDGE, 0, 0) && sent.count == 6,
          "answers are not for the case, nor answered");
}

//= IW-11
//= IW-50
static void what_is_no_frame_is_asked_for(void)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX + 1];
    size_t len = frame_make(octets, WIRE_INTERCEPT_SHORT_MESSAGE, 0, 0);
    unsigned wrong = 0;

    begin(true, true);
    for (size_t bit = 0; bit < len * 8; bit++) {
        sent.count = 0;
        octets[bit / 8] = (unsigned char)(octets[bit / 8] ^ 1U << bit % 8);
        wrong += link_receive(&here, octets, len, 0) || !was(0, WIRE_INTERCEPT_RETRANSMIT, 0) || sent.count != 1;
        octets[bit / 8] = (unsigned char)(octets[bit / 8] ^ 1U << bit % 8);
    }
    CHECK_EQ(wrong, 0, "one request for each bit that is wrong");
    for (size_t some = 0; some < len; some++) {
        wrong += link_receive(&here, octets, some, 0);
    }
    octets[len] = 0;
    wrong += link_receive(&here, octets, len + 1, 0);
    CHECK_EQ(wrong, 0, "a datagram that is longer or shorter than its frame is none");
    CHECK(link_receive(&here, octets, len, 0), "the frame itself is taken");
}

static void a_case_can_be_the_link(void)
{
    unsigned char octets[3] = {1, 2, 3};

    begin(false, false);
    CHECK(hear(WIRE_INTERCEPT_SHORT_MESSAGE, 5, 0) && hear(WIRE_INTERCEPT_SHORT_MESSAGE, 5, 0) &&
              link_receive(&here, octets, sizeof octets, 0) && sent.count == 0,
          "it sees all that comes, and nothing is answered");
    post(0, 0);
    CHECK(hear(WIRE_INTERCEPT_LINK_ACKNOWLEDGE, 0, 0) && link_outstanding(&here) == 0,
          "acknowledgements too, which count all the same");
    for (uint16_t number = 0; number < 10; number++) {
        post(number, 0);
    }
    link_reset(&here);
    CHECK_EQ(link_outstanding(&here), 0, "a link that begins anew has forgotten what was on its way");
    sent.count = 0;
    post(7, 0);
    CHECK(was(0, WIRE_INTERCEPT_SHORT, 0) && number_of(0) == 7, "and numbers from 0");
}

int main(void)
{
    TAP_RUN(seven_are_outstanding_and_others_wait);
    TAP_RUN(sequences_wrap);
    TAP_RUN(a_request_goes_back);
    TAP_RUN(what_waits_too_long_is_sent_again);
    TAP_RUN(packets_are_taken_in_their_order);
    TAP_RUN(what_is_no_frame_is_asked_for);
    TAP_RUN(a_case_can_be_the_link);
    link_release(&here);
    return tap_done();
}
