/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which violations of IMPI jobs a capture proves (wire/impi/check_job.h). What it lacks of one connection may explain
 * what is found on another one; and of packets of two connections that it has close to each other nobody knows which
 * was sent first. A finding names the clients who had something to do before: where each of them does it close behind,
 * the order alone was wrong.
 */
#include "wire/impi/check_job.h"

#include "wire/impi/check_own.h"

/* Whether the note is about messages of several channels. */
static bool rests_on_channels(enum wire_impi_violation violation)
{
    switch (violation) {
    case WIRE_IMPI_NOTE_BARRIER_EARLY:
    case WIRE_IMPI_NOTE_BARRIER_UNMET:
    case WIRE_IMPI_NOTE_BCAST_UNREACHED:
    case WIRE_IMPI_NOTE_REDUCE_UNSENT:
    case WIRE_IMPI_NOTE_GATHER_UNSENT:
    case WIRE_IMPI_NOTE_SCATTER_UNREACHED:
    case WIRE_IMPI_NOTE_ALLTOALL_UNMET:
    case WIRE_IMPI_NOTE_COMMUNICATOR_MASTER:
    case WIRE_IMPI_NOTE_COMMUNICATOR_FORM:
        return true;
    default:
        return false;
    }
}

bool wire_impi_job_rests_on_others(enum wire_impi_violation violation)
{
    switch (violation) {
    case WIRE_IMPI_JOIN_TAKEN:
    case WIRE_IMPI_DIFFERENT_CHOICES:
    case WIRE_IMPI_LIMITS_IGNORED:
    case WIRE_IMPI_SIZE_EARLY:
    case WIRE_IMPI_RANK_TAKEN:
    case WIRE_IMPI_SPREAD_EARLY:
    case WIRE_IMPI_SPREAD_MASK:
    case WIRE_IMPI_SPREAD_DATA:
    case WIRE_IMPI_SPREAD_MISSING:
    case WIRE_IMPI_ALL_DONE_EARLY:
    case WIRE_IMPI_CONNECTED_EARLY:
    case WIRE_IMPI_RANK_TWICE:
        return true;
    default:
        return rests_on_channels(violation);
    }
}

bool wire_impi_job_rests_on_order(enum wire_impi_violation violation)
{
    switch (violation) {
    case WIRE_IMPI_METHOD_TAKEN:
    case WIRE_IMPI_JOIN_TAKEN:
    case WIRE_IMPI_JOIN_RANK:
    case WIRE_IMPI_FINI_EARLY:
    case WIRE_IMPI_CHOICE_EARLY:
    case WIRE_IMPI_SIZE_EARLY:
    case WIRE_IMPI_RANK_OUTSIDE:
    case WIRE_IMPI_RANK_TAKEN:
    case WIRE_IMPI_SPREAD_EARLY:
    case WIRE_IMPI_ALL_DONE_EARLY:
    case WIRE_IMPI_SERVER_AFTER_FINI:
    case WIRE_IMPI_CONNECTED_EARLY:
    case WIRE_IMPI_RANK_TWICE:
    case WIRE_IMPI_NOTE_LABEL_AT_ONCE:
    case WIRE_IMPI_NOTE_FINI_BEFORE_CLOSED:
        return true;
    default:
        return rests_on_channels(violation);
    }
}

/* Whether of some client's connection neither the server's DONE nor the end has been seen: it may have gone on where
 * nobody saw it. */
static bool is_left_open(const struct wire_impi_job *job)
{
    bool open = false;

    for (int i = 0; i < WIRE_IMPI_CLIENTS_MAX && i < job->size; i++) {
        open = open || (job->clients[i].joined && !job->clients[i].told_done && !job->clients[i].gone);
    }
    return open;
}

bool wire_impi_job_withholds(const struct wire_impi_job *job, enum wire_impi_violation violation)
{
    if (wire_impi_rule_of(violation)->needs_all && !(job && wire_impi_job_seen_all(job))) {
        return true;
    }
    if (job && job->channel_missed && rests_on_channels(violation)) {
        return true;
    }
    if (violation == WIRE_IMPI_NOTE_LABEL_AT_ONCE && job && job->missed) { /* perhaps the answer that came before it */
        return true;
    }
    if (violation == WIRE_IMPI_CONNECTED_EARLY && job && is_left_open(job)) {
        return true;
    }
    if (violation == WIRE_IMPI_NOTE_BARRIER_EARLY && job && job->barriers_disordered) {
        return true;
    }
    return job && job->missed && wire_impi_job_rests_on_others(violation);
}

/* Since when the client's hosts have no channel any more; 0: they have. */
static uint64_t closed_at(const struct wire_impi_job *job, unsigned client)
{
    uint64_t latest = 0;

    for (uint32_t i = 0; i < job->hosts; i++) {
        const struct wire_impi_job_host *host = &job->tables.hosts[i];

        if (host->client == client && host->channels) {
            return 0;
        }
        latest = host->client == client && host->closed_at > latest ? host->closed_at : latest;
    }
    return latest;
}

/* Since when the client has done what the finding awaited; 0: not yet. */
static uint64_t came_at(const struct wire_impi_job *job, const struct wire_impi_finding *finding, unsigned client)
{
    uint64_t done_at = job->clients[client].done_at;

    if (finding->violation == WIRE_IMPI_CONNECTED_EARLY) {
        return job->clients[client].told_done_at;
    }
    if (finding->violation == WIRE_IMPI_NOTE_FINI_BEFORE_CLOSED) {
        return closed_at(job, client);
    }
    for (uint32_t i = 0; finding->violation == WIRE_IMPI_SPREAD_EARLY && i < job->label_count; i++) {
        uint64_t passed_at = job->labels[i].passed_at[client];

        if (job->labels[i].label == finding->label && passed_at && (!done_at || passed_at < done_at)) {
            return passed_at;
        }
    }
    return done_at;
}

static bool is_close(uint64_t came_at, uint64_t at, uint64_t close)
{
    return came_at > at && came_at - at <= close;
}

/* Whether as many clients as were missing have joined close behind. */
static bool have_joined(const struct wire_impi_job *job, const struct wire_impi_finding *finding, uint64_t at)
{
    int64_t joined = finding->observed;

    for (unsigned i = 0; i < WIRE_IMPI_CLIENTS_MAX; i++) {
        joined += is_close(job->clients[i].joined_at, at, job->close);
    }
    return joined >= finding->expected;
}

bool wire_impi_job_explains(const struct wire_impi_job *job, const struct wire_impi_finding *finding, uint64_t at)
{
    bool explains = job && finding->awaited;

    if (job && finding->violation == WIRE_IMPI_SIZE_EARLY) {
        return have_joined(job, finding, at);
    }
    for (unsigned i = 0; explains && i < WIRE_IMPI_CLIENTS_MAX; i++) {
        explains = !(finding->awaited >> i & 1) || is_close(came_at(job, finding, i), at, job->close);
    }
    return explains;
}
