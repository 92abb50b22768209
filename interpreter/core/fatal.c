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

#include "../common/report.h"
#include "../common/signals.h"
#include "executor.h"
#include "notice.h"
#include "output.h"
#include "signal_stack.h"

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE};

enum { FATAL_SIGNALS = sizeof fatal_signals / sizeof *fatal_signals };

static volatile sig_atomic_t fatal_keep_core;

/* add_place tells where the calling thread was. On a thread that is none of ours the library itself was at work. */
static void add_place(struct notice *notice)
{
    const struct executor *self = executor_self();
    const char *function = self ? self->function : "progress";

    notice_add(notice, " function=");
    notice_add(notice, function ? function : "none");
    notice_add(notice, " id=");
    notice_add_number(notice, self ? self->id : executor_at(0)->id);
}

static void on_fatal_signal(int number)
{
    struct notice notice = {.len = 0};

    notice_add(&notice, "! crash signal=");
    notice_add(&notice, signal_name(number));
    add_place(&notice);
    output_notice(&notice);
    if (fatal_keep_core) {
        signal(number, SIG_DFL);
        raise(number); /* comes when this handler returns */
        return;
    }
    _exit(EXIT_CRASHED);
}

static void on_exit_of_library(void)
{
    struct notice notice = {.len = 0};

    if (output_is_quitting())
        return;
    notice_add(&notice, "! exit status=unknown"); /* POSIX does not tell an exit handler */
    add_place(&notice);
    output_notice(&notice);
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
    fatal_keep_core = keep_core;
    signal_stack_use_main();
    fatal_claim();
    atexit(on_exit_of_library);
}
