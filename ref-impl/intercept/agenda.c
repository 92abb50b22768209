/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The agenda is a binary heap of entries that know their place; see agenda.h.
 */
#include "ref-impl/intercept/agenda.h"

#include <assert.h>
#include <stdlib.h>

bool intercept_agenda_begin(struct intercept_agenda *agenda, size_t room)
{
    *agenda = (struct intercept_agenda){.heap = calloc(room + 1, sizeof(struct intercept_entry *)), .room = room};
    return agenda->heap != NULL;
}

void intercept_agenda_end(struct intercept_agenda *agenda)
{
    free(agenda->heap);
}

void intercept_agenda_add(struct intercept_agenda *agenda, struct intercept_entry *entry,
                          void (*act)(void *owner, uint64_t now_ns), void *owner)
{
    assert(agenda->added < agenda->room);
    *entry = (struct intercept_entry){.act = act, .owner = owner, .order = agenda->added++};
}

static bool comes_before(const struct intercept_entry *one, const struct intercept_entry *other)
{
    return one->due_ns < other->due_ns || (one->due_ns == other->due_ns && one->order < other->order);
}

static void place_at(struct intercept_agenda *agenda, size_t place, struct intercept_entry *entry)
{
    agenda->heap[place] = entry;
    entry->place = place;
}

static void move_up(struct intercept_agenda *agenda, struct intercept_entry *entry)
{
    size_t place = entry->place;

    while (place > 1 && comes_before(entry, agenda->heap[place / 2])) {
        place_at(agenda, place, agenda->heap[place / 2]);
        place /= 2;
    }
    place_at(agenda, place, entry);
}

static void move_down(struct intercept_agenda *agenda, struct intercept_entry *entry)
{
    size_t place = entry->place;

    for (;;) {
        size_t child = place * 2;

        if (child < agenda->count && comes_before(agenda->heap[child + 1], agenda->heap[child])) {
            child++;
        }
        if (child > agenda->count || !comes_before(agenda->heap[child], entry)) {
            break;
        }
        place_at(agenda, place, agenda->heap[child]);
        place = child;
    }
    place_at(agenda, place, entry);
}

void intercept_agenda_set(struct intercept_agenda *agenda, struct intercept_entry *entry, uint64_t due_ns)
{
    entry->due_ns = due_ns > agenda->now_ns ? due_ns : agenda->now_ns;
    if (entry->place == 0) {
        place_at(agenda, ++agenda->count, entry);
    }
    move_up(agenda, entry);
    move_down(agenda, entry);
}

uint64_t intercept_agenda_due(const struct intercept_agenda *agenda)
{
    return agenda->count > 0 ? agenda->heap[1]->due_ns : UINT64_MAX;
}

bool intercept_agenda_step(struct intercept_agenda *agenda, uint64_t until_ns)
{
    struct intercept_entry *entry = agenda->heap[1];

    if (agenda->count == 0 || entry->due_ns > until_ns) {
        return false;
    }
    struct intercept_entry *last = agenda->heap[agenda->count--];
    if (last != entry) {
        place_at(agenda, 1, last);
        move_down(agenda, last);
    }
    entry->place = 0;
    agenda->now_ns = entry->due_ns;
    agenda->acts++;
    entry->act(entry->owner, agenda->now_ns);
    return true;
}
