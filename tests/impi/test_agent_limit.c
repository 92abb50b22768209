/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How much a host agent keeps for whoever does not read: what flow control allows, counted by hand for a small job, and
 * never less because a job is large.
 */
#include "ref-impl/impi/agent/limit.h"
#include "tests/unit/tap.h"

#include <stdlib.h>

/* A job of two clients with one host each: `first` processes there, `second` here. */
struct job {
    struct link_world world;
    struct agreed_host here;
};

static struct job job_of(uint32_t first, uint32_t second, uint32_t datalen, uint32_t hiwater)
{
    struct job job = {
        .world = {.clients = 2, .hosts = 2, .size = first + second, .datalen = datalen, .hiwater = hiwater},
        .here = {.client = 1, .first = first, .processes = second},
    };

    job.world.members = calloc(job.world.size, sizeof *job.world.members);
    for (uint32_t rank = first; job.world.members && rank < job.world.size; rank++) {
        job.world.members[rank].client = job.world.members[rank].host = 1;
    }
    return job;
}

static void of_a_small_job(void)
{
    struct job job = job_of(3, 2, 1000, 20);

    /* Three processes elsewhere may send 20 packets each, and 16 more: 3 * 36 packets of 128 + 1000 octets. The table
     * of the job stands before them. */
    CHECK_EQ(agent_limit_waiting(&job.world, &job.here) - link_world_octets(&job.world), 121824,
             "what may wait for a process");
    /* Two processes here to each of five: 10 * 36 packets, and a header of 128 octets for each of the others' own. */
    CHECK_EQ(agent_limit_leaving(&job.world, &job.here), 452160, "what may wait for a host");
    free(job.world.members);
}

/* The largest that can be agreed (link.h, offer.h), and the largest that a table could say. */
static void of_the_largest_jobs(void)
{
    struct job small = job_of(1, 1, 1 << 24, 1 << 20);
    struct job largest = job_of(LINK_PROCESSES_MAX / 2, LINK_PROCESSES_MAX / 2, 1 << 24, 1 << 20);
    size_t one = agent_limit_waiting(&small.world, &small.here);

    CHECK(one > (size_t)1 << 44, "2^20 packets of 2^24 octets may wait for a process");
    CHECK(agent_limit_waiting(&largest.world, &largest.here) / (LINK_PROCESSES_MAX / 2) >= one / 2,
          "from half of the largest job 2^15 times as much");
    CHECK_EQ(agent_limit_leaving(&largest.world, &largest.here), SIZE_MAX, "for a host more than a size can say");
    largest.world.datalen = largest.world.hiwater = UINT32_MAX;
    CHECK_EQ(agent_limit_waiting(&largest.world, &largest.here), SIZE_MAX, "what no size can say has no limit");
    CHECK_EQ(agent_limit_leaving(&largest.world, &largest.here), SIZE_MAX, "in neither direction");
    free(small.world.members);
    free(largest.world.members);
}

int main(void)
{
    TAP_RUN(of_a_small_job);
    TAP_RUN(of_the_largest_jobs);
    return tap_done();
}
