/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Communicators, groups, topologies, attributes and errors, drawn by lot: see drawn.h.
 */
#include "tests/mpi/drawn/drawn.h"

#include <stdlib.h>

enum { RANKS = 64, DIMS = 3 };

/* ---- communicators ----------------------------------------------------------------------------------------------- */

/* A group of some ranks of a communicator, in an order that is drawn. The caller frees it. */
static MPI_Group some(uint64_t *lot, MPI_Comm comm, int size)
{
    int order[RANKS], count = 0;
    MPI_Group all, made;

    for (int i = 0; i < size; i++) {
        if (below(lot, 4)) {
            int other = below(lot, count + 1);

            order[count] = order[other];
            order[other] = i;
            count++;
        }
    }
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, count, order, &made);
    MPI_Group_free(&all);
    return made;
}

/* Two halves that meet: what goes between them, and what becomes of them. */
static MPI_Comm merged(struct step *step)
{
    int cut = 1 + below(&step->lot, step->size - 1), second = step->rank >= cut, high = below(&step->lot, 2);
    int leader = second ? 0 : cut, remote = 0, rank, in = -1, tag = step->number % 30000;
    MPI_Comm half, between, made;
    MPI_Request request;

    MPI_Comm_split(step->comm, second, below(&step->lot, 2) ? step->rank : -step->rank, &half);
    /* The first of each half by the old ranks leads it. */
    int mine = second ? cut : 0, leads = 0, local;
    MPI_Comm_size(half, &local);
    MPI_Comm_rank(half, &rank);
    int where[RANKS], old = step->rank;
    MPI_Allgather(&old, 1, MPI_INT, where, 1, MPI_INT, half);
    for (int i = 0; i < local; i++) {
        leads = where[i] == mine ? i : leads;
    }
    MPI_Intercomm_create(half, leads, step->comm, leader, tag, &between);
    MPI_Comm_remote_size(between, &remote);
    note_number(remote);
    /* Each sends to the one of its rank over there, as far as there are any, and to the last one otherwise. */
    MPI_Isend(&step->rank, 1, MPI_INT, rank < remote ? rank : remote - 1, tag, between, &request);
    int coming = rank < local - 1 ? rank < remote : remote - (local - 1) > 0 ? remote - (local - 1) : 0;
    int sum = 0;
    for (int i = 0; i < coming; i++) {
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, tag, between, MPI_STATUS_IGNORE);
        sum += in * in;
    }
    note_number(sum);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Intercomm_merge(between, high ? second : !second, &made);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    return made;
}

MPI_Comm objects_communicator(struct step *step)
{
    MPI_Comm made = MPI_COMM_NULL;
    uint64_t own = mix(step->lot, (uint64_t)step->rank);
    MPI_Group group;
    int rank = -1, size = -1, result;

    switch (below(&step->lot, 4)) {
    case 0:
        MPI_Comm_dup(step->comm, &made);
        break;
    case 1:
        MPI_Comm_split(step->comm, below(&own, 4) ? below(&own, 3) : MPI_UNDEFINED, below(&own, 5) - 2, &made);
        break;
    case 2:
        group = some(&step->lot, step->comm, step->size);
        MPI_Comm_create(step->comm, group, &made);
        MPI_Group_free(&group);
        break;
    default:
        if (step->size > 1) {
            made = merged(step);
        }
        break;
    }
    if (made != MPI_COMM_NULL) {
        MPI_Comm_rank(made, &rank);
        MPI_Comm_size(made, &size);
        MPI_Comm_compare(step->comm, made, &result);
        note_number(result == MPI_CONGRUENT ? 1 : result == MPI_SIMILAR ? 2 : result == MPI_UNEQUAL ? 3 : 0);
    }
    note_number(rank);
    note_number(size);
    return made;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static void group_note(MPI_Group group, MPI_Group all)
{
    int size, rank, ranks[RANKS], there[RANKS];

    MPI_Group_size(group, &size);
    MPI_Group_rank(group, &rank);
    note_number(size);
    note_number(rank == MPI_UNDEFINED ? -1 : rank);
    for (int i = 0; i < size; i++) {
        ranks[i] = i;
    }
    MPI_Group_translate_ranks(group, size, ranks, all, there);
    for (int i = 0; i < size; i++) {
        note_number(there[i] == MPI_UNDEFINED ? -1 : there[i]);
    }
}

static void groups(struct step *step)
{
    MPI_Group one = some(&step->lot, step->comm, step->size), other = some(&step->lot, step->comm, step->size), all;
    MPI_Group made[5];
    int first = below(&step->lot, step->size), stride = 1 + below(&step->lot, 3), result;
    int ranges[1][3] = {{first, step->size - 1, stride}};

    MPI_Comm_group(step->comm, &all);
    MPI_Group_union(one, other, &made[0]);
    MPI_Group_intersection(one, other, &made[1]);
    MPI_Group_difference(one, other, &made[2]);
    MPI_Group_range_incl(all, 1, ranges, &made[3]);
    MPI_Group_range_excl(all, 1, ranges, &made[4]);
    for (int i = 0; i < 5; i++) {
        group_note(made[i], all);
        MPI_Group_compare(made[i], one, &result);
        note_number(result == MPI_IDENT ? 1 : result == MPI_SIMILAR ? 2 : 3);
        if (made[i] != MPI_GROUP_EMPTY) {
            MPI_Group_free(&made[i]);
        }
    }
    MPI_Group_free(&one);
    MPI_Group_free(&other);
    MPI_Group_free(&all);
}

/* ---- topologies -------------------------------------------------------------------------------------------------- */

static void grid(struct step *step)
{
    int dims[DIMS], periods[DIMS], coords[DIMS], again[DIMS], keep[DIMS], left = step->size, rank, size;
    MPI_Comm cart, part;

    for (int i = 0; i < DIMS; i++) {
        dims[i] = 1 + below(&step->lot, left);
        left /= dims[i];
        periods[i] = below(&step->lot, 2);
        keep[i] = below(&step->lot, 2);
    }
    MPI_Cart_create(step->comm, DIMS, dims, periods, 0, &cart);
    note_number(cart != MPI_COMM_NULL);
    if (cart == MPI_COMM_NULL) {
        return;
    }
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, DIMS, coords);
    note(coords, sizeof coords);
    MPI_Cart_get(cart, DIMS, dims, periods, again);
    MPI_Cart_rank(cart, again, &size);
    note_same(size == rank, "coordinates that lead elsewhere");
    for (int i = 0; i < DIMS; i++) {
        int from, to, out = rank * 3 + i, in = -1;

        MPI_Cart_shift(cart, i, 1 + below(&step->lot, 2), &from, &to);
        note_number(from == MPI_PROC_NULL ? -1 : from);
        note_number(to == MPI_PROC_NULL ? -1 : to);
        MPI_Sendrecv(&out, 1, MPI_INT, to, 5, &in, 1, MPI_INT, from, 5, cart, MPI_STATUS_IGNORE);
        note_number(in);
    }
    MPI_Cart_sub(cart, keep, &part);
    MPI_Comm_rank(part, &rank);
    MPI_Comm_size(part, &size);
    note_number(rank);
    note_number(size);
    MPI_Comm_free(&part);
    MPI_Comm_free(&cart);
}

static void graph(struct step *step)
{
    int index[RANKS], edges[2 * RANKS], count, around[2 * RANKS], rank, nodes = 1 + below(&step->lot, step->size);
    MPI_Comm made;

    for (int i = 0; i < nodes; i++) {
        edges[2 * i] = (i + 1) % nodes;
        edges[2 * i + 1] = (i + nodes - 1) % nodes;
        index[i] = 2 * i + 2;
    }
    MPI_Graph_create(step->comm, nodes, index, edges, 0, &made);
    note_number(made != MPI_COMM_NULL);
    if (made == MPI_COMM_NULL) {
        return;
    }
    MPI_Comm_rank(made, &rank);
    MPI_Graph_neighbors_count(made, rank, &count);
    MPI_Graph_neighbors(made, rank, count, around);
    note(around, (size_t)count * sizeof around[0]);
    MPI_Graphdims_get(made, &nodes, &count);
    note_number(nodes);
    note_number(count);
    MPI_Comm_free(&made);
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

static int copies, deletions;

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm;
    (void)key;
    *(void **)out = (char *)in + *(int *)extra;
    *flag = *(int *)extra % 2;
    copies++;
    return MPI_SUCCESS;
}

static int removal(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void attributes(struct step *step)
{
    static char values[100];
    int key, extra = 1 + below(&step->lot, 6), flag, place = below(&step->lot, 50);
    MPI_Comm made;
    char *found = NULL;

    copies = deletions = 0;
    MPI_Comm_create_keyval(copy, removal, &key, &extra);
    MPI_Comm_set_attr(step->comm, key, values + place);
    if (below(&step->lot, 2)) {
        MPI_Comm_set_attr(step->comm, key, values + place + 1);
    }
    MPI_Comm_dup(step->comm, &made);
    MPI_Comm_get_attr(made, key, &found, &flag);
    note_number(flag ? found - values : -1);
    MPI_Comm_get_attr(step->comm, key, &found, &flag);
    note_number(flag ? found - values : -1);
    MPI_Comm_free(&made);
    note_number(deletions);
    MPI_Comm_delete_attr(step->comm, key);
    MPI_Comm_get_attr(step->comm, key, &found, &flag);
    note_number(flag);
    note_number(copies);
    note_number(deletions);
    MPI_Comm_free_keyval(&key);
    note_same(key == MPI_KEYVAL_INVALID, "a key that was freed is one");
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* The class of one mistake, which every MPI can see at once. */
static int mistake(struct step *step, int which)
{
    int octet = 0, result = 0;

    switch (which) {
    case 0:
        return MPI_Send(&octet, -1, MPI_BYTE, 0, 0, step->comm);
    case 1:
        return MPI_Send(&octet, 1, MPI_BYTE, step->size, 0, step->comm);
    case 2:
        return MPI_Send(&octet, 1, MPI_BYTE, 0, -5, step->comm);
    case 3:
        return MPI_Send(&octet, 1, MPI_DATATYPE_NULL, 0, 0, step->comm);
    case 4:
        return MPI_Bcast(&octet, 1, MPI_BYTE, -3, step->comm);
    case 5:
        return MPI_Reduce(&octet, &result, 1, MPI_INT, MPI_OP_NULL, 0, step->comm);
    default:
        return MPI_Recv(&octet, 1, MPI_BYTE, step->size + 3, 0, step->comm, MPI_STATUS_IGNORE);
    }
}

/* A message that is longer than the room for it. */
static int truncated(struct step *step)
{
    int out[4] = {1, 2, 3, 4}, in[4] = {0}, code;
    MPI_Request request;

    MPI_Isend(out, 4, MPI_INT, step->rank, 9, step->comm, &request);
    code = MPI_Recv(in, 2, MPI_INT, step->rank, 9, step->comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    note_number(in[2]);
    return code;
}

static void errors(struct step *step)
{
    int which = below(&step->lot, 8), code, class_of;

    MPI_Comm_set_errhandler(step->comm, MPI_ERRORS_RETURN);
    code = which == 7 ? truncated(step) : mistake(step, which);
    MPI_Error_class(code, &class_of);
    note_number(which);
    note_same(code != MPI_SUCCESS, "a mistake that is none");
    note_same(class_of == (const int[]){MPI_ERR_COUNT, MPI_ERR_RANK, MPI_ERR_TAG, MPI_ERR_TYPE, MPI_ERR_ROOT,
                                        MPI_ERR_OP, MPI_ERR_RANK, MPI_ERR_TRUNCATE}[which],
              "a mistake of another class");
    MPI_Comm_set_errhandler(step->comm, MPI_ERRORS_ARE_FATAL);
}

void step_objects(struct step *step)
{
    static void (*const kinds[])(struct step *) = {groups, grid, graph, attributes, errors};

    if (step->size <= RANKS) {
        kinds[below(&step->lot, 5)](step);
    }
}
