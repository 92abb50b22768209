/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The other agents of a run: processes of this program, each with a connection of its own, so that the manager can have
 * several cases executed at once.
 */
#ifndef INTERPRETER_AGENT_OTHERS_H
#define INTERPRETER_AGENT_OTHERS_H

#include <stdbool.h>

enum { OTHERS = 15 };

/* others_start makes `count` of them by fork. In each it returns its number, from 1; here 0, or -1 when the system
 * refuses one, and those that are there stay. */
int others_start(unsigned count);

/* others_signal sends a signal to those that run. others_wait waits until they have ended; each does as its
 * conversation with the manager ends. */
void others_signal(int number);
void others_wait(void);

#endif
