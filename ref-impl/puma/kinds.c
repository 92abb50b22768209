/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The four kinds of descriptors and overlays: see puma/puma.h.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/puma/descriptor.h"

/* Makes the entries of all places of a descriptor, or takes it away. */
static struct puma_descriptor *enter_all(struct puma_descriptor *made, const struct puma_list *list,
                                         const struct puma_match *match)
{
    for (unsigned i = 0; i < made->count; i++) {
        if (!puma_place_enter(&made->place[i], list, match)) {
            while (i-- > 0) {
                (void)PtlMEUnlink(made->place[i].entry);
            }
            puma_descriptor_free(made);
            return NULL;
        }
    }
    return made;
}

//= PUMA-014
struct puma_descriptor *puma_single(struct puma_list *list, const struct puma_match *match, struct puma_buffer block,
                                    const struct puma_options *options)
{
    struct puma_descriptor *made = puma_descriptor_new(list, PUMA_SINGLE, 1, options);

    if (made) {
        puma_place_set(made, 0, block, PTL_MD_THRESH_INF);
    }
    return made ? enter_all(made, list, match) : NULL;
}

//= PUMA-018
//= PUMA-019
//= PUMA-020
struct puma_descriptor *puma_dynamic(struct puma_list *list, const struct puma_match *match, struct puma_buffer heap,
                                     const struct puma_options *options)
{
    unsigned count = options->save == PUMA_HEADER ? 1 : PUMA_SEGMENTS;
    struct puma_descriptor *made;

    if (options->save == PUMA_BODY || options->offset == PUMA_SENDER || options->access == PUMA_READ) {
        return NULL;
    }
    made = puma_descriptor_new(list, PUMA_DYNAMIC, count, options);
    for (unsigned i = 0; made && i < count; i++) {
        struct puma_buffer segment = {(unsigned char *)heap.start + heap.len / count * i, heap.len / count};

        puma_place_set(made, i, segment, PTL_MD_THRESH_INF);
    }
    return made ? enter_all(made, list, match) : NULL;
}

//= PUMA-021
//= PUMA-022
struct puma_descriptor *puma_independent(struct puma_list *list, const struct puma_match *match,
                                         const struct puma_buffer *buffers, unsigned count,
                                         const struct puma_options *options)
{
    struct puma_descriptor *made;
    bool good;

    if (options->save == PUMA_BODY || options->offset == PUMA_SENDER || count == 0) {
        return NULL;
    }
    made = puma_descriptor_new(list, PUMA_INDEPENDENT, count, options);
    if (!made) {
        return NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        puma_place_set(made, i, buffers[i], 1);
    }
    good = puma_place_enter(&made->place[0], list, match);
    for (unsigned i = 1; good && i < count; i++) {
        made->place[i].entry = made->place[0].entry;
        if (!puma_place_append(made, i)) {
            (void)PtlMEUnlink(made->place[0].entry);
            good = false;
        }
    }
    if (!good) {
        puma_descriptor_free(made);
    }
    return good ? made : NULL;
}

/* Copies the table, and makes room for all that is in it. False: memory is used up. */
static bool take_table(struct puma_descriptor *made, const struct puma_buffer *buffers, unsigned count, size_t *whole)
{
    *whole = 0;
    for (unsigned i = 0; i < count; i++) {
        if (__builtin_add_overflow(*whole, buffers[i].len, whole)) {
            return false;
        }
    }
    made->table = calloc((size_t)count + 1, sizeof(*made->table));
    made->whole = *whole < PTRDIFF_MAX ? calloc(*whole + 1, 1) : NULL;
    if (!made->table || !made->whole) {
        return false;
    }
    memcpy(made->table, buffers, count * sizeof(*buffers));
    made->table_count = count;
    return true;
}

//= PUMA-024
//= PUMA-025
//= PUMA-026
struct puma_descriptor *puma_combined(struct puma_list *list, const struct puma_match *match,
                                      const struct puma_buffer *buffers, unsigned count,
                                      const struct puma_options *options)
{
    struct puma_descriptor *made;
    size_t whole;

    if (options->save != PUMA_BOTH) {
        return NULL;
    }
    made = puma_descriptor_new(list, PUMA_COMBINED, 1, options);
    if (!made || !take_table(made, buffers, count, &whole)) {
        if (made) {
            puma_descriptor_free(made);
        }
        return NULL;
    }
    puma_gather(made);
    puma_place_set(made, 0, (struct puma_buffer){made->whole, whole}, PTL_MD_THRESH_INF);
    return enter_all(made, list, match);
}

//= PUMA-013
//= PUMA-027
struct puma_descriptor *puma_overlay(struct puma_list *list, const struct puma_match *match,
                                     struct puma_descriptor *below, enum puma_save save)
{
    struct puma_options options = below->options;
    struct puma_descriptor *made;
    unsigned char *marks;
    bool shares = save == PUMA_BOTH && below->kind == PUMA_SINGLE && options.offset == PUMA_SENDER;

    if (below->kind == PUMA_OVERLAY || (save != PUMA_HEADER && save != PUMA_MARKED && !shares)) {
        return NULL;
    }
    made = calloc(1, sizeof(*made) + sizeof(made->place[0]));
    marks = save == PUMA_MARKED ? calloc(1, PUMA_MARKS) : NULL;
    if (!made || (save == PUMA_MARKED && !marks)) {
        free(made);
        free(marks);
        return NULL;
    }
    options.save = save;
    options.offset = marks ? PUMA_SENDER : options.offset;
    *made = (struct puma_descriptor){.kind = PUMA_OVERLAY,
                                     .options = options,
                                     .interface = list->interface,
                                     .events = below->events,
                                     .below = below,
                                     .whole = marks,
                                     .count = 1};
    made->place[0].of = made;
    puma_place_set(made, 0, marks ? (struct puma_buffer){marks, PUMA_MARKS} : below->place[0].memory,
                   PTL_MD_THRESH_INF);
    return enter_all(made, list, match);
}

void puma_drop(struct puma_descriptor *descriptor)
{
    unsigned entries = descriptor->kind == PUMA_INDEPENDENT ? 1 : descriptor->count;

    for (unsigned i = 0; i < entries; i++) {
        (void)PtlMEUnlink(descriptor->place[i].entry);
    }
    puma_descriptor_free(descriptor);
}
