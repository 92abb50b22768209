/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The interfaces of this process, by number (chapters 2.5 and 3.5).
 */
#ifndef REF_IMPL_CORE_NI_TABLE_H
#define REF_IMPL_CORE_NI_TABLE_H

#include <stdint.h>

#include "ref-impl/core/ni_object.h"

/* ni_table_at - the interface of that number, whatever its state, or NULL where there is none. It lives as long as the
 * process. Any thread, without a lock. */
struct ni *ni_table_at(uint32_t number);

#endif
