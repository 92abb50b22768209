/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who has which rank (a part of the checker of IMPI start-up, wire/impi/check_job.h). Section 2.3.4 of the IMPI 0.0
 * document gives each client a rank of its own; two that say the same are told apart by what the server makes of them:
 * who is told the size has it. Processes have theirs in MPI_COMM_WORLD. Every packet names two of them, and a job may
 * have thousands: once all are known they are chained by what their ids have in common however an address is written.
 */
#include "wire/impi/check_job.h"

#include "wire/impi/check_own.h"

enum {
    NOBODY = 0,   /* links are numbered from 1 */
    IPV4_AT = 12, /* an IPv4 address stands in the last octets of a host identifier, in either of its forms */
};

/* ---- clients ---- */

struct wire_impi_job_client *wire_impi_rank_place(const struct wire_impi_link *link)
{
    return link->rank >= 0 && link->rank < WIRE_IMPI_CLIENTS_MAX && !link->unidentified
               ? &link->job->clients[link->rank]
               : NULL;
}

struct wire_impi_job_client *wire_impi_link_client(const struct wire_impi_link *link)
{
    struct wire_impi_job_client *client = wire_impi_rank_place(link);

    return client && client->joined && client->owner == link->number ? client : NULL;
}

static void forget_given(const struct wire_impi_link *link)
{
    struct wire_impi_job *job = link->job;

    for (uint32_t i = 0; i < job->label_count; i++) {
        job->labels[i].given &= ~(UINT32_C(1) << link->rank);
    }
}

/* The link takes its rank, also from another one that may yet be refused: only who has the size keeps it. */
void wire_impi_rank_take(struct wire_impi_link *link)
{
    struct wire_impi_job_client *client = wire_impi_rank_place(link);

    if (!client || (client->joined && client->sized)) {
        return;
    }
    client->claims += !link->claims;
    link->claims = true;
    link->job->joined += !client->joined;
    client->joined = true;
    client->joined_at = link->job->now;
    client->done = client->partial = client->gone = false;
    client->owner = link->number;
    client->latest = INT64_MIN;
    forget_given(link);
}

/* The server takes this client for the one that has its rank. */
void wire_impi_rank_settle(struct wire_impi_link *link)
{
    struct wire_impi_job_client *client = wire_impi_rank_place(link);
    bool lost = client && (!client->joined || client->owner != link->number);

    if (lost) {
        wire_impi_rank_take(link);
        client->partial = true; /* another one has had its place */
    }
    if (client) {
        client->sized = true;
    }
}

/* The link does not claim its rank any more. Whether another one does: the owner had taken it from that one. */
static bool claim_drop(struct wire_impi_link *link)
{
    struct wire_impi_job_client *client = wire_impi_rank_place(link);

    if (client && link->claims) {
        client->claims--;
    }
    link->claims = false;
    return client && client->claims > 0;
}

/* The client of a rank whose owner has ended: that is this link, or one that ended before it. */
static struct wire_impi_job_client *left_behind(const struct wire_impi_link *link)
{
    struct wire_impi_job_client *client = wire_impi_rank_place(link);

    return client && client->joined && (client->owner == link->number || client->owner == NOBODY) ? client : NULL;
}

/* The link has ended: who was not done is no client any more, and its rank is free where the size was not told, unless
 * somebody else is there who said it: one of the two was refused. */
void wire_impi_rank_leave(struct wire_impi_link *link)
{
    struct wire_impi_job_client *client = left_behind(link);
    bool claimed = claim_drop(link);

    if (client && claimed && !client->sized) {
        client->owner = NOBODY;
        forget_given(link);
        return;
    }
    if (client) {
        client->gone = true;
    }
    if (!client || (client->done && client->sized)) {
        return;
    }
    if (!client->sized) { /* though it may have said in haste that it is done */
        client->done = false;
        forget_given(link);
    }
    client->joined = false;
    link->job->joined--;
}

bool wire_impi_rank_is_taken(const struct wire_impi_link *link)
{
    const struct wire_impi_job_client *client = wire_impi_rank_place(link);

    return client && client->joined && !client->gone && client->owner != link->number;
}

/* ---- processes ---- */

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
