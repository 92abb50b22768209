/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the program's thread does for other processes: see beside.h.
 */
#include "ref-impl/mpi/messages/beside.h"

#include <stddef.h>

static const struct beside *beside;

void beside_with(const struct beside *called)
{
    beside = called;
}

bool beside_any(void)
{
    return beside != NULL;
}

void beside_look(void)
{
    if (beside) {
        beside->look();
    }
}

void beside_turn(bool sleeps)
{
    if (beside) {
        beside->turn(sleeps);
    }
}
