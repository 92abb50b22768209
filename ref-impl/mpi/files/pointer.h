/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The pointer into a file that its processes share, in elements of the view: chapter 9.4.4 of MPI-2. It stands in a
 * small file beside the file itself, so wherever that can be reached; the first process that uses it makes that file,
 * under a lock of which each changes it. Who closes the file takes it away (file.h).
 */
#ifndef REF_IMPL_MPI_FILES_POINTER_H
#define REF_IMPL_MPI_FILES_POINTER_H

#include "ref-impl/mpi/files/file.h"

/* pointer_add - moves it by so many elements and stores where it was. An error class.
 * pointer_add_in_order - the same for all processes in the order of their ranks; blocks until all before have called
 * it. An error class. */
int pointer_add(struct mpi_file *file, MPI_Offset elements, MPI_Offset *before);
int pointer_add_in_order(struct mpi_file *file, MPI_Offset elements, MPI_Offset *before);

/* pointer_look - where it is when all have called it, and nobody has moved it since. An error class, the same at all.
 * pointer_set - gives it the value that rank 0 says; blocks until all have called it, so that what they did before is
 * done, and what they do behind it finds the new value. An error class, the same at all.
 * pointer_reset - the same with 0, without a look at the disk where nobody has used it. */
int pointer_look(struct mpi_file *file, MPI_Offset *now);
int pointer_set(struct mpi_file *file, MPI_Offset elements);
int pointer_reset(struct mpi_file *file);

#endif
