/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which network an interface gets: nal_open of nal.h. The environment names it, and the wrappers around it:
 *
 *      core <--> trace (ASSAY_TRACE) <--> fault (ASSAY_FAULT) <--> tcp or loop (ASSAY_NAL) <--> the peers
 *
 * Each wrapper opens what is below it, so opening goes down this line one function at a time. The trace is above the
 * faults: it shows what the core meant to send, and what survived on the way in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/nal/loop.h"
#include "ref-impl/nal/nal.h"
#include "ref-impl/nal/tcp.h"

struct network {
    const char *name;
    enum nal_status (*open)(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                            struct nal **nal);
};

static const struct network networks[] = {
    {"tcp", tcp_open},
    {"loop", loop_open},
};

/* Opens the network itself. */
static enum nal_status open_network(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                    struct nal **nal)
{
    const char *name = getenv("ASSAY_NAL");

    if (!name || !*name) {
        name = networks[0].name;
    }
    for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++) {
        if (strcmp(name, networks[i].name) == 0) {
            return networks[i].open(config, upcalls, core, nal);
        }
    }
    fprintf(stderr, "portals: interface %u: ASSAY_NAL=%s names no network; set it to tcp or loop\n", config->interface,
            name);
    return NAL_NO_DEVICE;
}

enum nal_status nal_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                         struct nal **nal)
{
    return open_network(config, upcalls, core, nal);
}
