/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who has which rank (a part of the checker of IMPI start-up). Section 2.3.4 of the IMPI 0.0 document gives each client
 * a rank of its own; two that say the same are told apart by what the server makes of them: who is told the size has
 * it.
 */
#include "wire/impi/check_own.h"

enum { NOBODY = 0 }; /* links are numbered from 1 */

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
    client->done = client->partial = client->gone = false;
    client->owner = link->number;
    client->latest = 0;
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

    if (client && claimed && !client->sized && !client->done) {
        client->owner = NOBODY;
        forget_given(link);
        return;
    }
    if (client) {
        client->gone = true;
    }
    if (!client || client->done) {
        return;
    }
    if (!client->sized) {
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
