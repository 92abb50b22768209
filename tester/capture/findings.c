/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collecting what an examination finds (findings.h).
 */
#include "tester/capture/findings.h"

#include "tester/base/memory.h"

#include <stdarg.h>
#include <stdio.h>

void findings_remark(struct examine *examine, uint64_t packet, const char *format, ...)
{
    va_list arguments;

    if (examine->remark_count == EXAMINE_REMARKS_MAX) {
        examine->remarks_left_out++;
        return;
    }
    examine->remarks = memory_grow(examine->remarks, (examine->remark_count + 1) * sizeof *examine->remarks);
    struct examine_remark *made = &examine->remarks[examine->remark_count++];
    made->packet = packet;
    va_start(arguments, format);
    vsnprintf(made->text, sizeof made->text, format, arguments);
    va_end(arguments);
}

/* Adds to an array that grows by doubling. */
static struct examine_violation *add(struct examine_violation *array, size_t count,
                                     const struct examine_violation *made)
{
    if ((count & (count - 1)) == 0) { /* a power of two: the array is full */
        array = memory_grow(array, (count ? 2 * count : 1) * sizeof *array);
    }
    array[count] = *made;
    return array;
}

void findings_violation(struct examine *examine, const struct examine_violation *violation)
{
    if (examine->violation_count == EXAMINE_VIOLATIONS_MAX) {
        examine->violations_left_out++;
        return;
    }
    examine->violations = add(examine->violations, examine->violation_count++, violation);
}

void findings_note(struct examine *examine, const struct examine_violation *note)
{
    if (examine->note_count == EXAMINE_NOTES_MAX) {
        examine->notes_left_out++;
        return;
    }
    examine->notes = add(examine->notes, examine->note_count++, note);
}
