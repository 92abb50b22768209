/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * impirun: starts an IMPI job, as chapter 2.2 of the document says: once as the server, at which the clients meet, and
 * once for each client. Everything is in server.h and client.h.
 */
#include "ref-impl/impi/arguments.h"
#include "ref-impl/impi/client/client.h"
#include "ref-impl/impi/client/member.h"
#include "ref-impl/impi/server/server.h"
#include "ref-impl/launch/output.h"

#include <signal.h>
#include <string.h>

enum { EXIT_USAGE = 2 };

int main(int argc, char **argv)
{
    struct arguments arguments;

    output_begin();
    if (argc > 1 && strcmp(argv[1], "-member") == 0) {
        return member_run(argv + 2);
    }
    switch (arguments_read(argc, argv, &arguments)) {
    case ARGUMENTS_SERVER:
        (void)signal(SIGPIPE, SIG_IGN); /* whoever read the address may be gone */
        return server_run(&arguments.server);
    case ARGUMENTS_CLIENT:
        return client_run(&arguments.client);
    case ARGUMENTS_SHOWN:
        return output_flushed("impirun") ? 0 : EXIT_USAGE;
    case ARGUMENTS_WRONG:
        break;
    }
    return EXIT_USAGE;
}
