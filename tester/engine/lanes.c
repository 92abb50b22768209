/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Lanes (lanes.h). A lane is a copy of its run with a system under test of its own: mailbox, loop, agent, jobs,
 * partners. What they share is what never changes during the run, and:
 *
 *     faults, the machine's load      have locks of their own
 *     the next case, the results      `lock`; held while results are told
 *     the observer                    `observer_lock`, inside `lock`
 *
 * The cases of a folder of foundations, on which all others rest, are executed one at a time and in their order, and
 * nothing beside them: what they find broken is known before anything rests on it.
 */
#include "tester/engine/lanes.h"

#include "tester/base/loop.h"
#include "tester/base/memory.h"
#include "tester/engine/again.h"
#include "tester/engine/agent.h"
#include "tester/engine/earlier.h"
#include "tester/engine/turn.h"
#include "tester/sut/partner.h"
#include "tester/sut/registry.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct lane {
    struct engine_run run;
    char *token;
    bool joined;          /* its agent came by itself, and may be another's */
    atomic_bool is_known; /* its agent has said who it is, or is gone */
};

struct lanes {
    struct engine_run *run;
    struct lane lanes[LANES_MAX];
    atomic_uint count;    /* of those that are whole */
    pthread_mutex_t lock; /* guards what follows */
    struct turn **turns;  /* of each case, when it has been executed and not yet told */
    size_t next, told;    /* the case to take, and the first to tell */
    bool alone;           /* a foundation is being executed: nobody takes a case beside it */
    pthread_cond_t over;
    pthread_mutex_t observer_lock;
    struct engine_observer observer; /* the caller's */
};

/* ---- one call of the observer at a time -------------------------------------------------------------------------- */

static void on_note(void *context, const char *kind, const char *text)
{
    struct lanes *self = context;

    pthread_mutex_lock(&self->observer_lock);
    if (self->observer.note) {
        self->observer.note(self->observer.context, kind, text);
    }
    pthread_mutex_unlock(&self->observer_lock);
}

static bool on_agent(void *context, const char *templates)
{
    struct lanes *self = context;

    pthread_mutex_lock(&self->observer_lock);
    bool good = !self->observer.agent || self->observer.agent(self->observer.context, templates);
    pthread_mutex_unlock(&self->observer_lock);
    return good;
}

static void on_started(void *context, const struct case_info *about, unsigned index, unsigned total)
{
    struct lanes *self = context;

    pthread_mutex_lock(&self->observer_lock);
    if (self->observer.started) {
        self->observer.started(self->observer.context, about, index, total);
    }
    pthread_mutex_unlock(&self->observer_lock);
}

static void on_step(void *context, const struct case_info *about, const char *text)
{
    struct lanes *self = context;

    pthread_mutex_lock(&self->observer_lock);
    if (self->observer.step) {
        self->observer.step(self->observer.context, about, text);
    }
    pthread_mutex_unlock(&self->observer_lock);
}

static void on_result(void *context, const struct engine_result *result)
{
    struct lanes *self = context;

    pthread_mutex_lock(&self->observer_lock);
    if (self->observer.result) {
        self->observer.result(self->observer.context, result);
    }
    pthread_mutex_unlock(&self->observer_lock);
}

/* When these come the lanes are still. */
static bool on_stored(void *context, const struct engine_summary *summary, const char *problem)
{
    const struct lanes *self = context;

    return !self->observer.stored || self->observer.stored(self->observer.context, summary, problem);
}

static void on_finished(void *context, const struct engine_summary *summary, const char *problem)
{
    const struct lanes *self = context;

    if (self->observer.finished) {
        self->observer.finished(self->observer.context, summary, problem);
    }
}

static void take_observer(struct lanes *self)
{
    struct engine_run *run = self->run;

    self->observer = run->observer;
    run->observer = (struct engine_observer){.context = self,
                                             .note = on_note,
                                             .agent = on_agent,
                                             .started = on_started,
                                             .step = on_step,
                                             .result = on_result,
                                             .stored = on_stored,
                                             .finished = on_finished};
    run->sut.note = on_note;
    run->sut.note_context = self;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static bool lane_open(struct lane *lane, const struct engine_run *run, unsigned number)
{
    struct engine_run *own = &lane->run;

    *own = *run;
    own->results = (struct results){0};
    own->sut = (struct sut){.note = run->sut.note,
                            .note_context = run->sut.note_context,
                            .facts = {.role = "", .guest = ""},
                            .build = run->sut.build};
    own->sut.box = registry_box_new();
    if (!own->sut.box) {
        return false;
    }
    lane->token = memory_format("%s-%u", run->run_token, number);
    own->sut.loop = loop_new();
    own->box_watch = loop_add(own->sut.loop, registry_box_fd(own->sut.box), POLLIN, agent_take_links, own);
    own->partners = partner_open_all(&own->sut, run->reference, NULL);
    registry_add(own->sut.box, lane->token, 0, 1);
    return true;
}

/* ---- working ----------------------------------------------------------------------------------------------------- */

static bool is_foundation(const struct lanes *self, size_t place)
{
    const struct engine_run *run = self->run;

    return case_list_entry(run->cases, run->selection.indexes[place])->about.foundation;
}

/* Gives the next case that nobody has taken, once no foundation is under way, or, to the run's own thread, one that is
 * to be judged once more; false when there is none. */
static bool take_next(struct lanes *self, struct engine_run *run, size_t *place, unsigned *attempt)
{
    *attempt = 0;
    pthread_mutex_lock(&self->lock);
    while (self->alone) {
        pthread_cond_wait(&self->over, &self->lock);
    }
    while (self->next < self->run->selection.count && earlier_has(self->run, self->next)) {
        self->next++;
    }
    bool again = run == self->run && again_take(run, place, attempt);
    bool found = again || (self->next < self->run->selection.count && !self->run->sut.cancelled);
    if (!again) {
        *place = self->next;
        self->next += found;
    }
    self->alone = found && is_foundation(self, *place);
    pthread_mutex_unlock(&self->lock);
    return found;
}

/* A case is over. Nothing is executed beside a foundation, so it is that one or there is none. Lock held. */
static void let_others_begin(struct lanes *self)
{
    self->alone = false;
    pthread_cond_broadcast(&self->over);
}

/* Throws away what a case came to. */
static void drop(struct lanes *self, struct turn *turn)
{
    turn_drop(turn);
    free(turn);
    pthread_mutex_lock(&self->lock);
    let_others_begin(self);
    pthread_mutex_unlock(&self->lock);
}

/* Takes what a case came to, and tells all of which none before is missing. */
static void hand_in(struct lanes *self, size_t place, struct turn *turn)
{
    pthread_mutex_lock(&self->lock);
    let_others_begin(self);
    if (turn->attempt > 0) {
        turn_tell(self->run, turn);
        free(turn);
    } else {
        self->turns[place] = turn;
    }
    while (self->told < self->run->selection.count && (self->turns[self->told] || earlier_has(self->run, self->told))) {
        if (self->turns[self->told]) {
            turn_tell(self->run, self->turns[self->told]);
        }
        free(self->turns[self->told]);
        self->turns[self->told++] = NULL;
    }
    pthread_mutex_unlock(&self->lock);
}

static void work(struct lanes *self, struct engine_run *run)
{
    unsigned attempt;
    size_t place;

    while (!sut_ended(&run->sut) && !run->sut.problem[0] && take_next(self, run, &place, &attempt)) {
        struct turn *turn = memory_zero(sizeof *turn);

        turn_take(run, place, attempt, turn);
        if (turn_is_void(run)) {
            drop(self, turn);
        } else {
            hand_in(self, place, turn);
        }
    }
    if (turn_is_void(run)) { /* the other lanes need not go on */
        sut_cancel(&self->run->sut, "the run was suspended");
        lanes_cancel(self, "the run was suspended");
    }
}

/* An agent that has come by itself and cannot be used does no harm to the run. */
static bool await_joined(struct engine_run *own)
{
    bool good = agent_await(own) && agent_accept(own);

    if (good) {
        sut_note(&own->sut, "agent-joined", "a further launch agent takes part");
    } else {
        own->sut.problem[0] = '\0';
    }
    return good;
}

static void *lane_thread(void *context)
{
    struct lane *lane = context;
    struct engine_run *own = &lane->run;

    bool good = lane->joined ? await_joined(own) : agent_await(own);

    lane->is_known = true;
    if (good) {
        work(own->lanes, own);
    }
    return NULL;
}

static void lane_begin(struct lanes *self, struct lane *lane)
{
    struct engine_run *own = &lane->run;

    own->lanes = self;
    own->selection = self->run->selection;
    own->sut.facts = self->run->sut.facts;
    own->load = self->run->load;
    own->running = pthread_create(&own->thread, NULL, lane_thread, lane) == 0;
}

/* ---- joining ----------------------------------------------------------------------------------------------------- */

/* A further agent gets a lane of its own. On the run's thread; the link is the lanes'. */
static void join(struct lanes *self, struct registry_link *link)
{
    unsigned place = self->count;
    struct lane *lane = place < LANES_MAX ? &self->lanes[place] : NULL;

    if (!lane || !lane_open(lane, self->run, place + 1)) {
        registry_link_close(link);
        return;
    }
    lane->joined = true;
    self->count = place + 1;
    if (self->run->sut.cancelled) {
        sut_cancel(&lane->run.sut, self->run->sut.cancelled);
    }
    registry_pass(lane->token, link);
    lane_begin(self, lane);
}

/* Those who came while the first agent was looked at. */
static void take_early(struct lanes *self)
{
    for (unsigned i = 0; i < self->run->early_count; i++) {
        join(self, &self->run->early[i]);
    }
    self->run->early_count = 0;
}

/* Nobody waits for the first word of an agent when there is no case left for it. */
static void dismiss_unknown(struct lanes *self)
{
    for (unsigned i = 0; i < self->count; i++) {
        if (!self->lanes[i].is_known) {
            sut_cancel(&self->lanes[i].run.sut, "all cases are executed");
        }
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

struct lanes *lanes_open(struct engine_run *run, unsigned count)
{
    struct lanes *self = memory_zero(sizeof *self);

    self->run = run;
    self->turns = memory_zero(run->selection.count * sizeof(struct turn *));
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->over, NULL);
    pthread_mutex_init(&self->observer_lock, NULL);
    take_observer(self);
    while (self->count < count && lane_open(&self->lanes[self->count], run, self->count + 1)) {
        self->count++;
    }
    return self;
}

void lanes_close(struct lanes *self)
{
    if (!self) {
        return;
    }
    for (size_t i = self->told; i < self->run->selection.count; i++) { /* of a run that is suspended */
        if (self->turns[i]) {
            turn_drop(self->turns[i]);
            free(self->turns[i]);
        }
    }
    for (unsigned i = 0; i < self->count; i++) {
        struct engine_run *own = &self->lanes[i].run;

        partner_close_all(own->partners, true);
        registry_box_free(own->sut.box);
        loop_free(own->sut.loop);
        free(own->sut.cancelled);
        free(self->lanes[i].token);
    }
    pthread_mutex_destroy(&self->observer_lock);
    pthread_cond_destroy(&self->over);
    pthread_mutex_destroy(&self->lock);
    free((void *)self->turns);
    free(self);
}

unsigned lanes_count(const struct lanes *self)
{
    return self ? self->count : 0;
}

void lanes_run(struct lanes *self)
{
    for (unsigned i = 0; i < self->count; i++) {
        lane_begin(self, &self->lanes[i]);
    }
    if (self->run->shares) {
        self->run->further_agent = join;
        take_early(self);
    }
    work(self, self->run);
    self->run->further_agent = NULL;
    registry_retire(self->run->run_token);
    dismiss_unknown(self);
    if (sut_ended(&self->run->sut)) {
        lanes_cancel(self, "the launch agent is gone");
    }
    for (unsigned i = 0; i < self->count; i++) {
        struct engine_run *own = &self->lanes[i].run;

        if (own->running) {
            pthread_join(own->thread, NULL);
        }
        if (own->sut.problem[0]) {
            sut_problem(&self->run->sut, "%s", own->sut.problem);
        }
        partner_close_all(own->partners, true);
        own->partners = NULL;
    }
}

void lanes_dismiss(struct lanes *self, const struct outcome *outcome)
{
    for (unsigned i = 0; self && i < self->count; i++) {
        registry_retire(self->lanes[i].token);
        agent_dismiss(&self->lanes[i].run, outcome);
    }
}

void lanes_cancel(struct lanes *self, const char *reason)
{
    for (unsigned i = 0; self && i < self->count; i++) {
        sut_cancel(&self->lanes[i].run.sut, reason);
    }
}
