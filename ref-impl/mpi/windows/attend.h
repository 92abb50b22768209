/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who does what others ask of this process's windows. A thread always can, so that the program need not call MPI; but
 * to wake it takes a hundred times as long as to add two numbers, and where programs that look for their messages keep
 * all processors busy, it has to wait for one. So while the program itself waits in MPI and looks, it has the turn:
 *
 *      THREAD ----- something was asked, and the last waits of the program ended while it still looked -----> FREE
 *        ^                                                                                                    |  ^
 *        |                                                                 the program waits or looks; it has |  |
 *        |                                                                        what it waited for          v  |
 *        +------ for a moment the program has not waited; it is about to sleep; -------------------------- PROGRAM
 *                nothing has been asked for long
 *
 * Only who has the turn takes events from the queue, so that what a process asks is done in its order. The thread
 * stands aside while the turn is not its own: asleep, for ATTEND_ASIDE_US at a time, and so long, at most, can a
 * question lie when a program turns from waiting to computing.
 */
#ifndef REF_IMPL_MPI_WINDOWS_ATTEND_H
#define REF_IMPL_MPI_WINDOWS_ATTEND_H

#include <portals.h>

#include "ref-impl/mpi/messages/beside.h"

enum { ATTEND_ASIDE_US = 200 };

/* attend_asks - what the thread runs until the process sends itself a message of no octets.
 * attend_look - the program's thread does what has been asked, if that is its turn; never blocks.
 * attend_wait - PtlEQWait for the program's thread, which meanwhile does what is asked.
 * attend_beside - the same for a device that does not wait by it: each turn of its waiting in which it does not sleep
 * is a wait that has ended while the program looked. */
void *attend_asks(void *unused);
void attend_look(void);
int attend_wait(ptl_handle_eq_t queue, ptl_event_t *event);
extern const struct beside attend_beside;

#endif
