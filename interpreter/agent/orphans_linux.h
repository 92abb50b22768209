/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Processes whose parents are gone. Elsewhere than on Linux they belong to the system.
 */
#ifndef INTERPRETER_AGENT_ORPHANS_LINUX_H
#define INTERPRETER_AGENT_ORPHANS_LINUX_H

#include <sys/types.h>

/* orphans_adopt makes this process the parent of all whom the commands leave behind, so that it is told of their ends.
 * Not every first process of a container takes them away, and a group of zombies looks like one that lives. */
void orphans_adopt(void);

/* orphans_take gives the number of a child that has ended, its status as waitpid gives it, and the most memory that it,
 * or one of its children that it had waited for, has had in KiB: 0 where the system does not tell. 0 or -1: there is
 * none. Does not wait. */
pid_t orphans_take(int *status, long *memory_kib);

#endif
