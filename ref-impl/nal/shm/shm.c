/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The row of the shared memory network: this process on it. Its memory is there before others can learn its address,
 * and theirs is looked for when all addresses are known.
 */
#include "ref-impl/nal/shm/shm.h"

/* This process on the network. Written by begin and end only. */
static struct shm_net *here;

static enum network_status begin(struct network_place *place)
{
    if (place->job_size < 2) {
        return NETWORK_NOT_NEEDED;
    }
    here = shm_net_prepare(place->nid, place->pid, place->secret);
    return here ? NETWORK_READY : NETWORK_FAILED;
}

static bool join(const struct network_job *job)
{
    return shm_net_join(here, &job->self, job->members, job->size);
}

static void end(void)
{
    if (here) {
        shm_net_stop(here);
        here = NULL;
    }
}

static enum nal_status open_interface(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                      struct nal **nal)
{
    return shm_net_open(here, config, upcalls, core, nal);
}

const struct network shm_network = {
    .name = "shm",
    .about = "shared memory between the processes of one node",
    .with = "tcp",
    .reach = NETWORK_REACHES_NODE,
    .cost = 10,
    .mixes = true,
    .begin = begin,
    .join = join,
    .end = end,
    .open = open_interface,
};
