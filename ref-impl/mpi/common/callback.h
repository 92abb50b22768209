/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Functions of the program that the library calls.
 */
#ifndef REF_IMPL_MPI_COMMON_CALLBACK_H
#define REF_IMPL_MPI_COMMON_CALLBACK_H

#include <stdbool.h>

/* callback_begin, callback_end - around every call of a function of the program's in the middle of one of the
 * library's: of an attribute's or an operation's. (An error handler is called when all is done.) callback_is_open -
 * whether one of them has not returned: the library's objects are in use then, and must not go. */
void callback_begin(void);
void callback_end(void);
bool callback_is_open(void);

#endif
