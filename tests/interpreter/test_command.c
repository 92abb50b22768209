/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Taking commands apart, and holding their pairs against a verb's list.
 */
#include <stdio.h>

#include "interpreter/common/command.h"
#include "tests/unit/tap.h"

static void reads_heads(void)
{
    static const struct {
        const char *line, *code, *thread, *body;
        unsigned long id, deadline;
    } rows[] = {
        {"1 2 verb", NULL, "", "verb", 1, 2},
        {"2147483647 3600000 @t1 verb a=b", NULL, "t1", "verb a=b", 2147483647, 3600000},
        {"7 2 ", NULL, "", "", 7, 2}, /* the body is judged later */
        {"7", "syntax", "", NULL, 7, 0},
        {"7 0 verb", "syntax", "", NULL, 7, 0},
        {"7 1", "syntax", "", NULL, 7, 1},
        {"7 1 @", "syntax", "", NULL, 7, 1},
        {"7 1 @t1", "syntax", "t1", NULL, 7, 1},
        {"", "syntax", "", NULL, 0, 0},
        {"-1 1 verb", "syntax", "", NULL, 0, 0},
        {"2147483648 1 verb", "syntax", "", NULL, 0, 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct command_head head;
        struct failure failure = {0};
        char line[64];
        snprintf(line, sizeof line, "%s", rows[i].line);
        command_read_head(line, &head, &failure);
        CHECK((failure.code != NULL) == (rows[i].code != NULL), "'%s': failure", rows[i].line);
        CHECK(head.id == rows[i].id && head.deadline_ms == rows[i].deadline && strcmp(head.thread, rows[i].thread) == 0,
              "'%s': numbers and thread", rows[i].line);
        if (rows[i].body)
            CHECK_STR(head.body, rows[i].body, rows[i].line);
    }
}

static const char *body_code(const char *text, const char *pairs)
{
    struct command command;
    struct failure failure = {0};
    char body[400];

    snprintf(body, sizeof body, "%s", text);
    command_read_body(body, &command, &failure);
    if (!failure.code && pairs)
        command_check(&command, pairs, &failure);
    return failure.code ? failure.code : "ok";
}

static void reads_bodies(void)
{
    struct command command;
    struct failure failure = {0};
    char body[] = "verb a=1 b= c==x=";

    command_read_body(body, &command, &failure);
    CHECK(!failure.code && command.count == 3, "three pairs");
    CHECK_STR(command.verb, "verb", "verb");
    CHECK_STR(command_value(&command, "a"), "1", "a value");
    CHECK_STR(command_value(&command, "b"), "", "an empty value");
    CHECK_STR(command_value(&command, "c"), "=x=", "a value with =");
    CHECK(!command_value(&command, "d"), "no value");
    CHECK_STR(body_code("", NULL), "syntax", "nothing");
    CHECK_STR(body_code("verb a", NULL), "syntax", "no =");
    CHECK_STR(body_code("verb =a", NULL), "syntax", "no key");
    CHECK_STR(body_code("verb a=1 a=1", NULL), "syntax", "twice");
    CHECK_STR(body_code("verb  a=1", NULL), "syntax", "two spaces");
    CHECK_STR(body_code("verb a=1 ", NULL), "syntax", "a space at the end");
}

static void counts_pairs(void)
{
    char body[400] = "verb";

    for (int i = 0; i < COMMAND_PAIRS; i++)
        snprintf(body + strlen(body), sizeof body - strlen(body), " k%d=", i);
    CHECK_STR(body_code(body, NULL), "ok", "as many pairs as there is room for");
    CHECK(strlen(body) + 4 < sizeof body && strcat(body, " z="), "one more");
    CHECK_STR(body_code(body, NULL), "syntax", "is refused");
}

static void checks_pairs(void)
{
    CHECK_STR(body_code("v", ""), "ok", "none wanted, none given");
    CHECK_STR(body_code("v a=1", ""), "unknown-pair", "none wanted");
    CHECK_STR(body_code("v a=1 bc=2", "a bc [d]"), "ok", "optional one left out");
    CHECK_STR(body_code("v a=1 bc=2 d=3", "a bc [d]"), "ok", "optional one given");
    CHECK_STR(body_code("v a=1", "a bc [d]"), "missing", "obligatory one left out");
    CHECK_STR(body_code("v a=1 b=2", "a bc"), "unknown-pair", "part of a name");
    CHECK_STR(body_code("v a=1 bcd=2", "a bc"), "unknown-pair", "more than a name");
    CHECK_STR(body_code("v a=1 env.X=2 env.Y=3", "a [env.*]"), "ok", "keys with a prefix");
    CHECK_STR(body_code("v a=1 enviro=2", "a [env.*]"), "unknown-pair", "key without it");
}

static void keeps_the_first_failure(void)
{
    struct failure failure = {0};

    failure_set(&failure, "range", "%d", 1);
    failure_set(&failure, "missing", "%d", 2);
    CHECK_STR(failure.code, "range", "code");
    CHECK_STR(failure.reason, "1", "reason");
}

int main(void)
{
    TAP_RUN(reads_heads);
    TAP_RUN(reads_bodies);
    TAP_RUN(counts_pairs);
    TAP_RUN(checks_pairs);
    TAP_RUN(keeps_the_first_failure);
    return tap_done();
}
