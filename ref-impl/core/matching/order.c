/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The labels of a match list: see matching/order.h.
 *
 *      0          label              label              label                  LABEL_END
 *      |------------|------------------|------------------|------------------------|
 *      |  front     |        between two: halfway,        |  behind the last: STEP |
 *      |            |        SHORT_STEP at most           |                        |
 *
 * Programs insert again and again before the same entry, as MPI does with its receives; halfway alone would have used
 * up the numbers there after 32 of them.
 *
 * Spreading: stretches of 2, 4, 8 ... numbers around the full place are looked at until one of 2^b numbers holds no
 * more than 2^(b/2) entries. LIMIT_LIST entries are found room for long before the numbers end.
 */
#include "ref-impl/core/matching/order.h"

#include <assert.h>

#include "ref-impl/core/limits.h"

#define LABEL_BITS 62u
#define LABEL_END  ((uint64_t)1 << LABEL_BITS)
#define STEP       ((uint64_t)1 << 32)
#define SHORT_STEP ((uint64_t)1 << 16)

static_assert((LIMIT_LIST + 1ull) * (LIMIT_LIST + 1ull) <= LABEL_END, "the longest list finds room");
static_assert(LIMIT_LIST + 1ull <= LABEL_END / STEP, "the longest list can be labelled by steps");

static struct me *entry_at(struct list *link)
{
    return LIST_OWNER(link, struct me, link);
}

void match_order_all(struct match_list *list)
{
    uint64_t label = LABEL_END / 2 - list->count / 2 * STEP;

    for (struct list *at = list->entries.next; at != &list->entries; at = at->next) {
        entry_at(at)->label = label;
        label += STEP;
    }
}

/* Labels the entries from `first` on, `count` of them, evenly over the numbers from `low` on, `size` of them. */
static void spread(struct list *first, uint64_t count, uint64_t low, uint64_t size)
{
    uint64_t gap = size / (count + 1);

    for (uint64_t i = 1; i <= count; i++) {
        entry_at(first)->label = low + i * gap;
        first = first->next;
    }
}

/* Makes room on both sides of the label at `centre`. */
static void make_room(struct match_list *list, struct list *centre)
{
    uint64_t label = entry_at(centre)->label;
    struct list *first = centre, *last = centre;
    uint64_t count = 1;

    for (unsigned bits = 2; bits <= LABEL_BITS; bits++) {
        uint64_t size = (uint64_t)1 << bits, low = label & ~(size - 1);

        for (; first->previous != &list->entries && entry_at(first->previous)->label >= low; count++) {
            first = first->previous;
        }
        for (; last->next != &list->entries && entry_at(last->next)->label < low + size; count++) {
            last = last->next;
        }
        if ((count + 1) * (count + 1) <= size) {
            spread(first, count, low, size);
            return;
        }
    }
    assert(false && "no list is that long");
}

/* A number between those of the neighbours of `link`; false when there is none. */
static bool choose(const struct match_list *list, struct list *link, uint64_t *label)
{
    bool is_first = link->previous == &list->entries, is_last = link->next == &list->entries;
    uint64_t low = is_first ? 0 : entry_at(link->previous)->label;
    uint64_t high = is_last ? LABEL_END : entry_at(link->next)->label;
    uint64_t half = (high - low) / 2;

    if (high - low < 2) {
        return false;
    }
    if (is_last && !is_first && high - low > STEP) {
        *label = low + STEP;
    } else if (is_first && !is_last && high - low > STEP) {
        *label = high - STEP;
    } else {
        *label = low + (half < SHORT_STEP ? half : SHORT_STEP);
    }
    return true;
}

void match_order_one(struct match_list *list, struct me *me)
{
    struct list *neighbour = me->link.previous != &list->entries ? me->link.previous : me->link.next;
    struct list *place = me->link.previous;

    if (choose(list, &me->link, &me->label)) {
        return;
    }
    list_remove(&me->link); /* it has no label by which it could take part */
    make_room(list, neighbour);
    list_insert_after(place, &me->link);
    bool found = choose(list, &me->link, &me->label);
    assert(found && "make_room made room");
    (void)found;
}
