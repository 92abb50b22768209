/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Hints of programs: info.c.
 */
#ifndef REF_IMPL_MPI_API_OBJECTS_INFO_H
#define REF_IMPL_MPI_API_OBJECTS_INFO_H

#include <stdbool.h>

/* info_open - makes MPI_INFO_ENV; false when memory is used up.
 * info_close - takes all hints and their handles away. */
bool info_open(void);
void info_close(void);

#endif
