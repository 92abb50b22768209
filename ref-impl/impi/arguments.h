/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The command line of impirun, and the environment where it says the same (chapter 2.2).
 */
#ifndef REF_IMPL_IMPI_ARGUMENTS_H
#define REF_IMPL_IMPI_ARGUMENTS_H

#include "ref-impl/impi/client/client.h"
#include "ref-impl/impi/server/server.h"

enum arguments_outcome {
    ARGUMENTS_SERVER, /* `server` is filled */
    ARGUMENTS_CLIENT, /* `client` is filled */
    ARGUMENTS_SHOWN,  /* help or version was asked for and printed */
    ARGUMENTS_WRONG,  /* a line on stderr says what is wrong */
};

/* struct arguments is what was asked for. The texts belong to the argument vector and the environment. */
struct arguments {
    struct server_options server;
    struct client_options client;
    struct secure_key key; /* what the options' key points to, where there is one */
};

/* arguments_read - reads the command line and the environment. May ask a name service for an address. */
enum arguments_outcome arguments_read(int argc, char **argv, struct arguments *arguments);

#endif
