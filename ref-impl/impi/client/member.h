/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a launcher starts for each rank of a client on many nodes: `impirun -member KEY ADDRESS,..:PORT SERVER PROGRAM
 * ARGUMENT..`. See nodes.h for what it says, and hears.
 */
#ifndef REF_IMPL_IMPI_CLIENT_MEMBER_H
#define REF_IMPL_IMPI_CLIENT_MEMBER_H

/* member_run - tells impirun that this rank is there, starts the agent of its host where that falls to it, and becomes
 * the program when the job begins. `words` are those behind -member. Returns only when it fails: an exit status. */
int member_run(char **words);

#endif
