/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a host agent is started with, and how it says what goes wrong.
 */
#ifndef REF_IMPL_IMPI_AGENT_SETUP_H
#define REF_IMPL_IMPI_AGENT_SETUP_H

#include <stdint.h>

#include "ref-impl/impi/common/agreed.h"
#include "ref-impl/impi/common/secure_key.h"

/* What the exit status of an agent says. */
enum agent_status {
    AGENT_ORDERLY = 0,      /* all processes are finalized, all channels closed in order */
    AGENT_BROKEN = 1,       /* a line on stderr says what has happened */
    AGENT_PROCESS_LOST = 3, /* a process ended without MPI_Finalize; a line says which */
};

/* struct agent_setup is what an agent needs to know. It owns the listening socket and the agent's ends of the links,
 * one for each process of the host. */
struct agent_setup {
    const struct agreed *agreed;
    uint32_t host;            /* its rank among all hosts */
    uint32_t connect_seconds; /* how long the other hosts may take to connect, and our processes to finish when one of
                                  them has left too early */
    int listen_fd;
    int report_fd;
    int *links;
    const struct secure_key *key; /* NULL: the channels are plain */
};

/* agent_complain - one line on stderr: "impirun: host 3 (client 1): " and the text. */
__attribute__((format(printf, 2, 3))) void agent_complain(const struct agent_setup *setup, const char *fmt, ...);

#endif
