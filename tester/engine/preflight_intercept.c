/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The preflight of Portals on Intercept (preflight.h): that of Portals, and whether a job joins a network of the
 * manager's: a card must make itself known at the switch that ASSAY_INTERCEPT names.
 */
#include "tester/engine/preflight.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/peers/network.h"
#include "tester/sut/conversation.h"
#include "tester/sut/job.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { KNOWN_MS = 15000, INTERPRETER_MS = 30000 };

static bool card_known(void *context)
{
    const struct network *network = context;
    bool known = false;

    for (unsigned plane = 0; plane < NETWORK_PLANES; plane++) {
        known = known || network->planes[plane].cable_count > 0;
    }
    return known;
}

/* Has the one process of the job open its interface: by then it has looked for its network. */
static void initialise(struct sut *sut, struct job *job)
{
    struct conversation conversation = {.sut = sut, .rank = &job->ranks[0]};
    char message[700];

    if (job_await(job, INTERPRETER_MS, message, sizeof message)) {
        (void)conversation_ask_ok(&conversation, "PtlInit");
        (void)conversation_ask_ok(&conversation, "PtlNIInit interface=default ptl_size=8 acl_size=4 handle=ni");
        sut->problem[0] = 0; /* it may fail where the network is not as it expects */
    }
    free(conversation.reply);
}

static void probe_network(struct sut *sut, struct network *network)
{
    char *pairs = memory_format("env.ASSAY_INTERCEPT=%s:%u", sut->peer_address, (unsigned)network_port(network));
    struct job_order order = {.np = 1, .pairs = pairs, .abrupt = true};
    char message[300];
    bool fatal;

    struct job *job = job_begin(sut, &order, &fatal, message, sizeof message);
    if (job) {
        initialise(sut, job);
        sut->facts.network = sut_pump(sut, card_known, network, clock_now_ms() + KNOWN_MS);
        job_stop(job);
        snprintf(message, sizeof message, "no card made itself known within %d s", KNOWN_MS / 1000);
    }
    if (!sut->facts.network) {
        snprintf(sut->facts.no_network, sizeof sut->facts.no_network,
                 "the system under test does not join the Intercept network that ASSAY_INTERCEPT names: %s", message);
    }
    free(pairs);
}

bool preflight_intercept(struct engine_run *run)
{
    struct sut *sut = &run->sut;
    char message[256];

    if (!preflight_portals(run)) {
        return false;
    }
    struct network *network = network_new(sut->loop, sut->peer_address, message, sizeof message);
    if (network) {
        probe_network(sut, network);
    } else {
        snprintf(sut->facts.no_network, sizeof sut->facts.no_network, "%s", message);
    }
    network_free(network);
    sut_note(sut, sut->facts.network ? "preflight" : "warning", "%s",
             sut->facts.network ? "the system under test joins the manager's Intercept network"
                                : sut->facts.no_network);
    return !sut_ended(sut);
}
