/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What lists and descriptors are inside, for the files of this folder.
 */
#ifndef REF_IMPL_PUMA_DESCRIPTOR_H
#define REF_IMPL_PUMA_DESCRIPTOR_H

#include "ref-impl/puma/puma.h"

enum { PUMA_SEGMENTS = 4, PUMA_HEADERS = 64 };

#define PUMA_COOKIE ((ptl_ac_index_t)0) /* entry of the access table that admits the job */

struct puma_list {
    ptl_handle_ni_t interface;
    ptl_pt_index_t portal;
    ptl_handle_me_t end;    /* takes nothing */
    ptl_handle_me_t before; /* new entries go in front of it */
};

enum puma_kind { PUMA_SINGLE, PUMA_DYNAMIC, PUMA_INDEPENDENT, PUMA_COMBINED, PUMA_OVERLAY };

/* Memory with a descriptor of Portals: a block, a segment of a heap, a buffer of a table. */
struct puma_place {
    struct puma_descriptor *of;
    struct puma_buffer memory;
    ptl_md_t value;
    ptl_handle_me_t entry; /* its own, but in an independent block */
    ptl_handle_md_t descriptor;
    unsigned live; /* messages in it that are not released */
    bool used;     /* something has come since it was empty */
};

struct puma_descriptor {
    enum puma_kind kind;
    struct puma_options options;
    ptl_handle_ni_t interface;
    ptl_handle_eq_t events;
    struct puma_descriptor *below; /* of an overlay */
    struct puma_buffer *table;     /* of a combined block: its own list of buffers */
    unsigned table_count;
    unsigned char *whole; /* of a combined block: where messages come to; what marks lie over */
    size_t written;
    unsigned last; /* of an independent block: the place at the end of the list */
    unsigned count;
    struct puma_place place[];
};

/* puma_descriptor_new - a descriptor of so many places without memory, with a queue. NULL: memory is used up.
 * puma_descriptor_free - frees it; its entries are gone. */
struct puma_descriptor *puma_descriptor_new(const struct puma_list *list, enum puma_kind kind, unsigned count,
                                            const struct puma_options *options);
void puma_descriptor_free(struct puma_descriptor *descriptor);

/* puma_place_set - gives a place its memory, and says what messages do there: `threshold` of them.
 * puma_place_enter - makes the entry of a place at the end of a list, with a descriptor; false: a limit is reached.
 * puma_place_append - puts a buffer to the end of the list of an independent block, whose entry is that of place 0. */
void puma_place_set(struct puma_descriptor *descriptor, unsigned number, struct puma_buffer memory, int threshold);
bool puma_place_enter(struct puma_place *place, const struct puma_list *list, const struct puma_match *match);
bool puma_place_append(struct puma_descriptor *descriptor, unsigned number);

/* puma_gather - copies the buffers of a combined block to where they are read.
 * puma_scatter - the other way round, of some octets. */
void puma_gather(struct puma_descriptor *descriptor);
void puma_scatter(struct puma_descriptor *descriptor, size_t offset, size_t len);

#endif
