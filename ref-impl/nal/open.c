/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What an interface stands on: nal_open of nal.h.
 *
 *      core <--> trace (ASSAY_TRACE) <--> what presence.h opens <--> the peers
 *
 * The trace is above all else: it shows what the core meant to send, and what arrived in the end.
 */
#include "ref-impl/nal/nal.h"

#include "ref-impl/nal/presence.h"
#include "ref-impl/nal/wrap/trace/trace.h"

#include <stdlib.h>

enum nal_status nal_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                         struct nal **nal)
{
    const char *directory = getenv("ASSAY_TRACE");

    return directory && *directory ? trace_open(directory, presence_open, config, upcalls, core, nal)
                                   : presence_open(config, upcalls, core, nal);
}
