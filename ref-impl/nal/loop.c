/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The loop: see loop.h. Who sends also delivers: header to `arrive`, a copy of the payload, `landed`, `sent`, all from
 * inside nal_send and in the order of the calls.
 *
 * Two things could break that order: the core answering from inside an upcall, and another thread sending meanwhile. So
 * messages go through a queue; the first sender becomes the deliverer and stays it until the queue is empty, all
 * others, itself included, only append. This also keeps the stack flat.
 *
 * Revocation: a sink may be revoked from the moment in which the core has decided on it, even before `arrive` has
 * returned to us. `phase` says what the deliverer is about; whoever revokes waits while it decides or copies.
 */
#include "ref-impl/nal/loop.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct loop_message {
    struct loop_message *next;
    struct wire_portals_header header;
    const void *payload;
    uint64_t length;
    void *cookie;
};

/*      IDLE --> DECIDING (in `arrive`) --> COPYING --> IDLE        `landed` and `sent` are called in IDLE */
enum loop_phase { LOOP_IDLE, LOOP_DECIDING, LOOP_COPYING };

struct loop {
    struct nal nal;
    struct nal_upcalls upcalls;
    void *core;
    struct wire_portals_id self;

    pthread_mutex_t lock; /* guards the rest; never held during an upcall */
    pthread_cond_t idle;  /* phase became LOOP_IDLE, or the deliverer has left */
    enum loop_phase phase;
    bool delivering;
    bool ended;
    pthread_t deliverer; /* while delivering */
    struct loop_message *first, *last;
};

static struct loop *loop_of(struct nal *nal)
{
    return (struct loop *)(void *)nal; /* its first member */
}

static bool carries_payload(const struct wire_portals_header *header)
{
    return header->operation == WIRE_PORTALS_PUT || header->operation == WIRE_PORTALS_REPLY ||
           header->operation == WIRE_PORTALS_GETPUT;
}

static void set_phase(struct loop *loop, enum loop_phase phase)
{
    pthread_mutex_lock(&loop->lock);
    loop->phase = phase;
    if (phase == LOOP_IDLE) {
        pthread_cond_broadcast(&loop->idle);
    }
    pthread_mutex_unlock(&loop->lock);
}

/* Delivers one message. Called by the deliverer without the lock. */
static void deliver(struct loop *loop, const struct loop_message *message)
{
    struct nal_sink sink = {0};

    set_phase(loop, LOOP_DECIDING);
    loop->upcalls.arrive(loop->core, &message->header, &sink);
    set_phase(loop, LOOP_COPYING);
    if (sink.length && carries_payload(&message->header)) {
        uint64_t octets = sink.length < message->length ? sink.length : message->length;

        memmove(sink.start, message->payload, (size_t)octets);
    }
    set_phase(loop, LOOP_IDLE);
    if (sink.token) {
        loop->upcalls.landed(loop->core, sink.token, true);
    }
    if (message->cookie) {
        loop->upcalls.sent(loop->core, message->cookie, true);
    }
}

/* Delivers what is queued. Called with the lock by the thread that has become the deliverer; returns with it. */
static void deliver_queue(struct loop *loop)
{
    struct loop_message *message;

    while ((message = loop->first)) {
        loop->first = message->next;
        pthread_mutex_unlock(&loop->lock);
        deliver(loop, message);
        free(message);
        pthread_mutex_lock(&loop->lock);
    }
    loop->delivering = false;
    pthread_cond_broadcast(&loop->idle);
}

static bool is_for_self(const struct loop *loop, const struct wire_portals_header *header)
{
    return header->target.nid == loop->self.nid && header->target.pid == loop->self.pid;
}

/* Delivering is an upcall. */
static enum nal_status loop_send_now(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                     uint64_t length)
{
    (void)payload;
    (void)length;
    return is_for_self(loop_of(nal), header) ? NAL_NOT_NOW : NAL_NO_ROUTE;
}

static enum nal_status loop_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                 uint64_t length, void *cookie)
{
    struct loop *loop = loop_of(nal);
    struct loop_message *message;

    if (!is_for_self(loop, header)) {
        return NAL_NO_ROUTE;
    }
    message = malloc(sizeof(*message));
    if (!message) {
        return NAL_NO_MEMORY;
    }
    *message = (struct loop_message){.header = *header, .payload = payload, .length = length, .cookie = cookie};
    pthread_mutex_lock(&loop->lock);
    if (loop->ended) {
        pthread_mutex_unlock(&loop->lock);
        free(message);
        return NAL_NO_ROUTE;
    }
    if (loop->first) {
        loop->last->next = message;
    } else {
        loop->first = message;
    }
    loop->last = message;
    if (!loop->delivering) {
        loop->delivering = true;
        loop->deliverer = pthread_self();
        deliver_queue(loop);
    }
    pthread_mutex_unlock(&loop->lock);
    return NAL_OK;
}

static void loop_revoke(struct nal *nal, void *token)
{
    struct loop *loop = loop_of(nal);

    (void)token; /* copies are short: waiting for any of them is as good as for the right one */
    pthread_mutex_lock(&loop->lock);
    while (loop->phase != LOOP_IDLE && !pthread_equal(loop->deliverer, pthread_self())) {
        pthread_cond_wait(&loop->idle, &loop->lock);
    }
    pthread_mutex_unlock(&loop->lock);
}

static double loop_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    (void)nal;
    (void)peer; /* nobody else is here */
    return 0.0;
}

static void loop_end(struct nal *nal)
{
    struct loop *loop = loop_of(nal);

    /* All messages are delivered when the nal_send that became the deliverer returns. */
    pthread_mutex_lock(&loop->lock);
    loop->ended = true;
    while (loop->delivering) {
        pthread_cond_wait(&loop->idle, &loop->lock);
    }
    pthread_mutex_unlock(&loop->lock);
}

static void loop_close(struct nal *nal)
{
    struct loop *loop = loop_of(nal);

    loop_end(nal);
    pthread_cond_destroy(&loop->idle);
    pthread_mutex_destroy(&loop->lock);
    free(loop);
}

static const struct nal_ops loop_ops = {
    .name = "loop",
    .send = loop_send,
    .send_now = loop_send_now,
    .revoke = loop_revoke,
    .distance = loop_distance,
    .close = loop_close,
    .end = loop_end,
};

static enum nal_status loop_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                 struct nal **nal)
{
    struct loop *loop = calloc(1, sizeof(*loop));

    if (!loop) {
        return NAL_NO_MEMORY;
    }
    loop->nal.ops = &loop_ops;
    loop->upcalls = *upcalls;
    loop->core = core;
    loop->self = config->self;
    pthread_mutex_init(&loop->lock, NULL);
    pthread_cond_init(&loop->idle, NULL);
    *nal = &loop->nal;
    return NAL_OK;
}

const struct network loop_network = {
    .name = "loop",
    .about = "no network: the process reaches itself only, inside the calls",
    .reach = NETWORK_REACHES_SELF,
    .cost = 0,
    .mixes = true,
    .open = loop_open,
};
