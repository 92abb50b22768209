/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whether the memory that a program names is there, so that a wrong address is an error and not a crash.
 */
#ifndef REF_IMPL_MPI_COMMON_MEMORY_H
#define REF_IMPL_MPI_COMMON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* What a call does with memory. */
enum memory_use { MEMORY_READ, MEMORY_WRITE };

/* memory_is_there - whether the first and the last of `len` octets, of which there is one at least, can be read, or be
 * written. Their values stay. What is between them is not looked at. Where the system does not tell, all is there. */
bool memory_is_there(const void *address, size_t len, enum memory_use use);

#endif
