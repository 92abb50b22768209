/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The devices of this library, as what stands above them sees them (messages/device.h).
 */
#include "ref-impl/mpi/local/local.h"
#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/mpi/wide/wide.h"

const struct device *const mpi_devices[DEVICES] = {[DEVICE_LOCAL] = &local_as_device, [DEVICE_WIDE] = &wide_as_device};
