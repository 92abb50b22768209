/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The clock of all deadlines in the reference: networks, launchers and host agents use it. The core and the library's
 * functions read no clock.
 */
#ifndef REF_IMPL_CLOCK_H
#define REF_IMPL_CLOCK_H

#include <stdint.h>
#include <time.h>

/* clock_now_ms - milliseconds on a clock that only goes forward, whatever is done to the time of day. */
static inline uint64_t clock_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* clock_now_ns - nanoseconds on that clock. */
static inline uint64_t clock_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* clock_deadline - that time on the same clock, as functions want it that wait until then. */
static inline struct timespec clock_deadline(uint64_t ms)
{
    return (struct timespec){(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
}

#endif
