/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A network's part in the launcher (hosted.h), for portalsrun and for impirun.
 */
#include "ref-impl/launch/hosted.h"

#include "ref-impl/nal/networks.h"

#include <stdlib.h>

bool hosted_begin(const char *nal, uint32_t processes, const struct network **hosted)
{
    const char *name = nal ? nal : getenv("ASSAY_NAL");
    const struct network *network = name ? networks_find(name) : NULL;

    *hosted = NULL;
    if (network && network->host) {
        if (!network->host(processes)) {
            return false;
        }
        *hosted = network;
    }
    return true;
}

void hosted_end(const struct network *hosted)
{
    if (hosted && hosted->unhost) {
        hosted->unhost();
    }
}
