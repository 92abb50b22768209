/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Telling and waiting (sut.h).
 */
#include "tester/sut/sut.h"

#include "tester/base/clock.h"
#include "tester/base/loop.h"
#include "tester/base/memory.h"
#include "tester/base/utf8.h"
#include "tester/sut/registry.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURN_MAX_MS = 60000 };

void sut_note(struct sut *sut, const char *kind, const char *format, ...)
{
    char text[SUT_TEXT_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)utf8_repair(text);
    if (sut->note) {
        sut->note(sut->note_context, kind, text);
    }
}

void sut_problem(struct sut *sut, const char *format, ...)
{
    va_list arguments;

    if (!sut->problem[0]) {
        va_start(arguments, format);
        vsnprintf(sut->problem, sizeof sut->problem, format, arguments);
        va_end(arguments);
        (void)utf8_repair(sut->problem);
    }
}

void sut_cancel(struct sut *sut, const char *reason)
{
    char *none = NULL, *text = memory_text(reason);

    if (!atomic_compare_exchange_strong(&sut->cancelled, &none, text)) {
        free(text);
    }
    registry_box_wake(sut->box);
}

bool sut_ended(const struct sut *sut)
{
    return sut->cancelled || (sut->agent_connected && sut->agent.end != DIALOGUE_OPEN);
}

bool sut_pump(struct sut *sut, bool (*until)(void *context), void *context, int64_t until_ms)
{
    for (;;) {
        int64_t left = until_ms - clock_now_ms();
        bool good = until && until(context);

        if (good || left <= 0 || sut_ended(sut)) {
            return good;
        }
        loop_turn(sut->loop, left > TURN_MAX_MS ? TURN_MAX_MS : (int)left);
    }
}
