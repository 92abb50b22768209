/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Monotonic time in milliseconds: the only clock that deadlines are measured with.
 */
#include "times.h"

#include <errno.h>
#include <time.h>

long long times_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void times_sleep_us(long microseconds)
{
    struct timespec rest = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000};

    while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
        continue;
}
