/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The index of a match list: see matching/index.h.
 *
 *      classes                           buckets (of all classes)
 *      +------------------------+        +---+
 *      | ignores 0, any process |--+     | 0 |--> entry --> entry        each chain in the order of the list;
 *      | ignores ~0, one rank   |  +---> | 1 |                            entries of other hashes in between
 *      | ...                    |  hash  | 2 |--> entry
 *      | everything else        |        +---+
 *      +------------------------+
 */
#include "ref-impl/core/matching/index.h"

#include <assert.h>
#include <stdlib.h>

#include "ref-impl/core/matching/order.h"

enum { OTHERS, ID_NID = 1, ID_PID = 2, ID_GID = 4, ID_RID = 8, NEIGHBOURS = 8 };

/* What the entries of a class leave open. */
struct match_class {
    uint64_t ignore_bits;
    unsigned any_ids;
    uint32_t count; /* entries; 0: the class is free */
};

struct match_index {
    struct match_class classes[MATCH_INDEX_CLASSES];
    uint32_t used; /* classes that were ever used, from 0 on */
    unsigned last; /* the class of the entry that came last, which the next one often has too; OTHERS: none */
    uint32_t mask; /* number of buckets, a power of 2, less 1 */
    struct list *buckets;
};

static struct me *entry_of(const struct list *link)
{
    return LIST_OWNER(link, struct me, link);
}

static struct me *chained_at(const struct list *link)
{
    return LIST_OWNER(link, struct me, chain);
}

/* ---- hashes ------------------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* What bits and process are, apart from what a class leaves open, and which class that is. */
static uint64_t hash_of(const struct match_index *index, unsigned number, uint64_t bits,
                        const struct wire_portals_id *process)
{
    const struct match_class *class = &index->classes[number];
    uint64_t hash = mix(0, number);

    if (number == OTHERS) {
        return hash;
    }
    hash = mix(hash, bits & ~class->ignore_bits);
    hash = mix(hash, class->any_ids & ID_NID ? 0 : process->nid);
    hash = mix(hash, class->any_ids & ID_PID ? 0 : process->pid);
    hash = mix(hash, class->any_ids & ID_GID ? 0 : process->gid);
    hash = mix(hash, class->any_ids & ID_RID ? 0 : process->rid);
    return hash / MATCH_INDEX_CLASSES * MATCH_INDEX_CLASSES + number;
}

static struct list *bucket_of(const struct match_index *index, uint64_t hash)
{
    return &index->buckets[(hash >> 32) & index->mask];
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static unsigned any_ids_of(const struct wire_portals_id *process)
{
    return (process->nid == CORE_ANY_ID ? ID_NID : 0u) | (process->pid == CORE_ANY_ID ? ID_PID : 0u) |
           (process->gid == CORE_ANY_ID ? ID_GID : 0u) | (process->rid == CORE_ANY_ID ? ID_RID : 0u);
}

/* The class of an entry; a free one becomes it, and when there is none, the entry is one of the others. */
static unsigned class_of(struct match_index *index, const struct me_criteria *criteria)
{
    unsigned any_ids = any_ids_of(&criteria->process), unused = OTHERS;
    const struct match_class *last = &index->classes[index->last];

    if (index->last != OTHERS && last->count > 0 && last->ignore_bits == criteria->ignore_bits &&
        last->any_ids == any_ids) {
        return index->last;
    }
    for (unsigned i = MATCH_INDEX_CLASSES; --i > OTHERS;) {
        const struct match_class *class = &index->classes[i];

        if (class->count == 0) {
            unused = i;
        } else if (class->ignore_bits == criteria->ignore_bits && class->any_ids == any_ids) {
            return i;
        }
    }
    if (unused != OTHERS) {
        index->classes[unused] = (struct match_class){criteria->ignore_bits, any_ids, 0};
    }
    return unused;
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

/* Where in its chain an entry belongs, found among its neighbours in the list: the link behind which it goes; NULL when
 * none of them is in that chain. */
static struct list *place_by_neighbours(const struct match_list *list, const struct me *me, const struct list *bucket)
{
    const struct list *before = me->link.previous, *behind = me->link.next;

    for (int i = 0; i < NEIGHBOURS; i++) {
        if (before != &list->entries) {
            if (bucket_of(list->index, entry_of(before)->hash) == bucket) {
                return &entry_of(before)->chain;
            }
            before = before->previous;
        }
        if (behind != &list->entries) {
            if (bucket_of(list->index, entry_of(behind)->hash) == bucket) {
                return entry_of(behind)->chain.previous;
            }
            behind = behind->next;
        }
    }
    return NULL;
}

/* The same by labels, from both ends of the chain at once. */
static struct list *place_by_label(const struct me *me, struct list *bucket)
{
    struct list *begin = bucket->next, *end = bucket->previous;

    while (end != bucket && chained_at(end)->label > me->label) {
        if (chained_at(begin)->label > me->label) {
            return begin->previous;
        }
        begin = begin->next;
        end = end->previous;
    }
    return end;
}

/* Links an entry into its chain. */
static void chain(struct match_list *list, struct me *me)
{
    struct list *bucket = bucket_of(list->index, me->hash);
    struct list *place = list_is_empty(bucket) ? bucket : place_by_neighbours(list, me, bucket);

    list_insert_after(place ? place : place_by_label(me, bucket), &me->chain);
}

/* Gives an entry its class and hash. */
static void classify(struct match_index *index, struct me *me)
{
    unsigned number = class_of(index, &me->criteria);

    index->classes[number].count++;
    index->last = number;
    index->used = number < index->used ? index->used : number + 1;
    me->class = (uint8_t)number;
    me->hash = hash_of(index, number, me->criteria.match_bits, &me->criteria.process);
}

/* Gives the index of a list `count` buckets, a power of 2, and chains its entries anew; false without memory. */
static bool resize(struct match_list *list, uint32_t count)
{
    struct match_index *index = list->index;
    struct list *buckets = calloc(count, sizeof(*buckets));

    if (!buckets) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        list_init(&buckets[i]);
    }
    free(index->buckets);
    index->buckets = buckets;
    index->mask = count - 1;
    for (struct list *at = list->entries.next; at != &list->entries; at = at->next) {
        struct me *me = entry_of(at);
        struct list *bucket = bucket_of(index, me->hash);

        assert(bucket->previous && "all of them were made lists above");
        list_insert_before(bucket, &me->chain);
    }
    return true;
}

static void drop(struct match_list *list)
{
    free(list->index->buckets);
    free(list->index);
    list->index = NULL;
}

/* Makes the index of a list that has become long. */
static void build(struct match_list *list)
{
    list->index = calloc(1, sizeof(*list->index));
    if (!list->index) {
        return;
    }
    match_order_all(list);
    for (struct list *at = list->entries.next; at != &list->entries; at = at->next) {
        classify(list->index, entry_of(at));
    }
    if (!resize(list, 2 * MATCH_INDEX_FROM)) {
        drop(list);
    }
}

void match_index_add(struct me *me)
{
    struct match_list *list = me->list;

    if (!list->index) {
        if (list->count >= MATCH_INDEX_FROM) {
            build(list);
        }
        return;
    }
    match_order_one(list, me);
    classify(list->index, me);
    chain(list, me);
    if (list->count > list->index->mask) {
        (void)resize(list, 2 * (list->index->mask + 1)); /* without memory the chains grow longer, no more */
    }
}

void match_index_remove(struct me *me)
{
    struct match_index *index = me->list->index;

    if (!index) {
        return;
    }
    list_remove(&me->chain);
    index->classes[me->class].count--;
    if (me->list->count == 0) {
        drop(me->list);
    }
}

/* ---- searching --------------------------------------------------------------------------------------------------- */

/* The first entry of a class from `at` on, in the chain in which its hash is. */
static const struct list *candidate_from(struct match_search *search, unsigned number, const struct list *at)
{
    const struct list *bucket = bucket_of(search->list->index, search->hash[number]);

    for (; at != bucket; at = at->next) {
        const struct me *me = chained_at(at);

        search->steps++;
        if (me->hash == search->hash[number]) {
            return at;
        }
    }
    return NULL;
}

/* Takes the candidate that comes first in the list. What is behind it is looked at only when it was not the right one.
 */
static const struct me *next_of_index(struct match_search *search)
{
    const struct me *first = NULL;

    if (search->taken) {
        unsigned number = search->taken->class;

        search->candidate[number] = candidate_from(search, number, search->taken->chain.next);
    }
    for (unsigned i = 0; i < search->list->index->used; i++) {
        const struct me *me = search->candidate[i] ? chained_at(search->candidate[i]) : NULL;

        if (me && (!first || me->label < first->label)) {
            first = me;
        }
    }
    search->taken = first;
    return first;
}

const struct me *match_first(struct match_search *search, const struct match_list *list,
                             const struct wire_portals_header *request)
{
    const struct match_index *index = list->index;

    search->list = list;
    search->steps = 0;
    search->taken = NULL;
    if (!index) {
        search->at = list->entries.next; //= P30-015
        return match_next(search);
    }
    for (unsigned i = 0; i < index->used; i++) {
        search->candidate[i] = NULL;
        if (index->classes[i].count > 0) {
            search->hash[i] = hash_of(index, i, request->match_bits, &request->initiator);
            search->candidate[i] = candidate_from(search, i, bucket_of(index, search->hash[i])->next);
        }
    }
    return match_next(search);
}

const struct me *match_next(struct match_search *search)
{
    const struct me *me;

    if (search->list->index) {
        return next_of_index(search);
    }
    if (search->at == &search->list->entries) {
        return NULL;
    }
    me = entry_of(search->at);
    search->steps++;
    search->at = search->at->next; //= P30-315
    return me;
}
