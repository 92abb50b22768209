/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Runs of octets: see types/runs.h. In a window each is a message of its own, for Portals 3.0 has no descriptor of
 * several regions that one message fills.
 */
#include "ref-impl/mpi/types/runs.h"

#include <stdlib.h>

#include "ref-impl/mpi/types/tree.h"

struct gathering {
    run_visit *visit;
    void *context;
    ptrdiff_t offset;
    size_t octets; /* so far; 0: nothing yet */
};

static bool end_run(struct gathering *gathering)
{
    size_t octets = gathering->octets;

    gathering->octets = 0;
    return octets == 0 || gathering->visit(gathering->context, gathering->offset, octets);
}

static bool add(void *context, ptrdiff_t offset, enum wire_external32 basic, size_t count)
{
    struct gathering *gathering = context;
    size_t octets = count * wire_external32_native_octets(basic);

    if (gathering->octets > 0 && gathering->offset + (ptrdiff_t)gathering->octets == offset) {
        gathering->octets += octets;
        return true;
    }
    if (!end_run(gathering)) {
        return false;
    }
    gathering->offset = offset;
    gathering->octets = octets;
    return true;
}

bool runs_visit(const struct mpi_type *type, size_t count, run_visit *visit, void *context)
{
    struct gathering gathering = {visit, context, 0, 0};

    return type_walk(type, count, add, &gathering) && end_run(&gathering);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

struct finding {
    ptrdiff_t *offsets;
    size_t members; /* visited so far */
};

/* Members of different types are never one visit, so that every other one begins a pair. */
static bool note_pair(void *context, ptrdiff_t offset, enum wire_external32 basic, size_t count)
{
    struct finding *finding = context;

    (void)basic;
    (void)count;
    if (finding->members % 2 == 0) {
        finding->offsets[finding->members / 2] = offset;
    }
    finding->members++;
    return true;
}

ptrdiff_t *runs_pairs(const struct mpi_type *type, size_t count, size_t *pairs)
{
    struct finding finding = {calloc(count * type->basics / 2 + 1, sizeof(ptrdiff_t)), 0};

    if (finding.offsets) {
        (void)type_walk(type, count, note_pair, &finding);
        *pairs = finding.members / 2;
    }
    return finding.offsets;
}
