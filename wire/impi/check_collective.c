/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of collective operations (wire/impi/check_collective.h). Inside a Barrier of the world a master sends
 * nothing more to its parent: that is judged here, since both directions are of one channel.
 */
#include "wire/impi/check_collective.h"

#include "wire/impi/check_communicator.h"
#include "wire/impi/check_group.h"
#include "wire/impi/check_job.h"

#include <stddef.h>

/* Tags of collective contexts. */
static const struct {
    int32_t tag;
    const char *name;
} names[] = {
    {WIRE_IMPI_TAG_BARRIER, "Barrier"},   {WIRE_IMPI_TAG_BCAST, "Bcast"},
    {WIRE_IMPI_TAG_GATHER, "Gather"},     {140, "Gatherv"},
    {WIRE_IMPI_TAG_SCATTER, "Scatter"},   {160, "Scatterv"},
    {WIRE_IMPI_TAG_ALLTOALL, "Alltoall"}, {180, "Alltoallv"},
    {WIRE_IMPI_TAG_REDUCE, "Reduce"},     {WIRE_IMPI_TAG_SCAN, "Scan"},
};

const char *wire_impi_collective_name(int32_t tag)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].tag == tag) {
            return names[i].name;
        }
    }
    return NULL;
}

void wire_impi_collectives_begin(struct wire_impi_collectives *all, const struct wire_impi_job *job)
{
    *all = (struct wire_impi_collectives){.job = job, .world = {.job = job}};
}

void wire_impi_collectives_settle(const struct wire_impi_collectives *all, struct wire_impi_step *step)
{
    const struct wire_impi_kept *at = step->kept ? &all->kept[step->kept - 1] : NULL;

    if (at && at->judged) {
        step->group = at->group;
        step->number = at->number;
        step->root = at->root;
    }
}

/* ---- the job ---- */

/* Masters, once the job is whole: of each client with processes the one of lowest rank. */
static bool learn(struct wire_impi_collectives *all)
{
    const struct wire_impi_job *job = all->job;
    struct wire_impi_group *world = &all->world;

    if (all->known || !job->whole || job->size > WIRE_IMPI_CLIENTS_MAX) {
        return all->known;
    }
    //= IMPI-183
    for (int32_t client = 0; client < job->size; client++) {
        if (job->clients[client].nprocs) {
            world->members[client] = job->clients[client].nprocs;
            world->number[client] = world->masters;
            world->ranks[world->masters++] = job->clients[client].first_process;
        }
    }
    wire_impi_group_ready(world);
    all->known = world->masters > 1;
    return all->known;
}

/* The master whose host this is; false: the master of its client is at another one. */
static bool master_at(const struct wire_impi_collectives *all, int64_t host, uint32_t *master)
{
    const struct wire_impi_job *job = all->job;

    if (host < 0 || host >= (int64_t)job->hosts || !job->clients[job->tables.hosts[host].client].nprocs) {
        return false;
    }
    *master = all->world.number[job->tables.hosts[host].client];
    return job->tables.processes[all->world.ranks[*master]].host == host;
}

void wire_impi_collectives_link(struct wire_impi_channel *channel)
{
    struct wire_impi_collectives *all = channel->collectives;
    uint32_t one, other;

    if (!all || !learn(all)) {
        return;
    }
    all->links++;
    if (master_at(all, channel->hosts[WIRE_IMPI_CONNECTOR], &one) &&
        master_at(all, channel->hosts[WIRE_IMPI_ACCEPTOR], &other)) {
        all->world.linked[one] |= UINT32_C(1) << other;
        all->world.linked[other] |= UINT32_C(1) << one;
    }
}

void wire_impi_collectives_missed(struct wire_impi_channel *channel)
{
    if (channel->collectives) {
        channel->collectives->missed = true;
    }
}

/* ---- messages ---- */

/* A message from a master that is inside a Barrier to its parent; or the FINI of its host. */
static void judge_inside(struct wire_impi_channel *channel, uint32_t from, uint32_t to, const char *what)
{
    struct wire_impi_collectives *all = channel->collectives;

    //= IMPI-211
    if (from > to && all->world.entered[from] > all->world.answered[from] && all->world.parent[from] == to) {
        struct wire_impi_finding *finding = wire_impi_report(&channel->findings, WIRE_IMPI_BARRIER_LEFT);

        finding->field = what;
        finding->related = all->world.mark[from];
        all->world.answered[from] = all->world.entered[from];
    }
}

void wire_impi_collectives_message(struct wire_impi_channel *channel, const struct wire_impi_packet *packet,
                                   bool misplaced, uint64_t mark)
{
    struct wire_impi_collectives *all = channel->collectives;
    const char *name = wire_impi_collective_name(packet->tag);
    struct wire_impi_edge edge = {.mark = mark};

    if (!all || !learn(all) || !name || (packet->cid % 2 == 0 && !misplaced)) {
        return;
    }
    edge.src = wire_impi_job_process_of(all->job, &packet->src);
    edge.dest = wire_impi_job_process_of(all->job, &packet->dest);
    if (edge.src < 0 || edge.dest < 0 ||
        wire_impi_group_client(all->job, edge.src) == wire_impi_group_client(all->job, edge.dest)) {
        return;
    }
    all->step = (struct wire_impi_step){.operation = name,
                                        .phase = "",
                                        .from = edge.src,
                                        .to = edge.dest,
                                        .root = -1,
                                        .octets = packet->msglen,
                                        .cid = packet->cid | 1,
                                        .misplaced = misplaced};
    if (packet->cid > WIRE_IMPI_CID_WORLD) {
        wire_impi_communicator_message(channel, packet, &edge);
        return;
    }
    edge.places[0] = edge.src;
    edge.places[1] = edge.dest;
    edge.from = all->world.number[wire_impi_group_client(all->job, edge.src)];
    edge.to = all->world.number[wire_impi_group_client(all->job, edge.dest)];
    if (wire_impi_group_has_master(&all->world, edge.src) && wire_impi_group_has_master(&all->world, edge.dest)) {
        judge_inside(channel, edge.from, edge.to, name);
    }
    wire_impi_group_message(channel, &all->world, packet->tag, &edge);
}

/* ---- the end ---- */

/* Channels that a job has: one for any two hosts of different clients. */
static uint32_t channels_of(const struct wire_impi_job *job)
{
    uint32_t count = 0;

    for (uint32_t host = 0; host < job->hosts; host++) {
        for (uint32_t other = 0; other < host; other++) {
            count += job->tables.hosts[host].client != job->tables.hosts[other].client;
        }
    }
    return count;
}

void wire_impi_collectives_fini(struct wire_impi_channel *channel, enum wire_impi_side side)
{
    struct wire_impi_collectives *all = channel->collectives;
    uint32_t from, to;

    if (!all || !learn(all)) {
        return;
    }
    if (master_at(all, channel->hosts[side], &from) && master_at(all, channel->hosts[!side], &to)) {
        judge_inside(channel, from, to, "FINI");
    }
    wire_impi_communicator_fini(channel, side);
    if (++all->finis == 2 * all->links && all->links == channels_of(all->job) && !all->missed) {
        wire_impi_group_rest(channel, &all->world);
        wire_impi_communicator_rest(channel);
    }
}
