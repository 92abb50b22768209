/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The devices of this library, as what stands above them sees them (messages/device.h). Of the two that reach processes
 * of the same client one is used: ours, or MPI on Puma as the paper has it, so that both can be read and measured side
 * by side. All processes of a job must have the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/adi/adi.h"
#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/local/local.h"
#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/mpi/wide/wide.h"

const struct device *mpi_devices[DEVICES] = {[DEVICE_LOCAL] = &local_as_device, [DEVICE_WIDE] = &wide_as_device};

bool mpi_devices_choose(void)
{
    const char *name = getenv("ASSAY_MPI");

    if (!name || strcmp(name, "") == 0 || strcmp(name, "assay") == 0) {
        mpi_devices[DEVICE_LOCAL] = &local_as_device;
        return true;
    }
    if (strcmp(name, "puma") != 0) {
        fprintf(stderr, "mpi: ASSAY_MPI is \"%.40s\"; it can be assay or puma\n", name);
        return false;
    }
    if (world_now()->wide) {
        fprintf(stderr,
                "mpi: ASSAY_MPI=puma is for jobs of one client; its match bits cannot name the form of octets\n");
        return false;
    }
    mpi_devices[DEVICE_LOCAL] = &adi_as_device;
    return true;
}
