/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: the checkers of IMPI take whatever comes, and every finding names a rule. With an even first octet the
 * input is what is said on the four directions of two connections to a server, in pieces that begin with direction and
 * length; with an odd one it is packets between two hosts, five octets each, with little room to remember them.
 */
#include "tests/fuzz/fuzz.h"
#include "wire/impi/check_channel.h"
#include "wire/impi/check_job.h"

#include <stdbool.h>

enum { HOSTS = 4, PROCESSES = 8, PAIRS = 6, REQUESTS = 5, LINKS = 2, STEP = 5 };

/* Notes name rules too, but others, and count. */
static void demand_notes(const struct wire_impi_findings *notes)
{
    for (unsigned i = 0; i < notes->count; i++) {
        FUZZ_DEMAND(notes->at[i].rule->severity == WIRE_IMPI_NOTE);
        FUZZ_DEMAND(notes->at[i].tally && notes->at[i].tally->told && notes->at[i].tally->times);
    }
}

static void demand_rules(const struct wire_impi_findings *findings, unsigned count)
{
    FUZZ_DEMAND(count == findings->count && count <= WIRE_IMPI_FINDINGS_MAX);
    for (unsigned i = 0; i < count; i++) {
        FUZZ_DEMAND(findings->at[i].rule == wire_impi_rule_of(findings->at[i].violation));
        FUZZ_DEMAND(findings->at[i].violation != WIRE_IMPI_NO_VIOLATION && findings->at[i].rule->text);
        FUZZ_DEMAND(findings->at[i].rule->severity == WIRE_IMPI_VIOLATION);
    }
}

static void demand_job(const struct wire_impi_job *job)
{
    FUZZ_DEMAND(job->hosts <= HOSTS && job->processes <= PROCESSES && job->label_count <= WIRE_IMPI_JOB_LABELS);
    FUZZ_DEMAND(!job->whole || (job->hosts && job->processes));
    for (uint32_t i = 0; job->whole && i < job->processes; i++) {
        FUZZ_DEMAND(job->tables.processes[i].host < job->hosts || job->tables.processes[i].host == UINT32_MAX);
    }
}

static void on_links(const uint8_t *data, size_t size)
{
    static struct wire_impi_job_host hosts[HOSTS];
    static struct wire_impi_job_process processes[PROCESSES];
    static struct wire_impi_job job;
    static struct wire_impi_link links[LINKS];
    struct wire_impi_startup streams[LINKS][2];

    wire_impi_job_begin(&job, &(struct wire_impi_job_tables){hosts, HOSTS, processes, PROCESSES});
    job.secrets = (struct wire_impi_secrets){.size = LINKS, .key_known = true, .key = 1};
    for (int i = 0; i < LINKS; i++) {
        wire_impi_link_begin(&links[i], &job);
        streams[i][0] = wire_impi_startup_begin(WIRE_IMPI_FROM_CLIENT);
        streams[i][1] = wire_impi_startup_begin(WIRE_IMPI_FROM_SERVER);
    }
    while (size > 1) {
        enum wire_impi_direction direction = data[0] & 1 ? WIRE_IMPI_FROM_SERVER : WIRE_IMPI_FROM_CLIENT;
        struct wire_impi_link *link = &links[data[0] >> 1 & 1];
        struct wire_impi_startup *stream = &streams[data[0] >> 1 & 1][direction];
        size_t len = data[1] < size - 2 ? data[1] : size - 2;
        const unsigned char *octets = data + 2;
        size_t left = len;
        struct wire_impi_startup_piece piece;

        while (wire_impi_startup_next(stream, &octets, &left, &piece) == WIRE_OK) {
            demand_rules(&link->findings, wire_impi_link_piece(link, direction, &piece, size));
            demand_notes(&link->notes);
            demand_job(&job);
        }
        if (stream->broken) {
            demand_rules(&link->findings, wire_impi_link_broken(link, direction));
        }
        if (data[0] & 0x80) {
            demand_rules(&link->findings, wire_impi_link_end(link, direction, data[0] & 0x40));
        }
        data += 2 + len;
        size -= 2 + len;
    }
}

static struct wire_impi_packet packet_of(const uint8_t *octets)
{
    struct wire_impi_packet packet = {
        .type = octets[0] & 7,
        .len = octets[1] & 15,
        .src = {.pid = octets[2] & 3},
        .dest = {.pid = octets[2] >> 2 & 3},
        .srqid = octets[3] & 7,
        .drqid = octets[3] >> 3 & 3,
        .msglen = octets[1] >> 2,
        .lsrank = octets[4] & 3,
        .tag = (int8_t)octets[4],
        .cid = octets[4] >> 6,
    };

    return packet;
}

static void on_channel(const uint8_t *data, size_t size)
{
    static struct wire_impi_pair pairs[PAIRS];
    static struct wire_impi_request requests[REQUESTS];
    struct wire_impi_channel channel;
    uint64_t mark = 1;

    if (size < 1) {
        return;
    }
    wire_impi_channel_begin(
        &channel, &(struct wire_impi_channel_tables){pairs, data[0] % PAIRS + 1, requests, data[0] % (REQUESTS + 1)},
        &(struct wire_impi_limits){
            .datalen = data[0] & 8, .ackmark = data[0] & 3, .hiwater = data[0] & 7, .tagub = 99});
    for (data++, size--; size >= STEP; data += STEP, size -= STEP) {
        struct wire_impi_packet packet = packet_of(data);
        enum wire_impi_side side = data[0] & 8 ? WIRE_IMPI_ACCEPTOR : WIRE_IMPI_CONNECTOR;

        mark += data[0] >> 7;
        if ((data[0] & 0x70) == 0x70) {
            demand_rules(&channel.findings, wire_impi_channel_end(&channel, side, data[1] & 1));
        } else {
            wire_impi_channel_data(&channel, side, data, data[1] % STEP);
            wire_impi_channel_data(&channel, side, data, size);
            demand_rules(&channel.findings, wire_impi_channel_packet(&channel, side, &packet, mark));
            demand_notes(&channel.notes);
        }
    }
    demand_rules(&channel.findings, wire_impi_channel_broken(&channel, WIRE_IMPI_CONNECTOR));
    demand_rules(&channel.findings, wire_impi_channel_end(&channel, WIRE_IMPI_ACCEPTOR, false));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    if (data[0] & 1) {
        on_channel(data + 1, size - 1);
    } else {
        on_links(data + 1, size - 1);
    }
    return 0;
}
