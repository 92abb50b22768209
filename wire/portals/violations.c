/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What can go wrong in a conversation, as a table: name, requirement, what a receiver does, and a sentence
 * (wire/portals/check.h). Requirements of tables 7 and 9 of the Portals 3.0 document where an answer carries something
 * else than they say; rules of specs/portals-wire.md for the rest.
 */
#include "wire/portals/violations.h"

#include <stddef.h>

static const struct wire_portals_rule rules[WIRE_PORTALS_VIOLATIONS] = {
    [WIRE_PORTALS_NO_VIOLATION] = {"none", "", WIRE_PORTALS_DELIVER, "the message breaks no rule of the conversation"},
    [WIRE_PORTALS_REFUSED_ANSWERED] = {"refused-answered", "PW-10", WIRE_PORTALS_DELIVER,
                                       "a stream whose opening had to be refused is answered"},
    [WIRE_PORTALS_LATE_HELLO_TAKEN] = {"late-hello-taken", "PW-16", WIRE_PORTALS_DELIVER,
                                       "a HELLO that came after more than 10 seconds is answered"},
    [WIRE_PORTALS_UNANSWERED_GOES_ON] = {"unanswered-goes-on", "PW-16", WIRE_PORTALS_DELIVER,
                                         "the opener goes on although no HELLO has answered it for more than 10 s"},
    [WIRE_PORTALS_OTHER_IDENTITY] = {"other-identity", "PW-02", WIRE_PORTALS_DELIVER,
                                     "the HELLO says another rank or group size than an earlier one of this process"},
    [WIRE_PORTALS_OTHER_USER] = {"other-user", "PW-42", WIRE_PORTALS_DELIVER,
                                 "the sender says another user than in an earlier message of the stream"},
    [WIRE_PORTALS_SECOND_STREAM] = {"second-stream", "PW-18", WIRE_PORTALS_DELIVER,
                                    "the sender changes to another stream while the one that it used is open"},
    [WIRE_PORTALS_CUT_OFF] = {"cut-off", "PW-19", WIRE_PORTALS_CLOSE, "the stream is closed inside a message"},
    [WIRE_PORTALS_NUMBER_LAST] = {"number-last", "PW-31", WIRE_PORTALS_CLOSE,
                                  "the stream is closed behind a NUMBER, before the message that it numbers"},
    [WIRE_PORTALS_STRAY_OCTETS] = {"stray-octets", "P30-328", WIRE_PORTALS_CLOSE, "what follows is no message"},
    [WIRE_PORTALS_STRAY_AFTER_PUT] = {"stray-after-put", "P30-286", WIRE_PORTALS_CLOSE,
                                      "a put's data are followed by octets that are no message: its length is wrong"},
    [WIRE_PORTALS_STRAY_AFTER_ACK] = {"stray-after-ack", "P30-295", WIRE_PORTALS_CLOSE,
                                      "an acknowledgement is followed by octets that are no message: it has no data"},
    [WIRE_PORTALS_STRAY_AFTER_GET] = {"stray-after-get", "P30-299", WIRE_PORTALS_CLOSE,
                                      "a get is followed by octets that are no message: it has no data"},
    [WIRE_PORTALS_STRAY_AFTER_REPLY] = {"stray-after-reply", "P30-303", WIRE_PORTALS_CLOSE,
                                        "a reply's data are followed by octets that are no message: its length is "
                                        "wrong"},
    [WIRE_PORTALS_STRAY_AFTER_NUMBER] = {"stray-after-number", "PW-31", WIRE_PORTALS_CLOSE,
                                         "a NUMBER is followed by octets that are no message"},
    [WIRE_PORTALS_NUMBER_UNAGREED] = {"number-unagreed", "PW-30", WIRE_PORTALS_CLOSE,
                                      "messages are numbered or acknowledged though not both HELLOs said minor "
                                      "version 1"},
    [WIRE_PORTALS_NUMBER_ALONE] = {"number-alone", "PW-31", WIRE_PORTALS_CLOSE,
                                   "a NUMBER is followed by a message that is not numbered"},
    [WIRE_PORTALS_NUMBER_CHANGED] = {"number-changed", "PW-32", WIRE_PORTALS_DISCARD,
                                     "a numbered message comes again as another one with the same epoch and number"},
    [WIRE_PORTALS_ACKNOWLEDGE_UNSENT] = {"acknowledge-unsent", "PW-40", WIRE_PORTALS_DISCARD,
                                         "a numbered message is acknowledged that has not been sent"},
    [WIRE_PORTALS_ACK_UNSWAPPED] = {"ack-unswapped", "P30-288", WIRE_PORTALS_DISCARD,
                                    "an acknowledgement repeats initiator and target of the put instead of swapping "
                                    "them"},
    [WIRE_PORTALS_REPLY_UNSWAPPED] = {"reply-unswapped", "P30-301", WIRE_PORTALS_DISCARD,
                                      "a reply repeats initiator and target of the get instead of swapping them"},
    [WIRE_PORTALS_ANSWER_NAMELESS] = {"answer-nameless", "PW-06", WIRE_PORTALS_DELIVER,
                                      "an answer does not give group and rank of the requester"},
    [WIRE_PORTALS_ACK_UNWANTED] = {"ack-unwanted", "P30-285", WIRE_PORTALS_DISCARD,
                                   "a put that wants no acknowledgement is acknowledged"},
    [WIRE_PORTALS_ACK_UNASKED] = {"ack-unasked", "P30-010", WIRE_PORTALS_DISCARD,
                                  "an acknowledgement comes for which no put waits"},
    [WIRE_PORTALS_REPLY_UNASKED] = {"reply-unasked", "P30-011", WIRE_PORTALS_DISCARD,
                                    "a reply comes for which no get waits"},
    [WIRE_PORTALS_ACK_AGAIN] = {"ack-again", "P30-010", WIRE_PORTALS_DISCARD, "a put is acknowledged again"},
    [WIRE_PORTALS_REPLY_AGAIN] = {"reply-again", "P30-011", WIRE_PORTALS_DISCARD, "a get is replied to again"},
    [WIRE_PORTALS_ACK_FOR_GET] = {"ack-for-get", "P30-300", WIRE_PORTALS_DISCARD,
                                  "a get is answered with the operation of an acknowledgement"},
    [WIRE_PORTALS_REPLY_FOR_PUT] = {"reply-for-put", "P30-287", WIRE_PORTALS_DISCARD,
                                    "a put is answered with the operation of a reply"},
    [WIRE_PORTALS_INVALID_ANSWERED] = {"invalid-answered", "P30-329", WIRE_PORTALS_DELIVER,
                                       "a request that had to be discarded is answered"},
    [WIRE_PORTALS_ACK_PORTAL] = {"ack-portal", "P30-289", WIRE_PORTALS_DELIVER,
                                 "an acknowledgement does not repeat the put's portal index"},
    [WIRE_PORTALS_ACK_MATCH_BITS] = {"ack-match-bits", "P30-290", WIRE_PORTALS_DELIVER,
                                     "an acknowledgement does not repeat the put's match bits"},
    [WIRE_PORTALS_ACK_OFFSET] = {"ack-offset", "P30-291", WIRE_PORTALS_DELIVER,
                                 "an acknowledgement does not repeat the put's offset"},
    [WIRE_PORTALS_ACK_MD] = {"ack-md", "P30-292", WIRE_PORTALS_DISCARD,
                             "an acknowledgement does not repeat the put's memory descriptor"},
    [WIRE_PORTALS_ACK_RLENGTH] = {"ack-rlength", "P30-293", WIRE_PORTALS_DELIVER,
                                  "an acknowledgement does not repeat the put's requested length"},
    [WIRE_PORTALS_ANSWER_UNTAGGED] = {"answer-untagged", "PW-37", WIRE_PORTALS_DELIVER,
                                      "of request and answer one has a tag and the other has none"},
    [WIRE_PORTALS_ANSWER_TAG] = {"answer-tag", "PW-41", WIRE_PORTALS_DELIVER,
                                 "an answer does not repeat the header data or the place of its request"},
    [WIRE_PORTALS_REPLY_ECHO] = {"reply-echo", "P30-302", WIRE_PORTALS_DELIVER,
                                 "a reply does not repeat what the get said"},
    [WIRE_PORTALS_BARRIER_SURPLUS] = {"barrier-surplus", "PW-29", WIRE_PORTALS_DISCARD,
                                      "a barrier of a group of this size has no such round"},
    [WIRE_PORTALS_BARRIER_PARTNER] = {"barrier-partner", "PW-29", WIRE_PORTALS_DISCARD,
                                      "in this round the barrier message is due to another rank"},
    [WIRE_PORTALS_BARRIER_AGAIN] = {"barrier-again", "PW-29", WIRE_PORTALS_DISCARD,
                                    "the message of this barrier or of a later one was sent before"},
    [WIRE_PORTALS_BARRIER_SKIPPED] = {"barrier-skipped", "PW-29", WIRE_PORTALS_DISCARD, "a barrier is left out"},
    [WIRE_PORTALS_BARRIER_EARLY] = {"barrier-early", "P30-090", WIRE_PORTALS_DELIVER,
                                    "the sender goes on in the barrier before it was its turn"},
};

bool wire_portals_violation_rests_on_time(enum wire_portals_violation violation)
{
    return violation == WIRE_PORTALS_LATE_HELLO_TAKEN || violation == WIRE_PORTALS_UNANSWERED_GOES_ON;
}

bool wire_portals_violation_rests_on_order(enum wire_portals_violation violation)
{
    switch (violation) {
    case WIRE_PORTALS_ACKNOWLEDGE_UNSENT:
    case WIRE_PORTALS_ACK_UNWANTED:
    case WIRE_PORTALS_ACK_UNASKED:
    case WIRE_PORTALS_REPLY_UNASKED:
    case WIRE_PORTALS_ACK_AGAIN:
    case WIRE_PORTALS_REPLY_AGAIN:
    case WIRE_PORTALS_ACK_FOR_GET:
    case WIRE_PORTALS_REPLY_FOR_PUT:
    case WIRE_PORTALS_INVALID_ANSWERED:
    case WIRE_PORTALS_ACK_PORTAL:
    case WIRE_PORTALS_ACK_MATCH_BITS:
    case WIRE_PORTALS_ACK_OFFSET:
    case WIRE_PORTALS_ACK_MD:
    case WIRE_PORTALS_ACK_RLENGTH:
    case WIRE_PORTALS_ANSWER_UNTAGGED:
    case WIRE_PORTALS_ANSWER_TAG:
    case WIRE_PORTALS_REPLY_ECHO:
    case WIRE_PORTALS_BARRIER_EARLY:
        return true;
    default:
        return false;
    }
}

bool wire_portals_violation_needs_all(enum wire_portals_violation violation)
{
    switch (violation) {
    case WIRE_PORTALS_SECOND_STREAM:
    case WIRE_PORTALS_BARRIER_AGAIN:
    case WIRE_PORTALS_BARRIER_SKIPPED:
        return true;
    default:
        return wire_portals_violation_rests_on_order(violation);
    }
}

const struct wire_portals_rule *wire_portals_violation_rule(enum wire_portals_violation violation)
{
    return (unsigned)violation < WIRE_PORTALS_VIOLATIONS ? &rules[violation] : &rules[WIRE_PORTALS_NO_VIOLATION];
}
