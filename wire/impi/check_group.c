/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations on one communicator (wire/impi/check_group.h). Of a Barrier each master above 0 sends one
 * message to its parent, which has a lower number, and gets one back: so the k-th in either direction is of the k-th
 * Barrier.
 *
 *     outside --to the parent--> inside --from the parent--> outside
 *
 * Messages of several Bcasts and Reduces are under way at once, and arrive over several channels. Each client is
 * reached once by a Bcast and sends once for a Reduce, so a message belongs to the oldest operation in which its
 * place is free and with whose possible roots its edge agrees; each message leaves fewer roots possible.
 *
 * Of what only moves data no pattern is known, but whichever it is: as much data for each process goes to or from each.
 */
#include "wire/impi/check_group.h"

#include <stddef.h>

uint32_t wire_impi_group_client(const struct wire_impi_job *job, int64_t rank)
{
    return job->tables.hosts[job->tables.processes[rank].host].client;
}

bool wire_impi_group_has_master(const struct wire_impi_group *group, int64_t rank)
{
    return group->ranks[group->number[wire_impi_group_client(group->job, rank)]] == rank;
}

/* The forms that a Barrier of so many masters may take. */
static uint32_t forms_of(const struct wire_impi_group *group)
{
    return wire_impi_pattern_forms(group->masters, group->job->choices_differ ? -1 : group->job->maxlinear);
}

void wire_impi_group_ready(struct wire_impi_group *group)
{
    group->forms = forms_of(group);
}

static void note(struct wire_impi_channel *channel, enum wire_impi_violation violation, struct wire_impi_tally *tally,
                 uint64_t related)
{
    struct wire_impi_finding *finding = wire_impi_note(&channel->notes, violation, tally);

    if (finding) {
        finding->related = related;
    }
}

/* The mark of the message where it is not the present one. */
static uint64_t mark_of(const struct wire_impi_group *group, const struct wire_impi_edge *edge)
{
    return group->inferred ? edge->mark : 0;
}

/* ---- Barrier ---- */

/* Whether the message can be of a Barrier; what it rules out is remembered. */
static bool judge_form(struct wire_impi_channel *channel, struct wire_impi_group *group,
                       const struct wire_impi_edge *edge)
{
    uint32_t fitting = 0;

    for (enum wire_impi_form form = WIRE_IMPI_LINEAR; form < WIRE_IMPI_FORMS; form++) {
        fitting |= wire_impi_pattern_roots(WIRE_IMPI_BARRIER, form, group->masters, edge->from, edge->to) << form;
    }
    if (group->forms & fitting) {
        group->forms &= fitting;
        return true;
    }
    group->misfits = true;
    if (group->inferred) {
        note(channel, WIRE_IMPI_NOTE_COMMUNICATOR_FORM, &channel->collectives->form, edge->mark);
        return false;
    }
    uint32_t lower = edge->from < edge->to ? edge->from : edge->to, upper = edge->from + edge->to - lower;
    enum wire_impi_form form = group->forms >> WIRE_IMPI_TREE & 1 ? WIRE_IMPI_TREE : WIRE_IMPI_LINEAR;
    uint32_t allowed = forms_of(group);
    bool either = (allowed & (allowed - 1)) != 0;
    //= IMPI-214
    //= IMPI-215
    wire_impi_report_field(&channel->findings, either ? WIRE_IMPI_BARRIER_MIXED : WIRE_IMPI_BARRIER_FORM,
                           "partner of master", wire_impi_pattern_parent(WIRE_IMPI_BARRIER, form, upper), lower);
    return false;
}

/* Whether a master whose channel to `parent` is followed, and which stands below it, has entered less often. */
static bool lacks_child(const struct wire_impi_group *group, uint32_t parent, uint64_t entered)
{
    enum wire_impi_form form = group->forms >> WIRE_IMPI_LINEAR & 1 ? WIRE_IMPI_LINEAR : WIRE_IMPI_TREE;

    for (uint32_t child = parent + 1; child < group->masters; child++) {
        if (wire_impi_pattern_parent(WIRE_IMPI_BARRIER, form, child) == parent && group->linked[parent] >> child & 1 &&
            group->entered[child] < entered) {
            return true;
        }
    }
    return false;
}

static void judge_master(struct wire_impi_channel *channel, struct wire_impi_group *group,
                         const struct wire_impi_edge *edge)
{
    int64_t other = wire_impi_group_has_master(group, edge->src) ? edge->dest : edge->src;

    group->misfits = true;
    //= IMPI-183
    if (group->inferred) {
        note(channel, WIRE_IMPI_NOTE_COMMUNICATOR_MASTER, &channel->collectives->not_masters, edge->mark);
        return;
    }
    wire_impi_report_field(&channel->findings, WIRE_IMPI_BARRIER_MASTER, "world rank",
                           group->ranks[group->number[wire_impi_group_client(group->job, other)]], other);
}

/* All have entered close behind one that did so too early: the capture has a wrong order. */
static void meet_early(struct wire_impi_channel *channel, struct wire_impi_group *group,
                       const struct wire_impi_edge *edge)
{
    if (group->early.mark && edge->mark - group->early.mark <= group->job->close &&
        !lacks_child(group, group->early.parent, group->early.number)) {
        channel->job->barriers_disordered = true;
        group->early.mark = 0;
    }
}

/* The k-th message of a master to its parent, or back. */
static void judge_turn(struct wire_impi_channel *channel, struct wire_impi_group *group,
                       const struct wire_impi_edge *edge)
{
    struct wire_impi_collectives *all = channel->collectives;
    bool enters = edge->from > edge->to;
    uint32_t child = enters ? edge->from : edge->to;

    if (enters) {
        group->parent[child] = edge->to;
        group->mark[child] = edge->mark;
        group->entered[child]++;
    } else {
        group->answered[child]++;
    }
    all->step.number = enters ? group->entered[child] : group->answered[child];
    all->step.phase = enters ? "enters" : "is answered";
    if (enters) {
        meet_early(channel, group, edge);
    }
    bool known = !(group->forms & (group->forms - 1)) || group->masters < 4;
    bool lacks = known && (enters || edge->from == 0) && lacks_child(group, edge->from, all->step.number);
    if (lacks) {
        group->early.mark = edge->mark;
        group->early.number = all->step.number;
        group->early.parent = edge->from;
    }
    //= IMPI-213
    //= IMPI-216
    if (!all->missed && (lacks || (!enters && group->answered[child] > group->entered[child]))) {
        note(channel, WIRE_IMPI_NOTE_BARRIER_EARLY, &all->early,
             group->inferred ? edge->mark
             : enters        ? 0
                             : group->mark[child]);
    }
}

static void judge_barrier(struct wire_impi_channel *channel, struct wire_impi_group *group,
                          const struct wire_impi_edge *edge)
{
    struct wire_impi_collectives *all = channel->collectives;

    //= IMPI-209
    if (all->step.octets > 0) {
        note(channel, WIRE_IMPI_NOTE_BARRIER_OCTETS, &all->octets, mark_of(group, edge));
    }
    if (!wire_impi_group_has_master(group, edge->src) || !wire_impi_group_has_master(group, edge->dest)) {
        judge_master(channel, group, edge);
    } else if (judge_form(channel, group, edge)) {
        judge_turn(channel, group, edge);
    }
}

/* ---- which Bcast or Reduce a message belongs to ---- */

static enum wire_impi_pattern pattern_of(int32_t tag)
{
    return tag == WIRE_IMPI_TAG_BCAST ? WIRE_IMPI_BCAST : WIRE_IMPI_REDUCE;
}

static uint32_t bit_of(uint32_t master)
{
    return UINT32_C(1) << master;
}

/* The roots that the edge leaves possible, in this form. */
static uint32_t roots_of(const struct wire_impi_group *group, int32_t tag, enum wire_impi_form form,
                         const struct wire_impi_edge *edge)
{
    uint32_t forms = wire_impi_pattern_forms(group->masters, group->job->choices_differ ? -1 : group->job->maxlinear);

    return forms >> form & 1 ? wire_impi_pattern_roots(pattern_of(tag), form, group->masters, edge->from, edge->to) : 0;
}

static bool fits_any(const struct wire_impi_group *group, int32_t tag, const struct wire_impi_edge *edge)
{
    return roots_of(group, tag, WIRE_IMPI_LINEAR, edge) || roots_of(group, tag, WIRE_IMPI_TREE, edge);
}

/* ---- Reduce: two ways ---- */

/* How many processes that are no masters are outside the root's client: without commutativity each of them sends. */
static uint32_t others_of(const struct wire_impi_group *group, int64_t dest)
{
    const struct wire_impi_job *job = group->job;
    uint32_t client = job->tables.hosts[job->tables.processes[dest].host].client;
    uint32_t others = 0;

    for (int32_t i = 0; i < job->size; i++) {
        others += (uint32_t)i == client ? 0 : group->members[i];
    }
    return others - (group->masters - 1);
}

static bool is_master(const struct wire_impi_group *group, int64_t rank, uint32_t master)
{
    return group->ranks[master] == rank;
}

/* ---- one Bcast or Reduce ---- */

static bool fits(const struct wire_impi_group *group, const struct wire_impi_operation *operation,
                 const struct wire_impi_edge *edge)
{
    bool down = operation->tag == WIRE_IMPI_TAG_BCAST;
    uint32_t taken = bit_of(down ? edge->to : edge->from);
    uint32_t possible = ~(operation->done | taken);
    int32_t sender = operation->senders[edge->from];

    if (!down && !is_master(group, edge->src, edge->from)) {
        return operation->dest == edge->dest && operation->others < others_of(group, edge->dest);
    }
    if (operation->done & taken || (down && sender && sender != edge->src + 1) ||
        (operation->others && operation->dest != edge->dest)) {
        return false;
    }
    return (operation->roots[WIRE_IMPI_LINEAR] & possible & roots_of(group, operation->tag, WIRE_IMPI_LINEAR, edge)) ||
           (operation->roots[WIRE_IMPI_TREE] & possible & roots_of(group, operation->tag, WIRE_IMPI_TREE, edge)) ||
           (!down && operation->dest == edge->dest);
}

static void add(const struct wire_impi_group *group, struct wire_impi_operation *operation,
                const struct wire_impi_edge *edge)
{
    bool down = operation->tag == WIRE_IMPI_TAG_BCAST;

    operation->dest = operation->dest == edge->dest ? edge->dest : -1;
    if (!down && !is_master(group, edge->src, edge->from)) {
        operation->others++;
        return;
    }
    operation->done |= bit_of(down ? edge->to : edge->from);
    operation->senders[edge->from] = (int32_t)(edge->src + 1);
    for (enum wire_impi_form form = WIRE_IMPI_LINEAR; form < WIRE_IMPI_FORMS; form++) {
        operation->roots[form] &= roots_of(group, operation->tag, form, edge) & ~operation->done;
    }
}

/* The only master that is left to be at the root's client, or -1. */
static int64_t root_master(const struct wire_impi_operation *operation)
{
    uint32_t roots = operation->roots[WIRE_IMPI_LINEAR] | operation->roots[WIRE_IMPI_TREE];

    for (uint32_t master = 0; roots && !(roots & (roots - 1)); master++) {
        if (roots >> master & 1) {
            return master;
        }
    }
    return -1;
}

static int64_t operation_root(const struct wire_impi_group *group, const struct wire_impi_operation *operation)
{
    int64_t master = root_master(operation);

    if (operation->tag == WIRE_IMPI_TAG_REDUCE && operation->dest >= 0) {
        return operation->dest;
    }
    if (master >= 0 && operation->senders[master]) {
        return operation->senders[master] - 1;
    }
    return master >= 0 ? group->ranks[master] : -1;
}

/* Whether the messages of processes that are no masters come to as many as whole operations have. Which of several
 * operations with the same root one of them is of, no message says. */
static bool others_agree(const struct wire_impi_group *group, int64_t dest)
{
    uint32_t count = 0, each = others_of(group, dest);

    for (size_t i = 0; i < WIRE_IMPI_OPERATIONS; i++) {
        const struct wire_impi_operation *at = &group->operations[i];

        count += at->tag == WIRE_IMPI_TAG_REDUCE && at->dest == dest ? at->others : 0;
    }
    return each == 0 || count % each == 0 || group->reduces > WIRE_IMPI_OPERATIONS;
}

static bool operation_is_whole(const struct wire_impi_group *group, const struct wire_impi_operation *operation)
{
    uint32_t everybody = group->masters >= 32 ? UINT32_MAX : bit_of(group->masters) - 1;
    uint32_t left = everybody & ~operation->done;
    bool one_left = left && !(left & (left - 1));

    if (operation->others) {
        return one_left && operation->dest >= 0 && others_agree(group, operation->dest);
    }
    return one_left && (left & (operation->roots[WIRE_IMPI_LINEAR] | operation->roots[WIRE_IMPI_TREE]) ||
                        (operation->tag == WIRE_IMPI_TAG_REDUCE && operation->dest >= 0));
}

/* ---- all of them ---- */

static struct wire_impi_operation *begin(struct wire_impi_group *group, int32_t tag, const struct wire_impi_edge *edge)
{
    uint64_t number = tag == WIRE_IMPI_TAG_BCAST ? ++group->bcasts : ++group->reduces;
    struct wire_impi_operation *chosen = &group->operations[0];
    bool chosen_whole = false;

    for (size_t i = 0; i < WIRE_IMPI_OPERATIONS && chosen->tag; i++) {
        struct wire_impi_operation *at = &group->operations[i];
        bool whole = at->tag && operation_is_whole(group, at);

        if (!at->tag || (whole && !chosen_whole) || (whole == chosen_whole && at->mark < chosen->mark)) {
            chosen = at;
            chosen_whole = whole;
        }
    }
    *chosen = (struct wire_impi_operation){
        .tag = tag, .number = number, .mark = edge->mark, .roots = {UINT32_MAX, UINT32_MAX}, .dest = edge->dest};
    return chosen;
}

static struct wire_impi_operation *operation_take(struct wire_impi_group *group, int32_t tag,
                                                  const struct wire_impi_edge *edge)
{
    struct wire_impi_operation *found = NULL;

    for (size_t i = 0; i < WIRE_IMPI_OPERATIONS; i++) {
        struct wire_impi_operation *at = &group->operations[i];

        if (at->tag == tag && (!found || at->number < found->number) && fits(group, at, edge)) {
            found = at;
        }
    }
    found = found ? found : begin(group, tag, edge);
    add(group, found, edge);
    return found;
}

/* ---- the others ---- */

static void judge_operation(struct wire_impi_channel *channel, struct wire_impi_group *group, int32_t tag,
                            const struct wire_impi_edge *edge)
{
    struct wire_impi_collectives *all = channel->collectives;
    bool down = tag == WIRE_IMPI_TAG_BCAST;
    const struct wire_impi_operation *operation;

    //= IMPI-219
    if (down && !wire_impi_group_has_master(group, edge->dest)) {
        note(channel, WIRE_IMPI_NOTE_BCAST_MASTER, &all->unmastered, mark_of(group, edge));
        return;
    }
    //= IMPI-220
    if (down && !fits_any(group, tag, edge)) {
        note(channel, WIRE_IMPI_NOTE_BCAST_TREE, &all->tree, mark_of(group, edge));
        return;
    }
    operation = operation_take(group, tag, edge);
    all->step.number = operation->number;
    all->step.root = operation_root(group, operation);
    all->step.phase = down ? "down" : "up";
}

static void judge_scan(struct wire_impi_channel *channel, struct wire_impi_group *group,
                       const struct wire_impi_edge *edge)
{
    struct wire_impi_collectives *all = channel->collectives;
    bool known = edge->places[0] >= 0 && edge->places[1] >= 0;

    all->step.number = ++group->scans[edge->to];
    all->step.phase = "on";
    //= IMPI-229
    if (known && edge->places[1] != edge->places[0] + 1) {
        note(channel, WIRE_IMPI_NOTE_SCAN_ORDER, &all->order, mark_of(group, edge));
    }
}

/* What only moves data, as much for each process. */
static const struct move {
    int32_t tag;
    bool from_all, to_all;
    enum wire_impi_violation unmoved;
} moves[WIRE_IMPI_MOVES] = {
    {WIRE_IMPI_TAG_GATHER, true, false, WIRE_IMPI_NOTE_GATHER_UNSENT},
    {WIRE_IMPI_TAG_SCATTER, false, true, WIRE_IMPI_NOTE_SCATTER_UNREACHED},
    {WIRE_IMPI_TAG_ALLTOALL, true, true, WIRE_IMPI_NOTE_ALLTOALL_UNMET},
};

static void note_move(struct wire_impi_group *group, int32_t tag, const struct wire_impi_edge *edge)
{
    for (size_t i = 0; i < WIRE_IMPI_MOVES; i++) {
        if (moves[i].tag == tag) {
            group->moved[i].sent |= UINT32_C(1) << edge->from;
            group->moved[i].got |= UINT32_C(1) << edge->to;
            group->moved[i].mark = edge->mark;
        }
    }
}

void wire_impi_group_message(struct wire_impi_channel *channel, struct wire_impi_group *group, int32_t tag,
                             const struct wire_impi_edge *edge)
{
    if (tag == WIRE_IMPI_TAG_BARRIER) {
        judge_barrier(channel, group, edge);
    } else if (tag == WIRE_IMPI_TAG_BCAST || tag == WIRE_IMPI_TAG_REDUCE) {
        judge_operation(channel, group, tag, edge);
    } else if (tag == WIRE_IMPI_TAG_SCAN) {
        judge_scan(channel, group, edge);
    } else if (channel->collectives->step.octets > 0) {
        note_move(group, tag, edge);
    }
}

/* ---- the end ---- */

static void judge_unmet(struct wire_impi_channel *channel, struct wire_impi_group *group)
{
    uint64_t most = 0, latest = 0;

    for (uint32_t master = 1; master < group->masters; master++) {
        most = group->entered[master] > most ? group->entered[master] : most;
        latest = group->mark[master] > latest ? group->mark[master] : latest;
    }
    for (uint32_t master = 1; master < group->masters; master++) {
        //= IMPI-213
        if (group->entered[master] < most || group->answered[master] < most) {
            note(channel, WIRE_IMPI_NOTE_BARRIER_UNMET, &channel->collectives->unmet,
                 group->mark[master] || !group->inferred ? group->mark[master] : latest);
        }
    }
}

/* Whether more masters are left out than the root's. */
static bool leaves_out(const struct wire_impi_group *group, uint32_t did, bool rooted)
{
    uint32_t left = (group->masters >= 32 ? UINT32_MAX : (UINT32_C(1) << group->masters) - 1) & ~did;

    return rooted ? (left & (left - 1)) != 0 : left != 0;
}

static void judge_moves(struct wire_impi_channel *channel, const struct wire_impi_group *group)
{
    for (size_t i = 0; i < WIRE_IMPI_MOVES; i++) {
        const struct wire_impi_moved *moved = &group->moved[i];
        bool rooted = !moves[i].from_all || !moves[i].to_all;

        //= IMPI-231
        //= IMPI-232
        //= IMPI-235
        if (moved->sent && ((moves[i].from_all && leaves_out(group, moved->sent, rooted)) ||
                            (moves[i].to_all && leaves_out(group, moved->got, rooted)))) {
            note(channel, moves[i].unmoved, &channel->collectives->unmoved[i], moved->mark);
        }
    }
}

void wire_impi_group_rest(struct wire_impi_channel *channel, struct wire_impi_group *group)
{
    struct wire_impi_collectives *all = channel->collectives;

    if (!group->inferred || !group->misfits) {
        judge_unmet(channel, group);
    }
    for (size_t i = 0; i < WIRE_IMPI_OPERATIONS; i++) {
        const struct wire_impi_operation *at = &group->operations[i];
        bool down = at->tag == WIRE_IMPI_TAG_BCAST;

        //= IMPI-219
        //= IMPI-224
        if (at->tag && !operation_is_whole(group, at)) {
            note(channel, down ? WIRE_IMPI_NOTE_BCAST_UNREACHED : WIRE_IMPI_NOTE_REDUCE_UNSENT,
                 down ? &all->unreached : &all->unsent, at->mark);
        }
    }
    judge_moves(channel, group);
}
