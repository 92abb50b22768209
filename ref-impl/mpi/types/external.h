/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Datatypes as they lie in a file whose elements are in external32: chapter 9.5 of MPI-2.
 */
#ifndef REF_IMPL_MPI_TYPES_EXTERNAL_H
#define REF_IMPL_MPI_TYPES_EXTERNAL_H

struct mpi_type;

/* type_external - the same type map with elements of external32's sizes, each as so many MPI_BYTE. Displacements that
 * the program gave in octets stay; those that count elements are of the new sizes, so that a portable type (2.4 of
 * MPI-2) fits. Nothing is aligned. The caller is its one holder. NULL: memory is used up, or a number is too large. */
struct mpi_type *type_external(const struct mpi_type *type);

#endif
