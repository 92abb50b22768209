/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The scripted network: see script.h.
 */
#include "tests/refimpl/script.h"

#include "ref-impl/core/ni_open.h"
#include <stdio.h>
#include <stdlib.h>

const struct wire_portals_id script_self = {.nid = 0x7f000001, .pid = 5001, .gid = 9, .rid = 1};
const struct wire_portals_id script_first = {.nid = 0x7f000001, .pid = 5000, .gid = 9, .rid = 0};
const struct wire_portals_id script_last = {.nid = 0x7f000001, .pid = 5002, .gid = 9, .rid = 2};
const struct wire_portals_id script_outsider = {.nid = 0x7f000001, .pid = 6000, .gid = 10, .rid = 0};

struct script_message script_sent[SCRIPT_SENT_MAX];
unsigned script_sent_count;
enum nal_status script_refusal;
void *script_revoked[SCRIPT_SENT_MAX];
unsigned script_revoked_count;

static struct nal script_nal;
static struct nal_upcalls script_upcalls;
static void *script_core;
static pthread_mutex_t script_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t script_changed = PTHREAD_COND_INITIALIZER;

static enum nal_status script_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                   uint64_t length, void *cookie)
{
    (void)nal;
    if (script_refusal != NAL_OK) {
        return script_refusal;
    }
    pthread_mutex_lock(&script_lock);
    if (script_sent_count == SCRIPT_SENT_MAX) {
        printf("Bail out! the script is too long\n");
        exit(2);
    }
    script_sent[script_sent_count++] = (struct script_message){*header, payload, length, cookie};
    pthread_cond_broadcast(&script_changed);
    pthread_mutex_unlock(&script_lock);
    return NAL_OK;
}

static void script_revoke(struct nal *nal, void *token)
{
    (void)nal;
    script_revoked[script_revoked_count++] = token;
    script_upcalls.landed(script_core, token, false);
}

static double script_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    (void)nal;
    return peer->rid;
}

static void script_close(struct nal *nal)
{
    (void)nal;
}

static const struct nal_ops script_ops = {
    .name = "script",
    .send = script_send,
    .revoke = script_revoke,
    .distance = script_distance,
    .close = script_close,
};

enum nal_status nal_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                         struct nal **nal)
{
    (void)config;
    script_nal.ops = &script_ops;
    script_upcalls = *upcalls;
    script_core = core;
    *nal = &script_nal;
    return NAL_OK;
}

static bool member(uint32_t gid, uint32_t rid, struct wire_portals_id *id)
{
    const struct wire_portals_id *members[] = {&script_first, &script_self, &script_last};

    if (gid != script_self.gid || rid > 2) {
        return false;
    }
    *id = *members[rid];
    return true;
}

uint64_t script_open(const struct policy *policy)
{
    struct ni_config config = {
        .policy = policy, .portals = 4, .accesses = 4, .self = script_self, .group_size = 3, .member = member};
    uint64_t ni;

    script_sent_count = script_revoked_count = 0;
    script_refusal = NAL_OK;
    if (ni_open(0, &config, &ni) != CORE_OK) {
        printf("Bail out! ni_open\n");
        exit(2);
    }
    return ni;
}

void script_wait_sent(unsigned count)
{
    pthread_mutex_lock(&script_lock);
    while (script_sent_count < count) {
        pthread_cond_wait(&script_changed, &script_lock);
    }
    pthread_mutex_unlock(&script_lock);
}

struct wire_portals_header script_request(const struct wire_portals_id *from, uint32_t operation, uint64_t length)
{
    return (struct wire_portals_header){
        .operation = operation, .initiator = *from, .target = script_self, .md = 42, .rlength = length};
}

struct nal_sink script_arrive(const struct wire_portals_header *header)
{
    struct nal_sink sink = {0};

    script_upcalls.arrive(script_core, header, &sink);
    return sink;
}

void script_landed(void *token, bool complete)
{
    script_upcalls.landed(script_core, token, complete);
}

void script_left(void *cookie, bool complete)
{
    script_upcalls.sent(script_core, cookie, complete);
}

int64_t script_drops(uint64_t ni)
{
    int64_t count = -1;

    if (ni_dropped(ni, &count) != CORE_OK) {
        printf("Bail out! ni_dropped\n");
        exit(2);
    }
    return count;
}
