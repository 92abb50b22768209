/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * MPI on Puma as a device: adi/README.md.
 */
#ifndef REF_IMPL_MPI_ADI_ADI_H
#define REF_IMPL_MPI_ADI_ADI_H

#include "ref-impl/mpi/messages/device.h"

/* adi_as_device - reaches the processes of the same client as the paper on MPI for Puma has it. `open` also makes what
 * windows need of the other local device. */
extern const struct device adi_as_device;

#endif
