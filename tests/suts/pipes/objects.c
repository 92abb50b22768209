/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handles. NARROW: the number of a place in a table of its kind, so that an entry and a queue may have the same, and
 * the place of what is gone is taken again at once. Otherwise numbers that never come again.
 */
#include "tests/suts/pipes/library.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct object **places[KINDS];
static size_t room[KINDS], lowest[KINDS]; /* lowest: no place below is free */

static uint64_t value_of(enum kind kind, size_t place)
{
#ifdef NARROW
    (void)kind;
    return place + 1;
#else
    static uint64_t serial;
    return (++serial << 24 | place) << 3 | kind;
#endif
}

static size_t place_of(uint64_t value)
{
#ifdef NARROW
    return (size_t)value - 1;
#else
    return value >> 3 & 0xffffff;
#endif
}

static bool take_place(enum kind kind, size_t *place)
{
    size_t at = lowest[kind];

    while (at < room[kind] && places[kind][at]) {
        at++;
    }
    if (at == PLACES) {
        return false;
    }
    if (at == room[kind]) {
        size_t more = room[kind] ? 2 * room[kind] : 64;
        struct object **bigger = realloc(places[kind], more * sizeof *bigger);
        if (!bigger) {
            return false;
        }
        memset(bigger + room[kind], 0, (more - room[kind]) * sizeof *bigger);
        places[kind] = bigger;
        room[kind] = more;
    }
    lowest[kind] = at + 1;
    *place = at;
    return true;
}

void *object_new(enum kind kind, size_t octets, struct ni *ni)
{
    struct object *object = calloc(1, octets);
    size_t place;

    if (!object || !take_place(kind, &place)) {
        free(object);
        return NULL;
    }
    *object = (struct object){kind, value_of(kind, place), ni};
    places[kind][place] = object;
    return object;
}

void object_end(void *any)
{
    struct object *object = any;
    size_t place = place_of(object->value);

    places[object->kind][place] = NULL;
    lowest[object->kind] = place < lowest[object->kind] ? place : lowest[object->kind];
    free(object);
}

void *object_find(enum kind kind, uint64_t value)
{
    size_t place = place_of(value);
    struct object *object = place < room[kind] ? places[kind][place] : NULL;

    return object && object->value == value ? object : NULL;
}

void *object_of(enum kind kind, const struct ni *ni)
{
    for (size_t i = 0; i < room[kind]; i++) {
        if (places[kind][i] && places[kind][i]->ni == ni) {
            return places[kind][i];
        }
    }
    return NULL;
}

bool memory_is_there(const void *start, size_t octets)
{
    const char *at = start;
    int ends[2];
    bool good = pipe(ends) == 0 && write(ends[1], at, 1) == 1 && write(ends[1], at + octets - 1, 1) == 1;

    close(ends[0]);
    close(ends[1]);
    return good;
}
