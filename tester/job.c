/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of a job (job.h): start by the agent, connections of the interpreters, end. Every case has a job of its own.
 */
#include "tester/job.h"

#include "tester/clock.h"
#include "tester/memory.h"

#include <arpa/inet.h>
#include <sodium/randombytes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { START_MS = 15000, CONNECT_MS = 30000, FINI_MS = 4000, QUIT_MS = 2000, STOP_MS = 8000 };

static bool agent_replied(void *context)
{
    struct dialogue_command *command = context;

    return command->reply != NULL;
}

static void rank_log(struct rank *rank, const char *mark, const char *line)
{
    char shown[48];

    if (rank->job->run->evidence) {
        snprintf(shown, sizeof shown, "%s %s", mark, rank->label);
        evidence_say(rank->job->run->evidence, shown, line);
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
    rank_log(rank, ">", line);
    if (rank->job->run->evidence) {
        evidence_arrow(rank->job->run->evidence, "call", "manager", rank->label, label, line);
    }
}

static void on_came(void *context, const char *line)
{
    struct rank *rank = context;
    char label[64];

    rank_log(rank, "<", line);
    if (!rank->job->run->evidence) {
        return;
    }
    if (!dialogue_field(line, "rc", label, sizeof label)) {
        snprintf(label, sizeof label, "%.*s", (int)strcspn(line + strcspn(line, " "), "="), line);
        sscanf(line, "%*s %63s", label);
    }
    evidence_arrow(rank->job->run->evidence, "reply", rank->label, "manager", label, line);
}

static void on_octets(void *context, bool incoming, const void *octets, size_t len)
{
    struct rank *rank = context;

    if (rank->job->run->evidence) {
        flow_data(rank->job->run->evidence->capture, &rank->flow, incoming ? FLOW_SUT : FLOW_MANAGER, octets, len);
    }
}

static void on_over(void *context)
{
    struct rank *rank = context;

    rank_log(rank, "!", "the connection closed");
    if (rank->job->run->evidence) {
        flow_finish(rank->job->run->evidence->capture, &rank->flow, FLOW_SUT);
    }
    run_note(rank->job->run, "interpreter-gone", "%s", rank->label);
}

void job_attach(struct job *job, struct registry_link *link)
{
    struct dialogue_events events = {.sent = on_sent, .came = on_came, .octets = on_octets, .over = on_over};

    if (job->connected == job->np) {
        registry_link_close(link);
        return;
    }
    struct rank *rank = &job->ranks[job->connected];
    snprintf(rank->label, sizeof rank->label, "rank %u", job->connected);
    job->connected++;
    rank->job = job;
    rank->present = true;
    events.context = rank;
    dialogue_open(&rank->dialogue, job->run->loop, link, "interpreter", &events);
    rank->flow.interface = PCAPNG_INTERPRETER;
    session_addresses(rank->dialogue.session, &rank->flow.ends[FLOW_MANAGER], &rank->flow.ends[FLOW_SUT]);
    if (rank->flow.ends[FLOW_SUT].sin_port == 0) { /* no IPv4 socket: ports that tell the connections apart */
        rank->flow.ends[FLOW_MANAGER].sin_port = htons(1);
        rank->flow.ends[FLOW_SUT].sin_port = htons((uint16_t)(40000 + job->connected));
    }
    if (job->run->evidence) {
        flow_open(job->run->evidence->capture, &rank->flow, FLOW_SUT);
    }
    dialogue_feed(&rank->dialogue);
    run_note(job->run, "interpreter-connected", "%s of %u", rank->label, job->np);
}

void job_notice(struct engine_run *run, const char *words)
{
    char number[16], text[512], stream[16];

    dialogue_field(words, "job", number, sizeof number);
    if (!run->job || strtoul(number, NULL, 10) != run->job->number) {
        return;
    }
    if (strncmp(words, "output ", 7) == 0) {
        dialogue_field(words, "text", text, sizeof text);
        dialogue_field(words, "stream", stream, sizeof stream);
        snprintf(run->job->last_output, sizeof run->job->last_output, "%.255s", text);
        if (run->evidence) {
            evidence_say(run->evidence, stream[0] ? stream : "output", text);
        }
        run_note(run, "output", "%s", text);
    } else if (strncmp(words, "ended ", 6) == 0) {
        bool signalled = dialogue_field(words, "signal", text, sizeof text);
        if (!signalled) {
            dialogue_field(words, "status", text, sizeof text);
        }
        run->job->ended = true;
        snprintf(run->job->ended_text, sizeof run->job->ended_text, "%s %.64s", signalled ? "signal" : "status", text);
        if (run->evidence) {
            evidence_say(run->evidence, "job", run->job->ended_text);
        }
        run_note(run, "job-ended", "job %u: %s", run->job->number, run->job->ended_text);
    }
}

static bool job_complete(void *context)
{
    struct job *job = context;
    unsigned ready = 0;

    for (unsigned i = 0; i < job->connected; i++) {
        if (job->ranks[i].dialogue.end != DIALOGUE_OPEN) {
            return true; /* refused or gone again: no use to wait */
        }
        ready += job->ranks[i].dialogue.state == DIALOGUE_READY;
    }
    return ready == job->np || job->ended;
}

static struct job *job_new(struct engine_run *run, unsigned np)
{
    struct job *job = memory_zero(sizeof *job);
    unsigned char chance[16];

    randombytes_buf(chance, sizeof chance);
    for (size_t i = 0; i < sizeof chance; i++) {
        snprintf(job->token + 2 * i, 3, "%02x", chance[i]);
    }
    job->run = run;
    job->np = np;
    job->number = ++run->job_count;
    job->ranks = memory_zero(np * sizeof(struct rank));
    registry_add(run->box, job->token, job->number, np);
    run->job = job;
    return job;
}

/* Has the agent start the job; false and a message when it did not. */
static bool job_order(struct job *job, bool *fatal, char *message, size_t message_octets)
{
    struct engine_run *run = job->run;
    char code[32] = "", reason[512] = "";
    char *text = memory_format("start job=%u np=%u token=%s", job->number, job->np, job->token);
    uint32_t id = dialogue_send(&run->agent, START_MS, NULL, text, NULL, 0);
    free(text);
    struct dialogue_command *command = id ? dialogue_find(&run->agent, id) : NULL;
    if (!command || !run_pump(run, agent_replied, command, command->late_ms)) {
        snprintf(message, message_octets, "the launch agent does not answer: %s",
                 run->agent.why   ? run->agent.why
                 : run->cancelled ? run->cancelled
                                  : "no reply to start");
        *fatal = true;
        return false;
    }
    bool good = strncmp(command->reply, "ok", 2) == 0;
    if (!good) {
        sscanf(command->reply, "error %31s", code);
        dialogue_field(command->reply, "reason", reason, sizeof reason);
        snprintf(message, message_octets, "the system under test cannot be started: %s",
                 reason[0] ? reason : command->reply);
        *fatal = true;
        run->unstartable = true;
    }
    dialogue_forget(&run->agent, id);
    return good;
}

static void job_explain(const struct job *job, char *message, size_t message_octets)
{
    for (unsigned i = 0; i < job->connected; i++) {
        if (job->ranks[i].dialogue.end != DIALOGUE_OPEN) {
            snprintf(message, message_octets, "interpreter %u: %s", i + 1, job->ranks[i].dialogue.why);
            return;
        }
    }
    if (job->ended) {
        snprintf(message, message_octets, "the job ended with %s before all interpreters had connected (%u of %u)%s%s",
                 job->ended_text, job->connected, job->np, job->last_output[0] ? "; its last line: " : "",
                 job->last_output);
    } else {
        snprintf(message, message_octets, "only %u of %u interpreters connected within %d s%s%s", job->connected,
                 job->np, CONNECT_MS / 1000, job->last_output[0] ? "; the job's last line: " : "", job->last_output);
    }
}

struct job *job_start(struct engine_run *run, unsigned np, bool *fatal, char *message, size_t message_octets)
{
    struct job *job = job_new(run, np);

    *fatal = false;
    if (!job_order(job, fatal, message, message_octets)) {
        goto stop;
    }
    run_note(run, "job-started", "job %u with %u process%s", job->number, np, np == 1 ? "" : "es");
    run_pump(run, job_complete, job, clock_now_ms() + CONNECT_MS);
    unsigned ready = 0;
    for (unsigned i = 0; i < job->connected; i++) {
        ready += job->ranks[i].dialogue.state == DIALOGUE_READY && job->ranks[i].dialogue.end == DIALOGUE_OPEN;
    }
    if (ready == np) {
        registry_retire(job->token);
        return job;
    }
    job_explain(job, message, message_octets);
stop:
    job_stop(job);
    return NULL;
}

static bool job_has_ended(void *context)
{
    struct job *job = context;

    return job->ended;
}

static void rank_close(struct rank *rank)
{
    if (rank->job->run->evidence) {
        flow_finish(rank->job->run->evidence->capture, &rank->flow, FLOW_MANAGER);
    }
    dialogue_close(&rank->dialogue);
}

/* Whether no process is still in the PtlFini that job_finalise asked for. */
static bool all_finalised(void *context)
{
    struct job *job = context;

    for (unsigned i = 0; i < job->connected; i++) {
        struct dialogue_command *command = dialogue_find(&job->ranks[i].dialogue, job->ranks[i].fini);
        if (job->ranks[i].fini && command && !command->reply && job->ranks[i].dialogue.end == DIALOGUE_OPEN) {
            return false;
        }
    }
    return true;
}

/* Takes the library down in all processes at once, as an application would: launchers object to a process that just
 * leaves, and end the others. The case has been judged; what goes wrong here stands in the transcript. */
static void job_finalise(struct job *job)
{
    for (unsigned i = 0; i < job->connected; i++) {
        struct rank *rank = &job->ranks[i];
        rank->leaving = true;
        if (rank->initialised && rank->dialogue.end == DIALOGUE_OPEN) {
            rank->fini = dialogue_send(&rank->dialogue, FINI_MS, NULL, "PtlFini", NULL, 0);
        }
    }
    run_pump(job->run, all_finalised, job, clock_now_ms() + FINI_MS);
    for (unsigned i = 0; i < job->connected; i++) {
        dialogue_forget(&job->ranks[i].dialogue, job->ranks[i].fini);
    }
}

static void job_end(struct job *job)
{
    struct engine_run *run = job->run;
    char text[48];

    job_finalise(job);

    for (unsigned i = 0; i < job->connected; i++) {
        if (job->ranks[i].dialogue.end == DIALOGUE_OPEN) {
            dialogue_send(&job->ranks[i].dialogue, QUIT_MS, NULL, "quit", NULL, 0);
        } else {
            rank_close(&job->ranks[i]); /* it does not follow any more; it ends when it finds the connection closed */
        }
    }
    if (job->connected == job->np && run_pump(run, job_has_ended, job, clock_now_ms() + QUIT_MS)) {
        return;
    }
    snprintf(text, sizeof text, "stop job=%u", job->number);
    uint32_t id = dialogue_send(&run->agent, STOP_MS, NULL, text, NULL, 0);
    struct dialogue_command *command = id ? dialogue_find(&run->agent, id) : NULL;
    if (command) {
        /* a cancelled run waits here too: it must not leave processes behind */
        for (int64_t late = command->late_ms;
             !command->reply && run->agent.state == DIALOGUE_READY && clock_now_ms() < late;) {
            loop_turn(run->loop, 100);
        }
        dialogue_forget(&run->agent, id);
    }
}

void job_stop(struct job *job)
{
    struct engine_run *run = job->run;

    registry_retire(job->token);
    if (run->agent.state == DIALOGUE_READY && !job->ended) {
        job_end(job);
    }
    for (unsigned i = 0; i < job->connected; i++) {
        rank_close(&job->ranks[i]);
    }
    run->job = NULL;
    free(job->ranks);
    free(job);
}

struct rank *job_lost(struct job *job)
{
    struct rank *closed = NULL;

    for (unsigned i = 0; i < job->connected; i++) {
        struct rank *rank = &job->ranks[i];
        if (rank->dialogue.end == DIALOGUE_OPEN || rank->excused ||
            (rank->leaving && rank->dialogue.end == DIALOGUE_CLOSED)) {
            continue;
        }
        if (rank->dialogue.end != DIALOGUE_CLOSED) {
            return rank;
        }
        closed = closed ? closed : rank;
    }
    return closed;
}
