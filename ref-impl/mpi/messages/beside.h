/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the program's thread does for other processes while it is in MPI, besides messages: windows have it looked for.
 */
#ifndef REF_IMPL_MPI_MESSAGES_BESIDE_H
#define REF_IMPL_MPI_MESSAGES_BESIDE_H

#include <stdbool.h>

/* What is called so. Neither blocks. */
struct beside {
    void (*look)(void);        /* wherever the program's thread looks for messages */
    void (*turn)(bool sleeps); /* by a device that waits by looking again and again: before each look, or sleep */
};

/* beside_with - from now on these are called. NULL: there is nothing more to be done.
 * beside_any - whether there is.
 * beside_look, beside_turn - calls them. The program's thread, for all four. */
void beside_with(const struct beside *called);
bool beside_any(void);
void beside_look(void);
void beside_turn(bool sleeps);

#endif
