/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the program's thread does for other processes: see beside.h.
 */
#include "ref-impl/mpi/messages/beside.h"

#include <stddef.h>

static void (*looks)(void);

void beside_look_with(void (*look)(void))
{
    looks = look;
}

bool beside_any(void)
{
    return looks != NULL;
}

void beside_look(void)
{
    if (looks) {
        looks();
    }
}
