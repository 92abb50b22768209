/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A network that shows another one's traffic: every message that is sent or arrives is also written to a pcapng file
 * that Wireshark opens, as if it had been captured from the wire.
 */
#ifndef REF_IMPL_NAL_WRAP_TRACE_TRACE_H
#define REF_IMPL_NAL_WRAP_TRACE_TRACE_H

#include "ref-impl/nal/network.h"

/* trace_open - opens the network `inner` and writes its messages to DIRECTORY/portals-RANK-PID.pcapng (further
 * interfaces than 0: portals-RANK-PID-INTERFACE.pcapng). RANK is the rank id, PID the operating system's number of the
 * process. The directory must exist. NAL_NO_DEVICE, with a line on stderr, when the file cannot be written. */
enum nal_status trace_open(const char *directory, nal_opener *inner, const struct nal_config *config,
                           const struct nal_upcalls *upcalls, void *core, struct nal **nal);

#endif
