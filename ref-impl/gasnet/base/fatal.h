/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a program cannot mend: a line on stderr, and the end of the process.
 */
#ifndef REF_IMPL_GASNET_BASE_FATAL_H
#define REF_IMPL_GASNET_BASE_FATAL_H

/* fatal_end - says what is wrong, with the number of this node, and aborts.
 * fatal_node - which node this is, for what is said. */
void fatal_end(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void fatal_node(unsigned node);

/* fatal_leaving - this node leaves: a thread that fails from now on does so because Portals is closed, and waits for
 * the end of the process, without a word. */
void fatal_leaving(void);

/* fatal_portals - ends the process unless a call of Portals returned PTL_OK: after anything else the state of what is
 * under way is not known. `call` is the function's name. */
void fatal_portals(int code, const char *call);

#endif
