/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where in its view a file is moved to: what view.c does for other functions of files.
 */
#ifndef REF_IMPL_MPI_API_FILES_VIEW_H
#define REF_IMPL_MPI_API_FILES_VIEW_H

#include "ref-impl/mpi/api/call.h"

/* view_sought - the position that a seek from `now` leads to; fails the call if there is none. */
MPI_Offset view_sought(struct mpi_call *call, MPI_Offset now, MPI_Offset offset, int whence);

#endif
