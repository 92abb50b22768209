/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Names of collective operations; see dissector/impi/collective.h. Each communicator has two contexts: an even one for
 * messages from point to point, and the one after it for collective operations. On the former a tag is the program's
 * own and may be any number, so it is given no name there.
 */
#include "dissector/impi/collective.h"

#include "dissector/common/wireshark_compat.h"

#include <epan/proto.h> /* value_string, which has moved */

/* MPI_Allreduce and MPI_Reduce_scatter are reductions, and what follows them a broadcast or a scatter. */
static const value_string tags[] = {
    {110, "BARRIER"},  {120, "BCAST"},     {130, "GATHER"}, {140, "GATHERV"}, {150, "SCATTER"}, {160, "SCATTERV"},
    {170, "ALLTOALL"}, {180, "ALLTOALLV"}, {190, "REDUCE"}, {200, "SCAN"},    {0, NULL},
};

const char *impi_collective_name(const struct wire_impi_packet *packet)
{
    if (!wire_impi_packet_has_data(packet->type) || packet->cid % 2 == 0) {
        return NULL;
    }
    return try_val_to_str((guint32)packet->tag, tags);
}
