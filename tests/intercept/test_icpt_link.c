/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The link, rule by rule of specs/intercept-wire.md, 3.6. The other end of the cable is the test.
 */
#include "tests/intercept/cord.h"
#include "tests/unit/tap.h"

static struct cord cord;

//= IW-20
static void seven_are_outstanding(void)
{
    cord_begin(&cord);
    for (uint16_t number = 0; number < 7; number++) {
        CHECK(cord_send(&cord, number, 0), "packet %u is taken", number);
        CHECK(cord_is(&cord, number, WIRE_INTERCEPT_SHORT, (uint8_t)number), "and sent with the next sequence");
    }
    CHECK(!cord_send(&cord, 7, 0) && cord.count == 7, "the eighth is not");
    cord_answer(&cord, WIRE_INTERCEPT_ACKNOWLEDGE, 0, 0);
    CHECK(cord.rooms == 1, "an acknowledgement makes room, and the owner hears of it");
    CHECK(cord_send(&cord, 7, 0) && !cord_send(&cord, 8, 0), "for one packet");
    cord_answer(&cord, WIRE_INTERCEPT_ACKNOWLEDGE, 3, 0);
    CHECK(!cord_send(&cord, 8, 0), "an acknowledgement says nothing of those before it");
    cord_answer(&cord, WIRE_INTERCEPT_ACKNOWLEDGE, 200, 0);
    CHECK_EQ(intercept_link_outstanding(&cord.link), 6, "one of a packet that was not sent says nothing");
}

static void sequences_wrap(void)
{
    unsigned taken = 0;

    cord_begin(&cord);
    for (unsigned i = 0; i < 600; i++) {
        taken += cord_send(&cord, (uint16_t)i, 0) && cord_is(&cord, i, WIRE_INTERCEPT_SHORT, (uint8_t)i);
        cord_answer(&cord, WIRE_INTERCEPT_ACKNOWLEDGE, (uint8_t)i, 0);
    }
    CHECK_EQ(taken, 600, "256 follows upon 255 as 0");
    for (unsigned i = 0; i < 600; i++) {
        cord_hear(&cord, (uint8_t)i, (uint16_t)i);
    }
    CHECK_EQ(cord.delivered, 600, "at the receiver too");
}

//= IW-24
static void what_waits_too_long_is_sent_again(void)
{
    cord_begin(&cord);
    CHECK_EQ(intercept_link_deadline(&cord.link), 0, "nothing is outstanding, nothing is waited for");
    for (uint16_t number = 0; number < 3; number++) {
        (void)cord_send(&cord, number, 1000);
    }
    CHECK_EQ(intercept_link_deadline(&cord.link), 21000, "20 microseconds");
    intercept_link_expire(&cord.link, 20999);
    CHECK_EQ(cord.count, 3, "not before");
    cord_answer(&cord, WIRE_INTERCEPT_ACKNOWLEDGE, 1, 2000);
    intercept_link_expire(&cord.link, 21000);
    CHECK(cord.count == 5 && cord_is(&cord, 3, WIRE_INTERCEPT_SHORT, 0) && cord_is(&cord, 4, WIRE_INTERCEPT_SHORT, 2),
          "all that are outstanding, and no other");
    CHECK_EQ(intercept_link_deadline(&cord.link), 61000, "and it is waited again, twice as long");
}

//= IW-22
static void a_request_goes_back(void)
{
    cord_begin(&cord);
    for (uint16_t number = 0; number < 5; number++) {
        (void)cord_send(&cord, number, 0);
    }
    cord_answer(&cord, WIRE_INTERCEPT_RETRANSMIT, 2, 0);
    CHECK(cord.count == 8 && cord_is(&cord, 5, WIRE_INTERCEPT_SHORT, 2) && cord_is(&cord, 6, WIRE_INTERCEPT_SHORT, 3) &&
              cord_is(&cord, 7, WIRE_INTERCEPT_SHORT, 4),
          "from the one that was asked for, in order");
    cord_answer(&cord, WIRE_INTERCEPT_RETRANSMIT, 5, 0);
    cord_answer(&cord, WIRE_INTERCEPT_RETRANSMIT, 250, 0);
    CHECK_EQ(cord.count, 8, "the next one, and one that never was, cause nothing");
}

//= IW-21
//= IW-23
static void a_receiver_keeps_the_order(void)
{
    cord_begin(&cord);
    cord_hear(&cord, 0, 100);
    CHECK(cord.delivered == 1 && cord_is(&cord, 0, WIRE_INTERCEPT_ACKNOWLEDGE, 0), "delivered and acknowledged");
    cord_hear(&cord, 0, 100);
    CHECK(cord.delivered == 1 && cord_is(&cord, 1, WIRE_INTERCEPT_ACKNOWLEDGE, 0), "again: acknowledged only");
    cord_hear(&cord, 2, 102);
    CHECK(cord.delivered == 1 && cord_is(&cord, 2, WIRE_INTERCEPT_RETRANSMIT, 1), "one is missing: asked for");
    cord_hear(&cord, 3, 103);
    CHECK(cord.delivered == 1 && cord.count == 3, "once");
    cord_hear(&cord, 1, 101);
    cord_hear(&cord, 2, 102);
    CHECK(cord.delivered == 3 && cord.last == 102 && cord.count == 5, "then all in their turn");
    cord_hear(&cord, 10, 110);
    cord_hear(&cord, 252 - 1, 0);
    CHECK(cord.delivered == 3 && cord.count == 5, "beyond six ahead and seven behind: discarded");
    cord_hear(&cord, 252, 0);
    CHECK(cord.delivered == 3 && cord_is(&cord, 5, WIRE_INTERCEPT_ACKNOWLEDGE, 252),
          "seven behind: acknowledged again");
}

//= IW-11
//= IW-22
static void a_corrupt_frame_is_asked_for_every_time(void)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = cord_packet(octets, 0, 100);
    unsigned wrong = 0;

    cord_begin(&cord);
    for (size_t bit = 0; bit < len * 8; bit++) {
        unsigned before = cord.count;

        octets[bit / 8] = (unsigned char)(octets[bit / 8] ^ 1U << bit % 8);
        intercept_link_receive(&cord.link, octets, len, (struct intercept_moment){0, 0});
        octets[bit / 8] = (unsigned char)(octets[bit / 8] ^ 1U << bit % 8);
        wrong +=
            cord.delivered != 0 || cord.count != before + 1 || !cord_is(&cord, before, WIRE_INTERCEPT_RETRANSMIT, 0);
    }
    CHECK_EQ(wrong, 0, "one request for each, whichever bit it is");
    intercept_link_receive(&cord.link, octets, len - 1, (struct intercept_moment){0, 0});
    intercept_link_receive(&cord.link, octets, 3, (struct intercept_moment){0, 0});
    intercept_link_receive(&cord.link, octets, 0, (struct intercept_moment){0, 0});
    CHECK_EQ(cord.delivered, 0, "so are frames that lack octets");
    intercept_link_receive(&cord.link, octets, len, (struct intercept_moment){0, 0});
    CHECK_EQ(cord.delivered, 1, "the right one is taken");
}

//= IW-26
//= IW-09
static void withdrawn_and_foreign_frames_tell_nothing(void)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = cord_packet(octets, 0, 100);

    cord_begin(&cord);
    intercept_cable_withdraw(octets, len, 0);
    intercept_link_receive(&cord.link, octets, len, (struct intercept_moment){0, 0});
    CHECK(cord.delivered == 0 && cord.count == 0, "the complement of the CRC: discarded, nothing asked for");
    octets[0] = 6;
    intercept_cable_seal(octets, len, 0);
    intercept_link_receive(&cord.link, octets, len, (struct intercept_moment){0, 0});
    CHECK(cord.delivered == 0 && cord.count == 0, "a sixth kind: discarded, not acknowledged");
    cord_hear(&cord, 0, 101);
    CHECK(cord.delivered == 1 && cord.last == 101, "the next packet has the same sequence");
}

static void a_full_receiver_holds_the_sender(void)
{
    cord_begin(&cord);
    cord.is_full = true;
    cord_hear(&cord, 0, 100);
    cord_hear(&cord, 1, 101);
    cord_hear(&cord, 0, 100);
    CHECK(cord.delivered == 0 && cord.count == 0, "what has no room is not acknowledged, nor asked for");
    intercept_link_resume(&cord.link, 0);
    CHECK(cord.delivered == 0 && cord.count == 0, "as long as there is none");
    cord.is_full = false;
    intercept_link_resume(&cord.link, 0);
    CHECK(cord.delivered == 2 && cord.last == 101 && cord.count == 2, "then all of it is delivered, in order");
    CHECK(cord_is(&cord, 0, WIRE_INTERCEPT_ACKNOWLEDGE, 0) && cord_is(&cord, 1, WIRE_INTERCEPT_ACKNOWLEDGE, 1),
          "and acknowledged");
    intercept_link_resume(&cord.link, 0);
    cord_hear(&cord, 2, 102);
    CHECK(cord.delivered == 3 && cord.count == 3, "once");
}

static void a_gap_behind_what_is_held_is_asked_for(void)
{
    cord_begin(&cord);
    cord.is_full = true;
    cord_hear(&cord, 0, 100);
    cord_hear(&cord, 2, 102);
    CHECK(cord.count == 1 && cord_is(&cord, 0, WIRE_INTERCEPT_RETRANSMIT, 1), "the one that was lost, and no other");
    for (uint8_t sequence = 1; sequence <= ICPT_WINDOW; sequence++) {
        cord_hear(&cord, sequence, (uint16_t)(100 + sequence));
    }
    CHECK(cord.delivered == 0 && cord.count == 1, "no more than a window is held, whatever comes");
    cord.is_full = false;
    intercept_link_resume(&cord.link, 0);
    CHECK(cord.delivered == ICPT_WINDOW && cord.last == 100 + ICPT_WINDOW - 1, "which is delivered");
}

static void who_waits_long_asks_less_often(void)
{
    uint64_t now = 0;

    cord_begin(&cord);
    (void)cord_send(&cord, 0, 0);
    for (int i = 0; i < 12; i++) {
        now = intercept_link_deadline(&cord.link);
        intercept_link_expire(&cord.link, now);
    }
    CHECK_EQ(intercept_link_deadline(&cord.link) - now, 1280000, "64 timers at most");
    cord_answer(&cord, WIRE_INTERCEPT_ACKNOWLEDGE, 0, now);
    (void)cord_send(&cord, 1, now);
    CHECK_EQ(intercept_link_deadline(&cord.link) - now, 1280000, "an answer to what was sent again tells no time");
    cord_answer(&cord, WIRE_INTERCEPT_ACKNOWLEDGE, 1, now + 500);
    (void)cord_send(&cord, 2, now);
    CHECK_EQ(intercept_link_deadline(&cord.link) - now, 20000, "one again, when what was sent once is answered");
}

/* Sends one packet, which is acknowledged after `took_ns`; how long the timer of the next one is. */
static uint64_t wait_after(uint8_t sequence, uint64_t at_ns, uint64_t took_ns)
{
    uint64_t wait_ns;

    (void)cord_send(&cord, sequence, at_ns);
    wait_ns = intercept_link_deadline(&cord.link) - at_ns;
    cord_answer(&cord, WIRE_INTERCEPT_ACKNOWLEDGE, sequence, at_ns + took_ns);
    return wait_ns;
}

static void the_timer_follows_what_acknowledgements_take(void)
{
    unsigned wrong = 0;

    cord_begin(&cord);
    CHECK_EQ(wait_after(0, 0, 19000), 20000, "nothing is known yet");
    CHECK_EQ(wait_after(1, 100000, 9999), 40000, "19 microseconds: twice that, in whole timers");
    CHECK_EQ(wait_after(2, 200000, 500), 40000, "one that is quick does not shorten it");
    for (unsigned i = 3; i < 127; i++) {
        wrong += wait_after((uint8_t)i, i * 100000, 500) != 40000;
    }
    CHECK_EQ(wrong, 0, "nor do those up to the second 64");
    (void)wait_after(127, 12700000, 500);
    CHECK_EQ(wait_after(128, 12800000, 19999), 20000, "then the slow one is forgotten");
    CHECK_EQ(wait_after(129, 12900000, 500), 40000, "until there is another");
}

static void the_timer_has_a_bound(void)
{
    cord_begin(&cord);
    intercept_link_timing(&cord.link, &(struct intercept_timing){1000000, 8, 0});
    (void)wait_after(0, 0, 900000);
    intercept_link_timing(&cord.link, &(struct intercept_timing){1000, 8, 0});
    CHECK_EQ(wait_after(1, 2000000, 500), 8000, "eight timers, however slow it was");
    (void)cord_send(&cord, 2, 3000000);
    intercept_link_expire(&cord.link, 3008000);
    CHECK_EQ(intercept_link_deadline(&cord.link) - 3008000, 8000, "and however often in vain");
    intercept_link_reset(&cord.link);
    (void)cord_send(&cord, 0, 4000000);
    CHECK_EQ(intercept_link_deadline(&cord.link) - 4000000, 1000, "a cable that begins anew is not known");
}

static void who_does_not_answer_is_given_up(void)
{
    cord_begin(&cord);
    intercept_link_timing(&cord.link, &(struct intercept_timing){1000, 8, 7});
    (void)cord_send(&cord, 0, 0);
    intercept_link_expire(&cord.link, 1000);
    intercept_link_expire(&cord.link, 3000);
    CHECK(cord.deaths == 0 && cord.count == 3, "twice it is tried again");
    intercept_link_expire(&cord.link, 7000);
    CHECK(cord.deaths == 1 && intercept_link_deadline(&cord.link) == 0, "then the owner is told");
    CHECK(cord_send(&cord, 1, 3000) && cord.count == 3, "and what is sent goes nowhere");
    intercept_link_reset(&cord.link);
    CHECK(cord_send(&cord, 2, 3000) && cord_is(&cord, 3, WIRE_INTERCEPT_SHORT, 0), "until it begins anew");
}

int main(void)
{
    TAP_RUN(seven_are_outstanding);
    TAP_RUN(sequences_wrap);
    TAP_RUN(what_waits_too_long_is_sent_again);
    TAP_RUN(a_request_goes_back);
    TAP_RUN(a_receiver_keeps_the_order);
    TAP_RUN(a_corrupt_frame_is_asked_for_every_time);
    TAP_RUN(withdrawn_and_foreign_frames_tell_nothing);
    TAP_RUN(a_full_receiver_holds_the_sender);
    TAP_RUN(a_gap_behind_what_is_held_is_asked_for);
    TAP_RUN(who_waits_long_asks_less_often);
    TAP_RUN(the_timer_follows_what_acknowledgements_take);
    TAP_RUN(the_timer_has_a_bound);
    TAP_RUN(who_does_not_answer_is_given_up);
    return tap_done();
}
