/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The examination of the capture file that is open; see follower.h. All its memory is that of the file.
 */
#include "dissector/common/follower.h"

#include "dissector/common/segment.h"
#include "dissector/common/steps.h"

#include "wire/follow/examine.h"

#include <epan/wmem_scopes.h>

#include <string.h>

enum { ROOM = 16384, KEY_OCTETS = 128 };

/* Keys are the same for every file, so that whatever goes wrong with one goes wrong again. */
#define KEY UINT64_C(0x9e3779b97f4a7c15)

/* What was found about one message of the packet at hand, and by which octets the message is known again. */
struct event {
    unsigned char octets[KEY_OCTETS];
    size_t len; /* 0: octets that are no message, or an end */
    bool impi, claimed;
    bool answers; /* a request that was seen */
    const struct wire_impi_step *step;
    GPtrArray *found; /* NULL: nothing */
};

static struct wire_examine *examine; /* NULL until the first packet of a file */
static GArray *events;               /* of the packet at hand */
static GPtrArray *notes;             /* that are still being counted */
static wmem_map_t *late;             /* packet -> struct follower_found * of what came to light behind it */
static wmem_map_t *early;            /* packets with answers to requests that were captured behind them */
static uint32_t latest;              /* the packet at hand */
static bool ends;                    /* it has a FIN or a RST */

static void *take(void *context, size_t octets)
{
    (void)context;
    return wmem_alloc0(wmem_file_scope(), octets);
}

static void give(void *context, void *memory)
{
    (void)context;
    wmem_free(wmem_file_scope(), memory);
}

static void event_clear(void *event)
{
    GPtrArray *found = ((struct event *)event)->found;

    if (found) {
        g_ptr_array_free(found, TRUE);
    }
}

static struct event *event_make(const unsigned char *octets, size_t len)
{
    struct event event = {.len = MIN(len, (size_t)KEY_OCTETS)};

    if (event.len) {
        memcpy(event.octets, octets, event.len);
    }
    g_array_append_val(events, event);
    return &g_array_index(events, struct event, events->len - 1);
}

static void on_message(void *context, const unsigned char *octets, size_t len)
{
    (void)context;
    (void)event_make(octets, len);
}

static void extend(struct follower_found *found, const struct wire_examine_violation *const *at, unsigned count)
{
    const struct wire_examine_violation **grown =
        wmem_alloc_array(wmem_file_scope(), const struct wire_examine_violation *, found->count + count);

    if (found->count) {
        memcpy(grown, found->at, found->count * sizeof *grown);
    }
    memcpy(grown + found->count, at, count * sizeof *grown);
    found->at = grown;
    found->count += count;
}

/* What is wrong with an earlier packet, which has been displayed already. */
static struct wire_examine_violation *keep_late(const struct wire_examine_violation *violation)
{
    const void *packet = GUINT_TO_POINTER((guint)violation->packet);
    struct follower_found *found = wmem_map_lookup(late, packet);
    struct wire_examine_violation *kept = wmem_memdup(wmem_file_scope(), violation, sizeof *violation);

    if (!found) {
        found = wmem_new0(wmem_file_scope(), struct follower_found);
        found->judged = found->late = true;
        wmem_map_insert(late, packet, found);
    }
    extend(found, (const struct wire_examine_violation *const *)&kept, 1);
    return kept;
}

/* Octets that are no message have an event of their own. */
static struct wire_examine_violation *keep(const struct wire_examine_violation *violation)
{
    bool loose = strcmp(violation->message, "octets") == 0 || events->len == 0;
    struct wire_examine_violation *kept = wmem_memdup(wmem_file_scope(), violation, sizeof *violation);
    struct event *event = loose ? event_make(NULL, 0) : &g_array_index(events, struct event, events->len - 1);

    event->impi = violation->is_impi;
    if (!event->found) {
        event->found = g_ptr_array_new();
    }
    g_ptr_array_add(event->found, kept);
    return kept;
}

static void on_violation(void *context, const struct wire_examine_violation *violation)
{
    (void)context;
    if (!violation->is_intercept) {
        (violation->packet == latest ? keep : keep_late)(violation);
    }
}

static void on_note(void *context, const struct wire_examine_violation *note)
{
    (void)context;
    g_ptr_array_add(notes, (note->packet == latest ? keep : keep_late)(note));
}

static void on_collective(void *context, const struct wire_packet *packet, const struct wire_impi_job *job,
                          const struct wire_impi_step *step)
{
    (void)context;
    (void)packet;
    if (events->len) {
        g_array_index(events, struct event, events->len - 1).step = steps_add(job, step);
    }
}

/* A request and its answer, whichever was captured first. */
static void on_waited(void *context, const struct wire_examine_wait *wait)
{
    (void)context;
    if (wait->came && wait->came == latest && events->len) {
        g_array_index(events, struct event, events->len - 1).answers = true;
    } else if (wait->came && wait->came < wait->asked) {
        wmem_map_insert(early, GUINT_TO_POINTER((guint)wait->came), early);
    }
}

/* The connection's counters go; what they have come to stays with the notes. */
static void on_counted(void *context, const void *owner)
{
    (void)context;
    for (guint i = notes->len; i > 0; i--) {
        struct wire_examine_violation *note = g_ptr_array_index(notes, i - 1);

        if (note->owner == owner) {
            note->times = note->impi.tally ? note->impi.tally->times : note->times;
            note->impi.tally = NULL;
            (void)g_ptr_array_remove_index_fast(notes, i - 1);
        }
    }
}

static void begin(void)
{
    uint64_t keys[WIRE_EXAMINE_KEYS];

    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        keys[i] = KEY * (i + 1);
    }
    examine = wmem_new0(wmem_file_scope(), struct wire_examine);
    examine->listener = (struct wire_examine_listener){.violation = on_violation,
                                                       .note = on_note,
                                                       .counted = on_counted,
                                                       .waited = on_waited,
                                                       .message = on_message,
                                                       .collective = on_collective};
    examine->memory = (struct wire_memory){NULL, take, give};
    wire_examine_open(examine, ROOM, keys);
    events = g_array_new(FALSE, TRUE, sizeof(struct event));
    g_array_set_clear_func(events, event_clear);
    notes = g_ptr_array_new();
    steps_begin();
    late = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
    early = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
}

static void cleanup(void)
{
    if (examine) {
        g_array_free(events, TRUE);
        g_ptr_array_free(notes, TRUE);
        steps_end();
    }
    examine = NULL; /* its memory goes with the file */
    latest = 0;
}

/* The first pass is over: what waits for octets before it is judged without them. */
static void finish(void)
{
    latest = 0;
    if (examine) {
        wire_examine_finish(examine);
        steps_settle(examine);
    }
}

void follower_register(void)
{
    register_cleanup_routine(cleanup);
    register_postseq_cleanup_routine(finish);
}

void follower_packet(packet_info *pinfo)
{
    struct wire_segment segment;

    if (PINFO_FD_VISITED(pinfo) || pinfo->num == latest) {
        return;
    }
    if (!examine) {
        begin();
    }
    latest = pinfo->num;
    ends = false;
    g_array_set_size(events, 0);
    if (segment_of(pinfo, &segment)) {
        const struct wire_packet packet = {pinfo->num, (int64_t)pinfo->abs_ts.secs * 1000000000 + pinfo->abs_ts.nsecs};

        ends = segment.flags & (WIRE_TCP_FIN | WIRE_TCP_RST);
        wire_examine_segment(examine, &segment, &packet);
    }
}

bool follower_ends(void)
{
    return ends;
}

static struct wire_end end_of(const address *address, guint32 port)
{
    struct wire_end end = {.family = address->type == AT_IPv6 ? 6 : 4, .port = (uint16_t)port};

    memcpy(end.address, address->data, MIN((size_t)address->len, sizeof end.address));
    return end;
}

bool follower_datagram(packet_info *pinfo, const unsigned char *octets, size_t len, size_t missing,
                       struct wire_intercept_heard *heard)
{
    const struct wire_packet packet = {pinfo->num, (int64_t)pinfo->abs_ts.secs * 1000000000 + pinfo->abs_ts.nsecs};
    struct wire_segment datagram = {.data = octets, .len = len, .missing = missing};

    if (!examine) {
        begin();
    }
    datagram.from = end_of(&pinfo->net_src, pinfo->srcport);
    datagram.to = end_of(&pinfo->net_dst, pinfo->destport);
    return wire_examine_datagram(examine, &datagram, &packet, heard);
}

static void add(struct follower_found *found, const struct event *event)
{
    found->judged = true;
    found->answers = event->answers;
    found->step = event->step;
    if (event->found) {
        extend(found, (const struct wire_examine_violation *const *)event->found->pdata, event->found->len);
    }
}

struct follower_found follower_claim(const unsigned char *octets, size_t len)
{
    struct follower_found found = {.count = 0};

    for (guint i = 0; examine && i < events->len && !found.judged; i++) {
        struct event *event = &g_array_index(events, struct event, i);

        if (!event->claimed && event->len && event->len <= len && memcmp(event->octets, octets, event->len) == 0) {
            event->claimed = true;
            add(&found, event);
        }
    }
    return found;
}

struct follower_found follower_claim_broken(void)
{
    struct follower_found found = {.count = 0};

    for (guint i = 0; examine && i < events->len && !found.judged; i++) {
        struct event *event = &g_array_index(events, struct event, i);

        if (!event->claimed && event->len == 0) {
            event->claimed = true;
            add(&found, event);
        }
    }
    return found;
}

const struct follower_found *follower_keep(const struct follower_found *found)
{
    return found->count || found->step ? wmem_memdup(wmem_file_scope(), found, sizeof *found) : NULL;
}

struct follower_found follower_rest(bool impi)
{
    struct follower_found found = {.count = 0};

    for (guint i = 0; examine && i < events->len; i++) {
        struct event *event = &g_array_index(events, struct event, i);

        if (!event->claimed && event->found && event->impi == impi) {
            event->claimed = true;
            add(&found, event);
        }
    }
    return found;
}

struct follower_found follower_late(const packet_info *pinfo, bool impi)
{
    const struct follower_found *found = examine ? wmem_map_lookup(late, GUINT_TO_POINTER((guint)pinfo->num)) : NULL;

    return found && found->at[0]->is_impi == impi ? *found : (struct follower_found){.count = 0};
}

bool follower_asks_later(const packet_info *pinfo)
{
    return examine && wmem_map_lookup(early, GUINT_TO_POINTER((guint)pinfo->num));
}

/* Whether another connection may tell later that it was not so. */
static bool may_change(const struct wire_examine_violation *violation)
{
    if (violation->is_impi) {
        return wire_impi_job_rests_on_others(violation->impi.violation);
    }
    return violation->finding.violation == WIRE_PORTALS_BARRIER_EARLY ||
           violation->finding.header_violation == WIRE_PORTALS_WRONG_PEER ||
           (violation->finding.several && wire_portals_violation_rests_on_order(violation->finding.violation)) ||
           wire_portals_violation_rests_on_time(violation->finding.violation);
}

bool follower_tells_intercept(const struct wire_intercept_heard *heard, unsigned place, const packet_info *pinfo)
{
    enum wire_intercept_violation violation = heard->findings[place].violation;

    if (!wire_intercept_check_rests(violation)) {
        return true;
    }
    return examine && PINFO_FD_VISITED(pinfo) && !wire_examine_intercept_withheld(examine, violation, &heard->basis);
}

bool follower_tells(const struct wire_examine_violation *violation, const packet_info *pinfo)
{
    if (!examine || wire_examine_withheld(examine, violation)) {
        return false;
    }
    return PINFO_FD_VISITED(pinfo) || !may_change(violation);
}
