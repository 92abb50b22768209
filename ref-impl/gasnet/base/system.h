/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * System messages: of no octets, all that they say is in the header data. They take no credits, so there may only be
 * few: each kind says how it bounds them. They say that credits go from one node to another, and that the job ends.
 */
#ifndef REF_IMPL_GASNET_BASE_SYSTEM_H
#define REF_IMPL_GASNET_BASE_SYSTEM_H

#include <stdint.h>

enum system_kind { SYSTEM_REVOKE, SYSTEM_RETURN, SYSTEM_END, SYSTEM_KINDS };

/* system_open - makes the descriptors; the queue must be there.
 * system_take - who takes messages of a kind: from `node`, with `value`.
 * system_send - sends one. */
void system_open(void);
void system_take(enum system_kind kind, void (*take)(uint32_t node, uint32_t value));
void system_send(uint32_t node, enum system_kind kind, uint32_t value);

#endif
