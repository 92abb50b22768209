/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which network an interface gets: nal_open of nal.h. The environment names it, and the wrappers around it:
 *
 *      core <--> trace (ASSAY_TRACE) <--> fault (ASSAY_FAULT) <--> tcp, shm or loop (ASSAY_NAL) <--> the peers
 *
 * Each wrapper opens what is below it, so opening goes down this line one function at a time. The trace is above the
 * faults: it shows what the core meant to send, and what arrived in the end. With ASSAY_RELIABLE=1 a layer between
 * trace and fault makes good what the network loses (presence.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/nal/loop.h"
#include "ref-impl/nal/nal.h"
#include "ref-impl/nal/presence.h"
#include "ref-impl/nal/shm/shm.h"
#include "ref-impl/nal/tcp/tcp.h"
#include "ref-impl/nal/wrap/fault/fault.h"
#include "ref-impl/nal/wrap/trace/trace.h"

struct network {
    const char *name;
    nal_opener *open;
};

/* The first is the default. */
static const struct network networks[] = {
    {"tcp", tcp_open},
    {"shm", shm_interface_open},
    {"loop", loop_open},
};

/* The value of an environment variable; NULL when it is not set or empty. */
static const char *setting(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

static enum nal_status open_network(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                    struct nal **nal)
{
    const char *name = setting("ASSAY_NAL");

    if (!name) {
        return networks[0].open(config, upcalls, core, nal);
    }
    for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
        if (strcmp(name, networks[i].name) == 0) {
            return networks[i].open(config, upcalls, core, nal);
        }
    }
    fprintf(stderr, "portals: interface %u: ASSAY_NAL=%s names no network; set it to tcp, shm or loop\n",
            config->interface, name);
    return NAL_NO_DEVICE;
}

static enum nal_status open_fault(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                  struct nal **nal)
{
    const char *spec = setting("ASSAY_FAULT");

    if (presence_numbers()) {
        return presence_open(config, upcalls, core, nal); /* it puts the faults below itself */
    }
    return spec ? fault_open(spec, open_network, config, upcalls, core, nal) : open_network(config, upcalls, core, nal);
}

enum nal_status nal_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                         struct nal **nal)
{
    const char *directory = setting("ASSAY_TRACE");

    return directory ? trace_open(directory, open_fault, config, upcalls, core, nal)
                     : open_fault(config, upcalls, core, nal);
}
