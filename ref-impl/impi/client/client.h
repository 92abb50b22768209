/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One client of an IMPI job (chapters 2.2.2, 2.3 and 2.4): joins the job at its server, and runs MPI processes and host
 * agents on this machine.
 */
#ifndef REF_IMPL_IMPI_CLIENT_CLIENT_H
#define REF_IMPL_IMPI_CLIENT_CLIENT_H

#include "ref-impl/impi/client/options.h"

/* client_run - joins, runs the job to its end, and says on stderr what goes wrong. Blocks. Returns the exit status:
 * 0 when all processes have finalized and exited with 0, 1 when the job could not start or was broken, 126 or 127 when
 * the program cannot be run, otherwise that of the first process that failed, or 128 and the signal that ended it. */
int client_run(const struct client_options *options);

#endif
