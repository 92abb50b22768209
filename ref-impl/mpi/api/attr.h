/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The attributes of each kind of object, for those who copy and free it.
 */
#ifndef REF_IMPL_MPI_API_ATTR_H
#define REF_IMPL_MPI_API_ATTR_H

#include "ref-impl/mpi/api/objects/attr_any.h"

struct mpi_comm;
struct mpi_type;
struct mpi_win;

/* attr_of_comm, attributes_of_type, attributes_of_win - an object with its attributes, for attr_any.h; of NULL,
 * nothing that can be used. */
struct attr_owner attr_of_comm(struct mpi_comm *comm);
struct attr_owner attributes_of_type(struct mpi_type *type);
struct attr_owner attributes_of_win(struct mpi_win *win);

#endif
