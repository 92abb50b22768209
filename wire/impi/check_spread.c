/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The values that the server spreads (a part of the checker of IMPI start-up): whether they are those that the clients
 * gave, joined in the order of their ranks, and what they say about the job. Judges section 2.3.5 of the IMPI 0.0
 * document as far as the server goes. What clients gave is kept as a digest, not as octets. Where a client's own
 * connection was not seen, what it gave is judged here: by its number, and by the range of each value.
 */
#include "wire/impi/check_own.h"
#include "wire/impi/labels.h"

#include <string.h>

/* ---- the same as was given? ---- */

static void next_giver(struct wire_impi_values *values, const struct wire_impi_job_label *label)
{
    while (values->giver < WIRE_IMPI_CLIENTS_MAX &&
           (!(values->mask >> values->giver & 1) || label->octets[values->giver] == 0)) {
        values->giver++;
    }
    values->giver_left = values->giver < WIRE_IMPI_CLIENTS_MAX ? label->octets[values->giver] : 0;
    values->digest = WIRE_IMPI_DIGEST;
}

static void begin_comparison(struct wire_impi_link *link, struct wire_impi_values *values,
                             const struct wire_impi_job_label *label, uint32_t octets)
{
    uint64_t sum = 0;

    /* whom the server has not told the size may be somebody else with a client's rank */
    values->compare = label && (values->mask & ~label->given) == 0;
    for (int i = 0; i < WIRE_IMPI_CLIENTS_MAX && values->compare; i++) {
        const struct wire_impi_job_client *client = &link->job->clients[i];

        values->compare = !(values->mask >> i & 1) || (client->sized && !client->partial);
        sum += values->mask >> i & 1 ? label->octets[i] : 0;
    }
    if (values->compare && sum != octets) {
        wire_impi_report_field(&link->findings, WIRE_IMPI_SPREAD_DATA, "len", (int64_t)sum + 8, (int64_t)octets + 8);
        values->compare = false;
    }
    if (values->compare) {
        next_giver(values, label);
    }
}

static void compare(struct wire_impi_link *link, struct wire_impi_values *values, const unsigned char *octets,
                    size_t len)
{
    const struct wire_impi_job_label *label = wire_impi_job_label(link->job, values->label);

    while (values->compare && len && values->giver < WIRE_IMPI_CLIENTS_MAX) {
        size_t count = len < values->giver_left ? len : values->giver_left;

        values->digest = wire_impi_digest(values->digest, octets, count);
        values->giver_left -= (uint32_t)count;
        octets += count;
        len -= count;
        if (values->giver_left == 0 && values->digest != label->digest[values->giver]) {
            wire_impi_report(&link->findings, WIRE_IMPI_SPREAD_DATA);
            values->compare = false;
        } else if (values->giver_left == 0) {
            values->giver++;
            next_giver(values, label);
        }
    }
}

/* ---- is it what clients may give? ---- */

/* How many values of this label the client has; 0: not known. */
static uint32_t count_of(const struct wire_impi_job *job, enum wire_impi_per per, uint32_t client)
{
    switch (per) {
    case WIRE_IMPI_PER_CLIENT:
        return 1;
    case WIRE_IMPI_PER_HOST:
        return job->clients[client].nhosts;
    case WIRE_IMPI_PER_PROCESS:
        return job->clients[client].nprocs;
    case WIRE_IMPI_PER_VERSION: /* their number is not told: they are not learned */
        return 0;
    }
    return 0;
}

/* Nobody has heard this client give the values: what is wrong with them has not been told yet. */
static bool is_hearsay(const struct wire_impi_job *job, const struct wire_impi_job_label *label, uint32_t client)
{
    const struct wire_impi_job_client *known = &job->clients[client];

    return label && !known->joined && !known->sized && !(label->given >> client & 1);
}

/* How many octets the client should have given, or has; -1: not known. */
static int64_t octets_of(const struct wire_impi_job *job, const struct wire_impi_job_label *label,
                         const struct wire_impi_label *known, uint32_t client)
{
    uint32_t count = count_of(job, known->per, client);

    if (is_hearsay(job, label, client)) {
        return count ? (int64_t)count * known->element.width : -1;
    }
    return label && label->given >> client & 1 ? (int64_t)label->octets[client] : -1;
}

/* What the clients of a mask should have given. */
struct due {
    int64_t least;    /* octets, counting one value of each client of whom nothing is known */
    bool all;         /* it is that many exactly */
    bool whole;       /* and no part of a value */
    uint32_t hearsay; /* mask of those whom nobody has heard */
};

static struct due due_of(const struct wire_impi_job *job, const struct wire_impi_job_label *label,
                         const struct wire_impi_label *known, uint32_t mask)
{
    struct due due = {.all = true, .whole = true};

    for (uint32_t i = 0; i < WIRE_IMPI_CLIENTS_MAX; i++) {
        if (mask >> i & 1) {
            int64_t octets = octets_of(job, label, known, i);

            due.hearsay |= (uint32_t)is_hearsay(job, label, i) << i;
            due.all = due.all && octets >= 0;
            due.whole = due.whole && (octets < 0 || octets % known->element.width == 0);
            due.least += octets >= 0 ? octets : known->element.width;
        }
    }
    return due;
}

/* The values must be as many as the clients of the mask have, and each one whole. */
static void begin_judgement(struct wire_impi_link *link, struct wire_impi_values *values,
                            const struct wire_impi_label *known)
{
    const struct wire_impi_job *job = link->job;
    uint32_t width = known->element.width;
    struct due due;

    if (job->size <= 0 || (job->size < WIRE_IMPI_CLIENTS_MAX && values->mask >> job->size)) {
        return; /* what is said for clients that do not exist is wrong by its mask */
    }
    due = due_of(job, wire_impi_job_label(link->job, values->label), known, values->mask);
    values->judge = due.hearsay != 0;
    if (due.hearsay && ((due.whole && values->octets % width) || (due.all && values->octets != due.least) ||
                        values->octets < due.least)) {
        link->findings.hearsay = due.hearsay;
        wire_impi_report_field(&link->findings, wire_impi_value_form(known), known->name, due.least / width,
                               values->octets / width);
        link->findings.hearsay = 0;
        values->judge = false;
    }
}

/* The value at hand, of the client at hand. */
static void judge_element(struct wire_impi_link *link, struct wire_impi_values *values,
                          const struct wire_impi_label *known)
{
    const struct wire_impi_job *job = link->job;
    const struct wire_impi_job_client *client = &job->clients[values->client];
    uint32_t host = client->first_host + values->client_index;
    int64_t ackmark = host < job->hosts ? job->tables.hosts[host].ackmark : 0;
    uint64_t value = 0;

    if (!values->judge || !is_hearsay(job, wire_impi_job_label(link->job, values->label), values->client) ||
        wire_row_get(&known->element, values->kept, sizeof values->kept, &value) != WIRE_OK) {
        return;
    }
    link->findings.hearsay = UINT32_C(1) << values->client;
    wire_impi_value_judge(&link->findings, values->label, value, ackmark);
    values->sum = values->client_index ? values->sum + value : value;
    if (values->label == WIRE_IMPI_H_NPROCS && values->client_index + 1 == client->nhosts && client->nprocs &&
        values->sum != client->nprocs) {
        wire_impi_report_field(&link->findings, WIRE_IMPI_HOST_NPROCS, known->name, client->nprocs,
                               (int64_t)values->sum);
    }
    link->findings.hearsay = 0;
}

/* ---- what does it say? ---- */

static uint32_t lesser(uint32_t known, uint32_t value)
{
    return known == 0 || value < known ? value : known;
}

static uint32_t read_u32(const struct wire_impi_values *values)
{
    const unsigned char *at = values->kept;

    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void learn_choice(struct wire_impi_job *job, int32_t *known, int32_t value, int32_t when_default)
{
    int32_t meant = value == -1 ? when_default : value;

    job->choices_differ = job->choices_differ || (*known != -1 && *known != meant);
    *known = meant;
}

static void learn_for_client(struct wire_impi_job *job, const struct wire_impi_values *values)
{
    uint32_t value = read_u32(values);
    struct wire_impi_job_client *client = &job->clients[values->client];

    switch (values->label) {
    case WIRE_IMPI_C_NHOSTS:
        client->nhosts = value;
        break;
    case WIRE_IMPI_C_NPROCS:
        client->nprocs = value;
        break;
    case WIRE_IMPI_C_DATALEN:
        job->limits_broken = job->limits_broken || value == 0;
        job->limits.datalen = lesser(job->limits.datalen, value);
        break;
    case WIRE_IMPI_C_TAGUB:
        job->limits_broken = job->limits_broken || value < WIRE_IMPI_TAGUB_MIN || value > INT32_MAX;
        job->limits.tagub = (int32_t)lesser((uint32_t)job->limits.tagub, value);
        break;
    case WIRE_IMPI_C_COLL_XSIZE:
        learn_choice(job, &job->xsize, (int32_t)value, WIRE_IMPI_DEFAULT_XSIZE);
        break;
    case WIRE_IMPI_C_COLL_MAXLINEAR:
        learn_choice(job, &job->maxlinear, (int32_t)value, WIRE_IMPI_DEFAULT_MAXLINEAR);
        break;
    default:
        break;
    }
}

static void learn_for_host(struct wire_impi_job *job, const struct wire_impi_values *values)
{
    uint32_t at = job->clients[values->client].first_host + values->client_index;
    uint32_t value = read_u32(values);
    struct wire_impi_job_host *host;

    if (at >= job->hosts) {
        return;
    }
    host = &job->tables.hosts[at];
    switch (values->label) {
    case WIRE_IMPI_H_IPV6:
        memcpy(host->address, values->kept, WIRE_IMPI_HOST_OCTETS);
        break;
    case WIRE_IMPI_H_PORT:
        host->port = value;
        break;
    case WIRE_IMPI_H_NPROCS:
        host->nprocs = value;
        break;
    case WIRE_IMPI_H_ACKMARK:
        host->ackmark = value;
        job->limits_broken = job->limits_broken || value == 0;
        job->limits.ackmark = lesser(job->limits.ackmark, value);
        break;
    case WIRE_IMPI_H_HIWATER:
        host->hiwater = value;
        job->limits_broken = job->limits_broken || value < host->ackmark;
        job->limits.hiwater = lesser(job->limits.hiwater, value);
        break;
    default:
        break;
    }
}

static void learn_for_process(struct wire_impi_job *job, const struct wire_impi_values *values)
{
    uint32_t at = job->clients[values->client].first_process + values->client_index;
    const struct wire_impi_label *pid = wire_impi_label_of(WIRE_IMPI_P_PID);
    uint64_t value = 0;

    if (at >= job->processes) {
        return;
    }
    if (values->label == WIRE_IMPI_P_IPV6) {
        memcpy(job->tables.processes[at].id.host, values->kept, WIRE_IMPI_HOST_OCTETS);
    } else if (wire_row_get(&pid->element, values->kept, sizeof values->kept, &value) == WIRE_OK) {
        job->tables.processes[at].id.pid = (int64_t)value;
    }
}

static void next_client(const struct wire_impi_job *job, struct wire_impi_values *values, enum wire_impi_per per)
{
    while (values->client < WIRE_IMPI_CLIENTS_MAX && !(values->mask >> values->client & 1)) {
        values->client++;
    }
    values->client_index = 0;
    if (values->client >= WIRE_IMPI_CLIENTS_MAX || count_of(job, per, values->client) == 0) {
        values->learn = false;
    }
}

static void learn(struct wire_impi_job *job, struct wire_impi_values *values, enum wire_impi_per per)
{
    switch (per) {
    case WIRE_IMPI_PER_VERSION:
        break;
    case WIRE_IMPI_PER_CLIENT:
        learn_for_client(job, values);
        break;
    case WIRE_IMPI_PER_HOST:
        learn_for_host(job, values);
        break;
    case WIRE_IMPI_PER_PROCESS:
        learn_for_process(job, values);
        break;
    }
    values->index++;
    values->client_index++;
    if (values->client_index == count_of(job, per, values->client)) {
        values->client++;
        next_client(job, values, per);
    }
}

/* Where each client's hosts or processes begin; all or none are kept. */
static void place_hosts(struct wire_impi_job *job)
{
    uint64_t sum = 0;

    for (int i = 0; i < job->size && i < WIRE_IMPI_CLIENTS_MAX; i++) {
        uint32_t count = job->clients[i].nhosts;

        job->clients[i].first_host = (uint32_t)sum;
        for (uint64_t at = sum; at < sum + count && at < job->tables.host_count; at++) {
            job->tables.hosts[at] = (struct wire_impi_job_host){.client = (uint32_t)i};
        }
        sum += count;
    }
    job->hosts = sum <= job->tables.host_count ? (uint32_t)sum : 0;
}

static void place_processes(struct wire_impi_job *job)
{
    uint64_t sum = 0;

    for (int i = 0; i < job->size && i < WIRE_IMPI_CLIENTS_MAX; i++) {
        job->clients[i].first_process = (uint32_t)sum;
        sum += job->clients[i].nprocs;
    }
    job->processes = sum <= job->tables.process_count ? (uint32_t)sum : 0;
    for (uint32_t i = 0; i < job->processes; i++) {
        job->tables.processes[i] = (struct wire_impi_job_process){.host = UINT32_MAX};
    }
}

/* Which host each process has: they come client by client, host by host. */
static void place_on_hosts(struct wire_impi_job *job)
{
    uint32_t process = 0;

    for (uint32_t host = 0; host < job->hosts; host++) {
        for (uint32_t i = 0; i < job->tables.hosts[host].nprocs && process < job->processes; i++) {
            job->tables.processes[process++].host = host;
        }
    }
}

static bool knows(const struct wire_impi_job *job, int32_t label)
{
    return job->learned >> wire_impi_label_place(label) & 1;
}

/* All clients have told this label: the job is known better now. */
static void settle(struct wire_impi_job *job, int32_t label)
{
    job->learned |= UINT32_C(1) << wire_impi_label_place(label);
    if (label == WIRE_IMPI_C_NHOSTS) {
        place_hosts(job);
    } else if (label == WIRE_IMPI_C_NPROCS) {
        place_processes(job);
    } else if (label == WIRE_IMPI_H_NPROCS) {
        place_on_hosts(job);
    } else if (label == WIRE_IMPI_H_HIWATER && job->limits.ackmark > job->limits.hiwater) {
        job->limits.ackmark = job->limits.hiwater = 0; /* some host gave no ackmark: which one holds is not known */
    }
    job->whole = job->hosts && job->processes && knows(job, WIRE_IMPI_H_IPV6) && knows(job, WIRE_IMPI_H_PORT) &&
                 knows(job, WIRE_IMPI_H_NPROCS) && knows(job, WIRE_IMPI_P_IPV6) && knows(job, WIRE_IMPI_P_PID);
    if (job->whole && !job->indexed) {
        wire_impi_index_make(job);
    }
}

/* ---- the three calls ---- */

void wire_impi_spread_begin(struct wire_impi_link *link, int32_t label, uint32_t mask, uint32_t octets)
{
    struct wire_impi_values *values = &link->values[WIRE_IMPI_FROM_SERVER];
    const struct wire_impi_label *known = wire_impi_label_of(label);
    int place = wire_impi_label_place(label);

    *values = (struct wire_impi_values){.label = label, .mask = mask, .octets = octets};
    begin_comparison(link, values, wire_impi_job_label(link->job, label), octets);
    if (known && !(link->job->learned >> place & 1)) {
        begin_judgement(link, values, known);
        values->learn = true;
        next_client(link->job, values, known->per);
    }
}

void wire_impi_spread_octets(struct wire_impi_link *link, const unsigned char *octets, size_t len)
{
    struct wire_impi_values *values = &link->values[WIRE_IMPI_FROM_SERVER];
    const struct wire_impi_label *known = wire_impi_label_of(values->label);

    compare(link, values, octets, len);
    while (known && values->learn && wire_impi_values_element(values, known->element.width, &octets, &len)) {
        judge_element(link, values, known);
        learn(link->job, values, known->per);
    }
}

void wire_impi_spread_end(struct wire_impi_link *link)
{
    struct wire_impi_values *values = &link->values[WIRE_IMPI_FROM_SERVER];
    const struct wire_impi_label *known = wire_impi_label_of(values->label);
    int32_t size = link->job->size;
    uint32_t all = size >= 32 ? UINT32_MAX : (UINT32_C(1) << size) - 1;

    if (known && known->per != WIRE_IMPI_PER_VERSION && size > 0 && values->mask == all &&
        values->client >= WIRE_IMPI_CLIENTS_MAX && values->index * known->element.width == values->octets) {
        settle(link->job, values->label);
    }
}
