/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What has come to a descriptor, and space that is free again: see puma/puma.h. The queue of Puma's kernel is a queue
 * of events here.
 */
#include "ref-impl/puma/descriptor.h"

/* Empties a segment of a heap in which nothing is left, if nothing is just coming to it either: its offset begins anew
 * with a new descriptor, and what comes meanwhile goes to the other segments. */
static void empty(struct puma_place *place)
{
    ptl_md_t closed = place->value;

    closed.threshold = 0;
    if (PtlMDUpdate(place->descriptor, NULL, &closed, place->of->events) != PTL_OK) {
        return; /* not now */
    }
    if (PtlMDAttach(place->entry, place->value, PTL_RETAIN, &place->descriptor) == PTL_OK) {
        place->used = false;
    }
}

static void empty_all(struct puma_descriptor *descriptor)
{
    for (unsigned i = 0; descriptor->kind == PUMA_DYNAMIC && i < descriptor->count; i++) {
        if (descriptor->place[i].used && descriptor->place[i].live == 0) {
            empty(&descriptor->place[i]);
        }
    }
}

//= PUMA-053
bool puma_next(struct puma_descriptor *descriptor, struct puma_message *message)
{
    struct puma_place *place;
    ptl_event_t event;
    int code = PtlEQGet(descriptor->events, &event);

    if (code != PTL_OK && code != PTL_EQ_DROPPED) {
        empty_all(descriptor);
        return false;
    }
    place = event.mem_desc.user_ptr;
    *message = (struct puma_message){
        .initiator = event.initiator,
        .bits = event.match_bits,
        .sent = (size_t)event.rlength,
        .kept = (size_t)event.mlength,
        .octets = event.mlength ? (unsigned char *)place->memory.start + event.offset : NULL,
        .offset = (size_t)event.offset,
        .place = place,
    };
    if (place->of->options.save == PUMA_MARKED) { /* what is there, nobody wants */
        message->kept = 0;
        message->octets = NULL;
    }
    place->live++;
    place->used = true;
    place->of->written += message->kept;
    if (place->of->kind == PUMA_COMBINED && event.type == PTL_EVENT_PUT) {
        puma_scatter(place->of, message->offset, message->kept);
    }
    return true;
}

void puma_release(struct puma_descriptor *descriptor, const struct puma_message *message)
{
    struct puma_place *place = message->place;
    struct puma_descriptor *of = place->of;

    if (place->live > 0) {
        place->live--;
    }
    if (of->kind == PUMA_INDEPENDENT && of->options.circular && place->used) {
        place->used = !puma_place_append(of, (unsigned)(place - of->place));
    }
    empty_all(descriptor);
}

bool puma_is_empty(struct puma_descriptor *descriptor)
{
    bool used = false;

    empty_all(descriptor);
    for (unsigned i = 0; i < descriptor->count; i++) {
        used = used || descriptor->place[i].used;
    }
    return !used;
}

size_t puma_written(const struct puma_descriptor *descriptor)
{
    return descriptor->written;
}

void puma_refresh(struct puma_descriptor *descriptor)
{
    if (descriptor->kind == PUMA_COMBINED) {
        puma_gather(descriptor);
    }
}

//= PUMA-050
//= PUMA-051
bool puma_open(struct puma_descriptor *descriptor, const struct puma_descriptor *heap)
{
    struct puma_place *place = &descriptor->place[0];
    ptl_md_t open = place->value;

    return descriptor->count == 1 && PtlMDUpdate(place->descriptor, NULL, &open, heap->events) == PTL_OK;
}

bool puma_close(struct puma_descriptor *descriptor)
{
    struct puma_place *place = &descriptor->place[0];
    ptl_md_t closed = place->value;

    closed.threshold = 0;
    return descriptor->count == 1 && PtlMDUpdate(place->descriptor, NULL, &closed, descriptor->events) == PTL_OK;
}
