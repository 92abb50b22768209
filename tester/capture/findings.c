/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collecting what an examination finds (findings.h).
 */
#include "tester/capture/findings.h"

#include "tester/base/memory.h"
#include "tester/capture/fragments.h"
#include "wire/impi/check_collective_state.h"

#include <sodium/randombytes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *take(void *context, size_t octets)
{
    (void)context;
    return memory_zero(octets);
}

static void give(void *context, void *memory)
{
    (void)context;
    free(memory);
}

__attribute__((format(printf, 3, 4))) static void remark(struct findings *findings, uint64_t packet, const char *format,
                                                         ...)
{
    va_list arguments;

    if (findings->remark_count == FINDINGS_REMARKS_MAX) {
        findings->remarks_left_out++;
        return;
    }
    findings->remarks = memory_grow(findings->remarks, (findings->remark_count + 1) * sizeof *findings->remarks);
    struct finding_remark *made = &findings->remarks[findings->remark_count++];
    made->packet = packet;
    va_start(arguments, format);
    vsnprintf(made->text, sizeof made->text, format, arguments);
    va_end(arguments);
}

/* Adds to an array that grows by doubling. */
static struct wire_examine_violation *add(struct wire_examine_violation *array, size_t count,
                                          const struct wire_examine_violation *made)
{
    if ((count & (count - 1)) == 0) { /* a power of two: the array is full */
        array = memory_grow(array, (count ? 2 * count : 1) * sizeof *array);
    }
    array[count] = *made;
    return array;
}

static void on_violation(void *context, const struct wire_examine_violation *violation)
{
    struct findings *findings = context;

    if (findings->violation_count == FINDINGS_VIOLATIONS_MAX) {
        findings->violations_left_out++;
        return;
    }
    findings->violations = add(findings->violations, findings->violation_count++, violation);
}

static void on_note(void *context, const struct wire_examine_violation *note)
{
    struct findings *findings = context;

    if (findings->note_count == FINDINGS_NOTES_MAX) {
        findings->notes_left_out++;
        return;
    }
    findings->notes = add(findings->notes, findings->note_count++, note);
}

/* How often each note was due is known when its connection has been seen to its end; NULL: all of them are over. */
static void on_counted(void *context, const void *owner)
{
    struct findings *findings = context;

    for (size_t i = 0; i < findings->note_count; i++) {
        struct wire_examine_violation *note = &findings->notes[i];

        if (note->owner && (!owner || note->owner == owner)) {
            note->times = note->impi.tally ? note->impi.tally->times : 1;
            note->impi.tally = NULL;
            note->owner = NULL;
        }
    }
}

static void on_remark(void *context, uint64_t packet, const char *text)
{
    remark(context, packet, "%s", text);
}

static void on_missing(void *context, uint64_t packet, const struct wire_end *from, const struct wire_end *to)
{
    char from_text[64], to_text[64];

    capture_end_text(from, from_text, sizeof from_text);
    capture_end_text(to, to_text, sizeof to_text);
    remark(context, packet, "octets from %s to %s are missing before this packet: what they could explain is withheld",
           from_text, to_text);
}

/* Late enough to be noted, or never. */
static void on_waited(void *context, const struct wire_examine_wait *wait)
{
    struct findings *findings = context;
    size_t count = findings->wait_count;
    uint64_t until = wait->came ? wait->came : findings->packets;
    struct finding_wait made = {.wait = *wait};

    if (wait->asked == 0 || wait->asked > findings->packets || until > findings->packets) {
        return;
    }
    made.asked_ns = findings->times[wait->asked - 1];
    made.waited_ns = (wait->came ? findings->times[until - 1] : findings->latest) - made.asked_ns;
    if (wait->came && made.waited_ns < (int64_t)FINDINGS_WAIT_MS * 1000000) {
        return;
    }
    if (count == FINDINGS_WAITS_MAX) {
        findings->waits_left_out++;
        return;
    }
    if ((count & (count - 1)) == 0) { /* a power of two: the array is full */
        findings->waits = memory_grow(findings->waits, (count ? 2 * count : 1) * sizeof *findings->waits);
    }
    findings->waits[findings->wait_count++] = made;
}

static void keep_time(struct findings *findings, const struct capture_packet *packet)
{
    if (findings->packets > findings->times_room) {
        findings->times_room = 2 * (size_t)findings->packets;
        findings->times = memory_grow(findings->times, findings->times_room * sizeof *findings->times);
    }
    findings->times[findings->packets - 1] = packet->when_ns;
    findings->latest = packet->when_ns > findings->latest ? packet->when_ns : findings->latest;
}

static void on_collective(void *context, const struct wire_packet *packet, const struct wire_impi_job *job,
                          const struct wire_impi_step *step)
{
    struct findings *findings = context;
    size_t count = findings->step_count;

    if (count == FINDINGS_STEPS_MAX) {
        findings->steps_left_out++;
        return;
    }
    if ((count & (count - 1)) == 0) { /* a power of two: the array is full */
        findings->steps = memory_grow(findings->steps, (count ? 2 * count : 1) * sizeof *findings->steps);
    }
    findings->steps[findings->step_count++] = (struct finding_step){packet->number, job, *step};
}

void findings_open(struct findings *findings, uint32_t room)
{
    uint64_t keys[WIRE_EXAMINE_KEYS];

    *findings = (struct findings){.examine = {.listener = {.context = findings,
                                                           .violation = on_violation,
                                                           .note = on_note,
                                                           .counted = on_counted,
                                                           .remark = on_remark,
                                                           .missing = on_missing,
                                                           .waited = on_waited,
                                                           .collective = on_collective},
                                              .memory = {NULL, take, give}}};
    findings->fragments = capture_fragments_open();
    randombytes_buf(keys, sizeof keys);
    wire_examine_open(&findings->examine, room, keys);
}

/* Room only where some packet says who sent it. */
static void keep_side(struct findings *findings, const struct capture_packet *packet)
{
    if (packet->side == CAPTURE_NO_SIDE) {
        return;
    }
    if (packet->number > findings->sides_room) {
        findings->sides_room = 2 * (size_t)packet->number;
        findings->sides = memory_grow(findings->sides, findings->sides_room);
    }
    memset(findings->sides + findings->sided, CAPTURE_NO_SIDE, packet->number - 1 - findings->sided);
    findings->sides[packet->number - 1] = (unsigned char)packet->side;
    findings->sided = packet->number;
}

static bool is_at(const struct wire_end *end, const struct wire_end *place)
{
    return end->family == place->family && (place->port == 0 || end->port == place->port) &&
           memcmp(end->address, place->address, sizeof end->address) == 0;
}

enum capture_side findings_side(const struct findings *findings, const struct wire_examine_violation *violation)
{
    if (findings->system.family) {
        bool from = is_at(&violation->from, &findings->system), to = is_at(&violation->to, &findings->system);

        return from == to || wire_examine_is_hearsay(violation) ? CAPTURE_NO_SIDE
               : from                                           ? CAPTURE_SYSTEM
                                                                : CAPTURE_PEER;
    }
    return violation->packet > 0 && !wire_examine_is_hearsay(violation) && violation->packet <= findings->sided
               ? (enum capture_side)findings->sides[violation->packet - 1]
               : CAPTURE_NO_SIDE;
}

void findings_packet(struct findings *findings, const struct capture_packet *packet)
{
    struct wire_segment segment;

    findings->packets++;
    keep_time(findings, packet);
    keep_side(findings, packet);
    switch (capture_segment_of(packet, findings->fragments, &segment)) {
    case CAPTURE_SEGMENT:
        wire_examine_segment(&findings->examine, &segment, &(struct wire_packet){packet->number, packet->when_ns});
        break;
    case CAPTURE_DATAGRAM:
        (void)wire_examine_datagram(&findings->examine, &segment,
                                    &(struct wire_packet){packet->number, packet->when_ns}, NULL);
        break;
    case CAPTURE_OTHER:
    case CAPTURE_FRAGMENT:
        break;
    case CAPTURE_STRANGE:
        findings->strange++;
        break;
    }
}

/* Moves what stands to the front; returns how much that is. */
static size_t kept_of(const struct findings *findings, struct wire_examine_violation *array, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (!wire_examine_withheld(&findings->examine, &array[i])) {
            array[kept++] = array[i];
        }
    }
    return kept;
}

static void withhold(struct findings *findings)
{
    size_t kept = kept_of(findings, findings->violations, findings->violation_count);

    findings->note_count = kept_of(findings, findings->notes, findings->note_count);
    findings->withheld = findings->violation_count - kept;
    findings->violation_count = kept;
    findings->examine.unjudged += findings->withheld;
}

static bool is_elsewhere(const struct finding_step *at, const struct wire_impi_job *job)
{
    return at->job == job && at->step.cid > WIRE_IMPI_CID_WORLD && !at->step.misplaced;
}

/* Returns the packet of the first message on another communicator that the checker does not keep until the end of the
 * job; 0: it keeps all. */
static uint64_t complete_steps(struct findings *findings, const struct wire_impi_job *job,
                               const struct wire_impi_collectives *known)
{
    for (size_t at = 0; at < findings->step_count; at++) {
        struct finding_step *step = &findings->steps[at];

        if (is_elsewhere(step, job) && !step->step.kept) {
            return step->packet;
        }
        if (step->job == job) {
            wire_impi_collectives_settle(known, &step->step);
        }
    }
    return 0;
}

/* What only the end of a job shows of its other communicators, and which of them are too many. */
static void settle_communicators(struct findings *findings)
{
    const struct wire_impi_job *job;
    struct wire_end server;

    for (size_t i = 0; (job = wire_examine_job(&findings->examine, i, &server)) != NULL; i++) {
        const struct wire_impi_collectives *known = wire_examine_collectives(&findings->examine, i);
        uint64_t first = complete_steps(findings, job, known);

        if (known->members_left_out) {
            remark(findings, 0,
                   "job %zu: collective operations on other communicators are not judged by their patterns: they have "
                   "more than %d members",
                   i + 1, WIRE_IMPI_MEMBERS);
        } else if (known->kept_left_out) {
            remark(findings, first,
                   "job %zu: from here on, collective operations on other communicators are not judged by their "
                   "patterns: %d messages are kept",
                   i + 1, WIRE_IMPI_KEPT);
        }
        if (known->counted_left_out) {
            remark(findings, 0,
                   "job %zu: Barriers and Scans on other communicators go between more than %d pairs of processes: "
                   "those of the others have no number",
                   i + 1, WIRE_IMPI_COUNTED);
        }
    }
}

void findings_finish(struct findings *findings)
{
    wire_examine_finish(&findings->examine);
    withhold(findings);
    settle_communicators(findings);
    if (wire_examine_forgotten(&findings->examine)) {
        remark(findings, 0, "%llu requests were given up for lack of room; their answers are not judged",
               (unsigned long long)wire_examine_forgotten(&findings->examine));
    }
    if (wire_examine_intercept_holds_back(&findings->examine)) {
        remark(findings, 0, "frames of the Intercept network are missing: what they could explain is withheld");
    }
    if (capture_fragments_left(findings->fragments)) {
        remark(findings, 0, "%llu fragments of IP packets are not put together: others are missing, cut off or differ",
               (unsigned long long)capture_fragments_left(findings->fragments));
    }
    if (findings->strange) {
        remark(findings, 0, "%llu packets are of a link type that is not known, or damaged",
               (unsigned long long)findings->strange);
    }
    if (wire_examine_ignored(&findings->examine)) {
        remark(findings, 0, "%llu segments belong to more than %d connections and are not looked at",
               (unsigned long long)wire_examine_ignored(&findings->examine), WIRE_REASSEMBLY_CONNECTIONS_MAX);
    }
}

void findings_close(struct findings *findings)
{
    wire_examine_close(&findings->examine);
    capture_fragments_close(findings->fragments);
    free(findings->violations);
    free(findings->notes);
    free(findings->remarks);
    free(findings->steps);
    free(findings->sides);
    free(findings->waits);
    free(findings->times);
}
