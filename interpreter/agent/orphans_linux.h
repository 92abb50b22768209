/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Processes whose parents are gone. Elsewhere than on Linux they belong to the system.
 */
#ifndef INTERPRETER_AGENT_ORPHANS_LINUX_H
#define INTERPRETER_AGENT_ORPHANS_LINUX_H

/* orphans_adopt makes this process the parent of all whom the commands leave behind, so that it is told of their ends.
 * Not every first process of a container takes them away, and a group of zombies looks like one that lives. */
void orphans_adopt(void);

#endif
