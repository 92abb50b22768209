/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Questions and answers at the end of a channel; see agent/drain.h. The agent (agent.c) asks when FINI has gone both
 * ways, hands over what its processes answer, and closes when nothing is owed. Chapter 3.8: until a finalization packet
 * comes, arriving packets are consumed and acknowledged. A packet that came just before it has its answer still to
 * come.
 */
#include "ref-impl/impi/agent/drain.h"

#include <stdlib.h>

static uint32_t *owing_to(const struct drain *p, uint32_t host, uint32_t process)
{
    return &p->owing[(size_t)process * p->agreed->world.hosts + host];
}

bool drain_open(struct drain *p, const struct agreed *agreed, uint32_t host)
{
    *p = (struct drain){.agreed = agreed, .self = &agreed->hosts[host]};
    p->owing = calloc((size_t)p->self->processes * agreed->world.hosts, sizeof *p->owing);
    p->until_ms = calloc(agreed->world.hosts, sizeof *p->until_ms);
    return p->owing && p->until_ms;
}

void drain_close(struct drain *p)
{
    free(p->owing);
    free(p->until_ms);
    *p = (struct drain){0};
}

bool drain_ask(struct drain *p, uint32_t host, uint32_t process, struct connection *link, uint64_t now_ms)
{
    const struct agreed_host *other = &p->agreed->hosts[host];
    const struct link_member *members = p->agreed->world.members;
    struct wire_impi_packet fini = {.type = WIRE_IMPI_FINI, .dest = members[p->self->first + process].process};

    p->until_ms[host] = now_ms + DRAIN_MS;
    for (uint32_t i = 0; link->fd >= 0 && i < other->processes; i++) {
        fini.src = members[other->first + i].process;
        if (!connection_put_header(link, &fini)) {
            return false;
        }
        (*owing_to(p, host, process))++;
    }
    return true;
}

bool drain_asked(const struct drain *p, uint32_t host)
{
    return p->until_ms[host] != 0;
}

bool drain_answered(struct drain *p, uint32_t host, uint32_t process)
{
    uint32_t *owing = owing_to(p, host, process);

    if (*owing == 0) {
        return false;
    }
    (*owing)--;
    return true;
}

bool drain_owes(const struct drain *p, uint32_t host, uint32_t process)
{
    return *owing_to(p, host, process) > 0;
}
