/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How the way of a short message is compiled. It leads through some twenty functions, each of which does little, so
 * that a quarter of its instructions would only be for calling one and coming back. Where the files that it runs
 * through are compiled as one (`piece` in the Makefile), a few functions at its stations take in all that they call:
 *
 *      PtlPut, PtlGet        from the program to the network      interface_send_now    from there into a ring
 *      brief_step            from the ring to the core            upcall_whole          from there to the event
 *      PtlEQGet, PtlEQWait   from the event to the program        and those of MPI that begin and end a message
 *
 * What few messages need stays out of them, or they would grow with all that can ever happen.
 * tests/scenario/test_message_cost.py counts what the way costs.
 */
#ifndef REF_IMPL_SHORT_PATH_H
#define REF_IMPL_SHORT_PATH_H

/* SHORT_PATH - the function takes in what it calls, and what that calls. All of it is compiled to be fast: what stands
 * behind many early returns the compiler would take for seldom reached, and make it small.
 * ASIDE - the function is not taken in. */
#define SHORT_PATH __attribute__((flatten, hot))
#define ASIDE      __attribute__((noinline))

#endif
