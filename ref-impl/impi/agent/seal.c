/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handshakes with all other hosts at once; see seal.h. The four octets by which a host said its rank (connect.c) were
 * plain; the name of the channel, which is part of the handshake, has both ranks, so that nobody is taken for another
 * host. Of two hosts the one that connected is the TLS client.
 */
#include "ref-impl/impi/agent/seal.h"

#include "ref-impl/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The secure form of the channel to a host; NULL: no memory. */
static struct secure *channel_secure(const struct agent_setup *setup, uint32_t host)
{
    bool connected = host < setup->host;
    char name[SECURE_NAME_OCTETS];

    snprintf(name, sizeof name, "impi host %" PRIu32 " to host %" PRIu32, connected ? setup->host : host,
             connected ? host : setup->host);
    return secure_create(setup->key, connected ? SECURE_CONNECTS : SECURE_ACCEPTS, name);
}

bool seal_channels(const struct agent_setup *setup, struct channel *channels)
{
    uint32_t hosts = setup->agreed->world.hosts;
    struct secure_way *ways = calloc(hosts, sizeof *ways);
    uint64_t deadline_ms = clock_now_ms() + setup->connect_seconds * UINT64_C(1000);
    bool good = ways != NULL;
    size_t failed = 0;

    for (uint32_t host = 0; good && host < hosts; host++) {
        struct connection *connection = &channels[host].connection;

        if (connection->fd >= 0) {
            connection->secure = channel_secure(setup, host);
            ways[host] = (struct secure_way){connection->secure, connection->fd, &connection->in};
            good = connection->secure != NULL;
        }
    }
    if (!good) {
        agent_complain(setup, "no memory for secure channels");
    } else if (!secure_agree(ways, hosts, deadline_ms, &failed)) {
        agent_complain(setup, "no secure channel (-tls) to host %zu (client %" PRIu32 "): %s", failed,
                       setup->agreed->hosts[failed].client, secure_error(ways[failed].secure));
        good = false;
    }
    free(ways);
    return good;
}
