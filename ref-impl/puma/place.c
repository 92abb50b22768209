/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Places of messages: see puma/descriptor.h. How the options of Puma are said in Portals 3.0.
 */
#include <stdlib.h>
#include <string.h>

#include "ref-impl/puma/descriptor.h"

struct puma_descriptor *puma_descriptor_new(const struct puma_list *list, enum puma_kind kind, unsigned count,
                                            const struct puma_options *options)
{
    struct puma_descriptor *made = calloc(1, sizeof(*made) + count * sizeof(made->place[0]));
    ptl_size_t headers = options->headers ? options->headers : PUMA_HEADERS;

    if (!made || PtlEQAlloc(list->interface, headers, &made->events) != PTL_OK) {
        free(made);
        return NULL;
    }
    made->kind = kind;
    made->options = *options;
    made->interface = list->interface;
    made->count = count;
    for (unsigned i = 0; i < count; i++) {
        made->place[i].of = made;
    }
    return made;
}

void puma_descriptor_free(struct puma_descriptor *descriptor)
{
    if (descriptor->kind != PUMA_OVERLAY) {
        (void)PtlEQFree(descriptor->events);
    }
    free(descriptor->table);
    free(descriptor->whole);
    free(descriptor);
}

//= PUMA-012
//= PUMA-015
//= PUMA-017
//= PUMA-016
void puma_place_set(struct puma_descriptor *descriptor, unsigned number, struct puma_buffer memory, int threshold)
{
    const struct puma_options *options = &descriptor->options;
    struct puma_place *place = &descriptor->place[number];
    unsigned int what = options->access == PUMA_READ ? PTL_MD_OP_GET : PTL_MD_OP_PUT;

    what |= options->offset == PUMA_SENDER ? PTL_MD_MANAGE_REMOTE : 0;
    what |= options->save == PUMA_HEADER || options->save == PUMA_MARKED || options->cuts ? PTL_MD_TRUNCATE : 0;
    what |= options->acknowledge ? 0 : PTL_MD_ACK_DISABLE; //= PUMA-028
    place->memory = memory;
    place->value = (ptl_md_t){
        .start = options->save == PUMA_HEADER || memory.len == 0 ? NULL : memory.start,
        .length = options->save == PUMA_HEADER ? 0 : memory.len,
        .threshold = threshold,
        .options = what,
        .user_ptr = place,
        .eventq = options->save == PUMA_BODY ? PTL_EQ_NONE : descriptor->events,
    };
}

bool puma_place_enter(struct puma_place *place, const struct puma_list *list, const struct puma_match *match)
{
    ptl_md_t value = place->value;
    ptl_unlink_t unlink = place->of->kind == PUMA_INDEPENDENT ? PTL_UNLINK : PTL_RETAIN;

    value.threshold = place->of->options.closed ? 0 : value.threshold;
    if (PtlMEInsert(match->from, match->bits, match->ignored, PTL_RETAIN, PTL_INS_BEFORE, list->before,
                    &place->entry) != PTL_OK) {
        return false;
    }
    if (PtlMDAttach(place->entry, value, unlink, &place->descriptor) != PTL_OK) {
        (void)PtlMEUnlink(place->entry);
        return false;
    }
    return true;
}

//= PUMA-023
bool puma_place_append(struct puma_descriptor *descriptor, unsigned number)
{
    struct puma_place *place = &descriptor->place[number];
    ptl_handle_md_t end = descriptor->place[descriptor->last].descriptor;
    int code = PtlMDInsert(place->value, PTL_UNLINK, PTL_INS_AFTER, end, &place->descriptor);

    if (code == PTL_INV_MD) { /* the last one has been used: all have */
        code = PtlMDAttach(descriptor->place[0].entry, place->value, PTL_UNLINK, &place->descriptor);
    }
    if (code == PTL_OK) {
        descriptor->last = number;
    }
    return code == PTL_OK;
}

void puma_gather(struct puma_descriptor *descriptor)
{
    size_t at = 0;

    for (unsigned i = 0; i < descriptor->table_count; i++) {
        memcpy(descriptor->whole + at, descriptor->table[i].start, descriptor->table[i].len);
        at += descriptor->table[i].len;
    }
}

void puma_scatter(struct puma_descriptor *descriptor, size_t offset, size_t len)
{
    size_t begin = 0, end = offset + len;

    for (unsigned i = 0; i < descriptor->table_count; i++) {
        const struct puma_buffer *buffer = &descriptor->table[i];
        size_t from = offset > begin ? offset : begin;
        size_t to = end < begin + buffer->len ? end : begin + buffer->len;

        if (from < to) {
            memcpy((unsigned char *)buffer->start + (from - begin), descriptor->whole + from, to - from);
        }
        begin += buffer->len;
    }
}
