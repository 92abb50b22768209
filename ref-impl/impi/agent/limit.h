/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How much a host agent keeps at most: see limit.c.
 */
#ifndef REF_IMPL_IMPI_AGENT_LIMIT_H
#define REF_IMPL_IMPI_AGENT_LIMIT_H

#include <stddef.h>

#include "ref-impl/impi/common/agreed.h"

/* agent_limit_waiting - octets that may wait for one process of the host `self`: what all processes of other clients
 * may send to it without its acknowledgement.
 * agent_limit_leaving - octets that may wait for one other host: what all processes of `self` may send to all of that
 * one without an acknowledgement, and acknowledgements of all that those may send without having read one. SIZE_MAX
 * where that is more than a size can say. */
size_t agent_limit_waiting(const struct link_world *world, const struct agreed_host *self);
size_t agent_limit_leaving(const struct link_world *world, const struct agreed_host *self);

#endif
