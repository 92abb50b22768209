/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The world: see world.h. Where a host agent started the process the world is its table (IMPI 2.3.5), and the Portals
 * job must be the process's client; without one the Portals job is the world.
 */
#include "ref-impl/mpi/common/world.h"

#include <limits.h>
#include <portals.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ref-impl/impi/common/link.h"

/* What holds where no clients have agreed on anything. */
enum { ALONE_TAG_UB = INT_MAX, ALONE_DATALEN = 65536, ALONE_XSIZE = 1024, ALONE_MAXLINEAR = 4 };

static struct world world = {.link = -1};
static bool is_open;

const struct world *world_now(void)
{
    return is_open ? &world : NULL;
}

bool world_is_native(int rank)
{
    return rank >= world.first && rank - world.first < world.native;
}

static void clear(void)
{
    free(world.process);
    if (world.link >= 0) {
        close(world.link);
    }
    world = (struct world){.link = -1};
}

/* Fills in what the host agent says. */
static bool fill_from_table(const struct link_world *table)
{
    world.rank = (int)table->rank;
    world.size = (int)table->size;
    world.clients = (int)table->clients;
    world.hosts = (int)table->hosts;
    world.client = (int)table->members[table->rank].client;
    world.datalen = table->datalen;
    world.tag_ub = table->tagub;
    world.xsize = table->xsize;
    world.maxlinear = table->maxlinear;
    world.ackmark = table->ackmark;
    world.hiwater = table->hiwater;
    world.process = calloc(table->size, sizeof(*world.process));
    for (int rank = 0; world.process && rank < world.size; rank++) {
        const struct link_member *member = &table->members[rank];

        if ((int)member->client == world.client && world.native++ == 0) {
            world.first = rank;
        }
        world.process[rank] = (struct world_process){
            .client = (int)member->client,
            .host = (int)member->host,
            .rid =
                rank > 0 && world.process[rank - 1].client == (int)member->client ? world.process[rank - 1].rid + 1 : 0,
            .id = member->process,
        };
    }
    return world.process;
}

/* Fills in a world that is the Portals job. */
static bool fill_from_job(int rank, int size)
{
    world.rank = rank;
    world.size = size;
    world.native = size;
    world.clients = 1;
    world.hosts = 1;
    world.datalen = ALONE_DATALEN;
    world.tag_ub = ALONE_TAG_UB;
    world.xsize = ALONE_XSIZE;
    world.maxlinear = ALONE_MAXLINEAR;
    world.ackmark = 1;
    world.hiwater = 1;
    world.process = calloc((size_t)size, sizeof(*world.process));
    for (int i = 0; world.process && i < size; i++) {
        world.process[i].rid = i;
    }
    return world.process;
}

/* Learns from the host agent who the processes of all clients are, and checks that those of this one are the job. */
static bool join_clients(int rank, int size)
{
    struct link_world *table = link_world_receive(world.link);
    bool good;

    if (!table) {
        return false;
    }
    good = fill_from_table(table);
    link_world_free(table);
    if (!good) {
        fprintf(stderr, "mpi: there is no memory for the names of all processes\n");
    } else if (world.native != size || world.rank - world.first != rank) {
        fprintf(stderr,
                "mpi: rank %d of %d of the Portals job is not rank %d of %d of its client; start it by impirun\n", rank,
                size, world.rank - world.first, world.native);
        good = false;
    }
    world.wide = good;
    return good;
}

bool world_open(void)
{
    ptl_process_id_t self;
    ptl_id_t size;
    bool good;

    world.link = link_open();
    if (world.link == LINK_UNUSABLE || PtlInit() != PTL_OK) {
        clear();
        return false; /* it has said why */
    }
    if (PtlGetId(&self, &size) != PTL_OK || size > INT_MAX) {
        fprintf(stderr, "mpi: PtlGetId does not say who this process is\n");
        good = false;
    } else if (world.link >= 0) {
        good = join_clients((int)self.rid, (int)size);
    } else {
        good = fill_from_job((int)self.rid, (int)size);
    }
    if (!good) {
        PtlFini();
        clear();
    }
    is_open = good;
    return good;
}

void world_close(void)
{
    is_open = false;
    PtlFini();
    clear();
}

void world_abort(int code, const char *why)
{
    if (why && is_open) {
        fprintf(stderr, "mpi: rank %d: %s\n", world.rank, why);
    } else if (why) {
        fprintf(stderr, "mpi: %s\n", why);
    }
    fflush(stdout);
    _exit((code & 0xff) ? code & 0xff : 1);
}
