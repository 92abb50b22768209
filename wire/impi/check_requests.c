/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The memory of the channel checker (wire/impi/check_requests.h) in the caller's two arrays. Pairs stand where their
 * digest says or a few places behind it, and stay. Requests stand in a ring: a new one takes the next place whose
 * message is settled. They are chained by source and srqid; the heads of the chains stand in the same array.
 */
#include "wire/impi/check_requests.h"

#include "wire/impi/check_job.h"
#include "wire/impi/check_own.h"

#include <string.h>

enum { PROBES_MAX = 64, CHAIN_MAX = 512 };

static uint64_t digest_of(uint64_t digest, const struct wire_impi_process *process)
{
    digest = wire_impi_digest(digest, process->host, sizeof process->host);
    return wire_impi_digest(digest, (const unsigned char *)&process->pid, sizeof process->pid);
}

/* A process of the host that sends or receives? Nobody knows without a job. */
static bool is_outsider(const struct wire_impi_channel *channel, int64_t rank, enum wire_impi_side side)
{
    const struct wire_impi_job *job = channel->job;

    if (!job || !job->whole) {
        return false;
    }
    return rank < 0 || (channel->hosts[side] >= 0 && job->tables.processes[rank].host != channel->hosts[side]);
}

static void make_pair(const struct wire_impi_channel *channel, struct wire_impi_pair *pair, enum wire_impi_side side,
                      const struct wire_impi_process *src, const struct wire_impi_process *dest)
{
    bool known = channel->job && channel->job->whole;

    *pair = (struct wire_impi_pair){.used = true,
                                    .side = side,
                                    .src = *src,
                                    .dest = *dest,
                                    .src_digest = digest_of(WIRE_IMPI_DIGEST, src),
                                    .rank = -1};
    if (known) {
        pair->rank = wire_impi_job_process_of(channel->job, src);
        pair->bad_source = is_outsider(channel, pair->rank, side);
        pair->bad_dest = is_outsider(channel, wire_impi_job_process_of(channel->job, dest),
                                     side == WIRE_IMPI_CONNECTOR ? WIRE_IMPI_ACCEPTOR : WIRE_IMPI_CONNECTOR);
    }
}

static bool is_pair(const struct wire_impi_pair *pair, enum wire_impi_side side, const struct wire_impi_process *src,
                    const struct wire_impi_process *dest)
{
    return pair->side == side && wire_impi_process_same(&pair->src, src) && wire_impi_process_same(&pair->dest, dest);
}

static struct wire_impi_pair *pair_find(struct wire_impi_channel *channel, enum wire_impi_side side,
                                        const struct wire_impi_process *src, const struct wire_impi_process *dest)
{
    uint64_t digest = digest_of(digest_of(WIRE_IMPI_DIGEST + side, src), dest);
    uint32_t count = channel->tables.pair_count;

    for (uint32_t i = 0; i < PROBES_MAX && i < count; i++) {
        struct wire_impi_pair *pair = &channel->tables.pairs[(digest + i) % count];

        if (!pair->used) {
            make_pair(channel, pair, side, src, dest);
            return pair;
        }
        if (is_pair(pair, side, src, dest)) {
            return pair;
        }
    }
    channel->forgotten++;
    return NULL;
}

struct wire_impi_pair *wire_impi_pair_of(struct wire_impi_channel *channel, enum wire_impi_side side,
                                         const struct wire_impi_process *src, const struct wire_impi_process *dest)
{
    struct wire_impi_pair **latest = &channel->latest[side];

    if (!*latest || !is_pair(*latest, side, src, dest)) {
        *latest = pair_find(channel, side, src, dest);
    }
    return *latest;
}

/* The head of the chain to which the requests of a source with this srqid belong. */
static uint32_t *chain_of(const struct wire_impi_channel *channel, const struct wire_impi_pair *pair, uint64_t srqid)
{
    uint64_t digest = wire_impi_digest(pair->src_digest, (const unsigned char *)&srqid, sizeof srqid);

    return &channel->tables.requests[digest % channel->tables.request_count].bucket_first;
}

static struct wire_impi_request *at(const struct wire_impi_channel *channel, uint32_t index)
{
    return index ? &channel->tables.requests[index - 1] : NULL;
}

/* The latest request in the chain of this srqid, as far as one message may look; who gives up there can no longer tell
 * what has been said. */
static struct wire_impi_request *begin_chain(const struct wire_impi_channel *channel, const struct wire_impi_pair *pair,
                                             uint64_t srqid)
{
    return channel->tables.request_count ? at(channel, *chain_of(channel, pair, srqid)) : NULL;
}

static struct wire_impi_request *go_on(struct wire_impi_channel *channel, const struct wire_impi_request *request,
                                       int *looked)
{
    if (request->next && ++*looked == CHAIN_MAX) {
        channel->forgotten++;
        return NULL;
    }
    return at(channel, request->next);
}

struct wire_impi_request *wire_impi_request_find(struct wire_impi_channel *channel, const struct wire_impi_pair *pair,
                                                 uint64_t srqid)
{
    struct wire_impi_request *request = begin_chain(channel, pair, srqid);
    uint32_t index = (uint32_t)(pair - channel->tables.pairs);
    int looked = 0;

    while (request && (request->pair != index || request->srqid != srqid)) {
        request = go_on(channel, request, &looked);
    }
    return request;
}

struct wire_impi_request *wire_impi_request_awaiting(struct wire_impi_channel *channel,
                                                     const struct wire_impi_pair *pair, uint64_t srqid)
{
    struct wire_impi_request *found = wire_impi_request_find(channel, pair, srqid);
    uint32_t index = (uint32_t)(pair - channel->tables.pairs);
    int looked = 0;

    for (struct wire_impi_request *request = found; request; request = go_on(channel, request, &looked)) {
        bool waits = request->state == WIRE_IMPI_WAITING || request->state == WIRE_IMPI_UNSURE;

        if (waits && request->pair == index && request->srqid == srqid) {
            found = request;
        }
    }
    return found;
}

uint64_t wire_impi_request_waits(struct wire_impi_channel *channel, const struct wire_impi_pair *pair, uint64_t srqid)
{
    int looked = 0;

    for (struct wire_impi_request *request = begin_chain(channel, pair, srqid); request;
         request = go_on(channel, request, &looked)) {
        const struct wire_impi_pair *other = &channel->tables.pairs[request->pair];

        if (request->state == WIRE_IMPI_WAITING && request->srqid == srqid && other->side == pair->side &&
            wire_impi_process_same(&other->src, &pair->src)) {
            return request->mark;
        }
    }
    return 0;
}

void wire_impi_request_drop(struct wire_impi_channel *channel, struct wire_impi_request *request)
{
    const struct wire_impi_pair *pair = &channel->tables.pairs[request->pair];
    struct wire_impi_request *next = at(channel, request->next);
    struct wire_impi_request *previous = at(channel, request->previous);

    if (previous) {
        previous->next = request->next;
    } else {
        *chain_of(channel, pair, request->srqid) = request->next;
    }
    if (next) {
        next->previous = request->previous;
    }
    request->state = WIRE_IMPI_FREE;
}

static bool may_go(const struct wire_impi_request *request)
{
    return request->state == WIRE_IMPI_FREE ||
           (request->cancels == 0 && (request->state == WIRE_IMPI_SETTLED || request->state == WIRE_IMPI_DESTROYED ||
                                      request->state == WIRE_IMPI_OTHER || request->state == WIRE_IMPI_UNSURE));
}

struct wire_impi_request *wire_impi_request_make(struct wire_impi_channel *channel, const struct wire_impi_pair *pair,
                                                 uint64_t srqid)
{
    uint32_t count = channel->tables.request_count;
    struct wire_impi_request *request = NULL;
    uint32_t *chain;
    uint32_t index, first, head;

    if (count == 0) {
        channel->forgotten++;
        return NULL;
    }
    for (uint32_t i = 0; i < PROBES_MAX && !(request && may_go(request)); i++) {
        request = &channel->tables.requests[channel->turn];
        channel->turn = (channel->turn + 1) % count;
    }
    channel->forgotten += !may_go(request);
    if (request->state != WIRE_IMPI_FREE) {
        wire_impi_request_drop(channel, request);
    }
    chain = chain_of(channel, pair, srqid);
    index = (uint32_t)(request - channel->tables.requests) + 1;
    first = *chain;
    head = request->bucket_first; /* of another chain: it stays where it is */
    *request = (struct wire_impi_request){
        .pair = (uint32_t)(pair - channel->tables.pairs), .srqid = srqid, .next = first, .bucket_first = head};
    if (first) {
        at(channel, first)->previous = index;
    }
    *chain = index;
    return request;
}
