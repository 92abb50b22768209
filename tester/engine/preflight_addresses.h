/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Two jobs of Portals at a time, for a run that executes several cases at once.
 */
#ifndef TESTER_ENGINE_PREFLIGHT_ADDRESSES_H
#define TESTER_ENGINE_PREFLIGHT_ADDRESSES_H

#include "tester/sut/conversation.h"

#include <stdbool.h>

/* preflight_addresses starts a second job beside the first, whose library is up; `later`: of a revision after the
 * first. A second one that cannot be used is told to sut_problem, and the result is false; one with the same address is
 * warned of. */
bool preflight_addresses(struct conversation *first, bool later);

#endif
