/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Captures under the checkers (wire/follow/examine.h). What a Portals stream is, is told in wire/follow/conversation.c,
 * what a connection of IMPI is, in wire/follow/examine_impi.c; here the two share the connections.
 */
#include "wire/follow/examine.h"

#include "wire/follow/conversation.h"
#include "wire/follow/examine_impi.h"
#include "wire/follow/examine_intercept.h"

#include <stddef.h>

/* Interfaces of different units are apart by less, and no limit on time is as short. */
#define CLOCK_STEP_NS INT64_C(100000000)

/* Where it goes back by so much, files or connections stand one behind the other: processors that capture are apart by
 * less. */
#define CLOCK_TURN_NS INT64_C(10000000)

/* A clock that goes on by so much was not set before: no job is silent for a day. */
#define CLOCK_LEAP_NS (INT64_C(86400) * 1000000000)

/* One connection, as each of the two sees it. */
struct connection {
    struct wire_conversation portals;
    struct impi_conversation *impi; /* owned */
    bool foreign;                   /* no Portals stream, but one of IMPI */
    bool torn[2];                   /* what the side lacked will not come */
};

struct wire_examine_own {
    struct wire_conversations portals;
    struct wire_reassembly_listener listener;
    struct wire_reassembly *reassembly;
    struct wire_examine_impi *impi;
    struct wire_examine_intercept *intercept;
    int64_t latest_ns;
    bool clock_set;  /* the clock of the capture went back, or far ahead */
    bool disordered; /* packets are not in the order in which they were sent */
    bool beside;     /* connections with the same ends go on at the same time: of several jobs */
};

static void *take(const struct wire_examine *examine, size_t octets)
{
    return examine->memory.take(examine->memory.context, octets);
}

static void give(const struct wire_examine *examine, void *memory)
{
    if (memory) {
        examine->memory.give(examine->memory.context, memory);
    }
}

static void on_opened(void *context, struct wire_reassembly_connection *connection, const struct wire_packet *packet)
{
    struct wire_examine *examine = context;
    struct connection *made = take(examine, sizeof *made);

    wire_conversation_meet(&made->portals, &examine->own->portals, connection, packet);
    made->impi = wire_examine_impi_meet(examine->own->impi, connection);
    connection->context = made;
    examine->connections++;
}

static void on_octets(void *context, struct wire_reassembly_connection *connection, unsigned side,
                      const unsigned char *octets, size_t len, const struct wire_packet *packet)
{
    struct connection *at = connection->context;

    (void)context;
    if (wire_examine_impi_octets(at->impi, side, octets, len, packet)) {
        at->foreign = true;
        connection->patient = wire_examine_impi_is_link(at->impi);
    }
    if (!at->foreign) {
        wire_conversation_octets(&at->portals, side, octets, len, packet);
    }
}

static void tell_missing(const struct wire_examine *examine, const struct wire_reassembly_connection *connection,
                         unsigned side, uint64_t packet)
{
    if (examine->listener.missing) {
        examine->listener.missing(examine->listener.context, packet, &connection->ends[side], &connection->ends[!side]);
    }
}

static void on_gap(void *context, struct wire_reassembly_connection *connection, unsigned side, uint32_t octets,
                   const struct wire_packet *packet)
{
    struct wire_examine *examine = context;
    struct connection *at = connection->context;
    bool told = wire_examine_impi_gap(at->impi, side, octets, packet);

    at->torn[side] = true;

    if (!at->foreign) {
        told = wire_conversation_gap(&at->portals, side, octets, packet) || told;
    }
    if (told) {
        tell_missing(examine, connection, side, packet->number);
    }
}

/* Whether it may be one of a job: how others were captured tells nothing of it. */
static bool is_judged(const struct connection *at)
{
    return at->foreign || !at->portals.foreign;
}

static void on_doubted(void *context, struct wire_reassembly_connection *connection, unsigned side, bool raised)
{
    struct wire_examine *examine = context;
    struct connection *at = connection->context;
    bool told = wire_examine_impi_doubted(at->impi, side, raised);

    examine->own->disordered = examine->own->disordered || (!raised && !at->torn[side] && is_judged(at));
    at->torn[side] = false;
    if (!at->foreign) {
        wire_conversation_doubted(&at->portals, side, raised);
    } else if (told) {
        tell_missing(examine, connection, side, connection->ways[side].late.number);
    }
}

static void on_twice(void *context, struct wire_reassembly_connection *connection, const struct wire_packet *copy)
{
    struct wire_examine *examine = context;

    if (is_judged(connection->context)) {
        examine->own->portals.check.twice = true;
        examine->own->disordered = true;
    }
    if (copy && examine->listener.remark) {
        examine->listener.remark(examine->listener.context, copy->number,
                                 "a connection that was captured before begins here with other addresses, as behind a "
                                 "router that translates them: it is judged once");
    }
}

/* A connection that was replaced may be a job's that runs beside the other one's. */
static void on_replaced(void *context, struct wire_reassembly_connection *connection)
{
    struct connection *at = connection->context;

    (void)context;
    wire_examine_impi_replaced(at->impi);
    wire_conversation_replaced(&at->portals);
}

static void on_beside(void *context, struct wire_reassembly_connection *connection, const struct wire_packet *packet)
{
    struct wire_examine *examine = context;
    struct connection *at = connection->context;

    if (!is_judged(at)) {
        return;
    }
    wire_conversation_beside(&at->portals);
    examine->own->portals.check.twice = true;
    examine->own->beside = examine->own->disordered = true;
    if (examine->listener.remark) {
        examine->listener.remark(examine->listener.context, packet->number,
                                 "two connections with equal addresses and ports at once, as where captures do not "
                                 "belong together: each is judged by itself");
    }
}

static void on_ended(void *context, struct wire_reassembly_connection *connection, unsigned side, bool reset,
                     const struct wire_packet *packet)
{
    struct connection *at = connection->context;

    (void)context;
    (void)wire_examine_impi_ended(at->impi, side, reset, packet);
    if (!at->foreign) {
        wire_conversation_ended(&at->portals, side, reset, packet);
    }
}

static void on_gone(void *context, struct wire_reassembly_connection *connection)
{
    struct connection *at = connection->context;

    wire_examine_impi_part(at->impi);
    wire_conversation_part(&at->portals);
    give(context, at);
}

void wire_examine_open(struct wire_examine *examine, uint32_t room, const uint64_t keys[WIRE_EXAMINE_KEYS])
{
    struct wire_examine_own *own = take(examine, sizeof *own);
    struct wire_portals_check_tables tables = {
        .request_count = room, .slot_count = room, .number_count = room, .blank = true};

    examine->own = own;
    tables.requests = take(examine, ((size_t)room + 1) * sizeof *tables.requests);
    tables.slots = take(examine, room * sizeof *tables.slots);
    tables.numbers = take(examine, ((size_t)room + 1) * sizeof *tables.numbers);
    tables.key[0] = keys[0];
    tables.key[1] = keys[1];
    own->portals.examine = examine;
    own->portals.check = wire_portals_check_begin(&tables);
    own->portals.check.several_jobs = true;
    own->portals.check.close = WIRE_EXAMINE_CLOSE;
    own->listener = (struct wire_reassembly_listener){examine,  on_opened, on_octets,   on_gap,    on_doubted,
                                                      on_ended, on_twice,  on_replaced, on_beside, on_gone};
    own->impi = wire_examine_impi_open(examine);
    own->intercept = wire_examine_intercept_open(examine, keys + 2 + WIRE_REASSEMBLY_KEYS);
    own->reassembly = wire_reassembly_open(&own->listener, &examine->memory, keys + 2);
}

void wire_examine_segment(struct wire_examine *examine, const struct wire_segment *segment,
                          const struct wire_packet *packet)
{
    struct wire_examine_own *own = examine->own;

    own->clock_set = own->clock_set || packet->when_ns < own->latest_ns - CLOCK_STEP_NS ||
                     (own->latest_ns && packet->when_ns > own->latest_ns + CLOCK_LEAP_NS);
    if (packet->when_ns < own->latest_ns - CLOCK_TURN_NS) {
        own->portals.check.turned = packet->number;
    }
    own->disordered = own->disordered || examine->merged || packet->when_ns < own->latest_ns;
    own->latest_ns = packet->when_ns > own->latest_ns ? packet->when_ns : own->latest_ns;
    wire_reassembly_take(own->reassembly, segment, packet);
    wire_conversations_settle(&own->portals);
    examine->messages = examine->own->portals.check.messages;
}

bool wire_examine_datagram(struct wire_examine *examine, const struct wire_segment *datagram,
                           const struct wire_packet *packet, struct wire_intercept_heard *heard)
{
    return wire_examine_intercept_datagram(examine->own->intercept, datagram, packet, heard);
}

/* Whether it takes to know which connections are one job's. */
static bool needs_whole_job(enum wire_impi_violation violation)
{
    return wire_impi_job_rests_on_others(violation) || wire_impi_rule_of(violation)->needs_all ||
           violation == WIRE_IMPI_BARRIER_LEFT;
}

bool wire_examine_withheld(const struct wire_examine *examine, const struct wire_examine_violation *violation)
{
    if (violation->is_impi) {
        return (examine->own->disordered && wire_impi_job_rests_on_order(violation->impi.violation)) ||
               ((examine->own->beside || wire_examine_impi_is_alike(examine->own->impi, violation->job)) &&
                needs_whole_job(violation->impi.violation)) ||
               wire_impi_job_explains(violation->job, &violation->impi, violation->packet) ||
               wire_impi_job_withholds(violation->job, violation->impi.violation);
    }
    if (violation->is_intercept) {
        return wire_examine_intercept_explains(examine->own->intercept, violation->intercept, &violation->basis);
    }
    if (examine->own->beside && (violation->finding.violation == WIRE_PORTALS_SECOND_STREAM ||
                                 violation->finding.violation == WIRE_PORTALS_OTHER_IDENTITY)) {
        return true;
    }
    if (examine->own->clock_set && wire_portals_violation_rests_on_time(violation->finding.violation)) {
        return true;
    }
    return wire_portals_check_withheld(&examine->own->portals.check, &violation->finding);
}

bool wire_examine_intercept_withheld(const struct wire_examine *examine, enum wire_intercept_violation violation,
                                     const struct wire_intercept_basis *basis)
{
    return wire_examine_intercept_explains(examine->own->intercept, violation, basis);
}

bool wire_examine_intercept_holds_back(const struct wire_examine *examine)
{
    return wire_examine_intercept_lacks(examine->own->intercept);
}

/* What still waits for its answer; nothing where the capture may lack it. */
static void tell_waiting(const struct wire_examine *examine)
{
    const struct wire_portals_check *check = &examine->own->portals.check;
    bool whole = !check->partial && check->gaps == 0;

    if (!examine->listener.waited) {
        return;
    }
    for (const struct wire_portals_check_request *at = wire_portals_check_waiting(check, NULL); at && whole;
         at = wire_portals_check_waiting(check, at)) {
        bool put = at->operation == WIRE_PORTALS_PUT;
        struct wire_examine_wait wait = {at->mark, 0, put ? "put" : "get", put ? "acknowledgement" : "reply"};

        examine->listener.waited(examine->listener.context, &wait);
    }
    wire_examine_impi_waiting(examine->own->impi);
}

void wire_examine_finish(struct wire_examine *examine)
{
    const struct wire_portals_check *check = &examine->own->portals.check;

    wire_reassembly_finish(examine->own->reassembly);
    tell_waiting(examine);
    examine->messages = check->messages;
    examine->unanswered = wire_portals_check_unanswered(check);
    examine->unjudged = check->unjudged;
    if (examine->listener.counted) {
        examine->listener.counted(examine->listener.context, NULL);
    }
}

const struct wire_impi_job *wire_examine_job(const struct wire_examine *examine, size_t place, struct wire_end *server)
{
    return wire_examine_impi_job(examine->own->impi, place, server);
}

const struct wire_impi_collectives *wire_examine_collectives(const struct wire_examine *examine, size_t place)
{
    return wire_examine_impi_collectives(examine->own->impi, place);
}

uint64_t wire_examine_ignored(const struct wire_examine *examine)
{
    return wire_reassembly_ignored(examine->own->reassembly);
}

uint64_t wire_examine_forgotten(const struct wire_examine *examine)
{
    return examine->own->portals.check.forgotten;
}

void wire_examine_close(struct wire_examine *examine)
{
    const struct wire_portals_check_tables *tables = &examine->own->portals.check.tables;

    wire_reassembly_close(examine->own->reassembly);
    wire_examine_impi_close(examine->own->impi);
    wire_examine_intercept_close(examine->own->intercept);
    give(examine, tables->requests);
    give(examine, tables->slots);
    give(examine, tables->numbers);
    give(examine, examine->own);
    examine->own = NULL;
}
