/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Notes of messages, and a hash table with open addressing by which those of one pair of processes are found: four
 * octets for a place, where a map of Wireshark's takes ten times as many.
 */
#include "dissector/impi/note.h"

#include "dissector/common/kept.h"

#include <epan/wmem_scopes.h>

enum {
    ROOM_LEAST = 64, /* a power of two */
    PENDING = 61,    /* so that a list has 256 octets */
};

struct impi_pending {
    struct impi_pending *next;
    uint32_t count;
    uint32_t numbers[PENDING];
};

static struct kept notes = {.octets = sizeof(struct impi_note)};

struct impi_note *impi_note_add(uint32_t packet, enum impi_form form)
{
    struct impi_note *note = kept_add(&notes, packet);

    note->form = form;
    return note;
}

struct impi_note *impi_note_find(uint32_t packet, uint32_t number)
{
    return kept_find(&notes, packet, number);
}

const struct impi_more *impi_note_more(const struct impi_note *note)
{
    static const struct impi_more nothing;

    return note && note->extended ? note->more : &nothing;
}

struct impi_more *impi_note_extend(struct impi_note *note)
{
    if (!note->extended) {
        struct impi_more *more = wmem_new0(wmem_file_scope(), struct impi_more);

        more->srqid = note->srqid;
        note->more = more;
        note->extended = true;
    }
    return note->more;
}

static struct impi_note *note_at(uint32_t number)
{
    return kept_at(&notes, number - 1);
}

static uint64_t srqid_of(const struct impi_note *note)
{
    return note->extended ? note->more->srqid : note->srqid;
}

/* The place of that request, which is 0 where there is none. */
static uint32_t *slot_of(const struct impi_requests *requests, uint64_t srqid)
{
    uint32_t at = wmem_int64_hash(&srqid);

    for (;; at++) {
        uint32_t *slot = &requests->slots[at & (requests->room - 1)];
        const struct impi_note *note = *slot ? note_at(*slot) : NULL;

        if (!note || srqid_of(note) == srqid) {
            return slot;
        }
    }
}

static void grow(struct impi_requests *requests)
{
    const struct impi_requests before = *requests;

    requests->room = before.room ? 2 * before.room : ROOM_LEAST;
    requests->slots = wmem_alloc0_array(wmem_file_scope(), uint32_t, requests->room);
    for (uint32_t i = 0; i < before.room; i++) {
        if (before.slots[i]) {
            *slot_of(requests, srqid_of(note_at(before.slots[i]))) = before.slots[i];
        }
    }
    wmem_free(wmem_file_scope(), before.slots);
}

static void place(struct impi_requests *requests, uint32_t number)
{
    uint32_t *slot;

    if (requests->used >= requests->room / 4 * 3) {
        grow(requests);
    }
    slot = slot_of(requests, srqid_of(note_at(number)));
    requests->used += *slot == 0;
    *slot = number;
}

void impi_requests_add(struct impi_requests *requests, uint64_t srqid)
{
    struct impi_note *note = note_at(notes.count);

    *(note->extended ? &note->more->srqid : &note->srqid) = srqid;
    if (!requests->last || requests->last->count == PENDING) {
        struct impi_pending *made = wmem_new0(wmem_file_scope(), struct impi_pending);

        *(requests->last ? &requests->last->next : &requests->pending) = made;
        requests->last = made;
    }
    requests->last->numbers[requests->last->count++] = notes.count;
}

static void place_pending(struct impi_requests *requests)
{
    struct impi_pending *first = requests->pending;

    for (uint32_t i = 0; i < first->count; i++) {
        place(requests, first->numbers[i]);
    }
    requests->pending = first->next;
    requests->last = first->next ? requests->last : NULL;
    wmem_free(wmem_file_scope(), first);
}

struct impi_note *impi_requests_find(struct impi_requests *requests, uint64_t srqid)
{
    uint32_t number;

    while (requests->pending) {
        place_pending(requests);
    }
    number = requests->room ? *slot_of(requests, srqid) : 0;
    return number ? note_at(number) : NULL;
}
