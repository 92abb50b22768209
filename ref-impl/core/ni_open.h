/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Opening and closing interfaces: what is behind PtlNIInit, PtlNIFini and PtlFini (chapters 3.3 and 3.5).
 */
#ifndef REF_IMPL_CORE_NI_OPEN_H
#define REF_IMPL_CORE_NI_OPEN_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/ni_object.h"
#include "ref-impl/core/status.h"

/* ni_open - opens interface `number` and stores its handle. CORE_NO_INTERFACE: no such number, or the network
 * refused and said so on stderr. CORE_DUPLICATE: it is open. CORE_NO_SPACE. */
CORE_MUST_USE enum core_status ni_open(uint32_t number, const struct ni_config *config, uint64_t *handle);

/* ni_reopen - stores the handle of an interface that is open, and with what it was opened. CORE_NO_INTERFACE: it is
 * not. */
CORE_MUST_USE enum core_status ni_reopen(uint32_t number, struct ni_config *config, uint64_t *handle);

/* ni_any_open - whether an interface is open. */
bool ni_any_open(void);

/* ni_close - closes it. When it returns all its objects are gone, sleeping calls have returned, and the network touches
 * nothing of the process any more. Never waits for a peer beyond the NAL's bounded flush. CORE_BAD_INTERFACE. */
CORE_MUST_USE enum core_status ni_close(uint64_t handle);

/* ni_close_all - closes whatever is open. */
void ni_close_all(void);

#endif
