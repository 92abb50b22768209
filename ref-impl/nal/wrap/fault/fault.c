/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The fault network: wraps another one and spoils what is sent. What it does to the n-th message that it may touch
 * depends on the seed and n alone.
 *
 *   dropped     the sender is told that the message is on its way; nobody gets it
 *   doubled     it is sent, and a copy of it directly afterwards
 *   reordered   it is held back until the next message to the same process has been sent, 50 ms at most
 *   delayed     it is sent later; all by the same time, so that their order stays
 *
 * What is held back or doubled is a copy: the sender's memory may be gone by then. A thread of its own sends it, until
 * the close; what the core still answers while the network below closes goes out at once. Nothing is changed about what
 * arrives.
 */
#include "ref-impl/nal/wrap/fault/fault.h"

#include "ref-impl/clock.h"
#include "ref-impl/nal/thread.h"
#include "ref-impl/nal/wrap/fault/spec.h"
#include "ref-impl/nal/wrap/fault/waiting.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REORDER_MS = 50 };

struct fault_counts {
    unsigned long long seen, dropped, doubled, reordered;
};

struct fault {
    struct nal nal;
    struct nal *below;
    struct nal_upcalls upcalls;
    void *core;
    struct fault_spec spec;
    uint32_t interface;
    bool numbered; /* only messages with numbers, and ACKNOWLEDGE, are spoilt */
    pthread_t thread;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t random;
    struct fault_counts counts;
    struct fault_message *waiting;
    bool closing;
};

/* What is to be done with one message. */
struct verdict {
    bool drop, dup, reorder;
};

/* A number from 0 up to, but not, 1: the next of a sequence in which a counter is scrambled. */
static double draw(struct fault *fault)
{
    fault->random += 0x9e3779b97f4a7c15;
    uint64_t x = fault->random;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    x ^= x >> 31;
    return (double)(x >> 11) / 9007199254740992.0;
}

/* Always three draws, so that one probability does not change what becomes of later messages. Called with `lock` held.
 */
static struct verdict judge(struct fault *fault)
{
    struct verdict verdict = {draw(fault) < fault->spec.drop, draw(fault) < fault->spec.dup,
                              draw(fault) < fault->spec.reorder};

    verdict.dup = verdict.dup && !verdict.drop;
    verdict.reorder = verdict.reorder && !verdict.drop;
    fault->counts.seen++;
    fault->counts.dropped += verdict.drop;
    fault->counts.doubled += verdict.dup;
    fault->counts.reordered += verdict.reorder;
    return verdict;
}

/* Gives a kept message to the network below; one that it does not take is lost, like one that it loses. */
static void message_send(struct fault *fault, struct fault_message *message)
{
    if (nal_send(fault->below, &message->header, message->payload, message->length, message) != NAL_OK) {
        free(message);
    }
}

/* Sends what is due, until the close, and then the rest. */
static void *fault_run(void *argument)
{
    struct fault *fault = argument;

    pthread_mutex_lock(&fault->lock);
    while (!fault->closing || fault->waiting) {
        struct fault_message *message = fault->waiting;

        if (!message) {
            pthread_cond_wait(&fault->changed, &fault->lock);
        } else if (message->due_ms <= clock_now_ms() || fault->closing) {
            fault->waiting = message->next;
            pthread_mutex_unlock(&fault->lock);
            message_send(fault, message);
            pthread_mutex_lock(&fault->lock);
        } else {
            struct timespec due = clock_deadline(message->due_ms);
            pthread_cond_timedwait(&fault->changed, &fault->lock, &due);
        }
    }
    pthread_mutex_unlock(&fault->lock);
    return NULL;
}

/* Sends the message itself now, and its double where it has one. */
static enum nal_status send_now(struct fault *fault, const struct wire_portals_header *header, const void *payload,
                                uint64_t length, void *cookie, bool dup)
{
    struct fault_message *original = fault_message_new(header, NULL, length, false);
    struct fault_message *copy = dup ? fault_message_new(header, payload, length, true) : NULL;

    if (!original || (dup && !copy)) {
        free(original);
        free(copy);
        return NAL_NO_MEMORY;
    }
    original->cookie = cookie;
    enum nal_status status = nal_send(fault->below, header, payload, length, original);
    if (status != NAL_OK) {
        free(original);
        free(copy);
        return status;
    }
    if (copy) {
        message_send(fault, copy);
    }
    pthread_mutex_lock(&fault->lock);
    fault_waiting_release(&fault->waiting, header, clock_now_ms());
    pthread_cond_signal(&fault->changed);
    pthread_mutex_unlock(&fault->lock);
    return NAL_OK;
}

/* Puts copies into the list of those that wait. False: there will be nobody to send them later. */
static bool copies_keep(struct fault *fault, struct fault_message *const copies[2], bool reorder)
{
    uint64_t due_ms = clock_now_ms() + fault->spec.delay_ms;

    pthread_mutex_lock(&fault->lock);
    bool kept = !fault->closing;
    for (int i = 0; kept && i < 2 && copies[i]; i++) {
        copies[i]->held = reorder;
        copies[i]->due_ms = due_ms + (reorder ? REORDER_MS : 0);
        fault_waiting_insert(&fault->waiting, copies[i]);
    }
    if (kept && !reorder) {
        fault_waiting_release(&fault->waiting, &copies[0]->header, due_ms);
    }
    pthread_cond_signal(&fault->changed);
    pthread_mutex_unlock(&fault->lock);
    return kept;
}

/* Keeps copies for later; the sender need not wait. */
static enum nal_status send_later(struct fault *fault, const struct wire_portals_header *header, const void *payload,
                                  uint64_t length, void *cookie, struct verdict verdict)
{
    struct fault_message *copies[2] = {fault_message_new(header, payload, length, true),
                                       verdict.dup ? fault_message_new(header, payload, length, true) : NULL};

    if (!copies[0] || (verdict.dup && !copies[1])) {
        free(copies[0]);
        free(copies[1]);
        return NAL_NO_MEMORY;
    }
    if (!copies_keep(fault, copies, verdict.reorder)) {
        for (int i = 0; i < 2 && copies[i]; i++) {
            message_send(fault, copies[i]);
        }
    }
    if (cookie) {
        fault->upcalls.sent(fault->core, cookie, true);
    }
    return NAL_OK;
}

/* Whether the spec is about such a message. */
static bool message_concerned(const struct fault *fault, const struct wire_portals_header *header)
{
    if (fault->numbered && header->number == 0) {
        return header->operation == WIRE_PORTALS_ACKNOWLEDGE;
    }
    if (header->operation > WIRE_PORTALS_REPLY) {
        return fault->numbered && fault->spec.kinds == FAULT_KINDS_ALL;
    }
    return (fault->spec.kinds & 1U << header->operation) != 0;
}

static enum nal_status fault_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                  uint64_t length, void *cookie)
{
    struct fault *fault = (struct fault *)nal;

    if (!message_concerned(fault, header)) {
        return send_now(fault, header, payload, length, cookie, false);
    }
    pthread_mutex_lock(&fault->lock);
    struct verdict verdict = judge(fault);
    pthread_mutex_unlock(&fault->lock);
    if (verdict.drop) {
        if (cookie) {
            fault->upcalls.sent(fault->core, cookie, true);
        }
        return NAL_OK;
    }
    if (verdict.reorder || fault->spec.delay_ms > 0) {
        return send_later(fault, header, payload, length, cookie, verdict);
    }
    return send_now(fault, header, payload, length, cookie, verdict.dup);
}

static void fault_arrive(void *core, const struct wire_portals_header *header, struct nal_sink *sink)
{
    struct fault *fault = core;

    fault->upcalls.arrive(fault->core, header, sink);
}

static void fault_landed(void *core, void *token, bool complete)
{
    struct fault *fault = core;

    fault->upcalls.landed(fault->core, token, complete);
}

static void fault_sent(void *core, void *cookie, bool complete)
{
    struct fault *fault = core;
    struct fault_message *message = cookie;

    if (message->cookie) {
        fault->upcalls.sent(fault->core, message->cookie, complete);
    }
    free(message);
}

static void fault_dropped(void *core)
{
    struct fault *fault = core;

    fault->upcalls.dropped(fault->core);
}

static const struct nal_upcalls fault_upcalls = {
    .arrive = fault_arrive, .landed = fault_landed, .sent = fault_sent, .dropped = fault_dropped};

static void fault_revoke(struct nal *nal, void *token)
{
    nal_revoke(((struct fault *)nal)->below, token);
}

static double fault_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    return nal_distance(((struct fault *)nal)->below, peer);
}

static void fault_free(struct fault *fault)
{
    pthread_cond_destroy(&fault->changed);
    pthread_mutex_destroy(&fault->lock);
    free(fault);
}

static void fault_thread_stop(struct fault *fault)
{
    pthread_mutex_lock(&fault->lock);
    fault->closing = true;
    pthread_cond_signal(&fault->changed);
    pthread_mutex_unlock(&fault->lock);
    pthread_join(fault->thread, NULL);
}

static void fault_close(struct nal *nal)
{
    struct fault *fault = (struct fault *)nal;

    fault_thread_stop(fault);
    nal_close(fault->below);
    if (fault->counts.seen > 0 || !fault->numbered) {
        fprintf(stderr,
                "portals: interface %u: fault (seed %llu): of %llu messages %llu dropped, %llu doubled, %llu "
                "reordered, each "
                "delayed by %u ms\n",
                (unsigned)fault->interface, (unsigned long long)fault->spec.seed, fault->counts.seen,
                fault->counts.dropped, fault->counts.doubled, fault->counts.reordered, (unsigned)fault->spec.delay_ms);
    }
    fault_free(fault);
}

static const struct nal_ops fault_ops = {
    .name = "fault",
    .send = fault_send,
    .revoke = fault_revoke,
    .distance = fault_distance,
    .close = fault_close,
};

static struct fault *fault_new(const struct fault_spec *spec, const struct nal_config *config,
                               const struct nal_upcalls *upcalls, void *core)
{
    struct fault *fault = calloc(1, sizeof *fault);
    pthread_condattr_t attributes;

    if (!fault) {
        return NULL;
    }
    fault->nal.ops = &fault_ops;
    fault->upcalls = *upcalls;
    fault->core = core;
    fault->spec = *spec;
    fault->random = spec->seed + config->self.rid * 0xd1b54a32d192ed03; /* every rank has its own sequence */
    fault->interface = config->interface;
    pthread_mutex_init(&fault->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&fault->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return fault;
}

enum nal_status fault_open(const char *spec, nal_opener *inner, const struct nal_config *config,
                           const struct nal_upcalls *upcalls, void *core, struct nal **nal)
{
    struct fault_spec parsed;
    char problem[300];

    if (!fault_spec_parse(spec, &parsed, problem, sizeof problem)) {
        fprintf(stderr, "portals: ASSAY_FAULT=%s: %s\n", spec, problem);
        return NAL_NO_DEVICE;
    }
    struct fault *fault = fault_new(&parsed, config, upcalls, core);
    if (!fault) {
        return NAL_NO_MEMORY;
    }
    enum nal_status status = inner(config, &fault_upcalls, fault, &fault->below);
    if (status != NAL_OK) {
        fault_free(fault);
        return status;
    }
    if (thread_start(&fault->thread, fault_run, fault) != 0) {
        nal_close(fault->below);
        fault_free(fault);
        return NAL_NO_MEMORY;
    }
    *nal = &fault->nal;
    return NAL_OK;
}

enum nal_status fault_open_numbered(const char *spec, nal_opener *inner, const struct nal_config *config,
                                    const struct nal_upcalls *upcalls, void *core, struct nal **nal)
{
    enum nal_status status = fault_open(spec, inner, config, upcalls, core, nal);

    if (status == NAL_OK) {
        ((struct fault *)*nal)->numbered = true; /* nobody can have sent anything before this */
    }
    return status;
}
