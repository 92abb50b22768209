/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Functions of the program that the library calls: see callback.h.
 */
#include "ref-impl/mpi/common/callback.h"

/* How many functions of the program have been called and have not returned; one may call another. */
static unsigned callbacks;

void callback_begin(void)
{
    callbacks++;
}

void callback_end(void)
{
    callbacks--;
}

bool callback_is_open(void)
{
    return callbacks > 0;
}
