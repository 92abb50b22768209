/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The rules about single headers of the Portals TCP binding (specs/portals-wire.md, chapters 4 and 5). They stand
 * between the codec, which looks at form, and the core, which looks at portals, descriptors and queues. The order of
 * the checks is the order in which the binding wants them made; a header that breaks several is named by the first.
 */
#include "wire/portals/rules.h"

#include <stddef.h>

static const struct wire_portals_rule rules[WIRE_PORTALS_HEADER_VIOLATIONS] = {
    [WIRE_PORTALS_LEGAL] = {"legal", "", WIRE_PORTALS_DELIVER, "the header breaks no rule"},
    [WIRE_PORTALS_BAD_MAGIC] = {"bad-magic", "PW-10", WIRE_PORTALS_REFUSE, "the stream does not open with a HELLO"},
    [WIRE_PORTALS_BAD_VERSION] = {"bad-version", "PW-11", WIRE_PORTALS_REFUSE,
                                  "the HELLO is of another major version of the binding"},
    [WIRE_PORTALS_BAD_SENDER] = {"bad-sender", "PW-12", WIRE_PORTALS_REFUSE,
                                 "the HELLO's sender id is none that a process can have"},
    [WIRE_PORTALS_WRONG_PEER] = {"wrong-peer", "PW-13", WIRE_PORTALS_REFUSE,
                                 "the HELLO is meant for or comes from another process than the stream's end"},
    [WIRE_PORTALS_WRONG_INTERFACE] = {"wrong-interface", "PW-14", WIRE_PORTALS_REFUSE,
                                      "the answering HELLO is for another interface than the stream was opened for"},
    [WIRE_PORTALS_BAD_OPERATION] = {"bad-operation", "P30-328", WIRE_PORTALS_CLOSE, "the operation is unknown"},
    [WIRE_PORTALS_HELLO_AGAIN] = {"hello-again", "PW-15", WIRE_PORTALS_CLOSE,
                                  "a HELLO comes in the middle of a stream"},
    [WIRE_PORTALS_BAD_LENGTH] = {"bad-length", "PW-22", WIRE_PORTALS_CLOSE,
                                 "a length is above the binding's maximum of 2^40 octets"},
    [WIRE_PORTALS_FORGED_INITIATOR] = {"forged-initiator", "PW-20", WIRE_PORTALS_DISCARD,
                                       "the initiator is not the process that opened this direction of the stream"},
    [WIRE_PORTALS_WRONG_TARGET] = {"wrong-target", "P30-305", WIRE_PORTALS_DISCARD,
                                   "the target's node and process ids are not the receiver's"},
    [WIRE_PORTALS_WRONG_RANK] = {"wrong-rank", "P30-305", WIRE_PORTALS_DISCARD,
                                 "the target's group and rank ids are neither the receiver's nor marked not known"},
    [WIRE_PORTALS_OVERFULL_ANSWER] = {"overfull-answer", "PW-23", WIRE_PORTALS_DISCARD,
                                      "the manipulated length is above the requested length"},
    [WIRE_PORTALS_GET_WITHOUT_MD] = {"get-without-md", "P30-297", WIRE_PORTALS_DISCARD,
                                     "a get names no memory descriptor for its reply"},
    [WIRE_PORTALS_ANSWER_WITHOUT_MD] = {"answer-without-md", "PW-24", WIRE_PORTALS_DISCARD,
                                        "an acknowledgement or reply names no memory descriptor"},
    [WIRE_PORTALS_FOREIGN_BARRIER] = {"foreign-barrier", "PW-25", WIRE_PORTALS_DISCARD,
                                      "a barrier message is not between two members of one group"},
    [WIRE_PORTALS_BAD_ROUND] = {"bad-round", "PW-26", WIRE_PORTALS_DISCARD,
                                "a barrier's sequence is 0 or its round is above 31"},
    [WIRE_PORTALS_BAD_NUMBER] = {"bad-number", "PW-33", WIRE_PORTALS_CLOSE, "a NUMBER's epoch or number is 0"},
    [WIRE_PORTALS_BAD_ACKNOWLEDGE] = {"bad-acknowledge", "PW-34", WIRE_PORTALS_DISCARD,
                                      "an ACKNOWLEDGE's incarnation or epoch is 0"},
};

const struct wire_portals_rule *wire_portals_rule_of(enum wire_portals_header_violation violation)
{
    return (unsigned)violation < WIRE_PORTALS_HEADER_VIOLATIONS ? &rules[violation]
                                                                : &rules[WIRE_PORTALS_BAD_OPERATION];
}

enum wire_portals_header_violation wire_portals_header_violation_of(enum wire_status status)
{
    switch (status) {
    case WIRE_OK:
    case WIRE_SHORT:
        return WIRE_PORTALS_LEGAL;
    case WIRE_TOO_LONG:
        return WIRE_PORTALS_BAD_LENGTH;
    case WIRE_UNKNOWN:
    case WIRE_MALFORMED:
    case WIRE_NO_SPACE:
        break;
    }
    return WIRE_PORTALS_BAD_OPERATION;
}

int wire_portals_id_same(const struct wire_portals_id *one, const struct wire_portals_id *other)
{
    return one->nid == other->nid && one->pid == other->pid && one->gid == other->gid && one->rid == other->rid;
}

/* A sender outside the group need not know group and rank, but what it does say must be right. */
static int rank_reaches(const struct wire_portals_id *target, const struct wire_portals_id *self)
{
    return (target->gid == self->gid || target->gid == WIRE_PORTALS_ID_UNKNOWN) &&
           (target->rid == self->rid || target->rid == WIRE_PORTALS_ID_UNKNOWN);
}

static int process_same(const struct wire_portals_id *one, const struct wire_portals_id *other)
{
    return one->nid == other->nid && one->pid == other->pid;
}

int wire_portals_id_reaches(const struct wire_portals_id *target, const struct wire_portals_id *self)
{
    return process_same(target, self) && rank_reaches(target, self);
}

static enum wire_portals_header_violation validate_ids(const struct wire_portals_header *header,
                                                       const struct wire_portals_id *sender,
                                                       const struct wire_portals_id *self)
{
    //= P30-072
    if (sender && !wire_portals_id_same(&header->initiator, sender)) {
        return WIRE_PORTALS_FORGED_INITIATOR;
    }
    //= P30-305
    //= P30-307
    if (self && !process_same(&header->target, self)) {
        return WIRE_PORTALS_WRONG_TARGET;
    }
    if (self && !rank_reaches(&header->target, self)) {
        return WIRE_PORTALS_WRONG_RANK;
    }
    return WIRE_PORTALS_LEGAL;
}

static enum wire_portals_header_violation validate_answer(const struct wire_portals_header *header)
{
    if (header->mlength > header->rlength) {
        return WIRE_PORTALS_OVERFULL_ANSWER;
    }
    return header->md == WIRE_PORTALS_MD_NONE ? WIRE_PORTALS_ANSWER_WITHOUT_MD : WIRE_PORTALS_LEGAL;
}

static enum wire_portals_header_violation validate_barrier(const struct wire_portals_header *header)
{
    int known = header->target.gid != WIRE_PORTALS_ID_UNKNOWN && header->target.rid != WIRE_PORTALS_ID_UNKNOWN;

    if (!known || header->initiator.gid != header->target.gid) {
        return WIRE_PORTALS_FOREIGN_BARRIER;
    }
    return header->sequence == 0 || header->round > 31 ? WIRE_PORTALS_BAD_ROUND : WIRE_PORTALS_LEGAL;
}

enum wire_portals_header_violation wire_portals_validate(const struct wire_portals_header *header,
                                                         const struct wire_portals_id *sender,
                                                         const struct wire_portals_id *self)
{
    enum wire_portals_header_violation violation;

    if (header->operation == WIRE_PORTALS_HELLO) {
        return WIRE_PORTALS_HELLO_AGAIN;
    }
    if (!wire_portals_message_of(wire_portals_kind(header))) {
        return WIRE_PORTALS_BAD_OPERATION; //= P30-328
    }
    if (header->operation == WIRE_PORTALS_NUMBER) {
        return header->epoch == 0 || header->number == 0 ? WIRE_PORTALS_BAD_NUMBER : WIRE_PORTALS_LEGAL;
    }
    if (header->rlength > WIRE_PORTALS_LENGTH_MAX || header->mlength > WIRE_PORTALS_LENGTH_MAX) {
        return WIRE_PORTALS_BAD_LENGTH;
    }
    violation = validate_ids(header, sender, self);
    if (violation != WIRE_PORTALS_LEGAL) {
        return violation;
    }
    switch (header->operation) {
    case WIRE_PORTALS_ACK:
    case WIRE_PORTALS_REPLY:
        return validate_answer(header);
    case WIRE_PORTALS_GET:
    case WIRE_PORTALS_GETPUT:
        //= P30-297
        return header->md == WIRE_PORTALS_MD_NONE ? WIRE_PORTALS_GET_WITHOUT_MD : WIRE_PORTALS_LEGAL;
    case WIRE_PORTALS_BARRIER:
        return validate_barrier(header);
    case WIRE_PORTALS_ACKNOWLEDGE:
        return header->incarnation == 0 || header->epoch == 0 ? WIRE_PORTALS_BAD_ACKNOWLEDGE : WIRE_PORTALS_LEGAL;
    default:
        return WIRE_PORTALS_LEGAL;
    }
}

/* A sender is trusted for the whole stream, so its id must be one that a process can have: no wildcard, no port that
 * cannot be, no rank outside its group. */
static int sender_possible(const struct wire_portals_header *hello)
{
    const struct wire_portals_id *sender = &hello->initiator;

    return sender->nid != 0 && sender->nid != WIRE_PORTALS_ID_UNKNOWN && sender->pid >= 1 && sender->pid <= 65535 &&
           sender->gid != WIRE_PORTALS_ID_UNKNOWN && sender->rid < hello->group_size;
}

enum wire_portals_header_violation wire_portals_validate_hello(const struct wire_portals_header *header,
                                                               const struct wire_portals_id *self,
                                                               const struct wire_portals_header *sent)
{
    if (header->operation != WIRE_PORTALS_HELLO) {
        return WIRE_PORTALS_BAD_MAGIC;
    }
    if (header->version_major != WIRE_PORTALS_MAJOR) {
        return WIRE_PORTALS_BAD_VERSION;
    }
    if (!sender_possible(header)) {
        return WIRE_PORTALS_BAD_SENDER;
    }
    if (self && !process_same(&header->target, self)) {
        return WIRE_PORTALS_WRONG_PEER;
    }
    if (!sent) {
        return WIRE_PORTALS_LEGAL;
    }
    if (!wire_portals_id_reaches(&sent->target, &header->initiator)) {
        return WIRE_PORTALS_WRONG_PEER;
    }
    return header->interface == sent->interface ? WIRE_PORTALS_LEGAL : WIRE_PORTALS_WRONG_INTERFACE;
}
