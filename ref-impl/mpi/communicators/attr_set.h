/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of communicators: those that every communicator has, and those of programs (common/attribute.h). Chapters
 * 5.7 and 7.1.1 of MPI, 2.5 of IMPI.
 */
#ifndef REF_IMPL_MPI_COMMUNICATORS_ATTR_SET_H
#define REF_IMPL_MPI_COMMUNICATORS_ATTR_SET_H

#include <stdbool.h>

#include "ref-impl/include/mpi.h"
#include "ref-impl/mpi/common/attribute.h"
#include "ref-impl/mpi/communicators/group.h"

enum { ATTR_FIXED = MPI_LASTUSEDCODE + 1 }; /* keys that every communicator has */

/* The attributes of one communicator. */
struct attr_set {
    int fixed[ATTR_FIXED]; /* by key */
    struct attr_list own;  /* those of the program */
};

/* attr_set_up - computes what every communicator has, for one with this local group. False: memory is used up. */
bool attr_set_up(struct attr_set *set, const struct mpi_group *local);

#endif
