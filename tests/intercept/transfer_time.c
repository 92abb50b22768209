/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The two measurements; see transfer_time.h. What Portals takes of the processor is charged where it is entered: by the
 * call, and by each upcall of the driver.
 */
#include "tests/intercept/transfer_time.h"

#include "ref-impl/intercept/node.h"
#include "ref-impl/intercept/simulation.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 2, VNIC = 1, PAGE = 4096, NS_A_US = 1000, TIMER_NS = 10000000, PING_PAUSE_NS = 200000000 };

struct side {
    struct pair *pair;
    struct intercept_machine *machine;
    struct intercept_node node;
};

struct pair {
    struct intercept_simulation *simulation;
    struct side sides[NODES];
    unsigned char *from, *to; /* blocks that begin a page */
    struct intercept_send send;
    bool is_sent;
    uint64_t sent_ns; /* 0: not yet */
    unsigned arrived;
};

/* ---- Portals ---- */

static void take_parse(void *portals, const struct intercept_arrival *arrival, struct intercept_wanted *wanted)
{
    const struct side *side = portals;
    const struct pair *pair = side->pair;

    (void)arrival;
    intercept_machine_charge(side->machine, side->machine->setup.call_ns);
    *wanted = (struct intercept_wanted){
        .rlength = pair->send.length, .mlength = pair->send.length, .memory = pair->to, .token = pair->to};
}

static void take_receive(void *portals, void *token, uint64_t offset, const unsigned char *octets, size_t len)
{
    const struct side *side = portals;

    intercept_machine_copies(side->machine, len);
    memcpy((unsigned char *)token + offset, octets, len);
}

static void take_finalize(void *portals, void *token, bool complete)
{
    const struct side *side = portals;

    (void)token;
    intercept_machine_charge(side->machine, side->machine->setup.call_ns);
    side->pair->arrived += complete;
}

static void take_sent(void *portals, struct intercept_send *send, bool complete)
{
    const struct side *side = portals;

    (void)send;
    intercept_machine_charge(side->machine, side->machine->setup.call_ns);
    side->pair->is_sent = complete;
}

static const struct intercept_library library = {
    .parse = take_parse, .receive = take_receive, .finalize = take_finalize, .sent = take_sent};

/* ---- the hosts ---- */

/* The turn in which it was sent has ended: the program hears of it. */
static void sent_note(struct pair *pair)
{
    const struct intercept_machine *machine = pair->sides[0].machine;

    if (pair->is_sent && pair->sent_ns == 0) {
        pair->sent_ns = machine->turn_end_ns + machine->setup.system_ns;
    }
}

static void host_run(void *context, uint32_t number, uint64_t now_ns)
{
    struct side *side = context;
    uint64_t copied = side->node.counts.copied;

    if (number == 0) {
        sent_note(side->pair);
    }
    intercept_node_turn(&side->node, now_ns);
    intercept_machine_copies(side->machine, side->node.counts.copied - copied);
}

static void host_write(void *context, void *token, unsigned char *to, const unsigned char *octets, size_t len)
{
    struct side *side = context;

    intercept_node_write(&side->node, token, to, octets, len);
}

static void host_sent(void *context, void *cookie)
{
    struct side *side = context;

    intercept_node_slice_sent(&side->node, cookie);
    intercept_simulation_wake(side->pair->simulation, (uint32_t)(side - side->pair->sides));
}

static bool side_begin(struct pair *pair, uint32_t number, const struct icpt_transfer *transfer)
{
    struct side *side = &pair->sides[number];
    struct intercept_nic *nic = intercept_simulation_nic(pair->simulation, number);
    struct intercept_host host = {host_run, host_write, host_sent, side};

    side->pair = pair;
    side->machine = intercept_simulation_machine(pair->simulation, number);
    intercept_simulation_host(pair->simulation, number, &host);
    if (!intercept_node_begin(&side->node, nic, 1, &library, side)) {
        return false;
    }
    if (transfer->is_short) {
        side->node.short_max = UINT64_MAX;
    }
    return intercept_nic_open(nic, VNIC, ICPT_RX_OCTETS_MIN,
                              transfer->machine.polls ? ICPT_INTERRUPT_ALL : ICPT_INTERRUPT_MARKED);
}

static void pair_end(struct pair *pair)
{
    for (unsigned number = 0; number < NODES; number++) {
        intercept_node_end(&pair->sides[number].node);
    }
    if (pair->simulation) {
        intercept_simulation_free(pair->simulation);
    }
    free(pair->from);
    free(pair->to);
}

static bool pair_begin(struct pair *pair, const struct icpt_transfer *transfer)
{
    struct intercept_setup setup = intercept_setup_default(NODES);
    size_t block = (transfer->octets + transfer->misalign) / PAGE * PAGE + PAGE;
    uint64_t seed = 1;

    setup.is_direct = true;
    setup.planes = transfer->planes;
    setup.timer_ns = TIMER_NS;
    setup.machine = &transfer->machine;
    setup.is_one_bus = transfer->is_loopback;
    memset(pair, 0, sizeof *pair);
    pair->from = aligned_alloc(PAGE, block);
    pair->to = aligned_alloc(PAGE, block);
    pair->simulation = intercept_simulation_new(&setup);
    if (!pair->from || !pair->to || !pair->simulation || !side_begin(pair, 0, transfer) ||
        !side_begin(pair, 1, transfer)) {
        return false;
    }
    for (size_t i = 0; i < block; i++) {
        pair->from[i] = (unsigned char)(i % 61 == 0 ? intercept_faults_random(&seed) : i);
    }
    return true;
}

/* Puts the message and lets time pass until nothing more happens; how long it took, 0: it did not arrive. */
static uint64_t pair_put(struct pair *pair, const struct icpt_transfer *transfer)
{
    struct side *sender = &pair->sides[0];
    const struct intercept_machine_setup *machine = &transfer->machine;
    uint64_t begin_ns = intercept_simulation_now(pair->simulation);
    unsigned arrived = pair->arrived;

    pair->send = (struct intercept_send){
        .destination = 1, .vnic = VNIC, .data = pair->from + transfer->misalign, .length = transfer->octets};
    pair->is_sent = false;
    pair->sent_ns = 0;
    intercept_machine_charge(sender->machine, machine->system_ns + machine->call_ns);
    if (!intercept_node_send(&sender->node, &pair->send)) {
        return 0;
    }
    intercept_simulation_wake(pair->simulation, 0);
    (void)intercept_simulation_run(pair->simulation, UINT64_MAX);
    sent_note(pair);
    return pair->arrived == arrived + 1 && pair->is_sent &&
                   memcmp(pair->to, pair->from + transfer->misalign, transfer->octets) == 0
               ? pair->sent_ns - begin_ns
               : 0;
}

struct intercept_machine_setup icpt_without_processor(struct intercept_machine_setup machine)
{
    machine.copy_octet_ps = machine.packet_ns = machine.call_ns = machine.system_ns = machine.interrupt_ns = 0;
    return machine;
}

double icpt_bandwidth(const struct icpt_transfer *transfer)
{
    struct pair *pair = malloc(sizeof *pair);
    uint64_t took_ns = pair && pair_begin(pair, transfer) ? pair_put(pair, transfer) : 0;

    if (pair) {
        pair_end(pair);
    }
    free(pair);
    return took_ns == 0 ? 0 : (double)transfer->octets / ICPT_MB / ((double)took_ns / 1e9);
}

bool icpt_latency(const struct icpt_transfer *transfer, struct icpt_latency *latency)
{
    struct icpt_transfer ping = *transfer;
    struct pair *pair = malloc(sizeof *pair);
    double sum = 0;

    ping.octets = ICPT_PING_OCTETS;
    bool good = pair && pair_begin(pair, &ping);
    *latency = (struct icpt_latency){0};
    for (unsigned i = 0; good && i < ICPT_PINGS; i++) {
        double took = (double)pair_put(pair, &ping) / NS_A_US;

        good = took > 0;
        sum += took;
        latency->least = i == 0 || took < latency->least ? took : latency->least;
        latency->most = took > latency->most ? took : latency->most;
        (void)intercept_simulation_run(pair->simulation, intercept_simulation_now(pair->simulation) + PING_PAUSE_NS);
    }
    latency->average = sum / ICPT_PINGS;
    if (pair) {
        pair_end(pair);
    }
    free(pair);
    return good;
}
