/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the reliability layer stands on.
 */
#ifndef REF_IMPL_NAL_WRAP_RELIABLE_BELOW_H
#define REF_IMPL_NAL_WRAP_RELIABLE_BELOW_H

#include "ref-impl/nal/network.h"

/* struct reliable_below is what the layer stands on. `open` opens an interface of the network below, whose headers
 * carry epoch and number where number is not 0. `greet` makes contact with a process; what comes of it is told to
 * reliable_net_peer, by any thread, also from inside the call. NAL_NO_ROUTE, NAL_NO_MEMORY: nothing comes of it. */
struct reliable_below {
    nal_opener *open;
    enum nal_status (*greet)(uint32_t interface, const struct wire_portals_id *target);
};

#endif
