/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a job. The first node that leaves tells all others, which leave as soon as they poll, with the same
 * status.
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

static void too_long(int signal_number)
{
    (void)signal_number;
    _exit(status);
}

/* Ends the process; what Portals still has to send goes, within the time that the settings give it. */
static void leave(int code) __attribute__((noreturn));
static void leave(int code)
{
    status = code;
    (void)signal(SIGALRM, too_long); //= GASN-045
    (void)alarm(settings_exit_seconds(nodes_count()));
    credits_write();
    fatal_leaving(); /* threads that poll find Portals closed */
    nodes_close();
    exit(code);
}

static void told(uint32_t node, uint32_t value)
{
    (void)node;
    if (!atomic_flag_test_and_set(&leaving)) {
        leave((int)value);
    }
}

void leave_open(void)
{
    system_take(SYSTEM_END, told);
}

void gasnet_exit(int code)
{
    if (nodes_count() == 0 || atomic_flag_test_and_set(&leaving)) {
        _exit(code); /* before gasnet_init, or a second time */
    }
    for (uint32_t i = 1; i < nodes_count(); i++) {
        system_send((nodes_self() + i) % nodes_count(), SYSTEM_END, (uint32_t)code);
    }
    leave(code);
}
