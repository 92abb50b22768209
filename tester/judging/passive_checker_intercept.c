/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The passive checker of the Intercept network (passive_checker_intercept.h). Rules of the document of the octets are
 * told by the statement of the thesis's catalogue that they make exact.
 */
#include "tester/judging/passive_checker_intercept.h"

#include "tester/base/memory.h"
#include "wire/intercept/check.h"

#include <sodium/randombytes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 8192, TEXT = 400, VIOLATIONS_MAX = 16, OF_THE_SUT = 0, OF_THE_MANAGER = 1 };

/* Which statement of the catalogue a rule of specs/intercept-wire.md makes exact. */
static const struct {
    const char *rule, *requirement;
} statements[] = {
    {"IW-02", "ICPT-279"}, {"IW-04", "ICPT-014"}, {"IW-05", "ICPT-279"}, {"3.6", "ICPT-282"},   {"IW-08", "ICPT-279"},
    {"IW-12", "ICPT-280"}, {"IW-13", "ICPT-029"}, {"IW-14", "ICPT-134"}, {"IW-16", "ICPT-285"}, {"IW-20", "ICPT-281"},
    {"IW-22", "ICPT-283"}, {"IW-30", "ICPT-152"}, {"IW-34", "ICPT-159"}, {"IW-35", "ICPT-157"}, {"IW-37", "ICPT-148"},
    {"IW-40", "ICPT-086"}, {"IW-43", "ICPT-096"}, {"IW-44", "ICPT-114"}, {"IW-45", "ICPT-078"}, {"IW-48", "ICPT-126"},
};

struct violation {
    const char *requirement;
    char message[24];
    char text[TEXT];
};

struct passive_checker_intercept {
    struct evidence *evidence;
    struct forgeries *forgeries;
    void *memory;
    struct wire_intercept_check check;
    struct violation violations[VIOLATIONS_MAX]; /* the first ones */
    unsigned violation_count;
};

struct passive_checker_intercept *passive_checker_intercept_open(struct evidence *evidence, struct forgeries *forgeries)
{
    struct passive_checker_intercept *checker = memory_zero(sizeof *checker);
    uint64_t key[2];

    checker->evidence = evidence;
    checker->forgeries = forgeries;
    checker->memory = memory_zero(wire_intercept_check_octets(ENTRIES));
    randombytes_buf(key, sizeof key);
    checker->check = wire_intercept_check_begin(checker->memory, ENTRIES, key);
    checker->check.is_ordered = true;
    return checker;
}

void passive_checker_intercept_close(struct passive_checker_intercept *checker)
{
    if (checker) {
        free(checker->memory);
        free(checker);
    }
}

static const char *statement_of(const char *rule)
{
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (strcmp(statements[i].rule, rule) == 0) {
            return statements[i].requirement;
        }
    }
    return rule;
}

static void note_violation(struct passive_checker_intercept *checker, const struct wire_intercept_finding *finding,
                           const char *message)
{
    struct violation violation = {.requirement = statement_of(finding->requirement)};

    snprintf(violation.message, sizeof violation.message, "%s", message);
    snprintf(violation.text, sizeof violation.text, "%s: %s (%s, %s)", finding->name, finding->text,
             finding->requirement, violation.requirement);
    if (checker->evidence) {
        evidence_say(checker->evidence, "checker", violation.text);
        pcapng_comment(checker->evidence->capture, violation.text);
    }
    if (checker->violation_count < VIOLATIONS_MAX) {
        checker->violations[checker->violation_count++] = violation;
    }
}

static void note_forgery(struct passive_checker_intercept *checker, const struct wire_intercept_finding *finding)
{
    char text[TEXT];

    snprintf(text, sizeof text, "%s: %s (%s)", finding->name, finding->text, finding->requirement);
    if (checker->evidence) {
        evidence_say(checker->evidence, "forged", text);
    }
    forgery_found(checker->forgeries, checker, finding->name, text);
}

void passive_checker_intercept_hear(struct passive_checker_intercept *checker, unsigned link, bool from_sut,
                                    const void *octets, size_t len)
{
    struct wire_intercept_heard heard;

    if (!checker) {
        return;
    }
    wire_intercept_check_hear(&checker->check, link, from_sut ? OF_THE_SUT : OF_THE_MANAGER, octets, len, &heard);
    for (unsigned i = 0; i < heard.finding_count; i++) {
        if (from_sut) {
            note_violation(checker, &heard.findings[i], wire_intercept_messages[heard.frame.message].name);
        } else if (!heard.again) { /* what the link sends again is the forgery that the case has told already */
            note_forgery(checker, &heard.findings[i]);
        }
    }
}

void passive_checker_intercept_judge(const struct passive_checker_intercept *checker, struct judge *judge)
{
    if (checker->violation_count > 0) {
        const struct violation *violation = &checker->violations[0];
        char reason[160];

        snprintf(reason, sizeof reason, "a frame on the link " JUDGE_UNASKED " (%s)", violation->message);
        judge_overrule(judge, violation->requirement, reason, violation->text);
    }
}
