/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker's core (wire/portals/check.h): streams, their opening and their end, and who judges which message. Each
 * direction of a stream goes through
 *
 *     silent --HELLO--> greeted --messages--> greeted --end--> over
 *        \                 \
 *         no HELLO          a HELLO again, stray octets
 *          \                 \
 *           `--> over         `--> over            (the receiver refuses, or closes: what follows means nothing)
 *
 * and a stream is closed as soon as one of its directions has ended.
 */
#include "wire/portals/check.h"

#include "wire/portals/check_own.h"

#include <stddef.h>
#include <string.h>

enum { SECOND_US = 1000000 };

struct wire_portals_check wire_portals_check_begin(const struct wire_portals_check_tables *tables)
{
    if (!tables->blank && tables->request_count > 0) {
        memset(tables->requests, 0, ((size_t)tables->request_count + 1) * sizeof *tables->requests);
    }
    if (!tables->blank && tables->slot_count > 0) {
        memset(tables->slots, 0, tables->slot_count * sizeof *tables->slots);
    }
    if (!tables->blank && tables->number_count > 0) {
        memset(tables->numbers, 0, ((size_t)tables->number_count + 1) * sizeof *tables->numbers);
    }
    return (struct wire_portals_check){.tables = *tables};
}

struct wire_portals_check_stream wire_portals_check_open(struct wire_portals_check *check,
                                                         const struct wire_portals_id *acceptor, uint64_t when_us)
{
    struct wire_portals_check_stream stream = {.number = ++check->streams, .opened_us = when_us};

    if (acceptor) {
        stream.acceptor = *acceptor;
    }
    return stream;
}

static bool is_known(const struct wire_portals_id *id)
{
    return id->nid != 0;
}

/* Who receives what `side` sends: best by the receiver's own HELLO; else the acceptor by the address that it has, or
 * either as the other one believes. Only nid and pid are sure then. */
static struct wire_portals_id receiver_of(const struct wire_portals_check_stream *stream, enum wire_portals_side side)
{
    const struct wire_portals_check_way *back = &stream->ways[!side];
    struct wire_portals_id receiver = stream->acceptor;

    if (back->greeted) {
        return back->hello.initiator;
    }
    if (side == WIRE_PORTALS_ACCEPTOR || !is_known(&receiver)) {
        receiver = stream->ways[side].hello.target;
        receiver.gid = receiver.rid = WIRE_PORTALS_ID_UNKNOWN;
    }
    return receiver;
}

static bool is_late(uint64_t since_us, uint64_t when_us)
{
    return when_us > since_us &&
           when_us - since_us > (uint64_t)(WIRE_PORTALS_HELLO_LIMIT_S + WIRE_PORTALS_HELLO_TOLERANCE_S) * SECOND_US;
}

/* The first message of a direction, and no HELLO: the receiver has to refuse. */
static void judge_opening(struct wire_portals_check *check, struct wire_portals_check_way *way)
{
    way->hello_violation = WIRE_PORTALS_BAD_MAGIC;
    way->over = true;
    wire_portals_check_report(check, WIRE_PORTALS_BAD_MAGIC);
}

/* The acceptor may only answer what it need not refuse. */
static void judge_acceptance(const struct wire_portals_judged *judged)
{
    const struct wire_portals_check_way *opener = &judged->stream->ways[WIRE_PORTALS_OPENER];

    if (opener->hello_violation != WIRE_PORTALS_LEGAL) {
        struct wire_portals_finding *finding =
            wire_portals_check_find(judged->check, WIRE_PORTALS_REFUSED_ANSWERED, opener->hello_mark);
        finding->requirement = wire_portals_rule_of(opener->hello_violation)->requirement;
    } else if (opener->greeted && is_late(judged->stream->opened_us, opener->hello_us)) {
        wire_portals_check_find(judged->check, WIRE_PORTALS_LATE_HELLO_TAKEN, opener->hello_mark);
    }
}

/* Behind a router that translates addresses, the acceptor has another one than the process that the opener means. It
 * says by its answer that it is that process: then the opener has broken nothing, in no stream of the capture. */
static void judge_translation(const struct wire_portals_judged *judged)
{
    struct wire_portals_check_way *opener = &judged->stream->ways[WIRE_PORTALS_OPENER];
    const struct wire_portals_id *meant = &opener->hello.target, *self = &judged->header->initiator;

    if (opener->hello_violation == WIRE_PORTALS_WRONG_PEER && self->nid == meant->nid && self->pid == meant->pid) {
        judged->check->translated = true;
        opener->hello_violation = WIRE_PORTALS_LEGAL;
        opener->over = false;
        if (opener->passed) {
            wire_portals_check_gap(judged->stream, WIRE_PORTALS_OPENER);
            wire_portals_check_missed(judged->check, &opener->hello.initiator, meant, 0);
        }
    }
}

/* Who the opener's HELLO has to mean, where the answer was captured before it: see judge_translation. */
static const struct wire_portals_id *who_answered(const struct wire_portals_judged *judged)
{
    const struct wire_portals_id *said = &judged->stream->ways[WIRE_PORTALS_ACCEPTOR].hello.initiator;
    const struct wire_portals_id *meant = &judged->header->target, *found = &judged->stream->acceptor;

    if (said->nid != meant->nid || said->pid != meant->pid) {
        return found;
    }
    if (is_known(found) && (said->nid != found->nid || said->pid != found->pid)) {
        judged->check->translated = true;
    }
    return said;
}

/* The answer was captured before the HELLO that it answers. */
static void judge_early_answer(const struct wire_portals_judged *judged)
{
    struct wire_portals_check_way *acceptor = &judged->stream->ways[WIRE_PORTALS_ACCEPTOR];

    if (acceptor->hello_violation != WIRE_PORTALS_LEGAL) {
        return;
    }
    acceptor->hello_violation =
        wire_portals_validate_hello(&acceptor->hello, &judged->header->initiator, judged->header);
    if (acceptor->hello_violation != WIRE_PORTALS_LEGAL) {
        acceptor->over = true;
        wire_portals_check_report(judged->check, acceptor->hello_violation)->of_peer = true;
    }
}

static void judge_hello(struct wire_portals_judged *judged, enum wire_portals_side side, uint64_t when_us)
{
    struct wire_portals_check_way *way = &judged->stream->ways[side];
    const struct wire_portals_check_way *opener = &judged->stream->ways[WIRE_PORTALS_OPENER];
    const struct wire_portals_id *self = &judged->receiver;
    bool answered = side == WIRE_PORTALS_OPENER && judged->stream->ways[WIRE_PORTALS_ACCEPTOR].greeted;
    bool answers;

    if (answered) {
        self = who_answered(judged);
    }
    if (side == WIRE_PORTALS_ACCEPTOR && opener->greeted) {
        judge_translation(judged);
    }
    answers = side == WIRE_PORTALS_ACCEPTOR && opener->greeted && opener->hello_violation == WIRE_PORTALS_LEGAL;
    if (side == WIRE_PORTALS_ACCEPTOR ? !opener->greeted : !is_known(&judged->stream->acceptor)) {
        self = NULL;
    }
    way->hello_violation = wire_portals_validate_hello(judged->header, self, answers ? &opener->hello : NULL);
    way->hello = *judged->header;
    way->hello_us = when_us;
    way->hello_mark = judged->mark;
    way->greeted = true;
    if (way->hello_violation != WIRE_PORTALS_LEGAL) {
        way->over = true;
        wire_portals_check_report(judged->check, way->hello_violation);
        if (side == WIRE_PORTALS_OPENER) {
            (void)wire_portals_check_slot_of(judged->check, WIRE_PORTALS_SLOT_ADDRESSED, judged->check->ends, true);
        }
    } else {
        wire_portals_check_identity(judged);
        wire_portals_check_between(judged->check);
    }
    if (answered && way->hello_violation == WIRE_PORTALS_LEGAL) {
        judge_early_answer(judged);
    }
    if (side == WIRE_PORTALS_ACCEPTOR) {
        judge_acceptance(judged);
    }
}

/* A violation of the header by itself. An answer whose ids stand the wrong way round has a requirement of its own, and
 * one without a descriptor is better named by what its request said. */
static void judge_header(const struct wire_portals_judged *judged)
{
    const struct wire_portals_header *header = judged->header;
    bool ack = header->operation == WIRE_PORTALS_ACK;
    bool unswapped = wire_portals_id_same(&header->target, &judged->way->hello.initiator) &&
                     wire_portals_id_reaches(&header->initiator, &judged->receiver);

    if ((ack || header->operation == WIRE_PORTALS_REPLY) && judged->header_violation == WIRE_PORTALS_FORGED_INITIATOR &&
        unswapped) {
        wire_portals_check_find(judged->check, ack ? WIRE_PORTALS_ACK_UNSWAPPED : WIRE_PORTALS_REPLY_UNSWAPPED, 0);
    } else if (judged->header_violation != WIRE_PORTALS_LEGAL &&
               judged->header_violation != WIRE_PORTALS_ANSWER_WITHOUT_MD) {
        wire_portals_check_report(judged->check, judged->header_violation);
    }
}

static bool is_numberable(uint32_t operation)
{
    switch (operation) {
    case WIRE_PORTALS_PUT:
    case WIRE_PORTALS_ACK:
    case WIRE_PORTALS_GET:
    case WIRE_PORTALS_GETPUT:
    case WIRE_PORTALS_REPLY:
    case WIRE_PORTALS_BARRIER:
        return true;
    default:
        return false;
    }
}

/* Whether a HELLO may be among what was not seen. */
static bool may_have_greeted(const struct wire_portals_check_way *way)
{
    return !way->greeted && (way->missed || way->doubted);
}

/* Minor version 1: a NUMBER belongs to the message behind it, and is sent only where both sides know of it. */
static void judge_number(struct wire_portals_judged *judged, struct wire_portals_check_way *way)
{
    const struct wire_portals_header *header = judged->header;
    const struct wire_portals_check_way *ways = judged->stream->ways;
    bool unknown = may_have_greeted(&ways[WIRE_PORTALS_ACCEPTOR]) || may_have_greeted(&ways[WIRE_PORTALS_OPENER]);
    bool agreed = ways[WIRE_PORTALS_ACCEPTOR].greeted &&
                  ways[WIRE_PORTALS_OPENER].hello.version_minor >= WIRE_PORTALS_MINOR_NUMBERED &&
                  ways[WIRE_PORTALS_ACCEPTOR].hello.version_minor >= WIRE_PORTALS_MINOR_NUMBERED;

    if (way->numbered && !is_numberable(header->operation)) {
        way->over = true;
        wire_portals_check_find(judged->check, WIRE_PORTALS_NUMBER_ALONE, 0);
        return;
    }
    if (way->numbered) {
        judged->epoch = way->epoch;
        judged->number = way->number;
    }
    way->numbered = header->operation == WIRE_PORTALS_NUMBER;
    if (way->numbered) {
        way->epoch = header->epoch;
        way->number = header->number;
    }
    if (!agreed && !unknown && (way->numbered || header->operation == WIRE_PORTALS_ACKNOWLEDGE)) {
        way->over = true; /* to a receiver of version 1.0 the operation is unknown */
        wire_portals_check_find(judged->check, WIRE_PORTALS_NUMBER_UNAGREED, 0);
    }
}

static enum wire_portals_header_violation violation_of(const struct wire_portals_judged *judged)
{
    struct wire_portals_id receiver = judged->receiver;

    /* where the receiver's group and rank are not known, the message is taken at its word */
    if (receiver.gid == WIRE_PORTALS_ID_UNKNOWN) {
        receiver.gid = judged->header->target.gid;
    }
    if (receiver.rid == WIRE_PORTALS_ID_UNKNOWN) {
        receiver.rid = judged->header->target.rid;
    }
    return wire_portals_validate(judged->header, &judged->way->hello.initiator, &receiver);
}

static void judge_user(const struct wire_portals_judged *judged, struct wire_portals_check_way *way)
{
    const struct wire_portals_header *header = judged->header;

    if (!header->tagged || judged->header_violation != WIRE_PORTALS_LEGAL) {
        return;
    }
    if (way->user_mark && header->uid != way->uid) {
        struct wire_portals_finding *finding =
            wire_portals_check_find(judged->check, WIRE_PORTALS_OTHER_USER, way->user_mark);

        finding->field = "uid";
        finding->expected = way->uid;
        finding->observed = header->uid;
    }
    if (!way->user_mark) {
        way->user_mark = judged->mark;
        way->uid = header->uid;
    }
}

static void judge_message(struct wire_portals_judged *judged, enum wire_portals_side side)
{
    judged->header_violation = violation_of(judged);
    judge_header(judged);
    judge_user(judged, &judged->stream->ways[side]);
    if (judged->number) {
        wire_portals_check_counting(judged);
        if (wire_portals_check_repeated(judged)) { /* it was judged when it came first, and its receiver discards it */
            wire_portals_check_path(judged);
            return;
        }
    }
    switch (judged->header->operation) {
    case WIRE_PORTALS_PUT:
    case WIRE_PORTALS_GET:
    case WIRE_PORTALS_GETPUT: /* a get whose answer is a reply, too */
        wire_portals_check_request(judged);
        break;
    case WIRE_PORTALS_ACK:
    case WIRE_PORTALS_REPLY:
        wire_portals_check_answer(judged);
        break;
    case WIRE_PORTALS_BARRIER:
        if (judged->header_violation == WIRE_PORTALS_LEGAL) {
            wire_portals_check_barrier(judged);
        }
        break;
    case WIRE_PORTALS_ACKNOWLEDGE:
        if (judged->header_violation == WIRE_PORTALS_LEGAL) {
            wire_portals_check_acknowledged(judged);
        }
        return;
    default:
        judged->stream->ways[side].over = wire_portals_rule_of(judged->header_violation)->action == WIRE_PORTALS_CLOSE;
        return;
    }
    wire_portals_check_path(judged);
}

/* PW-16: an opener that got no answer must not go on for ever. */
static void judge_patience(struct wire_portals_check *check, struct wire_portals_check_stream *stream,
                           enum wire_portals_side side, uint64_t when_us)
{
    struct wire_portals_check_way *way = &stream->ways[side];

    if (side == WIRE_PORTALS_OPENER && !stream->ways[WIRE_PORTALS_ACCEPTOR].greeted &&
        !may_have_greeted(&stream->ways[WIRE_PORTALS_ACCEPTOR]) && !way->late && is_late(way->hello_us, when_us)) {
        way->late = true;
        wire_portals_check_find(check, WIRE_PORTALS_UNANSWERED_GOES_ON, way->hello_mark);
    }
}

static bool is_of_minor_0(const struct wire_portals_check_way *way)
{
    return way->greeted && way->hello.version_minor < WIRE_PORTALS_MINOR_NUMBERED;
}

/* Between whom the message at hand travels, and on what. */
static void ends_set(const struct wire_portals_judged *judged, const struct wire_portals_id *sender)
{
    const uint32_t ends[] = {sender->nid, sender->pid, judged->receiver.nid, judged->receiver.pid};

    memcpy(judged->check->ends, ends, sizeof ends);
    judged->check->stream = judged->stream->number;
    judged->check->numbered = !is_of_minor_0(&judged->stream->ways[WIRE_PORTALS_OPENER]) &&
                              !is_of_minor_0(&judged->stream->ways[WIRE_PORTALS_ACCEPTOR]);
}

void wire_portals_check_gap(struct wire_portals_check_stream *stream, enum wire_portals_side side)
{
    struct wire_portals_check_way *way = &stream->ways[side];

    way->missed = true;
    way->numbered = false;
    way->latest = 0;
}

unsigned wire_portals_check_message(struct wire_portals_check *check, struct wire_portals_check_stream *stream,
                                    enum wire_portals_side side, const struct wire_portals_header *header,
                                    uint64_t when_us, uint64_t mark)
{
    struct wire_portals_check_way *way = &stream->ways[side];
    bool first = !way->greeted;
    struct wire_portals_judged judged = {.check = check, .stream = stream, .way = way, .header = header, .mark = mark};

    check->finding_count = 0;
    check->answered = 0;
    way->passed = way->passed || way->over;
    if (way->over || (first && way->missed && header->operation != WIRE_PORTALS_HELLO)) {
        return 0;
    }
    check->messages++;
    check->mark = mark;
    way->latest = header->operation;
    if (first && side == WIRE_PORTALS_OPENER && stream->acceptor.pid == wire_portals_port_of(header->target.pid)) {
        stream->acceptor.pid = header->target.pid; /* its address has told the port alone */
    }
    judged.receiver = receiver_of(stream, side);
    ends_set(&judged, first ? &header->initiator : &way->hello.initiator);
    if (first && header->operation == WIRE_PORTALS_HELLO) {
        judge_hello(&judged, side, when_us);
    } else if (first) {
        way->hello_mark = mark;
        judge_opening(check, way);
    } else if (header->operation == WIRE_PORTALS_HELLO) {
        way->over = true;
        wire_portals_check_report(check, WIRE_PORTALS_HELLO_AGAIN);
    } else {
        judged.interface = wire_portals_check_interface(judged.stream);
        judge_patience(check, stream, side, when_us);
        judge_number(&judged, way);
        if (!way->over) {
            judge_message(&judged, side);
        }
    }
    return check->finding_count;
}

unsigned wire_portals_check_broken(struct wire_portals_check *check, struct wire_portals_check_stream *stream,
                                   enum wire_portals_side side, enum wire_status status)
{
    static const enum wire_portals_violation after[] = {
        [0] = WIRE_PORTALS_STRAY_OCTETS,
        [WIRE_PORTALS_PUT] = WIRE_PORTALS_STRAY_AFTER_PUT,
        [WIRE_PORTALS_ACK] = WIRE_PORTALS_STRAY_AFTER_ACK,
        [WIRE_PORTALS_GET] = WIRE_PORTALS_STRAY_AFTER_GET,
        [WIRE_PORTALS_REPLY] = WIRE_PORTALS_STRAY_AFTER_REPLY,
        [WIRE_PORTALS_BARRIER] = WIRE_PORTALS_STRAY_OCTETS,
        [WIRE_PORTALS_NUMBER] = WIRE_PORTALS_STRAY_AFTER_NUMBER,
    };
    struct wire_portals_check_way *way = &stream->ways[side];

    check->finding_count = 0;
    if (way->over || (!way->greeted && way->missed)) {
        return 0;
    }
    if (!way->greeted) {
        judge_opening(check, way);
    } else if (status == WIRE_TOO_LONG) {
        wire_portals_check_report(check, WIRE_PORTALS_BAD_LENGTH);
    } else {
        wire_portals_check_find(check, after[way->latest < sizeof after / sizeof after[0] ? way->latest : 0], 0);
    }
    way->over = true;
    return check->finding_count;
}

void wire_portals_check_replaced(struct wire_portals_check *check, struct wire_portals_check_stream *stream)
{
    if (!stream->closed) {
        stream->closed = true;
        wire_portals_check_unpath(check, stream);
    }
}

unsigned wire_portals_check_end(struct wire_portals_check *check, struct wire_portals_check_stream *stream,
                                enum wire_portals_side side, enum wire_portals_ending ending)
{
    struct wire_portals_check_way *way = &stream->ways[side];

    check->finding_count = 0;
    if (ending == WIRE_PORTALS_ENDS_INSIDE && !way->over) {
        wire_portals_check_find(check, WIRE_PORTALS_CUT_OFF, 0);
    } else if (ending == WIRE_PORTALS_ENDS_BETWEEN && way->numbered && !way->over) {
        wire_portals_check_find(check, WIRE_PORTALS_NUMBER_LAST, 0);
    }
    way->over = true;
    wire_portals_check_replaced(check, stream);
    return check->finding_count;
}

uint64_t wire_portals_check_unanswered(const struct wire_portals_check *check)
{
    return check->waiting.count;
}

const struct wire_portals_check_request *wire_portals_check_waiting(const struct wire_portals_check *check,
                                                                    const struct wire_portals_check_request *before)
{
    uint32_t index = before ? before->newer : check->waiting.oldest;

    return index ? &check->tables.requests[index] : NULL;
}
