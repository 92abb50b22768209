/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages of Bcast and Reduce, sorted into operations (wire/impi/check_operation.h).
 */
#include "wire/impi/check_operation.h"

#include <stddef.h>

static enum wire_impi_pattern pattern_of(int32_t tag)
{
    return tag == WIRE_IMPI_TAG_BCAST ? WIRE_IMPI_BCAST : WIRE_IMPI_REDUCE;
}

static uint32_t bit_of(uint32_t master)
{
    return UINT32_C(1) << master;
}

/* The roots that the edge leaves possible, in this form. */
static uint32_t roots_of(const struct wire_impi_collectives *all, int32_t tag, enum wire_impi_form form,
                         const struct wire_impi_edge *edge)
{
    uint32_t forms = wire_impi_pattern_forms(all->masters, all->job->choices_differ ? -1 : all->job->maxlinear);

    return forms >> form & 1 ? wire_impi_pattern_roots(pattern_of(tag), form, all->masters, edge->from, edge->to) : 0;
}

bool wire_impi_operation_fits_any(const struct wire_impi_collectives *all, int32_t tag,
                                  const struct wire_impi_edge *edge)
{
    return roots_of(all, tag, WIRE_IMPI_LINEAR, edge) || roots_of(all, tag, WIRE_IMPI_TREE, edge);
}

/* ---- Reduce: two ways ---- */

/* How many processes that are no masters are outside the root's client: without commutativity each of them sends. */
static uint32_t others_of(const struct wire_impi_collectives *all, int64_t dest)
{
    const struct wire_impi_job *job = all->job;
    uint32_t client = job->tables.hosts[job->tables.processes[dest].host].client;

    return job->processes - job->clients[client].nprocs - (all->masters - 1);
}

static bool is_master(const struct wire_impi_collectives *all, int64_t rank, uint32_t master)
{
    return all->ranks[master] == rank;
}

/* ---- one operation ---- */

static bool fits(const struct wire_impi_collectives *all, const struct wire_impi_operation *operation,
                 const struct wire_impi_edge *edge)
{
    bool down = operation->tag == WIRE_IMPI_TAG_BCAST;
    uint32_t taken = bit_of(down ? edge->to : edge->from);
    uint32_t possible = ~(operation->done | taken);
    int32_t sender = operation->senders[edge->from];

    if (!down && !is_master(all, edge->src, edge->from)) {
        return operation->dest == edge->dest && operation->others < others_of(all, edge->dest);
    }
    if (operation->done & taken || (down && sender && sender != edge->src + 1)) {
        return false;
    }
    return (operation->roots[WIRE_IMPI_LINEAR] & possible & roots_of(all, operation->tag, WIRE_IMPI_LINEAR, edge)) ||
           (operation->roots[WIRE_IMPI_TREE] & possible & roots_of(all, operation->tag, WIRE_IMPI_TREE, edge)) ||
           (!down && operation->dest == edge->dest);
}

static void add(const struct wire_impi_collectives *all, struct wire_impi_operation *operation,
                const struct wire_impi_edge *edge)
{
    bool down = operation->tag == WIRE_IMPI_TAG_BCAST;

    operation->dest = operation->dest == edge->dest ? edge->dest : -1;
    if (!down && !is_master(all, edge->src, edge->from)) {
        operation->others++;
        return;
    }
    operation->done |= bit_of(down ? edge->to : edge->from);
    operation->senders[edge->from] = (int32_t)(edge->src + 1);
    for (enum wire_impi_form form = WIRE_IMPI_LINEAR; form < WIRE_IMPI_FORMS; form++) {
        operation->roots[form] &= roots_of(all, operation->tag, form, edge) & ~operation->done;
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

int64_t wire_impi_operation_root(const struct wire_impi_collectives *all, const struct wire_impi_operation *operation)
{
    int64_t master = root_master(operation);

    if (operation->tag == WIRE_IMPI_TAG_REDUCE && operation->dest >= 0) {
        return operation->dest;
    }
    if (master >= 0 && operation->senders[master]) {
        return operation->senders[master] - 1;
    }
    return master >= 0 ? all->ranks[master] : -1;
}

bool wire_impi_operation_is_whole(const struct wire_impi_collectives *all, const struct wire_impi_operation *operation)
{
    uint32_t everybody = all->masters >= 32 ? UINT32_MAX : bit_of(all->masters) - 1;
    uint32_t left = everybody & ~operation->done;
    bool one_left = left && !(left & (left - 1));

    if (operation->others) {
        return one_left && operation->dest >= 0 && operation->others == others_of(all, operation->dest);
    }
    return one_left && (left & (operation->roots[WIRE_IMPI_LINEAR] | operation->roots[WIRE_IMPI_TREE]) ||
                        (operation->tag == WIRE_IMPI_TAG_REDUCE && operation->dest >= 0));
}

/* ---- all of them ---- */

static struct wire_impi_operation *begin(struct wire_impi_collectives *all, int32_t tag,
                                         const struct wire_impi_edge *edge)
{
    uint64_t number = tag == WIRE_IMPI_TAG_BCAST ? ++all->bcasts : ++all->reduces;
    struct wire_impi_operation *chosen = &all->operations[0];
    bool chosen_whole = false;

    for (size_t i = 0; i < WIRE_IMPI_OPERATIONS && chosen->tag; i++) {
        struct wire_impi_operation *at = &all->operations[i];
        bool whole = at->tag && wire_impi_operation_is_whole(all, at);

        if (!at->tag || (whole && !chosen_whole) || (whole == chosen_whole && at->mark < chosen->mark)) {
            chosen = at;
            chosen_whole = whole;
        }
    }
    *chosen = (struct wire_impi_operation){
        .tag = tag, .number = number, .mark = edge->mark, .roots = {UINT32_MAX, UINT32_MAX}, .dest = edge->dest};
    return chosen;
}

struct wire_impi_operation *wire_impi_operation_take(struct wire_impi_collectives *all, int32_t tag,
                                                     const struct wire_impi_edge *edge)
{
    struct wire_impi_operation *found = NULL;

    for (size_t i = 0; i < WIRE_IMPI_OPERATIONS; i++) {
        struct wire_impi_operation *at = &all->operations[i];

        if (at->tag == tag && (!found || at->number < found->number) && fits(all, at, edge)) {
            found = at;
        }
    }
    found = found ? found : begin(all, tag, edge);
    add(all, found, edge);
    return found;
}
