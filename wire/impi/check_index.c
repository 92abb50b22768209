/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who has which rank in MPI_COMM_WORLD (a part of the checker of IMPI start-up, wire/impi/check_job.h). Every packet
 * names two processes, and a job may have thousands: once all of them are known they are chained by what their ids have
 * in common however an address is written.
 */
#include "wire/impi/check_job.h"
#include "wire/impi/check_own.h"

#include <string.h>

enum { IPV4_AT = 12 }; /* an IPv4 address stands in the last octets of a host identifier, in either of its forms */

/* The head of the chain to which a process with this id belongs: a rank and 1, or 0. */
static uint32_t *chain_of(const struct wire_impi_job *job, const struct wire_impi_process *id)
{
    uint64_t digest = wire_impi_digest(WIRE_IMPI_DIGEST, id->host + IPV4_AT, WIRE_IMPI_HOST_OCTETS - IPV4_AT);

    digest = wire_impi_digest(digest, (const unsigned char *)&id->pid, sizeof id->pid);
    return &job->tables.processes[digest % job->processes].chain;
}

void wire_impi_index_make(struct wire_impi_job *job)
{
    for (uint32_t i = 0; i < job->processes; i++) {
        job->tables.processes[i].chain = 0;
    }
    for (uint32_t i = job->processes; i > 0; i--) { /* of two that are alike the first one is found */
        uint32_t *chain = chain_of(job, &job->tables.processes[i - 1].id);

        job->tables.processes[i - 1].next = *chain;
        *chain = i;
    }
    job->indexed = true;
}

static bool process_is(const struct wire_impi_process *known, const struct wire_impi_process *id)
{
    return known->pid == id->pid && wire_impi_host_same(known->host, id->host);
}

int64_t wire_impi_job_process_of(const struct wire_impi_job *job, const struct wire_impi_process *id)
{
    const struct wire_impi_job_process *all = job->tables.processes;

    if (job->indexed) {
        for (uint32_t at = *chain_of(job, id); at != 0; at = all[at - 1].next) {
            if (process_is(&all[at - 1].id, id)) {
                return at - 1;
            }
        }
        return -1;
    }
    for (uint32_t i = 0; i < job->processes; i++) {
        if (process_is(&all[i].id, id)) {
            return i;
        }
    }
    return -1;
}
