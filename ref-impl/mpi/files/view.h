/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets of a file as a view shows them: those that its file type covers, over and over, are one row without gaps.
 *
 *      file    |begin   |xx..x|xx..x|xx..x|
 *      view            0 12  3 45  6 78  9
 */
#ifndef REF_IMPL_MPI_FILES_VIEW_H
#define REF_IMPL_MPI_FILES_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "ref-impl/mpi/files/file.h"

/* view_move - reads or writes octets of the view from one of them on; stores how many it were, fewer only where the
 * file ends. An error class. */
int view_move(const struct mpi_file *file, bool write, MPI_Offset from, void *octets, size_t len, size_t *moved);

/* view_element_octets - those that an element of the view has in the file.
 * view_place - where in the file an octet of the view is; less than 0: farther than a file reaches.
 * view_length - how many octets of the view are in a file of so many. */
MPI_Offset view_element_octets(const struct file_view *view);
MPI_Offset view_place(const struct file_view *view, MPI_Offset octet);
MPI_Offset view_length(const struct file_view *view, MPI_Offset file_octets);

#endif
