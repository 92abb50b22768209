/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What wrapping networks need: a way to open the network that they wrap.
 */
#ifndef REF_IMPL_NAL_WRAP_WRAP_H
#define REF_IMPL_NAL_WRAP_WRAP_H

#include "ref-impl/nal/nal.h"

/* nal_opener - opens a network: the same contract as nal_open. A wrapper calls it with its own upcalls. */
typedef enum nal_status nal_opener(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                   struct nal **nal);

#endif
