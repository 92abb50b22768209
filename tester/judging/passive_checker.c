/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The passive checker (passive_checker.h). It listens to the flows that also become the capture; so what it reports is
 * commented in the capture, at the packet concerned.
 */
#include "tester/judging/passive_checker.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "wire/follow/follow.h"

#include <arpa/inet.h>
#include <sodium/randombytes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REQUESTS = 4096, SLOTS = 2048, NUMBERS = 4096, TEXT = 400, VIOLATIONS_MAX = 16 };

/* A violation of the system under test. */
struct violation {
    enum wire_portals_violation violation;
    const char *requirement;
    char message[16];
    char text[TEXT];
};

/* One stream. */
struct heard {
    struct passive_checker *checker;
    struct heard *next;
    const struct flow *flow;
    struct flow_listener listener;
    struct wire_follow follow;
    struct wire_portals_id acceptor;
    enum flow_side opener;
    bool open;
};

struct passive_checker {
    struct evidence *evidence;
    struct forgeries *forgeries;
    bool (*quiet)(void *context);
    void *context;
    struct heard *streams;
    uint64_t mark;
    struct violation violations[VIOLATIONS_MAX]; /* the first ones */
    unsigned violation_count;
    struct wire_portals_check check;
    struct wire_portals_check_request *requests;
    struct wire_portals_check_slot *slots;
    struct wire_portals_check_number *numbers;
};

struct passive_checker *passive_checker_open(struct evidence *evidence, struct forgeries *forgeries,
                                             bool (*quiet)(void *context), void *context)
{
    struct passive_checker *checker = memory_zero(sizeof *checker);

    checker->evidence = evidence;
    checker->forgeries = forgeries;
    checker->quiet = quiet;
    checker->context = context;
    checker->requests = memory_zero((REQUESTS + 1) * sizeof *checker->requests);
    checker->slots = memory_zero(SLOTS * sizeof *checker->slots);
    checker->numbers = memory_zero((NUMBERS + 1) * sizeof *checker->numbers);
    struct wire_portals_check_tables tables = {.requests = checker->requests,
                                               .request_count = REQUESTS,
                                               .slots = checker->slots,
                                               .slot_count = SLOTS,
                                               .numbers = checker->numbers,
                                               .number_count = NUMBERS,
                                               .blank = true};
    randombytes_buf(tables.key, sizeof tables.key);
    checker->check = wire_portals_check_begin(&tables);
    checker->check.complete = true;
    return checker;
}

void passive_checker_close(struct passive_checker *checker)
{
    if (!checker) {
        return;
    }
    while (checker->streams) {
        struct heard *first = checker->streams;
        checker->streams = first->next;
        free(first);
    }
    free(checker->requests);
    free(checker->slots);
    free(checker->numbers);
    free(checker);
}

static void checker_note(struct passive_checker *checker, const struct wire_portals_finding *finding,
                         const char *message)
{
    char text[TEXT];

    wire_follow_finding_text(finding, NULL, text, sizeof text);
    if (checker->evidence) {
        evidence_say(checker->evidence, "checker", text);
        pcapng_comment(checker->evidence->capture, text);
    }
    if (checker->violation_count < VIOLATIONS_MAX) {
        struct violation *violation = &checker->violations[checker->violation_count++];
        *violation = (struct violation){.violation = finding->violation, .requirement = finding->requirement};
        snprintf(violation->message, sizeof violation->message, "%s", message);
        memcpy(violation->text, text, sizeof text);
    }
}

/* What a scripted peer breaks is forged: the case has to know of it. That it speaks for several users it does: the
 * script says each. */
static void note_forgery(const struct heard *heard, const struct wire_portals_finding *finding)
{
    struct passive_checker *checker = heard->checker;
    char text[TEXT];

    if (finding->violation == WIRE_PORTALS_OTHER_USER) {
        return;
    }
    wire_follow_finding_text(finding, NULL, text, sizeof text);
    if (checker->evidence) {
        evidence_say(checker->evidence, "forged", text);
    }
    forgery_found(checker->forgeries, heard->flow, finding->name, text);
}

static enum wire_portals_side side_of(const struct heard *heard, enum flow_side from)
{
    return from == heard->opener ? WIRE_PORTALS_OPENER : WIRE_PORTALS_ACCEPTOR;
}

static void on_violation(void *context, struct wire_follow *follow, enum wire_portals_side side,
                         const struct wire_portals_header *header, unsigned count)
{
    struct heard *heard = context;
    const struct wire_message *message = header ? wire_portals_message_of(wire_portals_kind(header)) : NULL;

    for (unsigned i = 0; i < count; i++) {
        const struct wire_portals_finding *finding = &follow->check->findings[i];
        bool sure = finding->violation != WIRE_PORTALS_SECOND_STREAM ||
                    (heard->checker->quiet && heard->checker->quiet(heard->checker->context));
        if (!sure) { /* the end of the stream before may be waiting to be read */
            continue;
        }
        if (side == side_of(heard, FLOW_SUT)) {
            checker_note(heard->checker, finding, message ? message->name : "octets");
        } else {
            note_forgery(heard, finding);
        }
    }
}

static void on_opened(void *context, enum flow_side opener)
{
    struct heard *heard = context;

    heard->opener = opener;
    heard->open = true;
    wire_follow_begin(&heard->follow, &heard->checker->check, &heard->acceptor, (uint64_t)clock_now_us());
    heard->follow.report = on_violation;
    heard->follow.context = heard;
}

static void on_octets(void *context, enum flow_side from, const void *octets, size_t len)
{
    struct heard *heard = context;

    if (heard->open) {
        wire_follow_octets(&heard->follow, side_of(heard, from), octets, len, (uint64_t)clock_now_us(),
                           ++heard->checker->mark);
    }
}

static void on_ended(void *context, enum flow_side from, bool reset)
{
    struct heard *heard = context;

    if (heard->open) {
        wire_follow_end(&heard->follow, side_of(heard, from), reset);
    }
}

void passive_checker_listen(struct passive_checker *checker, struct flow *flow, const struct wire_portals_id *acceptor)
{
    if (!checker) {
        return;
    }
    struct heard *heard = memory_zero(sizeof *heard);
    heard->checker = checker;
    heard->flow = flow;
    heard->acceptor = *acceptor;
    heard->listener = (struct flow_listener){heard, on_opened, on_octets, on_ended};
    heard->next = checker->streams;
    checker->streams = heard;
    flow->listener = &heard->listener;
}

void passive_checker_judge(const struct passive_checker *checker, struct judge *judge, bool lost)
{
    for (unsigned i = 0; i < checker->violation_count; i++) {
        const struct violation *violation = &checker->violations[i];
        char reason[160];

        if ((violation->violation == WIRE_PORTALS_CUT_OFF || violation->violation == WIRE_PORTALS_NUMBER_LAST) &&
            lost) {
            continue;
        }
        snprintf(reason, sizeof reason, "the conversation on the wire " JUDGE_UNASKED " (%s)", violation->message);
        judge_overrule(judge, violation->requirement, reason, violation->text);
        return;
    }
}
