/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes and keys: see attr_set.h. attr_impi.c computes the attributes that every communicator has.
 */
#include "ref-impl/mpi/communicators/attr_set.h"

#include <stdlib.h>

static struct attr_key *keys; /* key i is keys[i - ATTR_FIXED] */
static int key_count;

struct attr_key *attr_key_at(int keyval)
{
    bool is_one = keyval >= ATTR_FIXED && keyval - ATTR_FIXED < key_count;

    return is_one ? &keys[keyval - ATTR_FIXED] : NULL;
}

/* A key that nobody uses, or -1 when memory is used up. */
static int free_key(void)
{
    struct attr_key *more;
    int index = 0;

    while (index < key_count && keys[index].holders > 0) {
        index++;
    }
    if (index < key_count) {
        return index;
    }
    more = realloc(keys, ((size_t)key_count + 1) * sizeof(*keys));
    if (!more) {
        return -1;
    }
    keys = more;
    return key_count++;
}

int attr_key_new(struct attr_key key)
{
    int index = free_key();

    if (index < 0) {
        return -1;
    }
    keys[index] = key;
    return index + ATTR_FIXED;
}

/* The attribute under a key, or NULL. */
struct attr_entry *attr_find(const struct attr_set *set, int keyval)
{
    struct attr_entry *entry = set->newest;

    while (entry && entry->keyval != keyval) {
        entry = entry->older;
    }
    return entry;
}

bool attr_add(struct attr_set *set, int keyval, void *value)
{
    struct attr_entry *entry = malloc(sizeof(*entry));

    if (!entry) {
        return false;
    }
    *entry = (struct attr_entry){set->newest, keyval, value, false};
    set->newest = entry;
    attr_key_at(keyval)->holders++;
    return true;
}

/* Takes an attribute out of the list, and away. */
void attr_take(struct attr_set *set, struct attr_entry *entry)
{
    struct attr_entry **place = &set->newest;

    while (*place != entry) {
        place = &(*place)->older;
    }
    attr_key_at(entry->keyval)->holders--;
    *place = entry->older;
    free(entry);
}

void attr_drop(struct attr_set *set)
{
    while (set->newest) {
        attr_take(set, set->newest);
    }
}

void attr_close(void)
{
    free(keys);
    keys = NULL;
    key_count = 0;
}
