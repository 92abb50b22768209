/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What every file of this folder needs: see adi/state.h.
 */
#include "ref-impl/mpi/adi/state.h"

#include "ref-impl/mpi/common/world.h"

struct adi_device adi_device;

void *adi_need(void *memory)
{
    if (!memory) {
        world_abort(1, "MPI on Puma's portals: memory, or a limit of Portals, is used up");
    }
    return memory;
}
