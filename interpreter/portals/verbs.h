/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The chapters of the Portals interpreter.
 */
#ifndef INTERPRETER_PORTALS_VERBS_H
#define INTERPRETER_PORTALS_VERBS_H

#include "../core/verbs.h"
#include "call.h"

/* Each ends with a row without name. */
extern const struct verb portals_interface[], portals_match[], portals_descriptor[], portals_event[];
extern const struct verb portals_movement[], portals_handles[];

#endif
