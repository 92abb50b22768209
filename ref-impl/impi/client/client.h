/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One client of an IMPI job (chapters 2.2.2, 2.3 and 2.4): joins the job at its server, and runs MPI processes and host
 * agents on this machine.
 */
#ifndef REF_IMPL_IMPI_CLIENT_CLIENT_H
#define REF_IMPL_IMPI_CLIENT_CLIENT_H

#include "ref-impl/impi/client/offer.h"
#include "ref-impl/impi/common/auth.h"

#include <stdint.h>

enum { CLIENT_HOST_OCTETS = 256 };

/* struct client_options is what the user asked for. The texts belong to the argument vector and the environment. */
struct client_options {
    int32_t rank;
    char server_host[CLIENT_HOST_OCTETS];
    uint16_t server_port;
    uint32_t processes, hosts;
    struct offer_values values;
    uint32_t dance_seconds; /* how long the hosts of the others may take to connect */
    const char *host_name;  /* address of this machine for the other clients' hosts; NULL: as the server sees it */
    struct auth auth;
    char **command; /* program and arguments, ended by NULL */
};

/* client_run - joins, runs the job to its end, and says on stderr what goes wrong. Blocks. Returns the exit status:
 * 0 when all processes have finalized and exited with 0, 1 when the job could not start or was broken, 126 or 127 when
 * the program cannot be run, otherwise that of the first process that failed, or 128 and the signal that ended it. */
int client_run(const struct client_options *options);

#endif
