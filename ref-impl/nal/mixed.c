/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A network over networks; see mixed.h. The parts stand in the order of their costs, and a message is offered to one
 * after the other until one takes it:
 *
 *      nal_send --> loop: is it for ourselves? --no--> shm: is the peer on our node? --no--> tcp
 *
 * Order (P30-002): a part that says NAL_NO_ROUTE of a peer always says it, and one that has taken a message for a peer
 * never does (nal.h). So a peer is reached over one part, from its first message on. Upcalls come from each part's own
 * threads; messages from one peer come over one of them.
 *
 * Driving (drive.h): callers drive the cheapest part that can be driven; the others go on by their own threads, which
 * wake the caller.
 *
 * Closing: an upcall of one part may send over another one, so all of them end before any is freed.
 */
#include "ref-impl/nal/mixed.h"

#include "ref-impl/nal/networks.h"

#include <stdlib.h>

struct mixed {
    struct nal nal;
    size_t count;
    struct nal *parts[NETWORKS_MAX]; /* by ascending cost */
    struct nal *widest;              /* the one that reaches most */
    struct nal *driven;              /* the cheapest that callers can drive; the others have their own threads */
};

static enum nal_status mixed_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                  uint64_t length, void *cookie)
{
    struct mixed *mixed = (struct mixed *)nal;
    enum nal_status status = NAL_NO_ROUTE;

    for (size_t i = 0; status == NAL_NO_ROUTE && i < mixed->count; i++) {
        status = nal_send(mixed->parts[i], header, payload, length, cookie);
    }
    return status;
}

static enum nal_status mixed_send_now(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                      uint64_t length)
{
    struct mixed *mixed = (struct mixed *)nal;
    enum nal_status status = NAL_NO_ROUTE;

    for (size_t i = 0; status == NAL_NO_ROUTE && i < mixed->count; i++) {
        status = nal_send_now(mixed->parts[i], header, payload, length);
    }
    return status;
}

static void mixed_revoke(struct nal *nal, void *token)
{
    struct mixed *mixed = (struct mixed *)nal;

    for (size_t i = 0; i < mixed->count; i++) {
        nal_revoke(mixed->parts[i], token);
    }
}

/* Which way a message takes is no business of the application's: the part that reaches most knows all distances. */
static double mixed_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    return nal_distance(((struct mixed *)nal)->widest, peer);
}

/* Ends and frees the parts. */
static void parts_close(struct mixed *mixed)
{
    for (size_t i = 0; i < mixed->count; i++) {
        nal_end(mixed->parts[i]);
    }
    for (size_t i = 0; i < mixed->count; i++) {
        nal_close(mixed->parts[i]);
    }
}

static void mixed_close(struct nal *nal)
{
    struct mixed *mixed = (struct mixed *)nal;

    parts_close(mixed);
    free(mixed);
}

static bool mixed_drive_take(struct nal *nal)
{
    return nal_drive_take(((struct mixed *)nal)->driven);
}

static bool mixed_drive_claim(struct nal *nal)
{
    return nal_drive_claim(((struct mixed *)nal)->driven);
}

static void mixed_drive_rely(struct nal *nal)
{
    nal_drive_rely(((struct mixed *)nal)->driven);
}

static bool mixed_drive_due(struct nal *nal)
{
    return nal_drive_due(((struct mixed *)nal)->driven);
}

static void mixed_drive(struct nal *nal, bool wait)
{
    nal_drive(((struct mixed *)nal)->driven, wait);
}

static void mixed_drive_give(struct nal *nal)
{
    nal_drive_give(((struct mixed *)nal)->driven);
}

static void mixed_drive_wake(struct nal *nal)
{
    nal_drive_wake(((struct mixed *)nal)->driven);
}

static const struct nal_driving mixed_driving = {
    .take = mixed_drive_take,
    .claim = mixed_drive_claim,
    .rely = mixed_drive_rely,
    .due = mixed_drive_due,
    .run = mixed_drive,
    .give = mixed_drive_give,
    .wake = mixed_drive_wake,
};

static const struct nal_ops mixed_ops = {
    .name = "mixed",
    .send = mixed_send,
    .send_now = mixed_send_now,
    .revoke = mixed_revoke,
    .distance = mixed_distance,
    .close = mixed_close,
};

static const struct nal_ops mixed_ops_driven = {
    .name = "mixed",
    .send = mixed_send,
    .send_now = mixed_send_now,
    .revoke = mixed_revoke,
    .distance = mixed_distance,
    .close = mixed_close,
    .driving = &mixed_driving,
};

static int cost_compare(const void *left, const void *right)
{
    const struct network *a = *(const struct network *const *)left;
    const struct network *b = *(const struct network *const *)right;

    return a->cost == b->cost ? 0 : a->cost < b->cost ? -1 : 1;
}

enum nal_status mixed_open(const struct network *const *networks, size_t count, const struct nal_config *config,
                           const struct nal_upcalls *upcalls, void *core, struct nal **nal)
{
    const struct network *by_cost[NETWORKS_MAX];
    enum network_reach reach = NETWORK_REACHES_SELF;
    enum nal_status status = NAL_OK;

    if (count == 1) {
        return networks[0]->open(config, upcalls, core, nal);
    }
    struct mixed *mixed = calloc(1, sizeof *mixed);
    if (!mixed) {
        return NAL_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        by_cost[i] = networks[i];
    }
    qsort(by_cost, count, sizeof(const struct network *), cost_compare);
    mixed->nal.ops = &mixed_ops;
    for (size_t i = 0; status == NAL_OK && i < count; i++) {
        status = by_cost[i]->open(config, upcalls, core, &mixed->parts[i]);
        mixed->count += status == NAL_OK;
        if (status == NAL_OK && by_cost[i]->reach >= reach) {
            reach = by_cost[i]->reach;
            mixed->widest = mixed->parts[i];
        }
        if (status == NAL_OK && !mixed->driven && mixed->parts[i]->ops->driving) {
            mixed->driven = mixed->parts[i];
            mixed->nal.ops = &mixed_ops_driven;
        }
    }
    if (status != NAL_OK) {
        mixed_close(&mixed->nal);
        return status;
    }
    *nal = &mixed->nal;
    return NAL_OK;
}
