/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the server says while the job runs: see server_watch.h.
 */
#include "ref-impl/impi/client/server_watch.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

void server_watch(int *server_fd)
{
    unsigned char waste[4096];
    ssize_t got = recv(*server_fd, waste, sizeof waste, MSG_DONTWAIT);

    if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))) {
        return;
    }
    fputs("impirun: the IMPI server has ended the connection before this client's FINI; the job goes on without it\n",
          stderr);
    close(*server_fd);
    *server_fd = -1;
}
