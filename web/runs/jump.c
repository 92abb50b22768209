/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The arithmetic of jumps (jump.h). It asks no clock.
 */
#include "web/runs/jump.h"

#include <stdio.h>
#include <time.h>

bool jump_parse(const char *text, int64_t *day_ms)
{
    struct tm day = {0};
    int ms = 0, end = 0;

    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ%n", &day.tm_year, &day.tm_mon, &day.tm_mday, &day.tm_hour,
               &day.tm_min, &day.tm_sec, &ms, &end) != 7 ||
        end == 0 || text[end] != '\0') {
        return false;
    }
    day.tm_year -= 1900;
    day.tm_mon -= 1;
    *day_ms = (int64_t)timegm(&day) * 1000 + ms;
    return true;
}

int64_t jump_find(struct jump_watch *watch, const struct jump_look *look)
{
    struct jump_look last = watch->last;
    bool looked = watch->looked;
    int64_t day = look->day_ms - last.day_ms;
    int64_t least = day - (look->answered_ms - last.asked_ms), most = day - (look->asked_ms - last.answered_ms);

    *watch = (struct jump_watch){.last = *look, .looked = true};
    if (looked && least >= JUMP_LEAST_MS) {
        return least;
    }
    return looked && most <= -JUMP_LEAST_MS ? most : 0;
}
