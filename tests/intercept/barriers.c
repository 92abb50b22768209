/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Barriers on a simulated network; see barriers_run in programs.h. A node that is released although another has not
 * entered is found by counting: nobody may be further than one barrier ahead of the slowest.
 */
#include "ref-impl/intercept/barrier.h"
#include "tests/intercept/programs.h"

#include <stdlib.h>

struct crowd {
    struct intercept_simulation *simulation;
    unsigned rounds;
    uint32_t nodes;
    struct intercept_barrier *barriers;
    unsigned *entered; /* barriers that each node has come to */
    unsigned *passed;
    unsigned early;
    uint64_t first_ns, last_ns;
};

static void node_enter(struct crowd *crowd, uint32_t number)
{
    struct intercept_machine *machine = intercept_simulation_machine(crowd->simulation, number);

    crowd->entered[number]++;
    intercept_barrier_enter(&crowd->barriers[number]);
    if (machine) {
        intercept_machine_charge(machine, machine->setup.call_ns + machine->setup.system_ns);
    }
}

static void node_run(void *context, uint32_t number, uint64_t now_ns)
{
    struct crowd *crowd = context;

    (void)intercept_nic_interrupts(crowd->barriers[number].nic);
    while (intercept_barrier_turn(&crowd->barriers[number], now_ns)) {
        crowd->passed[number]++;
        for (uint32_t other = 0; other < crowd->nodes; other++) {
            crowd->early += crowd->entered[other] < crowd->passed[number];
        }
        crowd->first_ns = crowd->first_ns ? crowd->first_ns : now_ns;
        crowd->last_ns = now_ns;
        if (crowd->entered[number] < crowd->rounds) {
            node_enter(crowd, number);
        }
    }
}

static bool crowd_begin(struct crowd *crowd, const struct intercept_setup *network, unsigned rounds, bool is_broadcast)
{
    bool good;

    *crowd = (struct crowd){.rounds = rounds,
                            .nodes = network->nodes,
                            .simulation = intercept_simulation_new(network),
                            .barriers = calloc(network->nodes, sizeof *crowd->barriers),
                            .entered = calloc(network->nodes, sizeof *crowd->entered),
                            .passed = calloc(network->nodes, sizeof *crowd->passed)};
    good = crowd->simulation && crowd->barriers && crowd->entered && crowd->passed;
    for (uint32_t number = 0; good && number < crowd->nodes; number++) {
        struct intercept_host host = {.run = node_run, .context = crowd};

        intercept_simulation_host(crowd->simulation, number, &host);
        good = intercept_barrier_begin(&crowd->barriers[number], intercept_simulation_nic(crowd->simulation, number),
                                       crowd->nodes, is_broadcast);
    }
    return good;
}

struct programs_result barriers_run(const struct intercept_setup *network, unsigned rounds, bool is_broadcast)
{
    struct programs_result result = {0};
    struct crowd crowd;

    if (crowd_begin(&crowd, network, rounds, is_broadcast)) {
        for (uint32_t number = 0; number < crowd.nodes; number++) {
            (void)intercept_simulation_run(crowd.simulation, number * UINT64_C(10));
            node_enter(&crowd, number);
            intercept_simulation_wake(crowd.simulation, number);
        }
        result.is_good = intercept_simulation_run(crowd.simulation, UINT64_MAX) && crowd.early == 0;
        for (uint32_t number = 0; number < crowd.nodes; number++) {
            result.is_good = result.is_good && crowd.passed[number] == rounds;
            result.packets += crowd.barriers[number].nic->counts.posted;
        }
        /* From the first node that has passed the first barrier to the last that has passed the last one. */
        result.operation_us = rounds > 1 ? (double)(crowd.last_ns - crowd.first_ns) / 1e3 / (rounds - 1) : 0;
    }
    if (crowd.simulation) {
        intercept_simulation_free(crowd.simulation);
    }
    free(crowd.barriers);
    free(crowd.entered);
    free(crowd.passed);
    return result;
}
