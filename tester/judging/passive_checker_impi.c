/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The passive checker for IMPI (passive_checker_impi.h). It listens to the flows that also become the capture; so what
 * it reports is commented in the capture, at the packet concerned. Connections of one job share what start-up has told:
 * how many clients, which hosts and processes, which limits.
 */
#include "tester/judging/passive_checker_impi.h"

#include "tester/base/memory.h"
#include "wire/follow/follow_impi.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS = 128, PROCESSES = 512, PAIRS = 256, REQUESTS = 1024, TEXT = 400, VIOLATIONS_MAX = 16 };

/* A violation of the system under test. */
struct violation {
    const struct wire_impi_rule *rule;
    const struct wire_impi_job *job;
    enum wire_impi_violation violation;
    char message[16];
    char text[TEXT];
};

struct impi_job {
    struct impi_job *next;
    unsigned number;
    struct wire_impi_job job;
    struct wire_impi_job_host hosts[HOSTS];
    struct wire_impi_job_process processes[PROCESSES];
};

/* One connection; either of `link` and `channel` is made when it opens. */
struct heard {
    struct passive_checker_impi *checker;
    struct heard *next;
    const struct flow *flow;
    struct flow_listener listener;
    struct impi_job *job;
    enum passive_checker_kind kind;
    enum flow_side opener;
    struct wire_follow_impi_link *link;
    struct wire_follow_impi_channel *channel;
    struct wire_impi_pair *pairs;
    struct wire_impi_request *requests;
};

struct passive_checker_impi {
    struct evidence *evidence;
    struct forgeries *forgeries;
    struct heard *connections;
    struct impi_job *jobs;
    uint64_t mark;
    struct violation violations[VIOLATIONS_MAX]; /* the first ones */
    unsigned violation_count;
};

struct passive_checker_impi *passive_checker_impi_open(struct evidence *evidence, struct forgeries *forgeries)
{
    struct passive_checker_impi *checker = memory_zero(sizeof *checker);

    checker->evidence = evidence;
    checker->forgeries = forgeries;
    return checker;
}

static void heard_free(struct heard *heard)
{
    free(heard->link);
    free(heard->channel);
    free(heard->pairs);
    free(heard->requests);
    free(heard);
}

void passive_checker_impi_close(struct passive_checker_impi *checker)
{
    if (!checker) {
        return;
    }
    for (struct heard *heard = checker->connections, *next; heard; heard = next) {
        next = heard->next;
        heard_free(heard);
    }
    for (struct impi_job *job = checker->jobs, *next; job; job = next) {
        next = job->next;
        free(job);
    }
    free(checker);
}

static struct impi_job *job_of(struct passive_checker_impi *checker, unsigned number)
{
    struct impi_job *job = checker->jobs;

    while (job && job->number != number) {
        job = job->next;
    }
    if (!job) {
        job = memory_zero(sizeof *job);
        job->number = number;
        wire_impi_job_begin(&job->job, &(struct wire_impi_job_tables){job->hosts, HOSTS, job->processes, PROCESSES});
        job->next = checker->jobs;
        checker->jobs = job;
    }
    return job;
}

/* The sides as the checkers number them: 0 has connected. */
static unsigned side_of(const struct heard *heard, enum flow_side from)
{
    return from == heard->opener ? 0 : 1;
}

static void note_violation(struct heard *heard, const struct wire_impi_finding *finding, const char *message,
                           const char *text)
{
    struct passive_checker_impi *checker = heard->checker;

    evidence_say(checker->evidence, "checker", text);
    pcapng_comment(checker->evidence->capture, text);
    if (checker->violation_count < VIOLATIONS_MAX) {
        struct violation *violation = &checker->violations[checker->violation_count++];
        *violation =
            (struct violation){.rule = finding->rule, .job = &heard->job->job, .violation = finding->violation};
        snprintf(violation->message, sizeof violation->message, "%s", message);
        snprintf(violation->text, sizeof violation->text, "%s", text);
    }
}

/* What the system under test breaks is kept against it; what a scripted peer breaks is the case's business, and shows
 * that it is forged. */
static void on_report(void *context, unsigned side, const char *message, const struct wire_impi_findings *findings)
{
    struct heard *heard = context;
    struct passive_checker_impi *checker = heard->checker;
    char text[TEXT];

    for (unsigned i = 0; i < findings->count; i++) {
        const struct wire_impi_finding *finding = &findings->at[i];
        wire_follow_impi_finding_text(finding, NULL, text, sizeof text);
        if (side == side_of(heard, FLOW_SUT)) {
            note_violation(heard, finding, message, text);
        } else if (!finding->rule->needs_all || wire_impi_job_seen_all(&heard->job->job)) {
            evidence_say(checker->evidence, "forged", text);
            forgery_found(checker->forgeries, heard->flow, finding->rule->name, text);
        }
    }
}

/* The host that listens at this end, as start-up has told it; -1 when it has not. */
static int64_t host_at(const struct wire_impi_job *job, const struct sockaddr_in *end)
{
    unsigned char address[WIRE_IMPI_HOST_OCTETS] = {0};
    int64_t host;

    if (!job->whole) {
        return -1;
    }
    memcpy(address + sizeof address - sizeof end->sin_addr, &end->sin_addr, sizeof end->sin_addr);
    host = wire_impi_job_host_at(job, address, ntohs(end->sin_port));
    return host >= 0 ? host : wire_impi_job_host_at(job, NULL, ntohs(end->sin_port)); /* it may have another one here */
}

static void on_opened(void *context, enum flow_side opener)
{
    struct heard *heard = context;

    heard->opener = opener;
    if (heard->kind == PASSIVE_CHECKER_LINK) {
        heard->link = memory_zero(sizeof *heard->link);
        wire_follow_impi_link_begin(heard->link, &heard->job->job);
        heard->link->listener = (struct wire_follow_impi_listener){.report = on_report, .context = heard};
        return;
    }
    heard->channel = memory_zero(sizeof *heard->channel);
    heard->pairs = memory_zero(PAIRS * sizeof *heard->pairs);
    heard->requests = memory_zero(REQUESTS * sizeof *heard->requests);
    wire_follow_impi_channel_begin(heard->channel,
                                   &(struct wire_impi_channel_tables){heard->pairs, PAIRS, heard->requests, REQUESTS},
                                   &heard->job->job.limits);
    heard->channel->channel.job = &heard->job->job;
    heard->channel->channel.hosts[WIRE_IMPI_ACCEPTOR] =
        host_at(&heard->job->job, &heard->flow->ends[opener == FLOW_SUT ? FLOW_MANAGER : FLOW_SUT]);
    heard->channel->listener = (struct wire_follow_impi_listener){.report = on_report, .context = heard};
}

static void on_octets(void *context, enum flow_side from, const void *octets, size_t len)
{
    struct heard *heard = context;
    uint64_t mark = ++heard->checker->mark;

    if (heard->link) {
        wire_follow_impi_link_octets(heard->link, side_of(heard, from), octets, len, mark);
    } else if (heard->channel) {
        wire_follow_impi_channel_octets(heard->channel, side_of(heard, from), octets, len, mark);
    }
}

static void on_ended(void *context, enum flow_side from, bool reset)
{
    struct heard *heard = context;

    if (heard->link) {
        wire_follow_impi_link_end(heard->link, side_of(heard, from), reset);
    } else if (heard->channel) {
        wire_follow_impi_channel_end(heard->channel, side_of(heard, from), reset);
    }
}

void passive_checker_impi_listen(struct passive_checker_impi *checker, struct flow *flow,
                                 enum passive_checker_kind kind, unsigned job)
{
    struct heard *heard = memory_zero(sizeof *heard);

    heard->checker = checker;
    heard->flow = flow;
    heard->kind = kind;
    heard->job = job_of(checker, job);
    heard->listener = (struct flow_listener){heard, on_opened, on_octets, on_ended};
    heard->next = checker->connections;
    checker->connections = heard;
    flow->listener = &heard->listener;
}

void passive_checker_impi_tell(struct passive_checker_impi *checker, unsigned job,
                               const struct wire_impi_secrets *secrets)
{
    job_of(checker, job)->job.secrets = *secrets;
}

/* Whether the violation is one that stands by itself. */
static bool violation_counts(const struct violation *violation, bool lost)
{
    bool early_end = violation->violation == WIRE_IMPI_COMMAND_CUT || violation->violation == WIRE_IMPI_CLOSED_INSIDE ||
                     violation->violation == WIRE_IMPI_CLOSED_WITHOUT_FINI ||
                     violation->violation == WIRE_IMPI_CLOSED_BEFORE_FINI;

    return !violation->rule->inferred && !(lost && early_end) &&
           (!violation->rule->needs_all || wire_impi_job_seen_all(violation->job));
}

/* Whether the case has found the reading by which a server does so: that is warned of, and no failure besides. What is
 * broadcast has been looked at by the case. */
static bool violation_is_read(const struct violation *violation, const struct judge *judge)
{
    const char *repeated = json_string_value(json_object_get(judge->readings, "repeated_label"));

    return repeated && strcmp(repeated, "again") == 0 &&
           (violation->violation == WIRE_IMPI_SPREAD_AGAIN || violation->violation == WIRE_IMPI_SPREAD_MASK);
}

/* A client that fails by this has not offered a method that its server could choose: nothing else can be judged. */
static void note_missing_offer(struct judge *judge, const char *requirement)
{
    if (strcmp(judge->requirement, requirement) == 0 && judge->symptom.kind == SYMPTOM_NONE) {
        symptom_set(&judge->symptom, SYMPTOM_MISSING, "the offer of a method", "", true);
    }
}

/* Unless the case declares a forgery, a scripted server chooses a method whose variable is set for the client. That the
 * client does not offer it is the client's doing, and what rests on the choice cannot be judged. */
static void judge_offer(const struct passive_checker_impi *checker, struct judge *judge)
{
    const char *const requirement = "IMPI-027";

    if (!checker->forgeries ||
        !forgery_stands(checker->forgeries, wire_impi_rule_of(WIRE_IMPI_CHOICE_NOT_OFFERED)->name)) {
        return;
    }
    judge_overrule(judge, requirement, "the client does not offer a method whose variable is set in its environment",
                   "a mask without it");
    note_missing_offer(judge, requirement);
}

void passive_checker_impi_judge(const struct passive_checker_impi *checker, struct judge *judge, bool lost)
{
    for (unsigned i = 0; i < checker->violation_count; i++) {
        const struct violation *violation = &checker->violations[i];
        char reason[160];

        if (violation_counts(violation, lost) && !violation_is_read(violation, judge)) {
            snprintf(reason, sizeof reason, "the conversation on the wire " JUDGE_UNASKED " (%s)", violation->message);
            judge_overrule(judge, violation->rule->requirement, reason, violation->text);
            if (violation->violation == WIRE_IMPI_AUTH_NOTHING) {
                note_missing_offer(judge, violation->rule->requirement);
            }
            return;
        }
    }
    judge_offer(checker, judge);
}
