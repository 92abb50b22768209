/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The host agent's loop; see agent.h. It stands between two kinds of connections (agent/connection.h): links to its
 * processes, and channels to the hosts of other clients (agent/connect.h). Packets go from one kind to the other
 * (agent/carry.c) until all have said FINI (agent/phase.c). It never waits for one of them: what a connection does not
 * take at once is kept, and flow control bounds how much that can be.
 */
#include "ref-impl/impi/agent/agent.h"

#include "ref-impl/impi/agent/carry.h"
#include "ref-impl/impi/agent/connect.h"
#include "ref-impl/impi/agent/connection.h"
#include "ref-impl/impi/agent/drain.h"
#include "ref-impl/impi/agent/limit.h"
#include "ref-impl/impi/agent/phase.h"
#include "ref-impl/impi/agent/seal.h"
#include "ref-impl/impi/agent/state.h"
#include "ref-impl/impi/common/member_index.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* Sends what waits on a connection, and says what to watch for. A failure to send shows itself in reading. */
static struct pollfd lane_prepare(struct connection *connection)
{
    if (connection->fd >= 0) {
        (void)connection_send(connection);
    }
    return (struct pollfd){connection->fd, (short)(POLLIN | (queue_len(&connection->out) > 0 ? POLLOUT : 0)), 0};
}

/* Does what has become possible; false: it is the end. */
static bool agent_advance(struct agent *a)
{
    size_t count = 0;

    agent_phase_before_sending(a);
    for (uint32_t i = 0; i < a->self->processes; i++) {
        a->polled[count++] = lane_prepare(&a->processes[i].connection);
    }
    for (uint32_t host = 0; host < a->world->hosts; host++) {
        a->polled[count++] = lane_prepare(&a->channels[host].connection);
    }
    if (agent_phase_after_sending(a)) {
        return agent_advance(a);
    }
    return a->status == AGENT_ORDERLY && !agent_phase_ended(a);
}

/* Serves the connections on which something has come. */
static void polled_serve(struct agent *a)
{
    const short any = POLLIN | POLLHUP | POLLERR;

    for (uint32_t i = 0; i < a->self->processes && a->status == AGENT_ORDERLY; i++) {
        if (a->polled[i].revents & any) {
            agent_carry_link(a, a->self->first + i);
        }
    }
    for (uint32_t host = 0; host < a->world->hosts && a->status == AGENT_ORDERLY; host++) {
        if (a->polled[a->self->processes + host].revents & any) {
            agent_carry_channel(a, host);
        }
    }
}

static void agent_serve(struct agent *a)
{
    /* What came with the end of a handshake has left the socket, which does not tell of it any more. */
    for (uint32_t host = 0; host < a->world->hosts && a->status == AGENT_ORDERLY; host++) {
        if (a->channels[host].connection.secure) {
            agent_carry_channel(a, host);
        }
    }
    while (agent_advance(a) && !agent_phase_late(a)) {
        if (poll(a->polled, a->self->processes + a->world->hosts, agent_phase_wait_ms(a)) >= 0) { /* else a signal */
            polled_serve(a);
        }
    }
}

/* Puts the table of the job on each link. */
static bool tables_put(struct agent *a)
{
    size_t len = link_world_octets(a->world);
    unsigned char *table = malloc(len);
    bool good = table != NULL;

    for (uint32_t i = 0; good && i < a->self->processes; i++) {
        good = link_world_encode(a->world, a->self->first + i, table, len) == WIRE_OK &&
               connection_put(&a->processes[i].connection, table, len);
    }
    free(table);
    return good || agent_break(a, AGENT_BROKEN, "no memory for the table of the job");
}

/* Connects to the other hosts. */
static bool channels_open(struct agent *a)
{
    int *fds = calloc(a->world->hosts, sizeof *fds);

    for (uint32_t host = 0; host < a->world->hosts; host++) {
        a->channels[host].connection.fd = -1;
    }
    if (!fds) {
        return agent_break(a, AGENT_BROKEN, "no memory");
    }
    bool good = connect_hosts(a->setup, fds);
    for (uint32_t host = 0; host < a->world->hosts; host++) {
        a->channels[host].connection.fd = fds[host];
    }
    free(fds);
    good = good && (!a->setup->key || seal_channels(a->setup, a->channels));
    a->status = good ? AGENT_ORDERLY : AGENT_BROKEN;
    return good;
}

/* Tells the launcher how it ended, where that is worth telling. */
static void status_report(const struct agent *a)
{
    unsigned char octet = (unsigned char)a->status;

    if (a->status != AGENT_ORDERLY && a->setup->report_fd >= 0) {
        (void)!write(a->setup->report_fd, &octet, 1);
    }
}

//= IMPI-099
int agent_run(const struct agent_setup *setup)
{
    const struct link_world *world = &setup->agreed->world;
    struct agent a = {.setup = setup, .world = world, .self = &setup->agreed->hosts[setup->host]};

    a.members = member_index_create(world->members, world->size);
    a.channels = calloc(world->hosts, sizeof *a.channels);
    a.processes = calloc(a.self->processes, sizeof *a.processes);
    a.polled = calloc(a.self->processes + (size_t)world->hosts, sizeof *a.polled);
    bool drain = drain_open(&a.drain, setup->agreed, setup->host);
    if (!a.members || !a.channels || !a.processes || !a.polled || !drain) {
        agent_complain(setup, "no memory");
        a.status = AGENT_BROKEN;
    } else {
        a.most = agent_limit_waiting(world, a.self);
        a.most_leaving = agent_limit_leaving(world, a.self);
        for (uint32_t i = 0; i < a.self->processes; i++) {
            a.processes[i].connection.fd = setup->links[i];
        }
        if (channels_open(&a) && tables_put(&a)) {
            agent_serve(&a);
        }
        status_report(&a);
        for (uint32_t host = 0; host < world->hosts; host++) {
            connection_close(&a.channels[host].connection);
        }
        for (uint32_t i = 0; i < a.self->processes; i++) {
            connection_close(&a.processes[i].connection);
        }
    }
    member_index_free(a.members);
    free(a.channels);
    free(a.processes);
    drain_close(&a.drain);
    free(a.polled);
    return a.status;
}
