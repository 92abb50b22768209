/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What an interface holds, in lines of text for whoever debugs a program: its entries, descriptors and queues.
 */
#ifndef REF_IMPL_CORE_DUMP_H
#define REF_IMPL_CORE_DUMP_H

#include <stdint.h>

#include "ref-impl/core/status.h"

/* Takes one line, without its end. It is called with the lock of the interface held, so it must not call the core. */
typedef void dump_line(const char *text);

/* dump_entry - tells a match entry and its descriptors. CORE_BAD_ENTRY.
 * dump_portal - tells all entries of a portal, in their order. CORE_BAD_INTERFACE, CORE_BAD_PORTAL.
 * dump_queues - tells how full each queue is. CORE_BAD_INTERFACE. */
CORE_MUST_USE enum core_status dump_entry(uint64_t handle, dump_line *line);
CORE_MUST_USE enum core_status dump_portal(uint64_t interface, uint32_t portal, dump_line *line);
CORE_MUST_USE enum core_status dump_queues(uint64_t interface, dump_line *line);

#endif
