/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the server does with labels (chapter 2.3.5): it collects the values that clients submit, unread, and joins those
 * of one label in ascending order of client rank once no more can come for it. Clients submit labels in ascending
 * order, so one that has submitted a higher label, or DONE, has skipped those before.
 *
 * No input, output or clock: the server's loop feeds it and sends what comes out.
 */
#ifndef REF_IMPL_IMPI_SERVER_COLLECT_H
#define REF_IMPL_IMPI_SERVER_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct collect;

/* collect_create - nothing collected yet of `clients` clients, 1 to 32. NULL: no memory.
 * collect_free - frees it. */
struct collect *collect_create(uint32_t clients);
void collect_free(struct collect *collect);

enum collect_outcome {
    COLLECT_TAKEN,
    COLLECT_OUT_OF_ORDER, /* below a label that this client submitted before; ignored */
    COLLECT_REPEATED,     /* the label that it submitted last; ignored */
    COLLECT_LATE,         /* after its DONE; ignored */
    COLLECT_NO_MEMORY,
};

/* collect_add - takes a copy of the values of one client for one label. */
enum collect_outcome collect_add(struct collect *collect, uint32_t rank, int32_t label, const void *octets, size_t len);

/* collect_done - the client has no more labels. False: it had said so before. */
bool collect_done(struct collect *collect, uint32_t rank);

/* collect_forget - the client has gone: whatever it said is forgotten, another one may take its rank. */
void collect_forget(struct collect *collect, uint32_t rank);

/* collect_held - octets of memory that wait because of other clients' labels, also where a label has no values. */
size_t collect_held(const struct collect *collect, uint32_t rank);

/* collect_next - whether there is a complete label. Then *octets is the broadcast, a whole COLL command with mask and
 * joined values, which the caller frees. False also when there is no memory, and then *no_memory is true. */
bool collect_next(struct collect *collect, unsigned char **octets, size_t *len, bool *no_memory);

/* collect_finished - whether every client is done, and every label has come out. */
bool collect_finished(const struct collect *collect);

#endif
