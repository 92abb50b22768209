/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of a job (job.h): start by the agent, connections of the interpreters, what it prints, end. Every case has
 * jobs of its own.
 */
#include "tester/sut/job.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/base/pairs.h"
#include "tester/sut/measure.h"
#include "tester/sut/rank.h"

#include <sodium/randombytes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { START_MS = 15000, CONNECT_MS = 30000, FINI_MS = 4000, QUIT_MS = 2000, STOP_MS = 8000, LINES_MAX = 2048 };

static bool agent_replied(void *context)
{
    struct dialogue_command *command = context;

    return command->reply != NULL;
}

/* Whether a process may leave: one that is in its own MPI_Init, of a client that is refused, was never there. */
static bool rank_is_early(const struct rank *rank)
{
    return rank->by_itself && (rank->dialogue.end == DIALOGUE_CLOSED || rank->dialogue.end == DIALOGUE_EXITED);
}

void job_attach(struct job *job, struct registry_link *link)
{
    if (job->connected == job->np) {
        registry_link_close(link);
        return;
    }
    struct rank *rank = &job->ranks[job->connected];
    snprintf(rank->label, sizeof rank->label, "rank %u", job->connected);
    job->connected++;
    rank->job = job;
    rank->present = true;
    rank_open(rank, link);
    sut_note(job->sut, "interpreter-connected", "%s of %u", rank->label, job->np);
}

struct job *job_find(struct sut *sut, unsigned number)
{
    struct job *job = sut->jobs;

    while (job && job->number != number) {
        job = job->next;
    }
    return job;
}

/* Has the agent look which files the processes consist of; programs of the reference are not looked at. */
static void job_measure(struct job *job)
{
    if (!job->measured && job->agent == &job->sut->agent && !job->ended) {
        job->measured = measure_begin(job->agent);
    }
}

static void job_printed(struct job *job, const char *words)
{
    struct sut *sut = job->sut;
    char text[4200], stream[16];

    if (job->guest) {
        return; /* its own terminal shows it */
    }
    pairs_value(words, "text", text, sizeof text);
    pairs_value(words, "stream", stream, sizeof stream);
    if (job->line_count < LINES_MAX) {
        job->lines = memory_grow(job->lines, (job->line_count + 1) * sizeof *job->lines);
        job->lines[job->line_count++] = (struct job_line){memory_text(text), strcmp(stream, "stderr") == 0};
    }
    if (sut->evidence) {
        evidence_say(sut->evidence, stream[0] ? stream : "output", text);
    }
    if (job->np == 0) {
        job_measure(job); /* a server says where it is, and may end before anybody asks it to */
    }
    sut_note(sut, "output", "%.900s", text);
}

/* What the agent says about the command when that has ended. */
static void job_take_status(struct job *job, const char *words)
{
    char text[64], memory[32];

    job->memory_kib = pairs_value(words, "memory", memory, sizeof memory) ? strtol(memory, NULL, 10) : 0;
    job->signalled = pairs_value(words, "signal", text, sizeof text);
    if (!job->signalled) {
        pairs_value(words, "status", text, sizeof text);
    }
    job->returned = !job->signalled && strcmp(text, "0") == 0;
    snprintf(job->ended_text, sizeof job->ended_text, "%s %s", job->signalled ? "signal" : "status", text);
}

static void job_returned(struct job *job, const char *words)
{
    job_take_status(job, words);
    if (job->sut->evidence) {
        evidence_say(job->sut->evidence, "job", "the command has returned; processes are left");
    }
}

static void job_ended(struct job *job, const char *words)
{
    struct sut *sut = job->sut;

    job_take_status(job, words);
    job->ended = true;
    if (sut->evidence) {
        evidence_say(sut->evidence, "job", job->ended_text);
    }
    sut_note(sut, "job-ended", "job %u: %s", job->number, job->ended_text);
}

void job_notice(struct sut *sut, const struct dialogue *agent, const char *words)
{
    char number[16];

    pairs_value(words, "job", number, sizeof number);
    struct job *job = job_find(sut, (unsigned)strtoul(number, NULL, 10));
    if (!job || job->agent != agent) {
        return;
    }
    if (strncmp(words, "output ", 7) == 0) {
        job_printed(job, words);
    } else if (strncmp(words, "ended ", 6) == 0) {
        job_ended(job, words);
    } else if (strncmp(words, "returned ", 9) == 0) {
        job_returned(job, words);
    }
}

/* Whether processes may still come, or be there unseen, although the command has returned. */
static bool job_outlives(const struct job *job)
{
    bool returns = job->agent == &job->sut->agent && job->sut->facts.returns != SUT_RETURNS_LAST;

    if (job->np == 0) {
        return job->returned && !job->ended && (job->own_server || returns);
    }
    return job->returned && returns;
}

bool job_is_over(const struct job *job)
{
    if (job->returned && job->np > 0 && job->connected == job->np) {
        for (unsigned i = 0; i < job->np; i++) {
            if (job->ranks[i].dialogue.state != DIALOGUE_GONE) {
                return false;
            }
        }
        return true;
    }
    return (job->ended || job->returned) && !job_outlives(job);
}

bool job_is_decided(void *context)
{
    struct job *job = context;
    unsigned ready = 0;

    for (unsigned i = 0; i < job->connected; i++) {
        if (job->ranks[i].dialogue.end != DIALOGUE_OPEN) {
            return true; /* refused or gone again: no use to wait */
        }
        ready += job->ranks[i].dialogue.state == DIALOGUE_READY;
    }
    return ready == job->np || job_is_over(job);
}

static struct job *job_new(struct sut *sut, const struct job_order *order)
{
    struct job *job = memory_zero(sizeof *job);
    unsigned char chance[16];

    job->sut = sut;
    job->np = order->silent ? 0 : order->np;
    job->abrupt = order->abrupt;
    job->own_server = order->own_server;
    job->guest = order->guest;
    job->agent = order->agent ? order->agent : &sut->agent;
    job->number = ++sut->job_count;
    job->ranks = memory_zero((job->np ? job->np : 1) * sizeof(struct rank));
    if (!order->silent) {
        randombytes_buf(chance, sizeof chance);
        for (size_t i = 0; i < sizeof chance; i++) {
            snprintf(job->token + 2 * i, 3, "%02x", chance[i]);
        }
        registry_add(sut->box, job->token, job->number, job->np);
    }
    job->next = sut->jobs;
    sut->jobs = job;
    return job;
}

/* What the agent said instead of `ok`. Some things are wrong with the command that it executes, others with what this
 * case asks for. */
static void job_refused(struct job *job, const char *reply, bool *fatal, char *message, size_t message_octets)
{
    char code[32] = "", reason[512] = "";

    if (job->guest) { /* whose words may name its files */
        *fatal = false;
        snprintf(message, message_octets, "the guest's launch agent cannot start its job: its terminal says why");
        return;
    }
    sscanf(reply, "error %31s", code);
    pairs_value(reply, "reason", reason, sizeof reason);
    *fatal = strcmp(code, "bad-value") != 0 && strcmp(code, "unknown-pair") != 0;
    snprintf(message, message_octets, "%s: %s",
             !*fatal           ? "the launch agent refuses the job"
             : job->own_server ? "the own server cannot be started"
                               : "the system under test cannot be started",
             reason[0] ? reason : reply);
    job->sut->unstartable = job->sut->unstartable || (*fatal && job->agent == &job->sut->agent);
}

/* The agent's command, without the case's own pairs. */
static char *job_command(const struct job *job)
{
    return job->token[0] ? memory_format("start job=%u np=%u token=%s", job->number, job->np, job->token)
                         : memory_format("start job=%u%s", job->number, job->own_server ? " template=server" : "");
}

/* Has the agent start the job; false and a message when it did not. */
static bool job_ask(struct job *job, const char *pairs, bool *fatal, char *message, size_t message_octets)
{
    struct sut *sut = job->sut;
    char *command_text = job_command(job);
    char *text = memory_format("%s%s%s", command_text, *pairs ? " " : "", pairs);
    uint32_t id = dialogue_send(job->agent, START_MS, NULL, text, NULL, 0);
    struct dialogue_command *command = id ? dialogue_find(job->agent, id) : NULL;

    if (*pairs && sut->evidence) {
        evidence_say(sut->evidence, "> agent", pairs);
    }
    free(command_text);
    free(text);
    if (!command || !sut_pump(sut, agent_replied, command, command->late_ms)) {
        const char *why = sut->cancelled ? sut->cancelled : "no reply to start";
        snprintf(message, message_octets, "the launch agent does not answer: %s",
                 job->agent->why ? job->agent->why : why);
        *fatal = true;
        return false;
    }
    bool good = strncmp(command->reply, "ok", 2) == 0;
    if (!good) {
        job_refused(job, command->reply, fatal, message, message_octets);
    }
    dialogue_forget(job->agent, id);
    return good;
}

static const char *last_line(const struct job *job)
{
    return job->line_count ? job->lines[job->line_count - 1].text : "";
}

static void job_explain(const struct job *job, int64_t ms, char *message, size_t message_octets)
{
    for (unsigned i = 0; i < job->connected; i++) {
        if (job->ranks[i].dialogue.end != DIALOGUE_OPEN) {
            snprintf(message, message_octets, "interpreter %u: %s", i + 1, job->ranks[i].dialogue.why);
            return;
        }
    }
    if (job->returned && job_outlives(job)) {
        snprintf(message, message_octets,
                 "the command returned with status 0, and %u of %u interpreters connected within %lld s%s%s",
                 job->connected, job->np, (long long)ms / 1000, job->line_count ? "; its last line: " : "",
                 last_line(job));
    } else if (job->ended || job->returned) {
        snprintf(message, message_octets, "the job ended with %s before all interpreters had connected (%u of %u)%s%s",
                 job->ended_text, job->connected, job->np, job->line_count ? "; its last line: " : "", last_line(job));
    } else {
        snprintf(message, message_octets, "only %u of %u interpreters connected within %lld s%s%s", job->connected,
                 job->np, (long long)ms / 1000, job->line_count ? "; the job's last line: " : "", last_line(job));
    }
}

struct job *job_begin(struct sut *sut, const struct job_order *order, bool *fatal, char *message, size_t message_octets)
{
    struct job *job = job_new(sut, order);

    *fatal = false;
    if (!job_ask(job, order->pairs ? order->pairs : "", fatal, message, message_octets)) {
        job_stop(job);
        return NULL;
    }
    if (order->silent) {
        sut_note(sut, "job-started", "job %u without interpreters", job->number);
    } else {
        sut_note(sut, "job-started", "job %u with %u process%s", job->number, job->np, job->np == 1 ? "" : "es");
    }
    return job;
}

bool job_await(struct job *job, int64_t ms, char *message, size_t message_octets)
{
    sut_pump(job->sut, job_is_decided, job, clock_now_ms() + ms);
    return job_is_whole(job, ms, message, message_octets);
}

bool job_is_whole(struct job *job, int64_t ms, char *message, size_t message_octets)
{
    unsigned ready = 0;

    for (unsigned i = 0; i < job->connected; i++) {
        ready += job->ranks[i].dialogue.state == DIALOGUE_READY && job->ranks[i].dialogue.end == DIALOGUE_OPEN;
    }
    if (ready == job->np) {
        return true;
    }
    job_explain(job, ms, message, message_octets);
    return false;
}

struct job *job_start(struct sut *sut, unsigned np, bool *fatal, char *message, size_t message_octets)
{
    struct job *job = job_begin(sut, &(struct job_order){.np = np}, fatal, message, message_octets);

    if (job && !job_await(job, CONNECT_MS, message, message_octets)) {
        job_stop(job);
        job = NULL;
    }
    return job;
}

static bool job_has_left(void *context)
{
    return job_is_over(context);
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
    sut_pump(job->sut, all_finalised, job, clock_now_ms() + FINI_MS);
    for (unsigned i = 0; i < job->connected; i++) {
        dialogue_forget(&job->ranks[i].dialogue, job->ranks[i].fini);
    }
}

/* Asks the interpreters to leave, and waits for that. */
static void job_dismiss(struct job *job)
{
    job_finalise(job);
    for (unsigned i = 0; i < job->connected; i++) {
        if (job->ranks[i].dialogue.end == DIALOGUE_OPEN) {
            dialogue_send(&job->ranks[i].dialogue, QUIT_MS, NULL, "quit", NULL, 0);
        } else {
            rank_close(&job->ranks[i]); /* it does not follow any more; it ends when it finds the connection closed */
        }
    }
    if (job->connected == job->np) {
        sut_pump(job->sut, job_has_left, job, clock_now_ms() + QUIT_MS);
    }
}

void job_kill(struct job *job)
{
    char text[48];

    if (job->ended || job->agent->state != DIALOGUE_READY) {
        return;
    }
    job->excused = true;
    snprintf(text, sizeof text, "stop job=%u", job->number);
    uint32_t id = dialogue_send(job->agent, STOP_MS, NULL, text, NULL, 0);
    struct dialogue_command *command = id ? dialogue_find(job->agent, id) : NULL;
    if (command) {
        /* a cancelled run waits here too: it must not leave processes behind */
        for (int64_t late = command->late_ms;
             !command->reply && job->agent->state == DIALOGUE_READY && clock_now_ms() < late;) {
            loop_turn(job->sut->loop, 100);
        }
        dialogue_forget(job->agent, id);
    }
}

static void job_free(struct job *job)
{
    struct job **at = &job->sut->jobs;

    while (*at != job) {
        at = &(*at)->next;
    }
    *at = job->next;
    for (size_t i = 0; i < job->line_count; i++) {
        free(job->lines[i].text);
    }
    free(job->lines);
    free(job->ranks);
    free(job);
}

/* Remembers of a command that it has returned before its processes left. */
static void job_learn(struct job *job)
{
    if (job->agent == &job->sut->agent && !job->own_server && job->returned && job->connected == job->np &&
        !job_is_over(job)) {
        job->sut->facts.returns = SUT_RETURNS_EARLY;
    }
}

void job_stop(struct job *job)
{
    registry_retire(job->token);
    job_learn(job);
    if (job->connected == job->np) {
        job_measure(job); /* all that it loads has been loaded */
    }
    measure_end(job->sut, job->agent, job->measured);
    if (job->agent->state == DIALOGUE_READY && !job_is_over(job) && !job->abrupt) {
        job_dismiss(job);
    }
    if (job->agent->state == DIALOGUE_READY && !job->ended) {
        for (unsigned i = 0; i < job->connected; i++) {
            job->ranks[i].leaving = true;
        }
        job_kill(job);
    }
    for (unsigned i = 0; i < job->connected; i++) {
        rank_close(&job->ranks[i]);
    }
    job_free(job);
}

void job_stop_all(struct sut *sut)
{
    for (struct job *job = sut->jobs, *next; job; job = next) {
        next = job->next;
        job_stop(job);
    }
}

bool job_ended_in_finalize(struct rank *rank)
{
    enum dialogue_end end = rank->dialogue.end;
    const struct dialogue_command *inside = dialogue_find(&rank->dialogue, rank->finalize);
    const char *status = rank->job->ended_text;

    return (end == DIALOGUE_CLOSED || end == DIALOGUE_EXITED) && rank->finalize && inside && !inside->reply &&
           (!status[0] || strcmp(status, "status 0") == 0);
}

/* Whether somebody wanted this end, or waits for it. A crash inside the library is nobody's wish, not even when the job
 * may end as it likes. */
static bool end_is_expected(struct rank *rank)
{
    enum dialogue_end end = rank->dialogue.end;

    return end == DIALOGUE_OPEN || rank->excused || rank_is_early(rank) || job_ended_in_finalize(rank) ||
           (rank->leaving && end == DIALOGUE_CLOSED) ||
           ((rank->job->awaited || rank->job->excused) && (end == DIALOGUE_CLOSED || end == DIALOGUE_EXITED));
}

struct rank *job_lost(struct job *job)
{
    struct rank *closed = NULL;

    for (unsigned i = 0; i < job->connected; i++) {
        struct rank *rank = &job->ranks[i];
        if (end_is_expected(rank)) {
            continue;
        }
        if (rank->dialogue.end != DIALOGUE_CLOSED) {
            return rank;
        }
        closed = closed ? closed : rank;
    }
    return closed;
}
