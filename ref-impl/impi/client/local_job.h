/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What runs on this machine for a client: its host agents, and its MPI processes as one Portals job.
 */
#ifndef REF_IMPL_IMPI_CLIENT_LOCAL_JOB_H
#define REF_IMPL_IMPI_CLIENT_LOCAL_JOB_H

#include "ref-impl/impi/client/options.h"
#include "ref-impl/impi/common/agreed.h"
#include "ref-impl/impi/common/secure.h"

/* struct local_job_setup is what is to be run. Everything in it stays the caller's but for `listen_fds`, the listening
 * sockets of this client's hosts, which are closed. */
struct local_job_setup {
    const struct client_options *options;
    const struct agreed *agreed;
    const struct offer *offer;
    int *listen_fds;
    int *server_fd;        /* watched: when the server ends the connection it is closed and -1, and stderr told */
    struct secure *server; /* what makes that connection secure; NULL: it is plain */
};

/* local_job_run - starts agents and processes, and sees them to their end. Blocks. Nothing that it started is left when
 * it returns. The exit status of the client, as client_run gives it; 0 means that all processes and agents ended in
 * order. */
int local_job_run(const struct local_job_setup *setup);

#endif
