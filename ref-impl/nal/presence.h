/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A process's presence on the network, from the moment in which others may know its address until it leaves the job:
 * that of the TCP network (tcp.h), and above it, with ASSAY_RELIABLE=1, the counting of messages (reliable.h).
 */
#ifndef REF_IMPL_NAL_PRESENCE_H
#define REF_IMPL_NAL_PRESENCE_H

#include "ref-impl/nal/nal.h"

#include <stdbool.h>
#include <stdint.h>

/* presence_start - brings the process onto the network: takes connections from `listen_fd` (non-blocking, stays the
 * caller's) for the process `self`. False, with a line on stderr, when it cannot. presence_stop - ends it, after its
 * interfaces have been closed; waits a bounded time for peers that have not heard yet what arrived from them. */
bool presence_start(int listen_fd, const struct wire_portals_id *self, uint32_t group_size);
void presence_stop(void);

/* presence_numbers - whether what this process sends over TCP is numbered, acknowledged and sent again when it is lost.
 * presence_open - opens an interface whose messages are; as nal_open. Faults (ASSAY_FAULT) are below. */
bool presence_numbers(void);
enum nal_status presence_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                              struct nal **nal);

#endif
