/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The recording core; see recorder.h.
 */
#include "tests/reftcp/recorder.h"

#include "ref-impl/clock.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static void note(struct recorder *r, const struct recorder_note *fresh)
{
    pthread_mutex_lock(&r->lock);
    r->kinds[fresh->kind]++;
    r->incomplete[fresh->kind] += !fresh->complete;
    if (r->count < RECORDER_NOTES) {
        r->notes[r->count++] = *fresh;
    }
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

static void answer(const struct recorder *r, const struct wire_portals_header *request)
{
    struct wire_portals_header ack = {
        .operation = WIRE_PORTALS_ACK,
        .initiator = request->target,
        .target = request->initiator,
        .portal = request->portal,
        .match_bits = request->match_bits,
        .offset = request->offset,
        .md = request->md,
        .rlength = request->rlength,
    };

    (void)nal_send(r->nal, &ack, NULL, 0, NULL);
}

static void arrive(void *core, const struct wire_portals_header *header, struct nal_sink *sink)
{
    struct recorder *r = core;
    struct recorder_note fresh = {.kind = RECORDER_ARRIVE, .header = *header, .complete = true};

    pthread_mutex_lock(&r->lock);
    *sink = r->sink;
    bool answers = r->answers;
    pthread_mutex_unlock(&r->lock);
    if (answers) {
        answer(r, header);
    }
    note(r, &fresh);
}

static void landed(void *core, void *token, bool complete)
{
    note(core, &(struct recorder_note){.kind = RECORDER_LANDED, .token = token, .complete = complete});
}

static void sent(void *core, void *cookie, bool complete)
{
    note(core, &(struct recorder_note){.kind = RECORDER_SENT, .token = cookie, .complete = complete});
}

static void dropped(void *core)
{
    note(core, &(struct recorder_note){.kind = RECORDER_DROPPED, .complete = true});
}

const struct nal_upcalls recorder_upcalls = {.arrive = arrive, .landed = landed, .sent = sent, .dropped = dropped};

void recorder_begin(struct recorder *r)
{
    memset(r, 0, sizeof *r);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
}

void recorder_sink(struct recorder *r, void *start, uint64_t length, void *token)
{
    pthread_mutex_lock(&r->lock);
    r->sink = (struct nal_sink){start, length, token};
    pthread_mutex_unlock(&r->lock);
}

bool recorder_await(struct recorder *r, enum recorder_kind kind, unsigned long count)
{
    struct timespec deadline;
    int error = 0;

    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += RECORDER_DEADLINE_S;
    pthread_mutex_lock(&r->lock);
    while (r->kinds[kind] < count && error == 0) {
        error = pthread_cond_timedwait(&r->changed, &r->lock, &deadline);
    }
    bool reached = r->kinds[kind] >= count;
    pthread_mutex_unlock(&r->lock);
    return reached;
}

bool drops_await(struct arrivals *arrivals, uint32_t interface, uint64_t count)
{
    uint64_t drops = 0;

    for (uint64_t late_ms = clock_now_ms() + 1000 * RECORDER_DEADLINE_S; drops < count && clock_now_ms() < late_ms;) {
        usleep(1000);
        lock_take(arrivals->network.lock);
        drops = arrivals->early[interface].drops;
        lock_give(arrivals->network.lock);
    }
    return drops == count;
}

unsigned long recorder_calls(struct recorder *r, enum recorder_kind kind)
{
    pthread_mutex_lock(&r->lock);
    unsigned long calls = r->kinds[kind];
    pthread_mutex_unlock(&r->lock);
    return calls;
}

unsigned long recorder_incomplete(struct recorder *r, enum recorder_kind kind)
{
    pthread_mutex_lock(&r->lock);
    unsigned long calls = r->incomplete[kind];
    pthread_mutex_unlock(&r->lock);
    return calls;
}

struct recorder_note recorder_note(struct recorder *r, enum recorder_kind kind, unsigned n)
{
    struct recorder_note found = {.kind = kind};

    pthread_mutex_lock(&r->lock);
    for (unsigned i = 0; i < r->count; i++) {
        if (r->notes[i].kind == kind && n-- == 0) {
            found = r->notes[i];
            break;
        }
    }
    pthread_mutex_unlock(&r->lock);
    return found;
}
