/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Those who execute commands: the main thread, and the threads that the manager asked for (specs/interpreter.md,
 * section 4.5). Each has a queue that the reader fills, so that a command for one thread is taken in while another is
 * inside the library.
 */
#ifndef INTERPRETER_CORE_EXECUTOR_H
#define INTERPRETER_CORE_EXECUTOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "../common/command.h"
#include "../common/line.h"

enum { EXECUTORS = 65, EXECUTOR_QUEUE = 64 };

/* struct work is one command in a queue: its body and, for a batch, the lines that belong to it, each ended by NUL. */
struct work {
    struct work *next;
    unsigned long id, deadline_ms;
    size_t lines;     /* texts, the body included */
    size_t len;       /* octets of text, NULs included */
    size_t first_len; /* octets of the body alone, NUL included */
    char text[];
};

/* struct executor: what it does now is written by its own thread and read by the watchdog and by signal handlers; those
 * take no lock and may see id and function of two neighbouring moments. */
struct executor {
    char name[NAME_OCTETS]; /* "" is the main thread */
    pthread_t thread;
    volatile bool used;
    const char *volatile function; /* of the library, while it runs; else NULL */
    volatile unsigned long id;     /* of the command; 0: none */
    unsigned long deadline_ms;     /* lock of watch.c: the command's deadline, and when it is reached */
    long long due_ms;              /* lock of watch.c: 0: nothing is due */
    struct work *first, *last;     /* lock of executor.c, down to here */
    size_t waiting;
    bool ending;
    pthread_cond_t wake;
};

/* executor_execute executes one command on the calling thread, which is the executor's. The work stays the caller's. */
typedef void executor_execute(struct executor *executor, struct work *work);

/* executor_open makes the calling thread the main executor and says what every executor does with its work. Call it
 * before any thread is started. */
void executor_open(executor_execute *execute);

/* executor_at gives one of the EXECUTORS places, used or not; async-signal-safe. */
struct executor *executor_at(size_t index);

/* executor_self finds the executor of the calling thread, NULL when it is none (a thread of the library, the reader).
 * Async-signal-safe. */
struct executor *executor_self(void);

/* executor_start starts a thread of that name. On failure says why. */
void executor_start(const char *name, struct failure *failure);

/* executor_join waits until the thread of that name has emptied its queue, and ends it. The caller must not be that
 * thread. */
void executor_join(const char *name, struct failure *failure);

/* executor_put hands work to the thread of that name, which then owns it. On failure says why, and work stays the
 * caller's. */
void executor_put(const char *name, struct work *work, struct failure *failure);

/* executor_run executes what comes, until the executor is joined; the main one never returns. */
void executor_run(struct executor *executor);

#endif
