/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes and keys of programs: see attribute.h.
 */
#include "ref-impl/mpi/common/attribute.h"

#include <stdlib.h>

static struct attr_key *keys; /* key i is keys[i - ATTR_FIRST] */
static int key_count;

struct attr_key *attribute_key_at(int keyval)
{
    bool is_one = keyval >= ATTR_FIRST && keyval - ATTR_FIRST < key_count;

    return is_one ? &keys[keyval - ATTR_FIRST] : NULL;
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

int attribute_key_new(struct attr_key key)
{
    int index = free_key();

    if (index < 0) {
        return -1;
    }
    keys[index] = key;
    return index + ATTR_FIRST;
}

/* The attribute under a key, or NULL. */
struct attr_entry *attribute_find(const struct attr_list *list, int keyval)
{
    struct attr_entry *entry = list->newest;

    while (entry && entry->keyval != keyval) {
        entry = entry->older;
    }
    return entry;
}

bool attribute_add(struct attr_list *list, int keyval, void *value)
{
    struct attr_entry *entry = malloc(sizeof(*entry));

    if (!entry) {
        return false;
    }
    *entry = (struct attr_entry){list->newest, keyval, value, false};
    list->newest = entry;
    attribute_key_at(keyval)->holders++;
    return true;
}

/* Takes an attribute out of the list, and away. */
void attribute_take(struct attr_list *list, struct attr_entry *entry)
{
    struct attr_entry **place = &list->newest;

    while (*place != entry) {
        place = &(*place)->older;
    }
    attribute_key_at(entry->keyval)->holders--;
    *place = entry->older;
    free(entry);
}

void attribute_drop(struct attr_list *list)
{
    while (list->newest) {
        attribute_take(list, list->newest);
    }
}

void attribute_close(void)
{
    free(keys);
    keys = NULL;
    key_count = 0;
}
