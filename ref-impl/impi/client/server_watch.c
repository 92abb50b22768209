/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the server says while the job runs: see server_watch.h.
 */
#include "ref-impl/impi/client/server_watch.h"

#include <stdio.h>
#include <unistd.h>

void server_watch(int *server_fd, struct secure *secure)
{
    struct queue waste = {0};
    bool goes_on = secure_receive(secure, *server_fd, &waste, 4096) == QUEUE_MOVED;

    queue_free(&waste);
    if (goes_on) {
        return;
    }
    if (*secure_error(secure)) {
        fprintf(stderr, "impirun: the secure channel to the IMPI server is broken: %s; the job goes on without it\n",
                secure_error(secure));
    } else {
        fputs("impirun: the IMPI server has ended the connection before this client's FINI; the job goes on without "
              "it\n",
              stderr);
    }
    close(*server_fd);
    *server_fd = -1;
}
