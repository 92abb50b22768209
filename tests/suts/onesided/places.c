/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handles, and the tables of a process: a handle is the kind of an object, which life of its place it is, and the
 * place.
 */
#include "tests/suts/onesided/library.h"

#include <string.h>

enum { KIND_SHIFT = 28, LIFE_SHIFT = 12, PLACE_MASK = (1 << LIFE_SHIFT) - 1, LIFE_MASK = 0xffff };

/* The table of a kind in this process: where it is, how many and how large its objects are. */
struct table {
    char *start;
    unsigned count;
    size_t octets;
};

static struct table table_of(enum kind kind)
{
    switch (kind) {
    case KIND_NI:
        return (struct table){(char *)&self->ni, 1, sizeof self->ni};
    case KIND_ME:
        return (struct table){(char *)self->entries, ENTRIES, sizeof self->entries[0]};
    case KIND_MD:
        return (struct table){(char *)self->descriptors, DESCRIPTORS, sizeof self->descriptors[0]};
    case KIND_EQ:
        return (struct table){(char *)self->queues, QUEUES, sizeof self->queues[0]};
    }
    return (struct table){NULL, 0, 1};
}

static struct place *place_at(struct table table, unsigned number)
{
    return number < table.count ? (struct place *)(table.start + number * table.octets) : NULL;
}

/* A handle of another process's object is the same there, since all have the same tables. */
ptl_handle_any_t handle_of(enum kind kind, const void *object)
{
    const struct table table = table_of(kind);
    const size_t in_rank = (size_t)((const char *)object - (const char *)job->ranks) % sizeof(struct rank);
    const size_t far = in_rank - (size_t)(table.start - (const char *)self);
    const struct place *place = object;

    return (unsigned)kind << KIND_SHIFT | (place->life & LIFE_MASK) << LIFE_SHIFT | (unsigned)(far / table.octets);
}

static void *find(enum kind kind, ptl_handle_any_t handle)
{
    struct place *place = handle >> KIND_SHIFT == (unsigned)kind ? place_at(table_of(kind), handle & PLACE_MASK) : NULL;
    bool alive = place && place->used && (place->life & LIFE_MASK) == (handle >> LIFE_SHIFT & LIFE_MASK);

    return alive ? place : NULL;
}

struct me *me_of(ptl_handle_any_t handle)
{
    return find(KIND_ME, handle);
}

struct md *md_of(ptl_handle_any_t handle)
{
    return find(KIND_MD, handle);
}

struct eq *eq_of(ptl_handle_any_t handle)
{
    return find(KIND_EQ, handle);
}

bool ni_of(ptl_handle_any_t handle)
{
    return find(KIND_NI, handle);
}

bool any_of(ptl_handle_any_t handle)
{
    return ni_of(handle) || me_of(handle) || md_of(handle) || eq_of(handle);
}

/* The object of a free place, all zero but for its life. */
static void *take(enum kind kind)
{
    const struct table table = table_of(kind);
    struct place *place = NULL;
    unsigned number = HIGHEST ? table.count - 1 : 0;

    while ((place = place_at(table, number)) && place->used) {
        number += HIGHEST ? ~0U : 1; /* below the first there is none */
    }
    if (place) {
        const unsigned life = place->life;
        memset(place, 0, table.octets);
        *place = (struct place){true, life + 1};
    }
    return place;
}

struct me *me_new(void)
{
    return take(KIND_ME);
}

struct md *md_new(void)
{
    return take(KIND_MD);
}

struct eq *eq_new(void)
{
    return take(KIND_EQ);
}

void entry_end(struct rank *rank, struct me *me)
{
    const int number = (int)(me - rank->entries);
    int *at = &rank->lists[me->portal];

    while (*at != number) {
        at = &rank->entries[*at].next;
    }
    *at = me->next;
    if (me->md != NOTHING) {
        rank->descriptors[me->md].place.used = false;
    }
    me->place.used = false;
}

void descriptor_end(struct rank *rank, struct md *md)
{
    struct me *me = md->me == NOTHING ? NULL : &rank->entries[md->me];

    md->place.used = false;
    if (me) {
        me->md = NOTHING;
        if (me->unlink == PTL_UNLINK) {
            entry_end(rank, me);
        }
    }
}

void interface_end(void)
{
    for (unsigned kind = KIND_NI; kind <= KIND_EQ; kind++) {
        const struct table table = table_of(kind);
        for (unsigned number = 0; number < table.count; number++) {
            place_at(table, number)->used = false;
        }
    }
    self->open = false;
    pthread_cond_broadcast(&job->news);
}
