/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is kept of a conversation with one process (rank.h): its lines in the transcript, calls and answers for the
 * ladder, its octets in the capture. Of a guest's process there are only calls and answers: host and address are not
 * shown.
 */
#include "tester/sut/rank.h"

#include "tester/base/pairs.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

/* What is shown instead of a guest's hello, which names its host. */
#define GUEST_HELLO "hello of the guest's interpreter"

static void rank_log(struct rank *rank, const char *mark, const char *line)
{
    char shown[48];

    if (rank->job->sut->evidence) {
        snprintf(shown, sizeof shown, "%s %s", mark, rank->label);
        evidence_say(rank->job->sut->evidence, shown, line);
    }
}

/* The verb of a command, for the ladder: the first word behind id, deadline and thread. */
static const char *line_verb(const char *line, int *len)
{
    for (int skipped = 0; *line && (skipped < 2 || *line == '@'); skipped++) {
        line += strcspn(line, " ");
        line += *line == ' ';
    }
    *len = (int)strcspn(line, " ");
    return line;
}

static void on_sent(void *context, const char *line)
{
    struct rank *rank = context;
    int len;
    const char *verb = line_verb(line, &len);
    char label[64];

    snprintf(label, sizeof label, "%.*s", len, verb);
    rank->initialised = strcmp(label, "PtlInit") == 0 || (rank->initialised && strcmp(label, "PtlFini") != 0);
    rank->by_itself = rank->by_itself && strcmp(label, "MPI_Init") != 0;
    rank_log(rank, ">", line);
    if (rank->job->sut->evidence) {
        evidence_arrow(rank->job->sut->evidence, "call", "manager", rank->label, label, line);
    }
}

/* The hello, with which a conversation begins. */
static void on_hello(struct rank *rank, const char *line)
{
    char features[128];

    pairs_value(line, "features", features, sizeof features);
    rank->by_itself = pairs_list_has(features, "initializing");
}

static void on_came(void *context, const char *line)
{
    struct rank *rank = context;
    char label[64];

    if (strncmp(line, "hello ", 6) == 0) {
        on_hello(rank, line);
        line = rank->job->guest ? GUEST_HELLO : line;
    }
    rank_log(rank, "<", line);
    if (!rank->job->sut->evidence) {
        return;
    }
    if (!pairs_value(line, "rc", label, sizeof label)) {
        snprintf(label, sizeof label, "%.*s", (int)strcspn(line + strcspn(line, " "), "="), line);
        sscanf(line, "%*s %63s", label);
    }
    evidence_arrow(rank->job->sut->evidence, "reply", rank->label, "manager", label, line);
}

static void on_octets(void *context, bool incoming, const void *octets, size_t len)
{
    struct rank *rank = context;

    if (rank->job->sut->evidence && !rank->job->guest) {
        flow_data(rank->job->sut->evidence->capture, &rank->flow, incoming ? FLOW_SUT : FLOW_MANAGER, octets, len);
    }
}

static void on_over(void *context)
{
    struct rank *rank = context;

    rank_log(rank, "!", "the connection closed");
    if (rank->job->sut->evidence && !rank->job->guest) {
        flow_finish(rank->job->sut->evidence->capture, &rank->flow, FLOW_SUT);
    }
    sut_note(rank->job->sut, "interpreter-gone", "%s", rank->label);
}

void rank_open(struct rank *rank, struct registry_link *link)
{
    struct dialogue_events events = {
        .context = rank, .sent = on_sent, .came = on_came, .octets = on_octets, .over = on_over};
    struct job *job = rank->job;

    dialogue_open(&rank->dialogue, job->sut->loop, link, "interpreter", &events);
    rank->flow.interface = PCAPNG_INTERPRETER;
    session_addresses(rank->dialogue.session, &rank->flow.ends[FLOW_MANAGER], &rank->flow.ends[FLOW_SUT]);
    if (rank->flow.ends[FLOW_SUT].sin_port == 0) { /* no IPv4 socket: ports that tell the connections apart */
        rank->flow.ends[FLOW_MANAGER].sin_port = htons(1);
        rank->flow.ends[FLOW_SUT].sin_port = htons((uint16_t)(40000 + job->connected));
    }
    if (job->sut->evidence && !job->guest) {
        flow_open(job->sut->evidence->capture, &rank->flow, FLOW_SUT);
    }
    dialogue_feed(&rank->dialogue);
}

void rank_close(struct rank *rank)
{
    if (rank->job->sut->evidence && !rank->job->guest) {
        flow_finish(rank->job->sut->evidence->capture, &rank->flow, FLOW_MANAGER);
    }
    dialogue_close(&rank->dialogue);
}
