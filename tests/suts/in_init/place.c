/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the reference's client starts for a process that waits in MPI_Init (init.c): it gives its environment and its
 * connection with the host agent away, and ends as that process ends.
 */
#include "tests/suts/in_init/handover.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { TRIES = 3000, TRY_NS = 10000000 };

/* The process may not have called MPI_Init yet. */
static int connect_to_process(void)
{
    const struct timespec pause = {0, TRY_NS};
    struct sockaddr_un address;
    int there = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

    handover_address(&address, handover_rank("ASSAY_RANK"));
    for (int i = 0; connect(there, (struct sockaddr *)&address, sizeof address) != 0; i++) {
        if (i == TRIES) {
            handover_fail(address.sun_path);
        }
        nanosleep(&pause, NULL);
    }
    return there;
}

int main(void)
{
    static char texts[HANDOVER_OCTETS];
    size_t len = 0;
    char end;
    int link = handover_rank("ASSAY_IMPI_LINK"), there = connect_to_process();

    for (char **at = environ; *at; at++) {
        size_t octets = strlen(*at) + 1;
        if (strncmp(*at, "ASSAY_", 6) == 0 && len + octets <= sizeof texts) {
            memcpy(texts + len, *at, octets);
            len += octets;
        }
    }
    handover_give(there, texts, len, link);
    close(link);
    return recv(there, &end, 1, 0) == 1 ? 0 : 1;
}
