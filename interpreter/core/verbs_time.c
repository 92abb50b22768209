/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Passing time without the library: so a test sees what a library does on its own. specs/interpreter.md, section 4.4.
 */
#include "verbs.h"

#include <stdint.h>

#include "../common/times.h"

static void run_compute(struct call *call)
{
    long long until = call_until(call);
    volatile uint32_t x = 1;

    if (call_failed(call))
        return;
    /* the clock is only looked at: nothing here gives the processor away */
    while (times_now_ms() < until)
        for (int i = 0; i < 10000; i++)
            x = x * 1664525u + 1013904223u;
}

static void run_pause(struct call *call)
{
    long milliseconds = (long)call_count(call, "ms", 0, 3600000);

    if (!call_failed(call))
        times_sleep_us(milliseconds * 1000);
}

/* run_memory looks at one octet again and again. Only the library (or another thread of the interpreter) can change it.
 */
static void run_memory(struct call *call)
{
    unsigned long long offset = call_count(call, "offset", 0, SIZE_MAX);
    unsigned char value = (unsigned char)call_count(call, "value", 0, 255);
    long long until = call_until(call);
    const volatile unsigned char *octet = call_region(call, "name", offset, 1);
    bool reached;

    if (call_failed(call))
        return;
    while (!(reached = *octet == value) && times_now_ms() < until)
        times_sleep_us(50);
    result_bool(call, "reached", reached);
}

const struct verb verbs_time[] = {
    {"compute", "ms", run_compute, false},
    {"pause", "ms", run_pause, false},
    {"memory", "name offset value ms", run_memory, false},
    {NULL, NULL, NULL, false},
};
