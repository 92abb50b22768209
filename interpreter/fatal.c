/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Signal handlers and the exit handler. Whatever happens here is async-signal-safe: no lock, no allocation, no stdio.
 * SIGPIPE is among the signals because the interpreter itself never causes it: where it comes, the library wrote into a
 * connection that was gone. specs/interpreter.md, section 2.2 (notices).
 */
#include "fatal.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "executor.h"
#include "output.h"
#include "report.h"
#include "signals.h"

enum { STACK_OCTETS = 65536 };

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE};

enum { FATAL_SIGNALS = sizeof fatal_signals / sizeof *fatal_signals };

static volatile sig_atomic_t fatal_keep_core;

/* add_place tells where the calling thread was. On a thread that is none of ours the library itself was at work. */
static void add_place(struct last_words *words)
{
    const struct executor *self = executor_self();
    const char *function = self ? self->function : "progress";

    last_words_add(words, " function=");
    last_words_add(words, function ? function : "none");
    last_words_add(words, " id=");
    last_words_add_number(words, self ? self->id : executor_at(0)->id);
}

static void on_fatal_signal(int number)
{
    struct last_words words = {.len = 0};

    last_words_add(&words, "! crash signal=");
    last_words_add(&words, signal_name(number));
    add_place(&words);
    output_last_words(&words);
    if (fatal_keep_core) {
        signal(number, SIG_DFL);
        raise(number); /* comes when this handler returns */
        return;
    }
    _exit(EXIT_CRASHED);
}

static void on_exit_of_library(void)
{
    struct last_words words = {.len = 0};

    if (output_is_quitting())
        return;
    last_words_add(&words, "! exit status=unknown"); /* POSIX does not tell an exit handler */
    add_place(&words);
    output_last_words(&words);
}

static bool use_stack(void *memory)
{
    stack_t stack = {.ss_sp = memory, .ss_size = STACK_OCTETS};

    return memory && sigaltstack(&stack, NULL) == 0;
}

void *fatal_use_stack(void)
{
    void *memory = malloc(STACK_OCTETS);

    if (use_stack(memory))
        return memory;
    free(memory);
    return NULL;
}

void fatal_leave_stack(void *memory)
{
    stack_t stack = {.ss_flags = SS_DISABLE, .ss_size = STACK_OCTETS};

    if (memory && sigaltstack(&stack, NULL) == 0)
        free(memory);
}

void fatal_claim(void)
{
    struct sigaction action = {.sa_handler = on_fatal_signal, .sa_flags = SA_ONSTACK};

    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < FATAL_SIGNALS; i++)
        sigaction(fatal_signals[i], &action, NULL);
}

void fatal_open(bool keep_core)
{
    static long double stack[STACK_OCTETS / sizeof(long double)]; /* aligned for whatever a handler keeps */

    fatal_keep_core = keep_core;
    use_stack(stack);
    fatal_claim();
    atexit(on_exit_of_library);
}
