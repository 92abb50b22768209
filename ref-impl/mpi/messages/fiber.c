/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fibers: see fiber.h. Over the contexts of <ucontext.h>. Stacks are mapped, so that memory goes into what is used of
 * them alone, and end in a page that nobody may touch.
 */
#include "ref-impl/mpi/messages/fiber.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/queue.h>
#include <ucontext.h>

enum { STACK_OCTETS = 512 * 1024, GUARD_OCTETS = 64 * 1024 };

struct fiber {
    TAILQ_ENTRY(fiber) link;
    ucontext_t context;
    void (*work)(void *argument);
    void *argument;
    unsigned char *stack; /* with the guard, which is below it */
    bool ended;
    void *known; /* what the address sanitizer keeps while the fiber does not run */
    void *named; /* the thread sanitizer's name for it */
};

static TAILQ_HEAD(, fiber) fibers = TAILQ_HEAD_INITIALIZER(fibers);
static struct fiber *running;
static unsigned looking;          /* fibers that wait for what the engine does not hear of */
static ucontext_t program;        /* the program's thread, while a fiber runs */
static const void *program_stack; /* ... and its stack, as the address sanitizer tells it */
static size_t program_stack_octets;
static unsigned char *spare; /* the stack of the last fiber, for the next one */

/* ---- sanitizers, which want to know which stack is in use ------------------------------------------------------- */

// NOLINTBEGIN(bugprone-reserved-identifier): the names are theirs
void __sanitizer_start_switch_fiber(void **keep, const void *bottom, size_t octets) __attribute__((weak));
void __sanitizer_finish_switch_fiber(void *kept, const void **old_bottom, size_t *old_octets) __attribute__((weak));
void *__tsan_get_current_fiber(void) __attribute__((weak));
void *__tsan_create_fiber(unsigned flags) __attribute__((weak));
void __tsan_destroy_fiber(void *fiber) __attribute__((weak));
void __tsan_switch_to_fiber(void *fiber, unsigned flags) __attribute__((weak));
// NOLINTEND(bugprone-reserved-identifier)

static void *program_named;

/* Before a stack is left for another. `keep` is NULL for one that is left for good. */
static void leave(void **keep, const void *stack, size_t octets, void *named)
{
    if (__sanitizer_start_switch_fiber) {
        __sanitizer_start_switch_fiber(keep, stack, octets);
    }
    if (__tsan_switch_to_fiber) {
        __tsan_switch_to_fiber(named, 0);
    }
}

/* After a stack has been come to. */
static void arrive(void *kept, bool from_program)
{
    if (__sanitizer_finish_switch_fiber) {
        __sanitizer_finish_switch_fiber(kept, from_program ? &program_stack : NULL,
                                        from_program ? &program_stack_octets : NULL);
    }
}

/* ---- stacks ----------------------------------------------------------------------------------------------------- */

static unsigned char *stack_take(void)
{
    unsigned char *stack = spare;

    spare = NULL;
    if (stack) {
        return stack;
    }
    stack = mmap(NULL, GUARD_OCTETS + STACK_OCTETS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    if (stack == MAP_FAILED) {
        return NULL;
    }
    if (mprotect(stack, GUARD_OCTETS, PROT_NONE) != 0) {
        munmap(stack, GUARD_OCTETS + STACK_OCTETS);
        return NULL;
    }
    return stack;
}

static void stack_give(unsigned char *stack)
{
    if (!spare) {
        spare = stack;
    } else {
        munmap(stack, GUARD_OCTETS + STACK_OCTETS);
    }
}

/* ---- fibers ----------------------------------------------------------------------------------------------------- */

/* The bottom of a fiber's stack. */
static void begin(void)
{
    struct fiber *fiber = running;

    arrive(NULL, true);
    fiber->work(fiber->argument);
    fiber->ended = true;
    leave(NULL, program_stack, program_stack_octets, program_named);
    setcontext(&program);
    abort(); /* nobody comes back here */
}

static void end(struct fiber *fiber)
{
    TAILQ_REMOVE(&fibers, fiber, link);
    if (fiber->named) {
        __tsan_destroy_fiber(fiber->named);
    }
    stack_give(fiber->stack);
    free(fiber);
}

static void resume(struct fiber *fiber)
{
    void *kept = NULL;

    running = fiber;
    program_named = __tsan_get_current_fiber ? __tsan_get_current_fiber() : NULL;
    leave(&kept, fiber->stack + GUARD_OCTETS, STACK_OCTETS, fiber->named);
    swapcontext(&program, &fiber->context);
    arrive(kept, false);
    running = NULL;
    if (fiber->ended) {
        end(fiber);
    }
}

bool fiber_begin(void (*work)(void *argument), void *argument)
{
    struct fiber *fiber = calloc(1, sizeof(*fiber));

    if (!fiber || !(fiber->stack = stack_take())) {
        free(fiber);
        return false;
    }
    fiber->work = work;
    fiber->argument = argument;
    fiber->named = __tsan_create_fiber ? __tsan_create_fiber(0) : NULL;
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack + GUARD_OCTETS;
    fiber->context.uc_stack.ss_size = STACK_OCTETS;
    makecontext(&fiber->context, begin, 0);
    TAILQ_INSERT_TAIL(&fibers, fiber, link);
    resume(fiber);
    return true;
}

void fiber_run(void)
{
    struct fiber *fiber = TAILQ_FIRST(&fibers), *next;

    while (fiber) {
        next = TAILQ_NEXT(fiber, link); /* none but the one that runs ends */
        resume(fiber);
        fiber = next;
    }
}

void fiber_yield(void)
{
    struct fiber *fiber = running;

    leave(&fiber->known, program_stack, program_stack_octets, program_named);
    swapcontext(&fiber->context, &program);
    arrive(fiber->known, true);
}

void fiber_yield_to_look(void)
{
    looking++;
    fiber_yield();
    looking--;
}

bool fiber_looks(void)
{
    return looking > 0;
}

bool fiber_is_running(void)
{
    return running != NULL;
}

bool fiber_any(void)
{
    return !TAILQ_EMPTY(&fibers);
}

void fiber_close(void)
{
    looking = 0;
    while (!TAILQ_EMPTY(&fibers)) {
        end(TAILQ_FIRST(&fibers));
    }
    if (spare) {
        munmap(spare, GUARD_OCTETS + STACK_OCTETS);
        spare = NULL;
    }
}
