/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of collective operations (wire/impi/check_collective.h). Of a Barrier of the world each master above 0
 * sends one message to its parent, which has a lower number, and gets one back: so the k-th in either direction is of
 * the k-th Barrier.
 *
 *     outside --to the parent--> inside --from the parent--> outside
 *
 * Within, a master sends nothing more to its parent: that is judged, since both directions are of one channel.
 */
#include "wire/impi/check_collective.h"

#include "wire/impi/check_communicator.h"
#include "wire/impi/check_job.h"
#include "wire/impi/check_operation.h"

#include <stddef.h>

/* Tags of collective contexts. */
static const struct {
    int32_t tag;
    const char *name;
} names[] = {
    {WIRE_IMPI_TAG_BARRIER, "Barrier"},
    {WIRE_IMPI_TAG_BCAST, "Bcast"},
    {130, "Gather"},
    {140, "Gatherv"},
    {150, "Scatter"},
    {160, "Scatterv"},
    {170, "Alltoall"},
    {180, "Alltoallv"},
    {WIRE_IMPI_TAG_REDUCE, "Reduce"},
    {WIRE_IMPI_TAG_SCAN, "Scan"},
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
    *all = (struct wire_impi_collectives){.job = job};
}

/* ---- the job ---- */

static uint32_t client_of(const struct wire_impi_job *job, int64_t rank)
{
    return job->tables.hosts[job->tables.processes[rank].host].client;
}

/* The forms that a Barrier of so many masters may take. */
static uint32_t forms_of(const struct wire_impi_collectives *all)
{
    return wire_impi_pattern_forms(all->masters, all->job->choices_differ ? -1 : all->job->maxlinear);
}

/* Masters, once the job is whole: of each client with processes the one of lowest rank. */
static bool learn(struct wire_impi_collectives *all)
{
    const struct wire_impi_job *job = all->job;

    if (all->known || !job->whole || job->size > WIRE_IMPI_CLIENTS_MAX) {
        return all->known;
    }
    //= IMPI-183
    for (int32_t client = 0; client < job->size; client++) {
        if (job->clients[client].nprocs) {
            all->number[client] = all->masters;
            all->ranks[all->masters++] = job->clients[client].first_process;
        }
    }
    all->forms = forms_of(all);
    all->known = all->masters > 1;
    return all->known;
}

static bool is_master(const struct wire_impi_collectives *all, int64_t rank)
{
    return all->ranks[all->number[client_of(all->job, rank)]] == rank;
}

/* The master whose host this is; false: the master of its client is at another one. */
static bool master_at(const struct wire_impi_collectives *all, int64_t host, uint32_t *master)
{
    const struct wire_impi_job *job = all->job;

    if (host < 0 || host >= (int64_t)job->hosts || !job->clients[job->tables.hosts[host].client].nprocs) {
        return false;
    }
    *master = all->number[job->tables.hosts[host].client];
    return job->tables.processes[all->ranks[*master]].host == host;
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
        all->linked[one] |= UINT32_C(1) << other;
        all->linked[other] |= UINT32_C(1) << one;
    }
}

void wire_impi_collectives_missed(struct wire_impi_channel *channel)
{
    if (channel->collectives) {
        channel->collectives->missed = true;
    }
}

/* ---- Barrier ---- */

static void note(struct wire_impi_channel *channel, enum wire_impi_violation violation, struct wire_impi_tally *tally,
                 uint64_t related)
{
    struct wire_impi_finding *finding = wire_impi_note(&channel->notes, violation, tally);

    if (finding) {
        finding->related = related;
    }
}

/* Whether the message can be of a Barrier; what it rules out is remembered. */
static bool judge_form(struct wire_impi_channel *channel, const struct wire_impi_edge *edge)
{
    struct wire_impi_collectives *all = channel->collectives;
    uint32_t fitting = 0;

    for (enum wire_impi_form form = WIRE_IMPI_LINEAR; form < WIRE_IMPI_FORMS; form++) {
        fitting |= wire_impi_pattern_roots(WIRE_IMPI_BARRIER, form, all->masters, edge->from, edge->to) << form;
    }
    if (all->forms & fitting) {
        all->forms &= fitting;
        return true;
    }
    uint32_t lower = edge->from < edge->to ? edge->from : edge->to, upper = edge->from + edge->to - lower;
    enum wire_impi_form form = all->forms >> WIRE_IMPI_TREE & 1 ? WIRE_IMPI_TREE : WIRE_IMPI_LINEAR;
    uint32_t allowed = forms_of(all);
    bool either = (allowed & (allowed - 1)) != 0;
    //= IMPI-214
    //= IMPI-215
    wire_impi_report_field(&channel->findings, either ? WIRE_IMPI_BARRIER_MIXED : WIRE_IMPI_BARRIER_FORM,
                           "partner of master", wire_impi_pattern_parent(WIRE_IMPI_BARRIER, form, upper), lower);
    return false;
}

/* Whether a master whose channel to `parent` is followed, and which stands below it, has entered less often. */
static bool lacks_child(const struct wire_impi_collectives *all, uint32_t parent, uint64_t entered)
{
    enum wire_impi_form form = all->forms >> WIRE_IMPI_LINEAR & 1 ? WIRE_IMPI_LINEAR : WIRE_IMPI_TREE;

    for (uint32_t child = parent + 1; child < all->masters; child++) {
        if (wire_impi_pattern_parent(WIRE_IMPI_BARRIER, form, child) == parent && all->linked[parent] >> child & 1 &&
            all->entered[child] < entered) {
            return true;
        }
    }
    return false;
}

static void judge_barrier(struct wire_impi_channel *channel, const struct wire_impi_packet *packet,
                          const struct wire_impi_edge *edge)
{
    struct wire_impi_collectives *all = channel->collectives;
    bool enters = edge->from > edge->to;
    uint32_t child = enters ? edge->from : edge->to;

    //= IMPI-209
    if (packet->msglen > 0) {
        note(channel, WIRE_IMPI_NOTE_BARRIER_OCTETS, &all->octets, 0);
    }
    if (!is_master(all, edge->src) || !is_master(all, edge->dest)) {
        int64_t strange = is_master(all, edge->src) ? edge->dest : edge->src;
        //= IMPI-183
        wire_impi_report_field(&channel->findings, WIRE_IMPI_BARRIER_MASTER, "world rank",
                               all->ranks[all->number[client_of(all->job, strange)]], strange);
        return;
    }
    if (!judge_form(channel, edge)) {
        return;
    }
    if (enters) {
        all->parent[child] = edge->to;
        all->mark[child] = edge->mark;
        all->entered[child]++;
    } else {
        all->answered[child]++;
    }
    all->step.number = enters ? all->entered[child] : all->answered[child];
    all->step.phase = enters ? "enters" : "is answered";
    bool known = !(all->forms & (all->forms - 1)) || all->masters < 4;
    //= IMPI-213
    //= IMPI-216
    if (!all->missed && ((!enters && all->answered[child] > all->entered[child]) ||
                         (known && (enters || edge->from == 0) &&
                          lacks_child(all, edge->from, enters ? all->entered[child] : all->answered[child])))) {
        note(channel, WIRE_IMPI_NOTE_BARRIER_EARLY, &all->early, enters ? 0 : all->mark[child]);
    }
}

/* A message from a master that is inside a Barrier to its parent; or the FINI of its host. */
static void judge_inside(struct wire_impi_channel *channel, uint32_t from, uint32_t to, const char *what)
{
    struct wire_impi_collectives *all = channel->collectives;

    //= IMPI-211
    if (from > to && all->entered[from] > all->answered[from] && all->parent[from] == to) {
        struct wire_impi_finding *finding = wire_impi_report(&channel->findings, WIRE_IMPI_BARRIER_LEFT);

        finding->field = what;
        finding->related = all->mark[from];
        all->answered[from] = all->entered[from];
    }
}

/* ---- the others ---- */

static void judge_operation(struct wire_impi_channel *channel, int32_t tag, const struct wire_impi_edge *edge)
{
    struct wire_impi_collectives *all = channel->collectives;
    bool down = tag == WIRE_IMPI_TAG_BCAST;
    const struct wire_impi_operation *operation;

    //= IMPI-219
    if (down && !is_master(all, edge->dest)) {
        note(channel, WIRE_IMPI_NOTE_BCAST_MASTER, &all->unmastered, 0);
        return;
    }
    //= IMPI-220
    if (down && !wire_impi_operation_fits_any(all, tag, edge)) {
        note(channel, WIRE_IMPI_NOTE_BCAST_TREE, &all->tree, 0);
        return;
    }
    operation = wire_impi_operation_take(all, tag, edge);
    all->step.number = operation->number;
    all->step.root = wire_impi_operation_root(all, operation);
    all->step.phase = down ? "down" : "up";
}

static void judge_scan(struct wire_impi_channel *channel, const struct wire_impi_edge *edge)
{
    struct wire_impi_collectives *all = channel->collectives;

    all->step.number = ++all->scans[edge->to];
    all->step.phase = "on";
    //= IMPI-229
    if (edge->dest != edge->src + 1) {
        note(channel, WIRE_IMPI_NOTE_SCAN_ORDER, &all->order, 0);
    }
}

void wire_impi_collectives_message(struct wire_impi_channel *channel, const struct wire_impi_packet *packet,
                                   bool misplaced, uint64_t mark)
{
    struct wire_impi_collectives *all = channel->collectives;
    const char *name = wire_impi_collective_name(packet->tag);
    struct wire_impi_edge edge = {.mark = mark};

    if (!all || !learn(all) || !name || (packet->cid % 2 == 0 && !(misplaced && packet->cid == 0))) {
        return;
    }
    edge.src = wire_impi_job_process_of(all->job, &packet->src);
    edge.dest = wire_impi_job_process_of(all->job, &packet->dest);
    if (edge.src < 0 || edge.dest < 0 || client_of(all->job, edge.src) == client_of(all->job, edge.dest)) {
        return;
    }
    edge.from = all->number[client_of(all->job, edge.src)];
    edge.to = all->number[client_of(all->job, edge.dest)];
    all->step =
        (struct wire_impi_step){name, "", 0, edge.src, edge.dest, -1, packet->msglen, packet->cid | 1, misplaced};
    if (packet->cid > WIRE_IMPI_CID_WORLD) {
        wire_impi_communicator_message(all, packet, &edge);
        return;
    }
    if (is_master(all, edge.src) && is_master(all, edge.dest)) {
        judge_inside(channel, edge.from, edge.to, name);
    }
    if (packet->tag == WIRE_IMPI_TAG_BARRIER) {
        judge_barrier(channel, packet, &edge);
    } else if (packet->tag == WIRE_IMPI_TAG_BCAST || packet->tag == WIRE_IMPI_TAG_REDUCE) {
        judge_operation(channel, packet->tag, &edge);
    } else if (packet->tag == WIRE_IMPI_TAG_SCAN) {
        judge_scan(channel, &edge);
    }
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

/* What nobody can send any more. */
static void judge_rest(struct wire_impi_channel *channel)
{
    struct wire_impi_collectives *all = channel->collectives;
    uint64_t most = 0;

    for (uint32_t master = 1; master < all->masters; master++) {
        most = all->entered[master] > most ? all->entered[master] : most;
    }
    for (uint32_t master = 1; master < all->masters; master++) {
        //= IMPI-213
        if (all->entered[master] < most || all->answered[master] < most) {
            note(channel, WIRE_IMPI_NOTE_BARRIER_UNMET, &all->unmet, all->mark[master]);
        }
    }
    for (size_t i = 0; i < WIRE_IMPI_OPERATIONS; i++) {
        const struct wire_impi_operation *at = &all->operations[i];
        bool down = at->tag == WIRE_IMPI_TAG_BCAST;

        //= IMPI-219
        //= IMPI-224
        if (at->tag && !wire_impi_operation_is_whole(all, at)) {
            note(channel, down ? WIRE_IMPI_NOTE_BCAST_UNREACHED : WIRE_IMPI_NOTE_REDUCE_UNSENT,
                 down ? &all->unreached : &all->unsent, at->mark);
        }
    }
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
    if (++all->finis == 2 * all->links && all->links == channels_of(all->job) && !all->missed) {
        judge_rest(channel);
    }
}
