/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * sigaltstack for the threads that execute commands. fatal.c installs the handlers that run on these stacks.
 */
#include "signal_stack.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

enum { STACK_OCTETS = 65536 };

static bool use_memory(void *memory)
{
    stack_t stack = {.ss_sp = memory, .ss_size = STACK_OCTETS};

    return memory && sigaltstack(&stack, NULL) == 0;
}

void signal_stack_use_main(void)
{
    static long double stack[STACK_OCTETS / sizeof(long double)]; /* aligned for whatever a handler keeps */

    use_memory(stack);
}

void *signal_stack_use(void)
{
    void *memory = malloc(STACK_OCTETS);

    if (use_memory(memory))
        return memory;
    free(memory);
    return NULL;
}

void signal_stack_leave(void *memory)
{
    stack_t stack = {.ss_flags = SS_DISABLE, .ss_size = STACK_OCTETS};

    if (memory && sigaltstack(&stack, NULL) == 0)
        free(memory);
}
