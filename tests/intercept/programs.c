/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Programs above the drivers; see programs.h.
 *
 *      put    initiator --REQUEST, data--> target --ANSWER--------> initiator
 *      get    initiator --REQUEST--------> target --ANSWER, data--> initiator
 */
#include "tests/intercept/programs.h"

#include <stdlib.h>
#include <string.h>

enum part { REQUEST, ANSWER };

/* One operation under way. */
struct operation {
    struct intercept_send request, answer;
    uint32_t from, to; /* processes */
    unsigned begun[2], ended[2], sent[2];
    unsigned char *data, *room;
};

struct program {
    struct operation *operations; /* each of them */
    unsigned next, done;
};

struct world {
    struct programs_setup setup;
    struct intercept_simulation *simulation;
    struct place {
        struct world *world;
        uint32_t number;
        struct intercept_node node;
        struct intercept_machine *machine; /* NULL: none */
    } places[PROGRAMS_NODES];
    struct program programs[PROGRAMS_MOST];
    uint64_t done_ns;
    unsigned wrong;
};

static struct place *place_of(struct world *world, uint32_t process)
{
    return &world->places[process / world->setup.on_node];
}

static void charge(const struct place *place, bool is_system)
{
    if (place->machine) {
        const struct intercept_machine_setup *setup = &place->machine->setup;

        intercept_machine_charge(place->machine, setup->call_ns + (is_system ? setup->system_ns : 0));
    }
}

/* ---- what a message says of itself ---- */

static void header_fill(unsigned char *header, enum part part, uint32_t process, uint32_t number)
{
    uint32_t words[3] = {part, process, number};

    memcpy(header, words, sizeof words);
}

/* The operation that a header names, and its part; NULL: there is no such. */
static struct operation *header_read(struct world *world, const unsigned char *header, enum part *part)
{
    uint32_t words[3] = {0};

    if (header) {
        memcpy(words, header, sizeof words);
    }
    if (!header || words[0] > ANSWER || words[1] >= world->setup.active || words[2] >= world->setup.each) {
        return NULL;
    }
    *part = words[0] == REQUEST ? REQUEST : ANSWER;
    return &world->programs[words[1]].operations[words[2]];
}

/* ---- the programs ---- */

static void message_send(struct world *world, uint32_t from, uint32_t to, struct intercept_send *send)
{
    send->vnic = (uint8_t)(from % world->setup.on_node + 1);
    send->destination_vnic = (uint8_t)(to % world->setup.on_node + 1);
    send->destination = (uint16_t)(to / world->setup.on_node);
    charge(place_of(world, from), true);
    world->wrong += !intercept_node_send(&place_of(world, from)->node, send);
}

static void operation_begin(struct world *world, uint32_t process)
{
    struct program *program = &world->programs[process];
    struct operation *operation = &program->operations[program->next];
    uint64_t length = world->setup.gets ? 0 : world->setup.length;

    operation->request = (struct intercept_send){.data = operation->data, .length = length};
    header_fill(operation->request.header, REQUEST, process, program->next++);
    message_send(world, operation->from, operation->to, &operation->request);
}

static void operation_answer(struct world *world, struct operation *operation)
{
    uint64_t length = world->setup.gets ? world->setup.length : 0;

    operation->answer =
        (struct intercept_send){.data = operation->data, .length = length, .is_reply = world->setup.gets};
    memcpy(operation->answer.header, operation->request.header, sizeof operation->request.header);
    header_fill(operation->answer.header, ANSWER, operation->from,
                (uint32_t)(operation - world->programs[operation->from].operations));
    message_send(world, operation->to, operation->from, &operation->answer);
}

static void operation_done(struct world *world, struct operation *operation)
{
    struct program *program = &world->programs[operation->from];

    program->done++;
    world->done_ns = intercept_simulation_now(world->simulation);
    world->wrong += memcmp(operation->data, operation->room, world->setup.length) != 0;
    if (program->next < world->setup.each) {
        operation_begin(world, operation->from);
    }
}

/* ---- Portals ---- */

static void portals_parse(void *portals, const struct intercept_arrival *arrival, struct intercept_wanted *wanted)
{
    struct place *place = portals;
    struct world *world = place->world;
    enum part part = REQUEST;
    struct operation *operation = header_read(world, arrival->header, &part);

    charge(place, false);
    if (!operation) {
        world->wrong++;
        return;
    }
    uint32_t to = part == REQUEST ? operation->to : operation->from;
    bool has_data = world->setup.gets == (part == ANSWER);

    operation->begun[part]++;
    world->wrong +=
        place != place_of(world, to) || (arrival->vnic != 0 && arrival->vnic != to % world->setup.on_node + 1);
    wanted->rlength = wanted->mlength = has_data ? world->setup.length : 0;
    wanted->memory = operation->room;
    wanted->is_reply = world->setup.gets && part == ANSWER;
    wanted->token = part == REQUEST ? &operation->request : &operation->answer;
}

/* The operation that a token, which is one of its messages, belongs to. */
static struct operation *operation_of(struct world *world, const void *token, enum part *part)
{
    return header_read(world, ((const struct intercept_send *)token)->header, part);
}

static void portals_receive(void *portals, void *token, uint64_t offset, const unsigned char *octets, size_t len)
{
    struct place *place = portals;
    enum part part = REQUEST;
    struct operation *operation = operation_of(place->world, token, &part);

    if (place->machine) {
        intercept_machine_copies(place->machine, len);
    }
    memcpy(operation->room + offset, octets, len);
}

static void portals_finalize(void *portals, void *token, bool complete)
{
    struct place *place = portals;
    enum part part = REQUEST;
    struct operation *operation = operation_of(place->world, token, &part);

    charge(place, false);
    place->world->wrong += !complete;
    operation->ended[part]++;
    if (part == REQUEST) {
        operation_answer(place->world, operation);
    } else {
        operation_done(place->world, operation);
    }
}

static void portals_sent(void *portals, struct intercept_send *send, bool complete)
{
    struct place *place = portals;
    enum part part = REQUEST;
    struct operation *operation = operation_of(place->world, send, &part);

    charge(place, false);
    operation->sent[part]++;
    place->world->wrong += !complete;
}

static const struct intercept_library library = {
    .parse = portals_parse, .receive = portals_receive, .finalize = portals_finalize, .sent = portals_sent};

/* ---- the hosts ---- */

static void host_run(void *context, uint32_t number, uint64_t now_ns)
{
    struct place *place = context;
    uint64_t copied = place->node.counts.copied;

    (void)number;
    intercept_node_turn(&place->node, now_ns);
    if (place->machine) {
        intercept_machine_copies(place->machine, place->node.counts.copied - copied);
    }
}

static void host_write(void *context, void *token, unsigned char *to, const unsigned char *octets, size_t len)
{
    struct place *place = context;

    intercept_node_write(&place->node, token, to, octets, len);
}

static void host_sent(void *context, void *cookie)
{
    struct place *place = context;

    intercept_node_slice_sent(&place->node, cookie);
    intercept_simulation_wake(place->world->simulation, place->number);
}

static bool place_begin(struct world *world, uint32_t number)
{
    struct place *place = &world->places[number];
    struct intercept_nic *nic = intercept_simulation_nic(world->simulation, number);
    struct intercept_host host = {host_run, host_write, host_sent, place};
    bool good = intercept_node_begin(&place->node, nic, 1, &library, place);

    place->world = world;
    place->number = number;
    place->machine = intercept_simulation_machine(world->simulation, number);
    place->node.wishes = world->setup.wishes;
    intercept_simulation_host(world->simulation, number, &host);
    for (unsigned vnic = 1; vnic <= world->setup.on_node; vnic++) {
        good = good && intercept_nic_open(nic, vnic, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
    }
    return good;
}

static bool program_begin(struct world *world, uint32_t process)
{
    const struct programs_setup *setup = &world->setup;
    struct program *program = &world->programs[process];
    uint64_t seed = process + 1;

    program->operations = calloc(setup->each, sizeof *program->operations);
    for (unsigned i = 0; program->operations && i < setup->each; i++) {
        struct operation *operation = &program->operations[i];

        operation->from = process;
        operation->to = (process + setup->distance) % setup->processes;
        operation->data = aligned_alloc(4096, setup->length / 4096 * 4096 + 4096);
        operation->room = aligned_alloc(4096, setup->length / 4096 * 4096 + 4096);
        if (!operation->data || !operation->room) {
            return false;
        }
        for (size_t at = 0; at < setup->length; at++) {
            operation->data[at] = (unsigned char)(at % 64 ? at + i : intercept_faults_random(&seed));
            operation->room[at] = (unsigned char)~operation->data[at];
        }
    }
    return program->operations;
}

static bool world_begin(struct world *world, const struct programs_setup *setup)
{
    bool good = true;

    world->setup = *setup;
    world->setup.network.nodes = (setup->processes + setup->on_node - 1) / setup->on_node;
    world->simulation = intercept_simulation_new(&world->setup.network);
    for (uint32_t number = 0; good && world->simulation && number < world->setup.network.nodes; number++) {
        good = place_begin(world, number);
    }
    for (uint32_t process = 0; good && process < setup->active; process++) {
        good = program_begin(world, process);
    }
    return good && world->simulation;
}

static void world_end(struct world *world)
{
    for (uint32_t number = 0; world->simulation && number < world->setup.network.nodes; number++) {
        intercept_node_end(&world->places[number].node);
    }
    for (uint32_t process = 0; process < world->setup.active; process++) {
        for (unsigned i = 0; world->programs[process].operations && i < world->setup.each; i++) {
            free(world->programs[process].operations[i].data);
            free(world->programs[process].operations[i].room);
        }
        free(world->programs[process].operations);
    }
    if (world->simulation) {
        intercept_simulation_free(world->simulation);
    }
    free(world);
}

static bool operation_is_good(const struct operation *operation)
{
    bool good = true;

    for (enum part part = REQUEST; part <= ANSWER; part++) {
        good = good && operation->begun[part] == 1 && operation->ended[part] == 1 && operation->sent[part] == 1;
    }
    return good;
}

static struct programs_result world_judge(struct world *world)
{
    struct programs_result result = {.is_good = world->wrong == 0,
                                     .operation_us = (double)world->done_ns / 1e3 / world->setup.each};

    for (uint32_t process = 0; process < world->setup.active; process++) {
        for (unsigned i = 0; i < world->setup.each; i++) {
            result.is_good = result.is_good && operation_is_good(&world->programs[process].operations[i]);
        }
    }
    for (uint32_t number = 0; number < world->setup.network.nodes; number++) {
        result.is_good = result.is_good && intercept_node_idle(&world->places[number].node);
        result.joined += world->places[number].node.counts.joined;
        result.packets += world->places[number].node.nic->counts.posted;
    }
    return result;
}

struct programs_result programs_run(const struct programs_setup *setup)
{
    struct world *world = calloc(1, sizeof *world);
    struct programs_result result = {0};

    if (!world) {
        return result;
    }
    if (world_begin(world, setup)) {
        for (uint32_t process = 0; process < setup->active; process++) {
            for (unsigned i = 0; i < setup->together && i < setup->each; i++) {
                operation_begin(world, process);
            }
            intercept_simulation_wake(world->simulation, process / setup->on_node);
        }
        bool is_quiet = intercept_simulation_run(world->simulation, UINT64_MAX);
        result = world_judge(world);
        result.is_good = result.is_good && is_quiet;
    }
    world_end(world);
    return result;
}
