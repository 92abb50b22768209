/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the program's thread does for other processes while it is in MPI, besides messages: windows have it looked for.
 */
#ifndef REF_IMPL_MPI_MESSAGES_BESIDE_H
#define REF_IMPL_MPI_MESSAGES_BESIDE_H

#include <stdbool.h>

/* beside_look_with - from now on `look` is called wherever the program's thread looks for messages. It never blocks.
 * NULL: there is nothing more to look for.
 * beside_any - whether there is.
 * beside_look - looks. The program's thread, for all three. */
void beside_look_with(void (*look)(void));
bool beside_any(void);
void beside_look(void);

#endif
