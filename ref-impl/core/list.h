/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A ring of links: the lists of the core. A link is a member of the struct that is listed, so that linking cannot fail;
 * a list is a link of its own, the head, which belongs to nobody. An unlinked link points at itself.
 *
 *          +--> head <--> a <--> b <--+
 *          +--------------------------+
 */
#ifndef REF_IMPL_CORE_LIST_H
#define REF_IMPL_CORE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
    struct list *next, *previous;
};

/* LIST_OWNER is the struct of type `type` whose member `member` is the link at `link`. */
#define LIST_OWNER(link, type, member) ((type *)(void *)((char *)(link)-offsetof(type, member)))

/* list_init - makes an empty list, or an unlinked link. */
static inline void list_init(struct list *list)
{
    list->next = list->previous = list;
}

/* list_is_empty - whether a list has no links; of a link, whether it is in no list. */
static inline bool list_is_empty(const struct list *list)
{
    return list->next == list;
}

/* list_insert_after - links `link`, which is in no list, directly behind `place`. */
static inline void list_insert_after(struct list *place, struct list *link)
{
    link->previous = place;
    link->next = place->next;
    place->next->previous = link;
    place->next = link;
}

/* list_insert_before - links `link` directly in front of `place`; in front of the head is the end of the list. */
static inline void list_insert_before(struct list *place, struct list *link)
{
    list_insert_after(place->previous, link);
}

/* list_remove - takes a link out of whatever list it is in; one that is in none stays so. */
static inline void list_remove(struct list *link)
{
    link->previous->next = link->next;
    link->next->previous = link->previous;
    list_init(link);
}

/* list_take - takes the first link out of a list and returns it; NULL when the list is empty. */
static inline struct list *list_take(struct list *list)
{
    struct list *first = list->next;

    if (first == list) {
        return NULL;
    }
    list->next = first->next;
    first->next->previous = list;
    list_init(first);
    return first;
}

#endif
