/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A hash table of names. A test may keep thousands of handles (long match lists), so finding a name does not search;
 * finding the name that belongs to an object or an address does, since only few results need it.
 */
#include "names.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"

enum { BUCKETS = 16384 };

struct name {
    struct name *next;
    unsigned long age; /* larger is younger */
    char text[NAME_OCTETS];
    struct meaning meaning;
};

static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;
static struct name *names_buckets[BUCKETS]; /* lock */
static unsigned long names_age;             /* lock */

const char *kind_title(int kind)
{
    if (kind == KIND_REGION)
        return "memory region";
    return kind == KIND_THREAD ? "thread" : api.kinds[kind - KIND_OWN].title;
}

size_t kind_octets(int kind)
{
    return kind < KIND_OWN ? 0 : api.kinds[kind - KIND_OWN].octets;
}

/* names_place gives the link that leads to the name, or where it would be put. Needs the lock. */
static struct name **names_place(const char *text)
{
    uint32_t hash = 2166136261u;
    struct name **place;

    for (const char *octet = text; *octet; octet++)
        hash = (hash ^ (unsigned char)*octet) * 16777619u;
    place = &names_buckets[hash % BUCKETS];
    while (*place && strcmp((*place)->text, text) != 0)
        place = &(*place)->next;
    return place;
}

bool names_get(const char *text, struct meaning *meaning)
{
    struct name *name;

    pthread_mutex_lock(&names_lock);
    name = *names_place(text);
    if (name)
        *meaning = name->meaning;
    pthread_mutex_unlock(&names_lock);
    return name != NULL;
}

/* check needs the lock. */
static void check(const char *text, const struct name *name, bool may_replace, struct failure *failure)
{
    if (!text_is_name(text))
        failure_set(failure, "bad-value", "'%.40s' cannot be a name", text);
    else if (name && (!may_replace || name->meaning.kind == KIND_REGION || name->meaning.kind == KIND_THREAD))
        failure_set(failure, "exists", "%s is a %s already", text, kind_title(name->meaning.kind));
}

static void put(const char *text, const struct meaning *meaning, bool may_replace, struct failure *failure)
{
    struct name **place;

    pthread_mutex_lock(&names_lock);
    place = names_place(text);
    check(text, *place, may_replace, failure);
    if (!failure->code && !*place) {
        *place = calloc(1, sizeof **place);
        if (*place)
            strncpy((*place)->text, text, NAME_OCTETS - 1);
        else
            failure_set(failure, "no-memory", "no memory for the name %s", text);
    }
    if (!failure->code) {
        (*place)->meaning = *meaning;
        (*place)->age = ++names_age;
    }
    pthread_mutex_unlock(&names_lock);
}

void names_check_settable(const char *text, struct failure *failure)
{
    pthread_mutex_lock(&names_lock);
    check(text, *names_place(text), true, failure);
    pthread_mutex_unlock(&names_lock);
}

void names_set(const char *text, const struct meaning *meaning, struct failure *failure)
{
    put(text, meaning, true, failure);
}

void names_add(const char *text, const struct meaning *meaning, struct failure *failure)
{
    put(text, meaning, false, failure);
}

void names_remove(const char *text)
{
    struct name **place, *name;

    pthread_mutex_lock(&names_lock);
    place = names_place(text);
    name = *place;
    if (name)
        *place = name->next;
    pthread_mutex_unlock(&names_lock);
    free(name);
}

/* names_best finds the name for which `rank` is highest and, among those, the youngest; rank 0 does not count. Needs
 * the lock. */
static struct name *names_best(int (*rank)(const struct meaning *meaning, const void *wanted), const void *wanted)
{
    struct name *best = NULL;
    int best_rank = 0;

    for (size_t i = 0; i < BUCKETS; i++) {
        for (struct name *name = names_buckets[i]; name; name = name->next) {
            int its_rank = rank(&name->meaning, wanted);
            if (its_rank > best_rank || (its_rank > 0 && its_rank == best_rank && name->age > best->age)) {
                best = name;
                best_rank = its_rank;
            }
        }
    }
    return best;
}

struct wanted_object {
    int kind;
    const void *octets;
};

static int rank_object(const struct meaning *meaning, const void *argument)
{
    const struct wanted_object *wanted = argument;

    if (meaning->kind != wanted->kind || memcmp(meaning->object.octets, wanted->octets, kind_octets(wanted->kind)) != 0)
        return 0;
    return meaning->copy ? 1 : 2;
}

bool names_add_object(struct line *line, int kind, const void *octets)
{
    struct wanted_object wanted = {kind, octets};
    struct name *name;

    pthread_mutex_lock(&names_lock);
    name = names_best(rank_object, &wanted);
    if (name)
        line_add(line, "%s", name->text);
    pthread_mutex_unlock(&names_lock);
    return name != NULL;
}

static int rank_address(const struct meaning *meaning, const void *address)
{
    uintptr_t at = (uintptr_t)address, start = (uintptr_t)meaning->region.start;

    if (meaning->kind != KIND_REGION || at < start || at - start > meaning->region.octets)
        return 0;
    return at - start == meaning->region.octets ? 1 : 2;
}

bool names_add_address(struct line *line, const void *address)
{
    struct name *name;

    pthread_mutex_lock(&names_lock);
    name = names_best(rank_address, address);
    if (name)
        line_add(line, "%s+%llu", name->text,
                 (unsigned long long)((uintptr_t)address - (uintptr_t)name->meaning.region.start));
    pthread_mutex_unlock(&names_lock);
    return name != NULL;
}
