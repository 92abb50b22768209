/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The part that a network has in the launcher of a job (`host` in ref-impl/nal/network.h): the switch of Intercept.
 */
#ifndef REF_IMPL_LAUNCH_HOSTED_H
#define REF_IMPL_LAUNCH_HOSTED_H

#include <stdbool.h>
#include <stdint.h>

struct network;

/* hosted_begin - runs that part for so many processes, of the network that `nal` names, or ASSAY_NAL where it is NULL;
 * *hosted is for hosted_end, NULL: the network has none. May begin a thread and set the environment of what is started
 * later. False, with a line on stderr: it cannot run. hosted_end ends it; NULL does nothing. */
bool hosted_begin(const char *nal, uint32_t processes, const struct network **hosted);
void hosted_end(const struct network *hosted);

#endif
