/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Queues and threads. One lock guards all queues: it is held for moments only and never while the library runs.
 * specs/interpreter.md, section 4.5.
 */
#include "executor.h"

#include <stdlib.h>
#include <string.h>

#include "signal_stack.h"

static pthread_mutex_t executor_lock = PTHREAD_MUTEX_INITIALIZER;
static struct executor executors[EXECUTORS];
static executor_execute *executor_does; /* set before any thread starts */

void executor_open(executor_execute *execute)
{
    executor_does = execute;
    executors[0].thread = pthread_self();
    pthread_cond_init(&executors[0].wake, NULL);
    executors[0].used = true;
}

struct executor *executor_at(size_t index)
{
    return &executors[index];
}

struct executor *executor_self(void)
{
    pthread_t self = pthread_self();

    for (size_t i = 0; i < EXECUTORS; i++)
        if (executors[i].used && pthread_equal(executors[i].thread, self))
            return &executors[i];
    return NULL;
}

/* executor_find needs the lock. */
static struct executor *executor_find(const char *name)
{
    for (size_t i = 0; i < EXECUTORS; i++)
        if (executors[i].used && strcmp(executors[i].name, name) == 0)
            return &executors[i];
    return NULL;
}

static void *executor_main(void *argument)
{
    struct executor *executor = argument;

    /* the starter holds the lock until `thread` is set, which signal handlers need */
    pthread_mutex_lock(&executor_lock);
    pthread_mutex_unlock(&executor_lock);
    void *stack = signal_stack_use();
    executor_run(executor);
    signal_stack_leave(stack);
    return NULL;
}

void executor_start(const char *name, struct failure *failure)
{
    struct executor *free_one = NULL;

    pthread_mutex_lock(&executor_lock);
    for (size_t i = EXECUTORS; i-- > 1;)
        if (!executors[i].used)
            free_one = &executors[i];
    if (!free_one) {
        failure_set(failure, "no-memory", "there are %d threads already", EXECUTORS - 1);
    } else {
        memset(free_one, 0, sizeof *free_one);
        strncpy(free_one->name, name, sizeof free_one->name - 1);
        pthread_cond_init(&free_one->wake, NULL);
        if (pthread_create(&free_one->thread, NULL, executor_main, free_one) == 0)
            free_one->used = true;
        else
            failure_set(failure, "no-memory", "the system gives no more threads");
    }
    pthread_mutex_unlock(&executor_lock);
}

void executor_join(const char *name, struct failure *failure)
{
    struct executor *executor;

    pthread_mutex_lock(&executor_lock);
    executor = executor_find(name);
    if (!executor || executor == executor_self()) {
        failure_set(failure, "bad-value", "a thread cannot wait for itself");
        executor = NULL;
    } else if (executor->ending) {
        failure_set(failure, "busy", "another thread waits for %s already", name);
        executor = NULL;
    } else {
        executor->ending = true;
        pthread_cond_signal(&executor->wake);
    }
    pthread_mutex_unlock(&executor_lock);
    if (!executor)
        return;
    pthread_join(executor->thread, NULL);
    pthread_mutex_lock(&executor_lock);
    pthread_cond_destroy(&executor->wake);
    executor->used = false;
    pthread_mutex_unlock(&executor_lock);
}

void executor_put(const char *name, struct work *work, struct failure *failure)
{
    struct executor *executor;

    pthread_mutex_lock(&executor_lock);
    executor = executor_find(name);
    if (!executor || executor->ending) {
        failure_set(failure, "unknown-name", "there is no thread %s", name);
    } else if (executor->waiting >= EXECUTOR_QUEUE) {
        failure_set(failure, "busy", "%d commands wait for that thread already", EXECUTOR_QUEUE);
    } else {
        work->next = NULL;
        if (executor->last)
            executor->last->next = work;
        else
            executor->first = work;
        executor->last = work;
        executor->waiting++;
        pthread_cond_signal(&executor->wake);
    }
    pthread_mutex_unlock(&executor_lock);
}

/* executor_take waits for work; NULL when the executor shall end and its queue is empty. */
static struct work *executor_take(struct executor *executor)
{
    struct work *work;

    pthread_mutex_lock(&executor_lock);
    while (!executor->first && !executor->ending)
        pthread_cond_wait(&executor->wake, &executor_lock);
    work = executor->first;
    if (work) {
        executor->first = work->next;
        if (!executor->first)
            executor->last = NULL;
        executor->waiting--;
    }
    pthread_mutex_unlock(&executor_lock);
    return work;
}

void executor_run(struct executor *executor)
{
    struct work *work;

    while ((work = executor_take(executor)) != NULL) {
        executor_does(executor, work);
        free(work);
    }
}
