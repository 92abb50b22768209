/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of conversations: every hand-written conversation yields exactly the violations that it says, in any cut
 * of the streams, and with any size of the tables nothing is invented.
 */
#include "tests/unit/conversation.h"
#include "tests/unit/tap.h"
#include "wire/portals/check.h"
#include "wire/portals/stream.h"

#include <stdio.h>
#include <string.h>

enum { REQUESTS = 64, SLOTS = 64, NUMBERS = 64, FOUND_MAX = 16 };

/* A conversation under the checker. */
struct session {
    const char *name;
    struct wire_portals_check check;
    struct {
        bool open;
        struct wire_portals_check_stream stream;
        struct wire_stream ways[2];
    } streams[CONVERSATION_STREAMS_MAX];
    struct wire_portals_finding found[FOUND_MAX];
    unsigned found_count, told_count;
    unsigned line;
    uint64_t mark;
    bool quiet; /* findings are only collected */
};

static struct wire_portals_check_request requests[REQUESTS + 1];
static struct wire_portals_check_slot slots[SLOTS];
static struct wire_portals_check_number numbers[NUMBERS + 1];

static const struct wire_portals_check_tables whole = {requests, REQUESTS, slots,  SLOTS,
                                                       numbers,  NUMBERS,  {1, 2}, false};
static bool rule_seen[WIRE_PORTALS_VIOLATIONS], header_violation_seen[WIRE_PORTALS_HEADER_VIOLATIONS];

static void collect(struct session *session, unsigned count)
{
    for (unsigned i = 0; i < count && session->found_count < FOUND_MAX; i++) {
        rule_seen[session->check.findings[i].violation] = true;
        header_violation_seen[session->check.findings[i].header_violation] = true;
        session->found[session->found_count++] = session->check.findings[i];
    }
}

/* All that the last step broke must have been told. */
static void settle(struct session *session)
{
    for (unsigned i = session->told_count; i < session->found_count && !session->quiet; i++) {
        CHECK(false, "%s: line %u: breaks nothing but: %s (%s)", session->name, session->line, session->found[i].name,
              session->found[i].requirement);
    }
    session->found_count = session->told_count = 0;
}

static void tell(struct session *session, const struct conversation_step *step)
{
    const struct wire_portals_finding *finding = &session->found[session->told_count];

    if (session->quiet) {
        return;
    }
    if (CHECK(session->told_count < session->found_count, "%s: line %u: something is broken", session->name,
              step->line)) {
        CHECK_STR(finding->name, step->name, "the rule");
        CHECK_STR(finding->requirement, step->requirement, "the requirement");
        CHECK(strlen(finding->text) > 10, "a sentence says what is wrong");
        session->told_count++;
    }
}

static void feed(struct session *session, const struct conversation_step *step)
{
    struct wire_portals_check_stream *stream = &session->streams[step->stream].stream;
    struct wire_stream *way = &session->streams[step->stream].ways[step->side];
    const unsigned char *octets = step->octets.octets;
    size_t len = step->octets.len;
    struct wire_piece piece;
    enum wire_status status;

    while ((status = wire_stream_next(way, &octets, &len, &piece)) == WIRE_OK) {
        if (piece.kind == WIRE_STREAM_HEADER) {
            collect(session, wire_portals_check_message(&session->check, stream, step->side, piece.header,
                                                        step->when_us, ++session->mark));
        }
    }
    if (status != WIRE_SHORT) {
        collect(session, wire_portals_check_broken(&session->check, stream, step->side, status));
    }
}

static void step_visit(void *context, const struct conversation_step *step)
{
    struct session *session = context;
    struct wire_stream *ways = session->streams[step->stream].ways;

    if (!session->streams[step->stream].open) {
        session->streams[step->stream].open = true;
        session->streams[step->stream].stream = wire_portals_check_open(
            &session->check, step->listener.nid ? &step->listener : NULL, step->stream ? step->when_us : 0);
        ways[0] = ways[1] = wire_stream_begin();
    }
    if (step->kind != CONVERSATION_BREAKS) {
        settle(session);
        session->line = step->line;
    }
    switch (step->kind) {
    case CONVERSATION_OCTETS:
        feed(session, step);
        break;
    case CONVERSATION_FINISH:
        collect(session, wire_portals_check_end(&session->check, &session->streams[step->stream].stream, step->side,
                                                wire_stream_may_end(&ways[step->side]) ? WIRE_PORTALS_ENDS_BETWEEN
                                                                                       : WIRE_PORTALS_ENDS_INSIDE));
        break;
    case CONVERSATION_BREAKS:
        tell(session, step);
        break;
    case CONVERSATION_WAITING:
        CHECK_EQ(wire_portals_check_unanswered(&session->check), session->quiet ? 0 : step->count,
                 "requests that wait");
        break;
    }
}

static struct session session_begin(const char *name, const struct wire_portals_check_tables *tables)
{
    struct session session = {.name = name, .check = wire_portals_check_begin(tables)};

    return session;
}

/* Two answers of this conversation cannot be judged: what they answer was not captured. */
static const char unseen[] = "answers-of-what-went-elsewhere";

static void conversation_holds(const char *name)
{
    struct session session = session_begin(name, &whole);
    unsigned unjudged = strcmp(name, unseen) == 0 ? 2 : 0;

    conversation_read(name, step_visit, &session);
    settle(&session);
    CHECK(session.check.messages > 0, "%s: was heard", name);
    CHECK_EQ(session.check.forgotten + session.check.unjudged, unjudged, "all of it was judged that can be");
}

/* Without memory nothing is judged that needs it, and nothing is made up. */
static void no_memory(const char *name)
{
    static const struct wire_portals_check_tables none = {.request_count = 0};
    struct session session = session_begin(name, &none);

    session.quiet = true;
    conversation_read(name, step_visit, &session);
    for (unsigned i = 0; i < session.found_count; i++) {
        bool unasked = session.found[i].violation == WIRE_PORTALS_ACK_UNASKED ||
                       session.found[i].violation == WIRE_PORTALS_REPLY_UNASKED;
        CHECK(!unasked || session.check.forgotten == 0, "%s: what was forgotten is not reported", name);
    }
}

static void conversations(void)
{
    conversation_each(conversation_holds);
}

static void tiny_tables(void)
{
    conversation_each(no_memory);
    CHECK(true, "every conversation was heard without memory");
}

static void every_rule_has_a_conversation(void)
{
    for (int i = WIRE_PORTALS_NO_VIOLATION + 1; i < WIRE_PORTALS_VIOLATIONS; i++) {
        const struct wire_portals_rule *rule = wire_portals_violation_rule((enum wire_portals_violation)i);
        if (CHECK(rule->name && rule->requirement && rule->text, "rule %d is described", i)) {
            CHECK(rule_seen[i], "%s is broken by some conversation", rule->name);
        }
    }
    for (int i = WIRE_PORTALS_LEGAL + 1; i < WIRE_PORTALS_HEADER_VIOLATIONS; i++) {
        /* An unknown operation is no message: the rules about stray octets name it by what came before. */
        CHECK(header_violation_seen[i] || i == WIRE_PORTALS_BAD_OPERATION, "%s is broken by some conversation",
              wire_portals_rule_of((enum wire_portals_header_violation)i)->name);
    }
    CHECK_STR(wire_portals_violation_rule((enum wire_portals_violation)9999)->name, "none", "no such violation");
}

/* A and B of the vectors, on one stream. */
static const struct wire_portals_id a = {0x7f000001, 50001, 7, 0}, b = {0x7f000001, 50002, 7, 1};

static struct wire_portals_check_stream meet(struct wire_portals_check *check)
{
    struct wire_portals_check_stream stream = wire_portals_check_open(check, &b, 0);
    const struct wire_portals_header hello = {
        .operation = WIRE_PORTALS_HELLO, .initiator = a, .target = b, .version_major = 1, .group_size = 2};
    const struct wire_portals_header answer = {
        .operation = WIRE_PORTALS_HELLO, .initiator = b, .target = a, .version_major = 1, .group_size = 2};

    CHECK_EQ(wire_portals_check_message(check, &stream, WIRE_PORTALS_OPENER, &hello, 0, 1), 0, "a HELLO");
    CHECK_EQ(wire_portals_check_message(check, &stream, WIRE_PORTALS_ACCEPTOR, &answer, 0, 2), 0, "its answer");
    return stream;
}

static struct wire_portals_header put_of(uint64_t offset)
{
    return (struct wire_portals_header){
        .operation = WIRE_PORTALS_PUT, .initiator = a, .target = b, .offset = offset, .md = 3, .rlength = 8};
}

static struct wire_portals_header ack_of(uint64_t offset)
{
    return (struct wire_portals_header){.operation = WIRE_PORTALS_ACK,
                                        .initiator = b,
                                        .target = a,
                                        .offset = offset,
                                        .md = 3,
                                        .rlength = 8,
                                        .mlength = 8};
}

static void finding_tells_what_differs(void)
{
    struct wire_portals_check check = wire_portals_check_begin(&whole);
    struct wire_portals_check_stream stream = meet(&check);
    struct wire_portals_header put = put_of(16), ack = ack_of(8);

    CHECK_EQ(wire_portals_check_message(&check, &stream, WIRE_PORTALS_OPENER, &put, 0, 30), 0, "a put");
    if (CHECK_EQ(wire_portals_check_message(&check, &stream, WIRE_PORTALS_ACCEPTOR, &ack, 0, 31), 1, "one finding")) {
        CHECK_STR(check.findings[0].field, "offset", "the field");
        CHECK_EQ(check.findings[0].expected, 16, "what the put said");
        CHECK_EQ(check.findings[0].observed, 8, "what the acknowledgement says");
        CHECK_EQ(check.findings[0].related, 30, "which put");
    }
}

/* More requests than the table holds: settled ones go first, and only then is anything forgotten. */
static void full_tables_forget_the_oldest(void)
{
    struct wire_portals_check check = wire_portals_check_begin(&whole);
    struct wire_portals_check_stream stream = meet(&check);
    unsigned violations = 0;

    for (uint64_t i = 0; i < 10 * REQUESTS; i++) {
        struct wire_portals_header put = put_of(i), ack = ack_of(i);
        violations += wire_portals_check_message(&check, &stream, WIRE_PORTALS_OPENER, &put, 0, 100 + i);
        violations += wire_portals_check_message(&check, &stream, WIRE_PORTALS_ACCEPTOR, &ack, 0, 100 + i);
    }
    CHECK_EQ(violations + check.forgotten, 0, "answered requests make room");
    for (uint64_t i = 0; i < 2 * REQUESTS; i++) {
        struct wire_portals_header put = put_of(5000 + i);
        violations += wire_portals_check_message(&check, &stream, WIRE_PORTALS_OPENER, &put, 0, 100 + i);
    }
    CHECK_EQ(check.forgotten, REQUESTS, "requests that wait are forgotten when there is no other room");
    struct wire_portals_header early = ack_of(5000), late = ack_of(5000 + 2 * REQUESTS - 1);
    violations += wire_portals_check_message(&check, &stream, WIRE_PORTALS_ACCEPTOR, &late, 0, 1);
    CHECK_EQ(violations, 0, "what is remembered is judged");
    check.unjudged = 0;
    unsigned count = wire_portals_check_message(&check, &stream, WIRE_PORTALS_ACCEPTOR, &early, 0, 1);
    CHECK(count == 0 || check.findings[0].violation == WIRE_PORTALS_ACK_OFFSET,
          "nobody is said to have answered what nobody asked");
}

static void partial_view_reports_nothing(void)
{
    struct wire_portals_check check = wire_portals_check_begin(&whole);
    struct wire_portals_check_stream stream = meet(&check);
    struct wire_portals_header ack = ack_of(0);

    check.partial = true;
    CHECK_EQ(wire_portals_check_message(&check, &stream, WIRE_PORTALS_ACCEPTOR, &ack, 0, 9), 0, "the put was not seen");
    CHECK_EQ(check.unjudged, 1, "and that is counted");
}

/* What A sends may be seen late: of its put the acknowledgement is remembered; one more may be that of another put. */
static void answer_before_its_request(void)
{
    struct wire_portals_check check = wire_portals_check_begin(&whole);
    struct wire_portals_check_stream stream = meet(&check);
    struct wire_portals_header put = put_of(0), ack = ack_of(0);

    wire_portals_check_missed(&check, &a, &b, 0);
    CHECK_EQ(wire_portals_check_message(&check, &stream, WIRE_PORTALS_ACCEPTOR, &ack, 0, 8), 0, "nobody is accused");
    CHECK_EQ(check.unjudged, 1, "and that is counted");
    CHECK_EQ(wire_portals_check_message(&check, &stream, WIRE_PORTALS_OPENER, &put, 0, 9), 0, "the put");
    CHECK(check.answered == 9 && check.answer == 8, "has its acknowledgement");
    CHECK_EQ(check.unjudged + wire_portals_check_unanswered(&check), 0, "all is judged, and nothing waits");
    wire_portals_check_seen(&check, &a, &b);
    CHECK_EQ(wire_portals_check_message(&check, &stream, WIRE_PORTALS_ACCEPTOR, &ack, 0, 10), 0, "one more");
    CHECK_EQ(wire_portals_check_message(&check, &stream, WIRE_PORTALS_OPENER, &put, 0, 11), 0, "a second put");
    CHECK_EQ(wire_portals_check_unanswered(&check), 1, "waits: an early answer is one request's");
}

/* Who accepts may greet first: whom it talks to is then known by what it says, not by who listens. */
static void acceptor_greets_first(void)
{
    struct wire_portals_check check = wire_portals_check_begin(&whole);
    struct wire_portals_check_stream stream = wire_portals_check_open(&check, &b, 0);
    const struct wire_portals_header hello = {
        .operation = WIRE_PORTALS_HELLO, .initiator = b, .target = a, .version_major = 1, .group_size = 2};
    struct wire_portals_header put = put_of(0);

    put.initiator = b;
    put.target = a;
    CHECK_EQ(wire_portals_check_message(&check, &stream, WIRE_PORTALS_ACCEPTOR, &hello, 0, 1), 0, "its HELLO");
    CHECK_EQ(wire_portals_check_message(&check, &stream, WIRE_PORTALS_ACCEPTOR, &put, 0, 2), 0, "a put to its peer");
    put.target.pid++;
    if (CHECK_EQ(wire_portals_check_message(&check, &stream, WIRE_PORTALS_ACCEPTOR, &put, 0, 3), 1, "to another")) {
        CHECK_STR(check.findings[0].name, "wrong-target", "which is told");
    }
}

/* ---- how much work a message can make ---- */

enum { STEPS_MAX = 16, CLASHES = 40, CROWD = 20000 };

/* What is looked at for one message, on the average of many: a few entries whatever is said. */
static void few_steps(const struct wire_portals_check *check, const char *what)
{
    CHECK(check->steps < check->messages * STEPS_MAX, "%s: %llu messages take %llu steps", what,
          (unsigned long long)check->messages, (unsigned long long)check->steps);
}

static struct wire_portals_check_request many_requests[CROWD + 1];

static struct wire_portals_check crowd_begin(void)
{
    const struct wire_portals_check_tables tables = {many_requests, CROWD,   slots,  SLOTS,
                                                     numbers,       NUMBERS, {5, 6}, false};

    return wire_portals_check_begin(&tables);
}

/* Says `count` times the same. */
static void say_often(struct wire_portals_check *check, struct wire_portals_check_stream *stream,
                      enum wire_portals_side side, const struct wire_portals_header *header, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        (void)wire_portals_check_message(check, stream, side, header, 0, 7);
    }
}

/* Puts that are all the same: sound ones, and ones that must be discarded, which an answer should not be for. */
static void alike_requests_take_few_steps(void)
{
    for (uint32_t portal = 0; portal < 2; portal++) {
        struct wire_portals_check check = crowd_begin();
        struct wire_portals_check_stream stream = meet(&check);
        struct wire_portals_header put = put_of(0), ack = ack_of(0);

        put.target.rid = portal ? 5 : put.target.rid;
        say_often(&check, &stream, WIRE_PORTALS_OPENER, &put, CROWD);
        for (unsigned i = 0; i < CROWD; i++) {
            say_often(&check, &stream, WIRE_PORTALS_ACCEPTOR, &ack, 1);
            say_often(&check, &stream, WIRE_PORTALS_OPENER, &put, 1);
        }
        CHECK_EQ(check.waiting.count + check.settled.count + check.free.count, CROWD, "no request is lost");
        few_steps(&check, portal ? "puts that must be discarded" : "puts that are alike");
    }
}

/* Answers to what nobody has seen, more than there is room for. */
static void early_answers_take_few_steps(void)
{
    struct wire_portals_check check = crowd_begin();
    struct wire_portals_check_stream stream = meet(&check);
    struct wire_portals_header put = put_of(0), ack = ack_of(0);

    check.partial = true;
    say_often(&check, &stream, WIRE_PORTALS_ACCEPTOR, &ack, 2 * CROWD);
    CHECK(check.unjudged == 2 * CROWD && check.early == CROWD, "the latest are remembered");
    say_often(&check, &stream, WIRE_PORTALS_OPENER, &put, 2 * CROWD);
    CHECK(check.early == 0 && check.waiting.count > 0, "each is one request's");
    say_often(&check, &stream, WIRE_PORTALS_ACCEPTOR, &ack, CROWD);
    CHECK_EQ(check.waiting.count + check.settled.count + check.free.count, CROWD, "no request is lost");
    few_steps(&check, "early answers");
}

/* Ever new processes, of which most have no room. */
static void outsiders_take_few_steps(void)
{
    struct wire_portals_check check = crowd_begin();

    for (uint32_t i = 0; i < CROWD; i++) {
        struct wire_portals_check_stream stream = wire_portals_check_open(&check, NULL, 0);
        const struct wire_portals_header hello = {.operation = WIRE_PORTALS_HELLO,
                                                  .initiator = {0x7f000001 + i, 50001, 7, 0},
                                                  .target = b,
                                                  .version_major = 1,
                                                  .group_size = 2};
        struct wire_portals_header put = put_of(0);

        put.initiator = hello.initiator;
        say_often(&check, &stream, WIRE_PORTALS_OPENER, &hello, 1);
        say_often(&check, &stream, WIRE_PORTALS_OPENER, &put, 1);
        (void)wire_portals_check_end(&check, &stream, WIRE_PORTALS_OPENER, WIRE_PORTALS_ENDS_BETWEEN);
    }
    CHECK(check.unjudged > 0, "most have no room");
    few_steps(&check, "ever new processes");
}

static void say_numbered(struct wire_portals_check *check, struct wire_portals_check_stream *stream, uint64_t number,
                         uint64_t offset)
{
    const struct wire_portals_header header = {.operation = WIRE_PORTALS_NUMBER, .epoch = 9, .number = number};
    const struct wire_portals_header put = put_of(offset);

    CHECK_EQ(wire_portals_check_message(check, stream, WIRE_PORTALS_OPENER, &header, 0, 1), 0, "a number");
    (void)wire_portals_check_message(check, stream, WIRE_PORTALS_OPENER, &put, 0, number);
}

/* The latest numbers are known again, and of older ones nothing is said. */
static void old_numbers_are_forgotten(void)
{
    struct wire_portals_check check = wire_portals_check_begin(&whole);
    struct wire_portals_check_stream stream = meet(&check);

    stream.ways[WIRE_PORTALS_OPENER].hello.version_minor = stream.ways[WIRE_PORTALS_ACCEPTOR].hello.version_minor = 1;
    for (uint64_t number = 1; number <= 2 * NUMBERS; number++) {
        say_numbered(&check, &stream, number, number);
    }
    CHECK_EQ(check.unjudged, 0, "nothing has come twice");
    say_numbered(&check, &stream, NUMBERS + 1, 0);
    if (CHECK_EQ(check.finding_count, 1, "the oldest one that is known comes again, changed")) {
        CHECK_EQ(check.findings[0].violation, WIRE_PORTALS_NUMBER_CHANGED, "which is told");
        CHECK_STR(check.findings[0].field, "offset", "with the field");
        CHECK(check.findings[0].expected == NUMBERS + 1 && check.findings[0].observed == 0, "and its values");
        CHECK_EQ(check.findings[0].related, NUMBERS + 1, "and the message that it should be");
    }
    say_numbered(&check, &stream, NUMBERS, 0);
    CHECK(check.finding_count == 0 && check.unjudged == 1, "one that was forgotten is not judged");
    few_steps(&check, "numbers");
}

/* Whether a put with these match bits falls on the place of one with none, under the key of these tables: the requests,
 * which are taken in their order from 1, then stand in one chain. */
static bool falls_together(const struct wire_portals_check_tables *tables, uint64_t match_bits)
{
    struct wire_portals_check check = wire_portals_check_begin(tables);
    struct wire_portals_check_stream stream = meet(&check);
    struct wire_portals_header put = put_of(0);

    say_often(&check, &stream, WIRE_PORTALS_OPENER, &put, 1);
    put.match_bits = match_bits;
    say_often(&check, &stream, WIRE_PORTALS_OPENER, &put, 1);
    return tables->requests[1].bucket_next == 2;
}

/* The steps that it takes to put and acknowledge all of these. */
static uint64_t steps_of(const struct wire_portals_check_tables *tables, const uint64_t *match_bits)
{
    struct wire_portals_check check = wire_portals_check_begin(tables);
    struct wire_portals_check_stream stream = meet(&check);
    struct wire_portals_header put = put_of(0), ack = ack_of(0);

    for (unsigned i = 0; i < CLASHES; i++) {
        put.match_bits = match_bits[i];
        say_often(&check, &stream, WIRE_PORTALS_OPENER, &put, 1);
    }
    for (unsigned i = CLASHES; i > 0; i--) {
        ack.match_bits = match_bits[i - 1];
        say_often(&check, &stream, WIRE_PORTALS_ACCEPTOR, &ack, 1);
    }
    return check.steps;
}

/* Requests that were sought out to fall together do so under the key for which they were, and under no other. */
static void key_scatters_what_was_chosen(void)
{
    struct wire_portals_check_tables tables = whole;
    uint64_t match_bits[CLASHES];
    unsigned found = 0;

    for (uint64_t bits = 1; found < CLASHES && bits < 100000; bits++) {
        if (falls_together(&tables, bits)) {
            match_bits[found++] = bits;
        }
    }
    if (!CHECK_EQ(found, CLASHES, "requests that fall together")) {
        return;
    }
    uint64_t known = steps_of(&tables, match_bits);
    tables.key[0]++;
    uint64_t other = steps_of(&tables, match_bits);
    CHECK(known > CLASHES * CLASHES / 2, "under the known key they take %llu steps", (unsigned long long)known);
    CHECK(other < CLASHES * STEPS_MAX, "under another one %llu", (unsigned long long)other);
}

int main(void)
{
    TAP_RUN(conversations);
    TAP_RUN(every_rule_has_a_conversation);
    TAP_RUN(tiny_tables);
    TAP_RUN(finding_tells_what_differs);
    TAP_RUN(full_tables_forget_the_oldest);
    TAP_RUN(partial_view_reports_nothing);
    TAP_RUN(answer_before_its_request);
    TAP_RUN(acceptor_greets_first);
    TAP_RUN(old_numbers_are_forgotten);
    TAP_RUN(alike_requests_take_few_steps);
    TAP_RUN(early_answers_take_few_steps);
    TAP_RUN(outsiders_take_few_steps);
    TAP_RUN(key_scatters_what_was_chosen);
    return tap_done();
}
