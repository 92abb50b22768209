/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A running case (case.h): waiting, and whatever ends it from outside. The functions of `core` wait by turning the
 * run's loop; so a case reads like a script, and notices, crashes and wire traffic are taken meanwhile.
 */
#include "tester/lua/case.h"

#include "tester/base/clock.h"
#include "tester/base/host_load.h"
#include "tester/base/loop.h"
#include "tester/base/memory.h"
#include "tester/sut/job.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLE_MS = 1000, VAIN_MS = 500 };

struct case_run *case_self(lua_State *lua)
{
    lua_getfield(lua, LUA_REGISTRYINDEX, "assay.case");
    struct case_run *self = lua_touserdata(lua, -1);
    lua_pop(lua, 1);
    return self;
}

/* Whether the end of a conversation says what happened, and not only that it is over. */
static bool is_explained(const struct dialogue *dialogue)
{
    return dialogue->end != DIALOGUE_CLOSED && !dialogue->cut;
}

/* Whether nothing more can be learned about a loss: a rank said why, or the whole job is gone. */
static bool loss_explained(void *context)
{
    struct job *job = context;
    struct rank *lost = job_lost(job);
    bool all_gone = job_is_over(job);

    for (unsigned i = 0; i < job->connected; i++) {
        all_gone = all_gone && job->ranks[i].dialogue.state == DIALOGUE_GONE;
    }
    return all_gone || (lost && is_explained(&lost->dialogue));
}

/* The case has said that a crash now is another reading of the requirement, not a failure. */
static void case_warn_of_crash(struct case_run *self, const struct rank *lost)
{
    char *reason = memory_format("%s: %s: %s", lost->label, self->judge.crash_reading, lost->dialogue.why);

    judge_end(&self->judge, VERDICT_WARN, "sut", judge_default(&self->judge), reason, "", "");
    free(reason);
}

/* Ends the case because the run is over: nobody knows how it would have gone on. */
static void case_judge_run(struct case_run *self)
{
    const struct sut *sut = self->sut;
    bool cancelled = sut->cancelled;

    judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration", "%s%s",
                     cancelled ? "" : "the launch agent is gone: ",
                     cancelled        ? sut->cancelled
                     : sut->agent.why ? sut->agent.why
                                      : "its connection closed");
}

void case_symptom_of(struct case_run *self, const struct dialogue *dialogue)
{
    bool hung = dialogue->end == DIALOGUE_HUNG;

    self->vain = self->vain || hung;
    if (dialogue->function[0] && !self->judge.ended) {
        symptom_set(&self->judge.symptom, hung ? SYMPTOM_HANGS : SYMPTOM_CRASHES, dialogue->function,
                    hung ? "" : dialogue->signal, true);
    }
}

/* Signals by which people and systems end programs, and programs do not end themselves: where the command has ended by
 * one, nobody knows how the case would have gone on. False: it has not. */
static bool case_judge_outsider(struct case_run *self, const struct job *job)
{
    static const char *const ends[] = {"signal SIGTERM", "signal SIGINT", "signal SIGHUP", "signal SIGKILL"};
    enum { COUNT = sizeof ends / sizeof ends[0] };
    size_t i = 0;

    while (i < COUNT && strcmp(job->ended_text, ends[i]) != 0) {
        i++;
    }
    if (i < COUNT) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration",
                         "the command %s was ended from outside the run, by %s",
                         job->agent == &self->sut->agent ? "under test" : "of the reference", job->ended_text);
    }
    return i < COUNT;
}

/* Ends the case by what happened to a rank. A connection that merely closed may be the echo of another rank's crash,
 * whose notice is still under way, and so may a reply that was cut off: wait a moment for it and for the agent's word.
 */
static void case_judge_lost(struct case_run *self, struct rank *lost)
{
    struct job *job = lost->job;

    if (!is_explained(&lost->dialogue)) {
        sut_pump(self->sut, loss_explained, job, clock_now_ms() + SETTLE_MS);
        lost = job_lost(job);
    }
    if (!lost) {
        return; /* not reached: what was lost stays lost */
    }
    if (!is_explained(&lost->dialogue) && sut_ended(self->sut)) {
        case_judge_run(self); /* whoever ended that has ended the process too */
    } else if (lost->dialogue.end == DIALOGUE_BROKEN) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration",
                         "%s: the interpreter breaks the protocol: %s", lost->label, lost->dialogue.why);
    } else if (lost->dialogue.end == DIALOGUE_CLOSED && case_judge_outsider(self, job)) {
        return;
    } else if (lost->dialogue.end == DIALOGUE_CLOSED) {
        judge_end_format(&self->judge, VERDICT_FAIL, "sut", "%s: lost process: %s%s%s", lost->label, lost->dialogue.why,
                         job->ended ? "; the job ended with " : "", job->ended_text);
    } else if (lost->dialogue.end == DIALOGUE_HUNG && strcmp(lost->dialogue.function, "none") == 0) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration",
                         "%s: a command that calls nothing of the library took too long: %s", lost->label,
                         lost->dialogue.why);
    } else if (lost->dialogue.end == DIALOGUE_CRASHED && job->agent != &self->sut->agent) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "%s, of the reference: %s", lost->label,
                         lost->dialogue.why);
    } else if ((lost->dialogue.end == DIALOGUE_CRASHED || lost->dialogue.end == DIALOGUE_EXITED) &&
               self->judge.crash_reading[0]) {
        case_warn_of_crash(self, lost);
    } else {
        case_symptom_of(self, &lost->dialogue);
        judge_end_format(&self->judge, VERDICT_FAIL, "sut", "%s: %s", lost->label, lost->dialogue.why);
    }
}

/* The first rank that any job has lost. */
static struct rank *case_lost(const struct case_run *self)
{
    struct rank *lost = NULL;

    for (struct job *job = self->sut->jobs; job && !lost; job = job->next) {
        lost = job_lost(job);
    }
    return lost;
}

/* A job whose first process was ended by a signal that nobody here has sent. */
static struct job *case_crashed(const struct case_run *self)
{
    struct job *job = self->sut->jobs;

    while (job && (!job->signalled || job->excused)) {
        job = job->next;
    }
    return job;
}

static void case_judge_crashed(struct case_run *self, const struct job *job)
{
    bool ours = job->agent != &self->sut->agent;

    if (case_judge_outsider(self, job)) {
        return;
    }
    judge_end_format(&self->judge, ours ? VERDICT_INCONCLUSIVE : VERDICT_FAIL, ours ? "tester" : "sut",
                     "the command %s ended with %s", ours ? "of the reference" : "under test", job->ended_text);
}

/* How much of the time since `lost_ms` was noted this machine had no processor for it; no more than some times `ms`. */
static int64_t lost_since(const struct case_run *self, int64_t lost_ms, int64_t ms)
{
    int64_t lost = host_load_lost(self->load) - lost_ms, most = ms * HOST_LOAD_SLOWS_MOST;

    return lost < most ? lost : most;
}

void case_clock(struct case_run *self)
{
    self->begin_ms = clock_now_ms();
    self->lost_ms = host_load_lost(self->load);
}

/* When the case's time is over, as it looks now. */
static int64_t case_late(const struct case_run *self)
{
    int64_t ms = (int64_t)self->entry->deadline_s * 1000;

    return self->begin_ms + ms + lost_since(self, self->lost_ms, ms);
}

void case_watch(struct case_run *self)
{
    struct rank *lost = case_lost(self);
    struct job *crashed = case_crashed(self);

    if (self->judge.ended) {
        return;
    }
    if (sut_ended(self->sut)) {
        case_judge_run(self);
    } else if (lost) {
        case_judge_lost(self, lost);
    } else if (crashed) {
        case_judge_crashed(self, crashed);
    } else if (clock_now_ms() >= case_late(self)) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "the case took longer than its deadline of %u s",
                         self->entry->deadline_s);
    }
}

struct watched {
    struct case_run *self;
    bool (*until)(void *context);
    void *context;
};

static bool watched_until(void *context)
{
    struct watched *watched = context;

    return (watched->until && watched->until(watched->context)) || sut_ended(watched->self->sut) ||
           case_lost(watched->self) || case_crashed(watched->self);
}

/* Turns the loop until the condition holds or `ms` of a machine with time have passed. */
static void pump(struct watched *watched, int64_t ms)
{
    struct case_run *self = watched->self;
    int64_t begin = clock_now_ms(), lost = host_load_lost(self->load), late = begin + ms;
    bool good = false;

    while (!good && clock_now_ms() < late) {
        good = sut_pump(self->sut, watched_until, watched, late);
        late = begin + ms + lost_since(self, lost, ms);
        late = late < case_late(self) ? late : case_late(self);
    }
}

bool case_wait(struct case_run *self, bool (*until)(void *context), void *context, int64_t ms)
{
    struct watched watched = {self, until, context};
    int64_t left = case_late(self) - clock_now_ms();

    loop_turn(self->sut->loop, 0);
    pump(&watched, ms < left ? ms : left);
    bool good = until && until(context);
    self->vain = self->vain || (until && !good && ms >= VAIN_MS);
    case_watch(self);
    return good;
}

bool case_has_loss(const struct case_run *self)
{
    for (const struct job *job = self->sut->jobs; job; job = job->next) {
        for (unsigned i = 0; i < job->connected; i++) {
            if (job->ranks[i].dialogue.end != DIALOGUE_OPEN) {
                return true;
            }
        }
        if (job_is_over(job)) {
            return true;
        }
    }
    return false;
}
