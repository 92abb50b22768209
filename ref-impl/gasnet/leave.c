/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a job. The first node that leaves tells all others, which leave as soon as they poll, with the same
 * status. A process that ends by exit(), or by returning from main, leaves as well.
 */
#include <gasnet.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/settings.h"
#include "ref-impl/gasnet/base/system.h"
#include "ref-impl/gasnet/leave.h"
#include "ref-impl/gasnet/messages/credits.h"

static volatile sig_atomic_t status;
static atomic_flag leaving = ATOMIC_FLAG_INIT;
static pid_t node; /* a process that was forked is none */

static void too_long(int signal_number)
{
    (void)signal_number;
    _exit(status);
}

/* Closes Portals; what it still has to send goes, within the time that the settings give it. */
static void close_down(int code)
{
    status = code;
    (void)signal(SIGALRM, too_long); //= GASN-045
    (void)alarm(settings_exit_seconds(nodes_count()));
    credits_write();
    fatal_leaving(); /* threads that poll find Portals closed */
    nodes_close();
}

static void tell_others(int code)
{
    for (uint32_t i = 1; i < nodes_count(); i++) {
        system_send((nodes_self() + i) % nodes_count(), SYSTEM_END, (uint32_t)code);
    }
}

static void told(uint32_t by, uint32_t value)
{
    (void)by;
    if (!atomic_flag_test_and_set(&leaving)) {
        close_down((int)value);
        exit((int)value);
    }
}

/* What exit() calls. */
static void exiting(int code, void *unused)
{
    (void)unused;
    if (getpid() == node && nodes_count() > 0 && !atomic_flag_test_and_set(&leaving)) {
        tell_others(code);
        close_down(code);
    }
}

void leave_open(void)
{
    node = getpid();
    system_take(SYSTEM_END, told);
    (void)on_exit(exiting, NULL); /* where that fails, the launcher ends the job */
}

void gasnet_exit(int code)
{
    if (nodes_count() == 0 || atomic_flag_test_and_set(&leaving)) {
        _exit(code); /* before gasnet_init, or a second time */
    }
    tell_others(code);
    close_down(code);
    exit(code);
}
