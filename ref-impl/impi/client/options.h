/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the user of `impirun -client` asked for.
 */
#ifndef REF_IMPL_IMPI_CLIENT_OPTIONS_H
#define REF_IMPL_IMPI_CLIENT_OPTIONS_H

#include <stdint.h>

#include "ref-impl/impi/client/offer.h"
#include "ref-impl/impi/common/auth.h"
#include "ref-impl/impi/common/secure_key.h"

enum { CLIENT_HOST_OCTETS = 256 };

/* struct client_options is what the user asked for. The texts belong to the argument vector and the environment. */
struct client_options {
    int32_t rank;
    char server_host[CLIENT_HOST_OCTETS];
    uint16_t server_port;
    uint32_t processes, hosts;
    struct offer_values values;
    uint32_t connect_seconds; /* how long the hosts of the others may take to connect */
    const char *host_name;    /* address of this machine for the other clients' hosts; NULL: as the server sees it */
    struct auth auth;
    const struct secure_key *key; /* NULL: no secure channels */
    const char *launcher; /* the command that starts the processes on their nodes; NULL: they are started here */
    char **command;       /* program and arguments, ended by NULL */
};

#endif
