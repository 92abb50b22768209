/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The live network's switch, in a thread of the launcher: on each plane a module of 32 ports, or for more processes a
 * tree of them (modules.h).
 */
#ifndef REF_IMPL_NAL_INTERCEPT_SWITCH_H
#define REF_IMPL_NAL_INTERCEPT_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

/* switch_begin - runs the switch for a job of that many processes, and sets ASSAY_INTERCEPT to where it is; where that
 * says already where a switch is, the job joins that one, and nothing is run. False, with a line on stderr: it cannot.
 * switch_end - ends it; does nothing where there is none. */
bool switch_begin(uint32_t processes);
void switch_end(void);

#endif
