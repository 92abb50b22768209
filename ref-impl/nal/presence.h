/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A process on its networks, from the moment in which others may know its address until it leaves the job: all that the
 * job (ref-impl/job) asks of the networks. Which they are says the environment (ASSAY_NAL), or it is all that mix; with
 * ASSAY_RELIABLE=1 messages are numbered above them (reliable.h).
 *
 * Called by one thread at a time, by nobody while an interface is open.
 */
#ifndef REF_IMPL_NAL_PRESENCE_H
#define REF_IMPL_NAL_PRESENCE_H

#include "ref-impl/nal/network.h"

#include <stdbool.h>

/* presence_begin - brings the process `*place` onto its networks and sets its process id; others may be told both
 * afterwards. False, with a line on stderr: it cannot; nothing stays behind. */
bool presence_begin(struct network_place *place);

/* presence_join - makes it reachable, and the members of its job, which all have begun. `watch` is set by this module.
 * False, with a line on stderr: it cannot, and presence_end is to be called. */
bool presence_join(const struct network_job *job);

/* presence_end - leaves, after presence_begin and after all interfaces have been closed. Waits a bounded time for peers
 * that have not heard yet what arrived from them. */
void presence_end(void);

/* presence_open - opens an interface on the networks of the process; as nal_open. Numbering and faults are below. */
nal_opener presence_open;

#endif
