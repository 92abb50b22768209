/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How the work of a host agent ends (chapter 3.8). agent.c asks at every turn of its loop what is due.
 *
 *      SERVING --all processes finalized: FINI on every channel--> LEAVING --all channels closed: FINI on every link-->
 *      PARTING --all links flushed--> the end
 *
 * A channel is closed when FINI has gone both ways on it and our processes have answered all that came before
 * (agent/drain.h). Nobody is waited for without end then: what processes owe, and processes that a host has left alone,
 * have their time.
 */
#include "ref-impl/impi/agent/phase.h"

#include "ref-impl/clock.h"
#include "ref-impl/impi/agent/state.h"

#include <inttypes.h>

/* Puts FINI on a connection. */
static bool fini_put(struct agent *a, struct connection *connection)
{
    struct wire_impi_packet fini = {.type = WIRE_IMPI_FINI};

    return connection->fd < 0 || connection_put_header(connection, &fini) || agent_break(a, AGENT_BROKEN, "no memory");
}

/* All processes are finalized: tells the other hosts. */
//= IMPI-089
static void serving_end(struct agent *a)
{
    for (uint32_t i = 0; i < a->self->processes; i++) {
        if (!a->processes[i].finalized) {
            return;
        }
    }
    a->phase = PHASE_LEAVING;
    for (uint32_t host = 0; host < a->world->hosts; host++) {
        (void)fini_put(a, &a->channels[host].connection);
    }
}

/* Asks what is owed on the channels on which FINI has gone both ways. */
static void leaving_begin(struct agent *a)
{
    for (uint32_t host = 0; host < a->world->hosts; host++) {
        const struct channel *channel = &a->channels[host];
        bool due = channel->connection.fd >= 0 && channel->fini_heard && !drain_asked(&a->drain, host);

        for (uint32_t i = 0; due && i < a->self->processes; i++) {
            if (!drain_ask(&a->drain, host, i, &a->processes[i].connection, clock_now_ms())) {
                (void)agent_break(a, AGENT_BROKEN, "no memory");
            }
        }
    }
}

/* Whether our processes have answered all that came from a host; if they do not in time, that is told. */
//= IMPI-091 IMPI-170
static bool answered(struct agent *a, uint32_t host)
{
    for (uint32_t i = 0; i < a->self->processes; i++) {
        if (a->processes[i].connection.fd < 0 || !drain_owes(&a->drain, host, i)) {
            continue;
        }
        if (clock_now_ms() < a->drain.until_ms[host]) {
            return false;
        }
        agent_complain(a->setup, "rank %" PRIu32 " could not answer all that host %" PRIu32 " sent before its FINI",
                       a->self->first + i, host);
        return true;
    }
    return true;
}

/* Closes the channels on which FINI has gone both ways and nothing is owed; when none is left, tells the processes. */
//= IMPI-090
static void leaving_end(struct agent *a)
{
    bool open = false;

    for (uint32_t host = 0; host < a->world->hosts; host++) {
        struct channel *channel = &a->channels[host];

        if (channel->connection.fd >= 0 && channel->fini_heard && queue_len(&channel->connection.out) == 0 &&
            answered(a, host)) {
            connection_close(&channel->connection);
        }
        open = open || channel->connection.fd >= 0;
    }
    if (!open) {
        a->phase = PHASE_DRAINING;
        for (uint32_t i = 0; i < a->self->processes; i++) {
            (void)fini_put(a, &a->processes[i].connection);
        }
    }
}

void agent_phase_before_sending(struct agent *a)
{
    if (a->phase == PHASE_SERVING) {
        serving_end(a);
    }
    if (a->phase == PHASE_LEAVING) {
        leaving_begin(a);
    }
}

bool agent_phase_after_sending(struct agent *a)
{
    if (a->phase != PHASE_LEAVING) {
        return false;
    }
    leaving_end(a);
    return a->phase == PHASE_DRAINING;
}

bool agent_phase_ended(const struct agent *a)
{
    if (a->phase != PHASE_DRAINING) {
        return false;
    }
    for (uint32_t i = 0; i < a->self->processes; i++) {
        if (a->processes[i].connection.fd >= 0 && queue_len(&a->processes[i].connection.out) > 0) {
            return false;
        }
    }
    return true;
}

/* Processes that a host has left alone may wait for ever for what it would have sent; where it was only quick to close,
 * they finish by themselves. */
int agent_phase_wait_ms(const struct agent *a)
{
    uint64_t now = clock_now_ms();
    uint64_t due = a->phase == PHASE_SERVING ? a->orphan_ms : 0;

    for (uint32_t host = 0; host < a->world->hosts; host++) {
        const struct connection *connection = &a->channels[host].connection;
        uint64_t until = a->drain.until_ms[host];

        if (connection->fd >= 0 && queue_len(&connection->out) == 0 && until != 0 && (due == 0 || until < due)) {
            due = until;
        }
    }
    return due == 0 ? -1 : now >= due ? 0 : (int)(due - now);
}

bool agent_phase_late(struct agent *a)
{
    if (a->phase != PHASE_SERVING || agent_phase_wait_ms(a) != 0) {
        return false;
    }
    (void)agent_break(a, AGENT_BROKEN,
                      "its processes have not finished within %" PRIu32
                      " seconds after another host had closed its channel too early",
                      a->setup->connect_seconds);
    return true;
}
