/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Jumps of the time of day (web/runs/jump.h): found in both directions, and not where an answer was only slow.
 */
#include "web/runs/jump.h"

#include "tests/unit/tap.h"

enum { HOUR_MS = 3600000 };

static void times_are_read(void)
{
    static const char *const bad[] = {
        "", "2026-01-31", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000", "2026-01-31T12:00:00.000Z ", "now"};
    int64_t ms = -1;

    CHECK(jump_parse("1970-01-02T00:00:01.002Z", &ms) && ms == 86401002, "a time is read");
    CHECK(jump_parse("2024-03-01T00:00:00.000Z", &ms) && ms == 1709251200000, "behind a leap day, too");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ms = -1;
        CHECK(!jump_parse(bad[i], &ms) && ms == -1, "\"%s\" is no time", bad[i]);
    }
}

static void jumps_are_found(void)
{
    static const struct row {
        const char *what;
        struct jump_look look;
        int64_t jump;
    } rows[] = {
        {"the first look tells nothing", {.day_ms = 1000000, .asked_ms = 10, .answered_ms = 20}, 0},
        {"two seconds later", {.day_ms = 1002000, .asked_ms = 2010, .answered_ms = 2020}, 0},
        {"an hour forward", {.day_ms = 1004000 + HOUR_MS, .asked_ms = 4010, .answered_ms = 4020}, HOUR_MS - 10},
        {"it is told once", {.day_ms = 1006000 + HOUR_MS, .asked_ms = 6010, .answered_ms = 6020}, 0},
        {"and back", {.day_ms = 1008000, .asked_ms = 8010, .answered_ms = 8020}, -HOUR_MS + 10},
        {"a minute without a look", {.day_ms = 1068000, .asked_ms = 68010, .answered_ms = 68020}, 0},
        {"a second is none", {.day_ms = 1071000, .asked_ms = 70010, .answered_ms = 70020}, 0},
        {"an answer after a minute", {.day_ms = 1073000, .asked_ms = 72010, .answered_ms = 132020}, 0},
        {"what follows a slow answer", {.day_ms = 1133000, .asked_ms = 132030, .answered_ms = 132040}, 0},
        {"back by a day, slowly",
         {.day_ms = 1133000 - 24 * HOUR_MS, .asked_ms = 133000, .answered_ms = 143000},
         -24 * HOUR_MS - 960},
    };
    struct jump_watch watch = {0};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t jump = jump_find(&watch, &rows[i].look);

        CHECK(jump == rows[i].jump, "%s: %lld", rows[i].what, (long long)jump);
    }
}

int main(void)
{
    times_are_read();
    jumps_are_found();
    return tap_done();
}
