/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which IMPI job of a capture a connection belongs to (wire/follow/examine_impi_state.h): a link by the end of its
 * server, a channel by the address and port that a job has announced. Where two jobs at once announce the same, as
 * behind routers that translate addresses, nobody knows whose a channel is.
 */
#include "wire/follow/examine_impi.h"
#include "wire/follow/examine_impi_state.h"
#include "wire/follow/guess.h"
#include "wire/impi/check_job.h"

enum { COMPARED = 16 }; /* hosts of a job by which it is told from another one */

/* Whether nobody can join the job any more, so that whoever connects now is of another one. Two of three suffice: its
 * links have ended, its start-up is complete, all its clients were seen. The capture may lack the end of a job, or have
 * been taken where only one of the clients is. One suffices: a client has gone, and another one has its very port; or
 * all were gone, by the clock, which once were so many that the server told their number. */
static bool is_full(const struct followed_job *job, const struct wire_packet *packet)
{
    bool over = job->over >= job->links;

    return job->replaced || over + job->job.whole + wire_impi_job_seen_all(&job->job) >= 2 ||
           (over && job->job.size > 0 && packet->when_ns > job->ended_ns);
}

struct followed_job *wire_examine_impi_job_of(const struct impi_conversation *link)
{
    struct wire_examine_impi *impi = link->impi;
    const struct wire_end *server = &link->connection->ends[1];
    struct followed_job *job;

    for (size_t i = 0; i < impi->job_count; i++) {
        job = impi->jobs[i];
        if (wire_end_same(&job->server, server) && !is_full(job, link->packet)) {
            return job;
        }
    }
    if (impi->job_count == JOBS_MAX) {
        return NULL;
    }
    job = impi->examine->memory.take(impi->examine->memory.context, sizeof *job);
    job->server = *server;
    wire_impi_job_begin(&job->job, &(struct wire_impi_job_tables){job->hosts, HOSTS, job->processes, PROCESSES});
    job->job.close = WIRE_EXAMINE_CLOSE;
    wire_impi_collectives_begin(&job->collectives, &job->job);
    impi->jobs[impi->job_count++] = job;
    return job;
}

/* Whether they run at the same time, as far as was captured, at different servers, and announce the same host. */
static bool are_alike(const struct followed_job *one, const struct followed_job *other)
{
    uint32_t hosts = one->job.hosts < COMPARED ? one->job.hosts : COMPARED;

    if (wire_end_same(&one->server, &other->server) || !other->job.whole || other->over >= other->links) {
        return false;
    }
    for (uint32_t i = 0; i < hosts; i++) {
        if (wire_impi_job_host_at(&other->job, one->hosts[i].address, one->hosts[i].port) >= 0) {
            return true;
        }
    }
    return false;
}

void wire_examine_impi_job_known(struct wire_examine_impi *impi, struct followed_job *job)
{
    for (size_t i = 0; i < impi->job_count; i++) {
        if (impi->jobs[i] != job && are_alike(job, impi->jobs[i])) {
            job->alike = impi->jobs[i]->alike = true;
        }
    }
}

bool wire_examine_impi_is_alike(const struct wire_examine_impi *impi, const struct wire_impi_job *job)
{
    for (size_t i = 0; i < impi->job_count && job; i++) {
        if (&impi->jobs[i]->job == job) {
            return impi->jobs[i]->alike;
        }
    }
    return false;
}

/* The job, known to its last value, that has announced a host at this end of the connection. */
struct followed_job *wire_examine_impi_job_at(const struct impi_conversation *conversation, unsigned side,
                                              int64_t *host)
{
    const struct wire_end *end = &conversation->connection->ends[side];
    unsigned char id[WIRE_IMPI_HOST_OCTETS];
    bool several = false;

    wire_guess_host_of(end, id);
    for (size_t i = conversation->impi->job_count; i > 0; i--) {
        struct followed_job *job = conversation->impi->jobs[i - 1];
        int64_t at = job->job.whole ? wire_impi_job_host_at(&job->job, id, end->port) : -1;

        if (job->job.whole && at < 0) {
            at = wire_impi_job_host_at(&job->job, NULL, end->port); /* it may have another address here */
        }
        if (at >= 0 && job->alike) {
            several = true;
            job->job.channel_missed = true;
        } else if (at >= 0) {
            *host = several ? -1 : at;
            return several ? NULL : job;
        }
    }
    return NULL;
}
