/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations on other communicators (wire/impi/check_communicator.h).
 *
 * An intercommunicator has two groups whose ranks both begin with 0, and no masters. It is told by two processes of the
 * same rank, or by a Barrier that the lower rank of two begins; what might be one is not judged.
 */
#include "wire/impi/check_communicator.h"

#include <stddef.h>

#define NONE UINT32_MAX

/* Ranks of a member that has not sent, or that says different ones. */
enum { UNKNOWN = -1, SEVERAL = -2 };

/* ---- edges ---- */

/* The edge's counter; NULL where it is not kept. */
static struct wire_impi_counted *counted(struct wire_impi_collectives *all, uint64_t cid, int32_t tag, int64_t src,
                                         int64_t dest)
{
    for (uint32_t i = 0; i < all->counted_count; i++) {
        struct wire_impi_counted *at = &all->counted[i];

        if (at->cid == cid && at->tag == tag && at->src == src && at->dest == dest) {
            return at;
        }
    }
    return NULL;
}

static struct wire_impi_counted *count(struct wire_impi_collectives *all, const struct wire_impi_packet *packet,
                                       const struct wire_impi_edge *edge)
{
    struct wire_impi_counted *at = counted(all, packet->cid, packet->tag, edge->src, edge->dest);

    all->counted_left_out = all->counted_left_out || (!at && all->counted_count == WIRE_IMPI_COUNTED);
    if (!at && all->counted_count < WIRE_IMPI_COUNTED) {
        at = &all->counted[all->counted_count++];
        *at = (struct wire_impi_counted){.cid = packet->cid, .tag = packet->tag, .src = edge->src, .dest = edge->dest};
    }
    if (at) {
        at->lsrank = packet->lsrank;
        at->mark = edge->mark;
        at->times++;
    }
    return at;
}

/* Of two masters the one of the higher rank in the communicator enters, and the other one answers; of two whose second
 * has not spoken yet, the first enters. */
static const char *phase_of_barrier(struct wire_impi_collectives *all, const struct wire_impi_packet *packet,
                                    const struct wire_impi_edge *edge)
{
    const struct wire_impi_counted *back = counted(all, packet->cid, packet->tag, edge->dest, edge->src);

    return !back || packet->lsrank > back->lsrank ? "enters" : "is answered";
}

/* ---- who goes on too early ---- */

/* A process that is inside a Barrier sends more, or its host ends. The one of the lower rank is not inside: it
 * answers. */
static void judge_left(struct wire_impi_channel *channel, struct wire_impi_counted *entered, const char *what)
{
    const struct wire_impi_counted *back =
        counted(channel->collectives, entered->cid, WIRE_IMPI_TAG_BARRIER, entered->dest, entered->src);
    struct wire_impi_finding *finding;

    //= IMPI-211
    if (back && back->lsrank < entered->lsrank && entered->times > back->times + entered->excused) {
        finding = wire_impi_report(&channel->findings, WIRE_IMPI_BARRIER_LEFT);
        finding->field = what;
        finding->related = entered->mark;
        entered->excused = entered->times - back->times;
    }
}

void wire_impi_communicator_fini(struct wire_impi_channel *channel, enum wire_impi_side side)
{
    struct wire_impi_collectives *all = channel->collectives;

    for (uint32_t i = 0; i < all->counted_count; i++) {
        struct wire_impi_counted *at = &all->counted[i];

        if (at->tag == WIRE_IMPI_TAG_BARRIER && all->job->tables.processes[at->src].host == channel->hosts[side] &&
            all->job->tables.processes[at->dest].host == channel->hosts[!side]) {
            judge_left(channel, at, "FINI");
        }
    }
}

/* ---- members ---- */

/* The member that stands for all that are known to be of its communicator. */
static uint32_t first_of(const struct wire_impi_collectives *all, uint32_t member)
{
    while (all->members[member].with != member) {
        member = all->members[member].with;
    }
    return member;
}

/* The place of the member; NONE where there are too many. */
static uint32_t member_of(struct wire_impi_collectives *all, uint64_t cid, int64_t rank)
{
    for (uint32_t i = 0; i < all->member_count; i++) {
        if (all->members[i].cid == cid && all->members[i].rank == rank) {
            return i;
        }
    }
    if (all->member_count == WIRE_IMPI_MEMBERS) {
        all->members_left_out = true;
        return NONE;
    }
    all->members[all->member_count] = (struct wire_impi_member){cid, rank, UNKNOWN, all->member_count};
    return all->member_count++;
}

static void unite(struct wire_impi_collectives *all, uint32_t one, uint32_t other)
{
    all->members[one > other ? one : other].with = one < other ? one : other;
}

static void keep(struct wire_impi_collectives *all, const struct wire_impi_packet *packet,
                 const struct wire_impi_edge *edge)
{
    uint32_t src = member_of(all, packet->cid, edge->src), dest = member_of(all, packet->cid, edge->dest);

    if (src == NONE || dest == NONE) {
        return;
    }
    if (all->members[src].lsrank != packet->lsrank) {
        all->members[src].lsrank = all->members[src].lsrank == UNKNOWN ? packet->lsrank : SEVERAL;
    }
    unite(all, first_of(all, src), first_of(all, dest));
    if (all->kept_count == WIRE_IMPI_KEPT) {
        all->kept_left_out = true;
        return;
    }
    all->step.kept = all->kept_count + 1;
    all->kept[all->kept_count++] = (struct wire_impi_kept){.mark = edge->mark,
                                                           .tag = packet->tag,
                                                           .src = (uint16_t)src,
                                                           .dest = (uint16_t)dest,
                                                           .has_data = packet->msglen > 0};
}

void wire_impi_communicator_message(struct wire_impi_channel *channel, const struct wire_impi_packet *packet,
                                    const struct wire_impi_edge *edge)
{
    struct wire_impi_collectives *all = channel->collectives;
    struct wire_impi_counted *inside, *at;

    inside = counted(all, packet->cid, WIRE_IMPI_TAG_BARRIER, edge->src, edge->dest);
    if (inside) {
        judge_left(channel, inside, all->step.operation);
    }
    if (!all->step.misplaced) {
        keep(all, packet, edge);
    }
    switch (packet->tag) {
    case WIRE_IMPI_TAG_BARRIER:
    case WIRE_IMPI_TAG_SCAN:
        at = count(all, packet, edge);
        all->step.number = at ? at->times : 0;
        all->step.phase = packet->tag == WIRE_IMPI_TAG_SCAN ? "on" : phase_of_barrier(all, packet, edge);
        break;
    case WIRE_IMPI_TAG_BCAST:
        all->step.phase = "down";
        break;
    case WIRE_IMPI_TAG_REDUCE:
        all->step.phase = "up";
        break;
    default:
        break;
    }
}

/* ---- the communicators, when the job ends ---- */

/* Takes the members in, of each client that of the lowest rank as its master. False: the ranks contradict each
 * other. */
static bool fill(const struct wire_impi_collectives *all, uint32_t first, struct wire_impi_group *group,
                 int32_t *lowest)
{
    for (uint32_t i = 0; i < all->member_count; i++) {
        const struct wire_impi_member *member = &all->members[i];
        uint32_t client = wire_impi_group_client(all->job, member->rank);

        if (first_of(all, i) != first) {
            continue;
        }
        if (member->lsrank < UNKNOWN) {
            return false;
        }
        group->members[client]++;
        for (uint32_t other = 0; other < i && member->lsrank >= 0; other++) {
            if (first_of(all, other) == first && all->members[other].lsrank == member->lsrank) {
                return false;
            }
        }
        if (member->lsrank >= 0 && (lowest[client] < 0 || member->lsrank < lowest[client])) {
            lowest[client] = member->lsrank;
            group->number[client] = i; /* the place among the members, until masters are numbered */
        }
    }
    return true;
}

/* Numbers the masters by their ranks in the communicator. False: of a client only receivers are known. */
static bool number_masters(const struct wire_impi_collectives *all, struct wire_impi_group *group,
                           const int32_t *lowest)
{
    for (int32_t client = 0; client < all->job->size; client++) {
        if (group->members[client] && lowest[client] < 0) {
            return false;
        }
    }
    for (int32_t client = 0; client < all->job->size; client++) {
        uint32_t number = 0;

        for (int32_t other = 0; other < all->job->size && group->members[client]; other++) {
            number += group->members[other] && lowest[other] < lowest[client];
        }
        if (group->members[client]) {
            group->ranks[number] = all->members[group->number[client]].rank;
            group->number[client] = number;
            group->linked[number] = UINT32_MAX;
            group->masters++;
        }
    }
    return group->masters > 1;
}

/* Whether its Barriers tell that it has one group of processes, whose masters they are. */
static bool is_proven(const struct wire_impi_collectives *all, uint32_t first, const struct wire_impi_group *group)
{
    uint32_t speak = 0;

    for (uint32_t i = 0; i < all->kept_count; i++) {
        const struct wire_impi_kept *at = &all->kept[i];
        const struct wire_impi_member *src = &all->members[at->src], *dest = &all->members[at->dest];
        bool begins = true;

        if (at->tag != WIRE_IMPI_TAG_BARRIER || first_of(all, at->src) != first) {
            continue;
        }
        for (uint32_t j = 0; j < i; j++) {
            begins = begins &&
                     !(all->kept[j].tag == at->tag && all->kept[j].src == at->dest && all->kept[j].dest == at->src);
        }
        if (begins && dest->lsrank >= 0 && src->lsrank < dest->lsrank) {
            return false;
        }
        speak |= UINT32_C(1) << group->number[wire_impi_group_client(all->job, src->rank)];
    }
    return (uint64_t)speak + 1 == UINT64_C(1) << group->masters;
}

static void judge_group(struct wire_impi_channel *channel, uint32_t first, struct wire_impi_group *group)
{
    struct wire_impi_collectives *all = channel->collectives;

    for (uint32_t i = 0; i < all->kept_count; i++) {
        struct wire_impi_kept *at = &all->kept[i];
        const struct wire_impi_member *src = &all->members[at->src], *dest = &all->members[at->dest];
        struct wire_impi_edge edge = {
            .src = src->rank, .dest = dest->rank, .places = {src->lsrank, dest->lsrank}, .mark = at->mark};

        if (first_of(all, at->src) == first) {
            edge.from = group->number[wire_impi_group_client(all->job, edge.src)];
            edge.to = group->number[wire_impi_group_client(all->job, edge.dest)];
            all->step = (struct wire_impi_step){.octets = at->has_data, .root = -1};
            wire_impi_group_message(channel, group, at->tag, &edge);
            at->judged = true;
            at->group = first + 1;
            at->number = all->step.number;
            at->root = all->step.root;
        }
    }
    if (!all->kept_left_out) {
        wire_impi_group_rest(channel, group);
    }
}

void wire_impi_communicator_rest(struct wire_impi_channel *channel)
{
    struct wire_impi_collectives *all = channel->collectives;

    for (uint32_t first = 0; first < all->member_count && !all->members_left_out; first++) {
        int32_t lowest[WIRE_IMPI_CLIENTS_MAX];

        if (first_of(all, first) != first) {
            continue;
        }
        for (size_t client = 0; client < WIRE_IMPI_CLIENTS_MAX; client++) {
            lowest[client] = -1;
        }
        all->group = (struct wire_impi_group){.job = all->job, .inferred = true};
        if (fill(all, first, &all->group, lowest) && number_masters(all, &all->group, lowest) &&
            is_proven(all, first, &all->group)) {
            wire_impi_group_ready(&all->group);
            judge_group(channel, first, &all->group);
        }
    }
    all->step = (struct wire_impi_step){.operation = NULL};
}
