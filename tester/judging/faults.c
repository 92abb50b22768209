/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a run knows of faults (faults.h): a list of those found, and two sets of names: what has returned, what has
 * worked.
 */
#include "tester/judging/faults.h"

#include "tester/base/memory.h"

#include <jansson.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call may hang by what one case does: only when two have met it, the others are spared. */
enum { HANGS_BELIEVED = 2, MISSES_BELIEVED = 3, SHORT_MS = 300 };

struct faults {
    pthread_mutex_t lock; /* guards all of it; a fault in the list never changes */
    struct fault *first, **last;
    json_t *returned, *worked; /* names of functions and steps */
    json_t *missed;            /* how often a step was waited for in vain */
};

struct faults *faults_open(void)
{
    struct faults *faults = memory_zero(sizeof *faults);

    pthread_mutex_init(&faults->lock, NULL);
    faults->last = &faults->first;
    faults->returned = json_object();
    faults->worked = json_object();
    faults->missed = json_object();
    return faults;
}

void faults_close(struct faults *faults)
{
    for (struct fault *fault = faults->first, *next; fault; fault = next) {
        next = fault->next;
        free(fault);
    }
    json_decref(faults->returned);
    json_decref(faults->worked);
    json_decref(faults->missed);
    pthread_mutex_destroy(&faults->lock);
    free(faults);
}

void faults_add(struct faults *faults, const struct symptom *symptom, const char *requirement, const char *case_id,
                bool foundation)
{
    struct fault *fault = memory_zero(sizeof *fault);

    fault->symptom = *symptom;
    fault->shown = 1;
    fault->foundation = foundation;
    snprintf(fault->requirement, sizeof fault->requirement, "%s", requirement);
    snprintf(fault->case_id, sizeof fault->case_id, "%s", case_id);
    pthread_mutex_lock(&faults->lock);
    *faults->last = fault;
    faults->last = &fault->next;
    pthread_mutex_unlock(&faults->lock);
}

const struct fault *faults_find(struct faults *faults, const struct symptom *symptom)
{
    pthread_mutex_lock(&faults->lock);
    const struct fault *fault = faults->first;
    while (fault && !symptom_same(&fault->symptom, symptom)) {
        fault = fault->next;
    }
    pthread_mutex_unlock(&faults->lock);
    return fault;
}

const struct fault *faults_losing(struct faults *faults)
{
    pthread_mutex_lock(&faults->lock);
    const struct fault *fault = faults->first;
    while (fault && fault->symptom.kind != SYMPTOM_LOSES) {
        fault = fault->next;
    }
    pthread_mutex_unlock(&faults->lock);
    return fault;
}

const struct fault *faults_base(struct faults *faults)
{
    pthread_mutex_lock(&faults->lock);
    const struct fault *fault = faults->first;
    while (fault && !(fault->foundation && fault->symptom.kind == SYMPTOM_MISSING &&
                      !json_object_get(faults->worked, fault->symptom.subject))) {
        fault = fault->next;
    }
    pthread_mutex_unlock(&faults->lock);
    return fault;
}

void faults_again(struct faults *faults, const struct fault *fault)
{
    pthread_mutex_lock(&faults->lock);
    ((struct fault *)(uintptr_t)fault)->shown++;
    pthread_mutex_unlock(&faults->lock);
}

const struct fault *faults_hanging(struct faults *faults, const char *function)
{
    struct symptom symptom;

    symptom_set(&symptom, SYMPTOM_HANGS, function, "", true);
    const struct fault *fault = faults_refuted(faults, &symptom) ? NULL : faults_find(faults, &symptom);
    pthread_mutex_lock(&faults->lock);
    bool believed = fault && fault->shown >= HANGS_BELIEVED;
    pthread_mutex_unlock(&faults->lock);
    return believed ? fault : NULL;
}

static void note(struct faults *faults, json_t *names, const char *subject)
{
    pthread_mutex_lock(&faults->lock);
    json_object_set_new_nocheck(names, subject, json_true());
    pthread_mutex_unlock(&faults->lock);
}

void faults_returned(struct faults *faults, const char *subject)
{
    note(faults, faults->returned, subject);
}

void faults_worked(struct faults *faults, const char *subject)
{
    note(faults, faults->worked, subject);
}

bool faults_refuted(struct faults *faults, const struct symptom *symptom)
{
    bool dies = symptom->kind == SYMPTOM_HANGS || symptom->kind == SYMPTOM_CRASHES;

    pthread_mutex_lock(&faults->lock);
    bool found = json_object_get(dies ? faults->returned : faults->worked, symptom->subject) != NULL;
    pthread_mutex_unlock(&faults->lock);
    return found;
}

void faults_missed(struct faults *faults, const char *step)
{
    pthread_mutex_lock(&faults->lock);
    json_int_t count = json_integer_value(json_object_get(faults->missed, step));
    json_object_set_new_nocheck(faults->missed, step, json_integer(count + 1));
    pthread_mutex_unlock(&faults->lock);
}

int64_t faults_patience(struct faults *faults, const char *step, int64_t ms)
{
    pthread_mutex_lock(&faults->lock);
    bool hopeless = !json_object_get(faults->worked, step) &&
                    json_integer_value(json_object_get(faults->missed, step)) >= MISSES_BELIEVED;
    pthread_mutex_unlock(&faults->lock);
    return hopeless && ms > SHORT_MS ? SHORT_MS : ms;
}
