/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A process's presence on the network; see presence.h. With ASSAY_RELIABLE=1 the house is
 *
 *      core <--> trace <--> reliable <--> fault (ASSAY_FAULT) <--> tcp <--> the peers
 *
 * The reliability layer begins before the TCP network and ends after it, for it is told about every peer.
 */
#include "ref-impl/nal/presence.h"

#include "ref-impl/nal/tcp/tcp.h"
#include "ref-impl/nal/wrap/fault/fault.h"
#include "ref-impl/nal/wrap/reliable/reliable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The layer of this process, or NULL. Set by presence_start and presence_stop only. */
static struct reliable_net *presence_reliable;

/* Whether the environment says so; the loop and shared memory lose nothing, so they need no counting. */
static bool reliable_wanted(void)
{
    const char *wanted = getenv("ASSAY_RELIABLE");
    const char *network = getenv("ASSAY_NAL");

    return wanted && *wanted && strcmp(wanted, "0") != 0 && (!network || !*network || strcmp(network, "tcp") == 0);
}

static enum nal_status below_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                  struct nal **nal)
{
    const char *spec = getenv("ASSAY_FAULT");

    return spec && *spec ? fault_open_numbered(spec, tcp_open, config, upcalls, core, nal)
                         : tcp_open(config, upcalls, core, nal);
}

bool presence_start(int listen_fd, const struct wire_portals_id *self, uint32_t group_size)
{
    static const struct reliable_below below = {below_open, tcp_greet};
    struct tcp_watch watch = {reliable_net_peer, NULL};

    if (!reliable_wanted()) {
        return tcp_start(listen_fd, self, group_size, NULL);
    }
    presence_reliable = reliable_net_new(&below, self, group_size);
    if (!presence_reliable) {
        fputs("portals: no memory or threads to number messages (ASSAY_RELIABLE)\n", stderr);
        return false;
    }
    watch.watcher = presence_reliable;
    if (!tcp_start(listen_fd, self, group_size, &watch)) {
        reliable_net_stop(presence_reliable);
        reliable_net_free(presence_reliable);
        presence_reliable = NULL;
        return false;
    }
    return true;
}

void presence_stop(void)
{
    if (presence_reliable) {
        reliable_net_stop(presence_reliable);
    }
    tcp_stop();
    if (presence_reliable) {
        reliable_net_free(presence_reliable);
        presence_reliable = NULL;
    }
}

bool presence_numbers(void)
{
    return presence_reliable != NULL;
}

enum nal_status presence_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                              struct nal **nal)
{
    return reliable_net_open(presence_reliable, config, upcalls, core, nal);
}
