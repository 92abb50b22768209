/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What an interface holds: see dump.h. No chapter asks for it; libraries of Portals 3 have calls for it.
 */
#include "ref-impl/core/dump.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "ref-impl/core/eq.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/me_object.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/ni_object.h"

enum { LINE = 240, NUMBER = 16 };

static void tell(dump_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void tell(dump_line *line, const char *format, ...)
{
    char text[LINE];
    va_list values;

    va_start(values, format);
    (void)vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    line(text);
}

/* A number, or a word for the value that stands for all or none. */
static const char *number(char text[NUMBER], long long value, long long special, const char *word)
{
    (void)snprintf(text, NUMBER, "%lld", value);
    return value == special ? word : text;
}

static void tell_descriptor(const struct md *md, dump_line *line)
{
    char threshold[NUMBER];

    tell(line,
         "  descriptor %#" PRIx64 ": %" PRIu64 " octets at %p, local offset %" PRIu64 ", threshold %s, options %#x, "
         "queue %#" PRIx64 "%s, %u under way",
         md->handle, md->value.length, md->value.start, md->offset,
         number(threshold, md->value.threshold, CORE_ENDLESS, "endless"), md->value.options, md->value.eventq,
         md->unlinks ? ", unlinks" : "", md->references - 1);
}

static void tell_entry(const struct me *me, dump_line *line)
{
    const struct me_criteria *criteria = &me->criteria;
    char nid[NUMBER], pid[NUMBER];

    tell(line, "entry %#" PRIx64 ": match bits %#" PRIx64 ", ignored %#" PRIx64 ", from node %s, process %s%s",
         me->handle, criteria->match_bits, criteria->ignore_bits,
         number(nid, criteria->process.nid, CORE_ANY_ID, "any"), number(pid, criteria->process.pid, CORE_ANY_ID, "any"),
         me->unlinks ? ", unlinks" : "");
    for (const struct list *link = me->descriptors.next; link != &me->descriptors; link = link->next) {
        tell_descriptor(LIST_OWNER(link, struct md, link), line);
    }
}

enum core_status dump_entry(uint64_t handle, dump_line *line)
{
    struct ni *ni;
    struct me *me = me_enter(handle, &ni);

    if (!me) {
        return CORE_BAD_ENTRY;
    }
    tell_entry(me, line);
    ni_leave(ni);
    return CORE_OK;
}

enum core_status dump_portal(uint64_t interface, uint32_t portal, dump_line *line)
{
    struct ni *ni = ni_enter_interface(interface);

    if (!ni) {
        return CORE_BAD_INTERFACE;
    }
    if (portal >= ni->config.portals) {
        ni_leave(ni);
        return CORE_BAD_PORTAL;
    }
    const struct match_list *list = &ni->portals[portal];

    tell(line, "portal %u: entries: %u", (unsigned)portal, (unsigned)list->count);
    for (const struct list *link = list->entries.next; link != &list->entries; link = link->next) {
        tell_entry(LIST_OWNER(link, struct me, link), line);
    }
    ni_leave(ni);
    return CORE_OK;
}

enum core_status dump_queues(uint64_t interface, dump_line *line)
{
    struct ni *ni = ni_enter_interface(interface);
    const struct eq *eq;
    uint32_t cursor = 0;

    if (!ni) {
        return CORE_BAD_INTERFACE;
    }
    tell(line, "interface %u: event queues: %u", (unsigned)ni->number, (unsigned)ni->objects.living[HANDLE_QUEUE]);
    while ((eq = handle_next(&ni->objects, HANDLE_QUEUE, &cursor))) {
        tell(line, "queue %#" PRIx64 ": %u of %u events, %" PRIu64 " logged, %u to come%s", eq->handle,
             (unsigned)eq->count, (unsigned)eq->capacity, eq->sequence, (unsigned)(eq->reserved_count + eq->sending),
             eq->gap ? ", events were lost" : "");
    }
    ni_leave(ni);
    return CORE_OK;
}
