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

enum { ROOM_LEAST = 64 }; /* a power of two */

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

uint32_t *impi_requests_place(struct impi_requests *requests, uint64_t srqid)
{
    if (requests->used >= requests->room / 4 * 3) {
        grow(requests);
    }
    return slot_of(requests, srqid);
}

struct impi_note *impi_requests_at(const uint32_t *place)
{
    return *place ? note_at(*place) : NULL;
}

void impi_requests_set(struct impi_requests *requests, uint32_t *place, uint64_t srqid)
{
    struct impi_note *note = note_at(notes.count);

    *(note->extended ? &note->more->srqid : &note->srqid) = srqid;
    requests->used += *place == 0;
    *place = notes.count;
}
