/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The line between two processes of a test; see line.h.
 */
#include "tests/reliable/line.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 4096 };

/* One thing for the line's thread to do. */
struct errand {
    struct errand *next;
    enum { ERRAND_CARRY, ERRAND_GREET, ERRAND_BREAK, ERRAND_RELEASE } kind;
    int from;
    struct wire_portals_header header;
    const unsigned char *payload;
    uint64_t length;
    void *cookie;
};

/* The network below one process. */
struct end {
    struct nal nal;
    int side;
    struct nal_upcalls upcalls;
    void *core;
    bool open;
    struct errand *held;
};

struct line_side line_sides[LINE_SIDES];

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    struct errand *first, *last;
    struct end ends[LINE_SIDES];
    line_judge *judge;
    enum line_door door;
    unsigned carried[LINE_SIDES];
    unsigned acknowledges[LINE_SIDES];
    unsigned char seen[LINE_SIDES][NUMBERS];
    bool busy;
    bool stopping;
} line;

static void errand_add(const struct errand *what)
{
    struct errand *errand = malloc(sizeof *errand);

    if (!errand) {
        abort();
    }
    *errand = *what;
    errand->next = NULL;
    pthread_mutex_lock(&line.lock);
    if (line.last) {
        line.last->next = errand;
    } else {
        line.first = errand;
    }
    line.last = errand;
    pthread_cond_broadcast(&line.changed);
    pthread_mutex_unlock(&line.lock);
}

/* Stores the first `stored` octets, and says whether that was all. */
static void deliver(const struct errand *errand, uint64_t stored)
{
    struct end *to = &line.ends[!errand->from];
    struct nal_sink sink = {NULL, 0, NULL};

    pthread_mutex_lock(&line.lock);
    bool open = to->open;
    pthread_mutex_unlock(&line.lock);
    if (!open) {
        return;
    }
    to->upcalls.arrive(to->core, &errand->header, &sink);
    uint64_t count = sink.length < stored ? sink.length : stored;
    if (count > 0) {
        memcpy(sink.start, errand->payload, count);
    }
    if (sink.token) {
        to->upcalls.landed(to->core, sink.token, stored == errand->length);
    }
}

static void tell_both(enum network_peer_state state)
{
    for (int side = 0; side < LINE_SIDES; side++) {
        reliable_net_peer(line_sides[side].net, 0, &line_sides[!side].self, state);
    }
}

static enum line_deed judge(const struct errand *errand)
{
    const struct wire_portals_header *header = &errand->header;
    bool number = header->operation != WIRE_PORTALS_ACKNOWLEDGE;
    bool again = number && header->number < NUMBERS && line.seen[errand->from][header->number];

    if (number && header->number < NUMBERS) {
        line.seen[errand->from][header->number] = 1;
    }
    pthread_mutex_lock(&line.lock);
    unsigned nth = line.carried[errand->from]++;
    line.acknowledges[errand->from] += !number;
    pthread_mutex_unlock(&line.lock);
    return line.judge ? line.judge(errand->from, nth, header, again) : LINE_DELIVER;
}

static void tell_sent(const struct errand *errand, bool complete)
{
    struct end *end = &line.ends[errand->from];

    if (errand->cookie) {
        end->upcalls.sent(end->core, errand->cookie, complete);
    }
}

/* What is held back is a copy: the sender's memory may be gone by then. */
static struct errand *held_copy(const struct errand *errand)
{
    struct errand *held = malloc(sizeof *held + errand->length);

    if (!held) {
        abort();
    }
    *held = *errand;
    if (errand->length > 0) {
        memcpy(held + 1, errand->payload, errand->length);
    }
    held->payload = (const unsigned char *)(held + 1);
    return held;
}

static void carry(struct errand *errand)
{
    struct end *end = &line.ends[errand->from];
    struct errand *held = end->held;
    enum line_deed deed = judge(errand);

    if (deed == LINE_HOLD && !held) {
        end->held = held_copy(errand);
        tell_sent(errand, true);
        return;
    }
    if (deed == LINE_CUT) {
        deliver(errand, errand->length / 2);
        tell_sent(errand, false);
        tell_both(NETWORK_PEER_LOST);
        return;
    }
    for (int i = deed == LINE_DROP ? 2 : deed == LINE_DOUBLE ? 0 : 1; i < 2; i++) {
        deliver(errand, errand->length);
    }
    tell_sent(errand, true);
    if (held) {
        end->held = NULL;
        deliver(held, held->length);
        free(held);
    }
}

static void greet(int from)
{
    struct line_side *caller = &line_sides[from];
    const struct wire_portals_id *called = &line_sides[!from].self;

    switch (line.door) {
    case LINE_NUMBERED:
        tell_both(NETWORK_PEER_NUMBERED);
        break;
    case LINE_PLAIN:
        reliable_net_peer(caller->net, 0, called, NETWORK_PEER_PLAIN);
        break;
    case LINE_REFUSED:
        reliable_net_peer(caller->net, 0, called, NETWORK_PEER_REFUSED);
        break;
    case LINE_SILENT:
        reliable_net_peer(caller->net, 0, called, NETWORK_PEER_LOST);
        break;
    }
}

static void errand_run(struct errand *errand)
{
    switch (errand->kind) {
    case ERRAND_CARRY:
        carry(errand);
        break;
    case ERRAND_GREET:
        greet(errand->from);
        break;
    case ERRAND_BREAK:
        tell_both(NETWORK_PEER_LOST);
        break;
    case ERRAND_RELEASE: /* the end of a side: what it holds back goes nowhere */
        free(line.ends[errand->from].held);
        line.ends[errand->from].held = NULL;
        break;
    }
}

static void *line_run(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&line.lock);
    while (!line.stopping || line.first) {
        struct errand *errand = line.first;

        if (!errand) {
            line.busy = false;
            pthread_cond_broadcast(&line.changed);
            pthread_cond_wait(&line.changed, &line.lock);
            continue;
        }
        line.busy = true;
        line.first = errand->next;
        if (!line.first) {
            line.last = NULL;
        }
        pthread_mutex_unlock(&line.lock);
        errand_run(errand);
        free(errand);
        pthread_mutex_lock(&line.lock);
    }
    pthread_mutex_unlock(&line.lock);
    return NULL;
}

static enum nal_status end_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                uint64_t length, void *cookie)
{
    struct end *end = (struct end *)nal;

    errand_add(&(struct errand){.kind = ERRAND_CARRY,
                                .from = end->side,
                                .header = *header,
                                .payload = payload,
                                .length = length,
                                .cookie = cookie});
    return NAL_OK;
}

/* The thread stores all of a message at once, so that nothing is ever under way. */
static void end_revoke(struct nal *nal, void *token)
{
    (void)nal;
    (void)token;
    line_settle();
}

static double end_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    (void)nal;
    (void)peer;
    return 1.0;
}

static void end_close(struct nal *nal)
{
    struct end *end = (struct end *)nal;

    errand_add(&(struct errand){.kind = ERRAND_RELEASE, .from = end->side});
    line_settle();
    pthread_mutex_lock(&line.lock);
    end->open = false;
    pthread_mutex_unlock(&line.lock);
    line_settle();
}

static const struct nal_ops end_ops = {
    .name = "line",
    .send = end_send,
    .revoke = end_revoke,
    .distance = end_distance,
    .close = end_close,
};

static enum nal_status end_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                struct nal **nal)
{
    int side = (int)config->self.rid;
    struct end *end = &line.ends[side];

    pthread_mutex_lock(&line.lock);
    *end = (struct end){.nal = {&end_ops}, .side = side, .upcalls = *upcalls, .core = core, .open = true};
    pthread_mutex_unlock(&line.lock);
    *nal = &end->nal;
    return NAL_OK;
}

static enum nal_status end_greet(uint32_t interface, const struct wire_portals_id *target)
{
    (void)interface;
    errand_add(&(struct errand){.kind = ERRAND_GREET, .from = target->pid == line_sides[LINE_A].self.pid});
    return NAL_OK;
}

static const struct reliable_below below = {end_open, end_greet};

void line_begin(line_judge *judge_)
{
    memset(&line, 0, sizeof line);
    pthread_mutex_init(&line.lock, NULL);
    pthread_cond_init(&line.changed, NULL);
    line.judge = judge_;
    for (int side = 0; side < LINE_SIDES; side++) {
        struct line_side *place = &line_sides[side];

        place->self = (struct wire_portals_id){0x7f000001, 50001 + (uint32_t)side, 7, (uint32_t)side};
        recorder_begin(&place->core);
        place->net = reliable_net_new(&below, &place->self, LINE_SIDES);
        if (!place->net) {
            abort();
        }
    }
    if (pthread_create(&line.thread, NULL, line_run, NULL) != 0) {
        abort();
    }
    line_interface_open(LINE_A);
    line_interface_open(LINE_B);
}

void line_end(void)
{
    for (int side = 0; side < LINE_SIDES; side++) {
        if (line_sides[side].nal) {
            line_interface_close(side);
        }
    }
    for (int side = 0; side < LINE_SIDES; side++) {
        reliable_net_stop(line_sides[side].net);
    }
    pthread_mutex_lock(&line.lock);
    line.stopping = true;
    pthread_cond_broadcast(&line.changed);
    pthread_mutex_unlock(&line.lock);
    pthread_join(line.thread, NULL);
    for (int side = 0; side < LINE_SIDES; side++) {
        reliable_net_free(line_sides[side].net);
    }
}

void line_interface_open(int side)
{
    struct line_side *place = &line_sides[side];
    struct nal_config config = {0, place->self, LINE_SIDES};

    if (reliable_net_open(place->net, &config, &recorder_upcalls, &place->core, &place->nal) != NAL_OK) {
        abort();
    }
    place->core.nal = place->nal;
}

void line_interface_close(int side)
{
    nal_close(line_sides[side].nal);
    line_sides[side].nal = NULL;
}

void line_door_set(enum line_door door)
{
    pthread_mutex_lock(&line.lock);
    line.door = door;
    pthread_mutex_unlock(&line.lock);
}

unsigned line_count(int side, bool acknowledges)
{
    pthread_mutex_lock(&line.lock);
    unsigned count = line.carried[side] - (acknowledges ? 0 : line.acknowledges[side]);
    pthread_mutex_unlock(&line.lock);
    return count;
}

void line_break(void)
{
    errand_add(&(struct errand){.kind = ERRAND_BREAK});
}

void line_settle(void)
{
    pthread_mutex_lock(&line.lock);
    while (line.busy || line.first) {
        pthread_cond_wait(&line.changed, &line.lock);
    }
    pthread_mutex_unlock(&line.lock);
}

void line_restart(void)
{
    struct line_side *place = &line_sides[LINE_B];

    line_interface_close(LINE_B);
    reliable_net_stop(place->net);
    line_settle();
    pthread_mutex_lock(&line.lock);
    struct reliable_net *old = place->net;
    place->net = reliable_net_new(&below, &place->self, LINE_SIDES);
    pthread_mutex_unlock(&line.lock);
    reliable_net_free(old);
    recorder_begin(&place->core);
    line_interface_open(LINE_B);
}

void line_inject(int side, const struct wire_portals_header *header)
{
    struct end *end = &line.ends[side];
    struct nal_sink sink = {NULL, 0, NULL};

    end->upcalls.arrive(end->core, header, &sink);
    if (sink.token) {
        end->upcalls.landed(end->core, sink.token, true);
    }
}

enum nal_status line_put(uint64_t *match_bits, const void *payload, uint64_t length)
{
    struct wire_portals_header put = {.operation = WIRE_PORTALS_PUT,
                                      .initiator = line_sides[LINE_A].self,
                                      .target = line_sides[LINE_B].self,
                                      .match_bits = *match_bits,
                                      .md = 1,
                                      .rlength = length};

    return nal_send(line_sides[LINE_A].nal, &put, payload, length, match_bits);
}
