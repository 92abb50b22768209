/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Captures under the checker (examine.h). A connection is a Portals stream when one of its sides begins with a HELLO;
 * until a side has said four octets it may be one:
 *
 *     new --a side begins with HELLO--> Portals stream: the checker judges both sides from their beginning
 *      `---both begin otherwise-------> foreign: no Portals stream
 *
 * At the same time examine_impi.c looks whether it is a connection of IMPI.
 *
 * A connection whose beginning the capture lacks cannot be judged. If it may be a Portals stream, requests may have
 * been sent that nobody saw; so an answer without a request is then no violation.
 */
#include "tester/capture/examine.h"

#include "tester/base/memory.h"
#include "tester/capture/examine_impi.h"
#include "tester/capture/follow.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 4 };

/* What is known about a connection. */
struct conversation {
    struct examine *examine;
    struct reassembly_connection *connection;
    bool is_portals, foreign;
    unsigned opener; /* the connection's side that opened */
    int64_t opened_ns;
    unsigned char head[2][HEAD]; /* by the connection's sides */
    size_t head_len[2];
    uint64_t head_packet[2];
    const struct capture_packet *packet; /* at hand */
    struct follow follow;
    struct impi_conversation *impi; /* owned; NULL: its beginning was not captured, or it is a Portals stream */
};

struct examine_own {
    struct wire_portals_check check;
    struct wire_portals_check_request *requests;
    struct wire_portals_check_slot *slots;
    struct wire_portals_check_number *numbers;
    struct reassembly_listener listener;
    struct reassembly *reassembly;
    struct examine_impi *impi;
    uint64_t fragments, strange;
};

static void conversation_report(void *context, struct follow *follow, enum wire_portals_side side,
                                const struct wire_portals_header *header, unsigned count)
{
    struct conversation *conversation = context;
    unsigned from = side == WIRE_PORTALS_OPENER ? conversation->opener : !conversation->opener;
    const struct wire_message *message = header ? wire_portals_message_of(header->operation) : NULL;

    for (unsigned i = 0; i < count; i++) {
        struct examine_violation violation = {
            .packet = conversation->packet->number,
            .when_ns = conversation->packet->when_ns,
            .from = conversation->connection->ends[from],
            .to = conversation->connection->ends[!from],
            .sender = follow->stream.ways[side].hello.initiator,
            .message = message ? message->name : "octets",
            .finding = follow->check->findings[i],
        };
        findings_violation(conversation->examine, &violation);
    }
}

/* Times count from the epoch; the checker wants them never to be negative. */
static uint64_t microseconds(int64_t when_ns)
{
    return when_ns > 0 ? (uint64_t)when_ns / 1000 : 0;
}

static void on_opened(void *context, struct reassembly_connection *connection, const struct capture_packet *packet)
{
    struct examine *examine = context;
    struct conversation *conversation = memory_zero(sizeof *conversation);

    conversation->examine = examine;
    conversation->connection = connection;
    conversation->opened_ns = packet->when_ns;
    conversation->impi = connection->joined ? NULL : examine_impi_meet(examine->own->impi, connection);
    connection->context = conversation;
    examine->connections++;
}

static uint32_t head_of(const struct conversation *conversation, unsigned side)
{
    const unsigned char *at = conversation->head[side];

    return conversation->head_len[side] < HEAD
               ? 0
               : (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The acceptor as the connection's address shows it. */
static bool acceptor_of(const struct conversation *conversation, struct wire_portals_id *id)
{
    const struct capture_end *end = &conversation->connection->ends[!conversation->opener];
    const unsigned char *at = end->address;

    *id = (struct wire_portals_id){(uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3],
                                   end->port, WIRE_PORTALS_ID_UNKNOWN, WIRE_PORTALS_ID_UNKNOWN};
    return end->family == 4;
}

static enum wire_portals_side side_of(const struct conversation *conversation, unsigned side)
{
    return side == conversation->opener ? WIRE_PORTALS_OPENER : WIRE_PORTALS_ACCEPTOR;
}

/* The connection is a Portals stream: what had been held back is judged now. */
static void conversation_begin(struct conversation *conversation, unsigned greeter)
{
    struct wire_portals_id acceptor;

    conversation->is_portals = true;
    conversation->examine->streams++;
    conversation->opener = conversation->connection->joined ? greeter : 0;
    follow_begin(&conversation->follow, &conversation->examine->own->check,
                 acceptor_of(conversation, &acceptor) ? &acceptor : NULL, microseconds(conversation->opened_ns));
    conversation->follow.report = conversation_report;
    conversation->follow.context = conversation;
    for (unsigned side = 0; side < 2; side++) {
        if (side != greeter && conversation->head_len[side]) {
            struct capture_packet earlier = *conversation->packet;
            const struct capture_packet *now = conversation->packet;

            earlier.number = conversation->head_packet[side];
            conversation->packet = &earlier;
            if (conversation->head_len[side] == HEAD) {
                follow_foreign(&conversation->follow, side_of(conversation, side));
            } else {
                follow_octets(&conversation->follow, side_of(conversation, side), conversation->head[side],
                              conversation->head_len[side], microseconds(now->when_ns), earlier.number);
            }
            conversation->packet = now;
        }
    }
}

/* Takes the first octets of a side. The number of octets used. */
static size_t conversation_head(struct conversation *conversation, unsigned side, const unsigned char *octets,
                                size_t len)
{
    size_t wanted = HEAD - conversation->head_len[side];
    size_t count = len < wanted ? len : wanted;

    if (conversation->head_len[side] == 0) {
        conversation->head_packet[side] = conversation->packet->number;
    }
    memcpy(conversation->head[side] + conversation->head_len[side], octets, count);
    conversation->head_len[side] += count;
    if (conversation->head_len[side] < HEAD) {
        return count;
    }
    uint32_t operation = head_of(conversation, side);
    bool joined = conversation->connection->joined;
    if (joined && operation != WIRE_PORTALS_HELLO) {
        if (!conversation->examine->own->check.partial && operation && wire_portals_message_of(operation)) {
            findings_remark(
                conversation->examine, conversation->packet->number,
                "the capture may lack the beginning of a Portals stream: answers without requests are not judged");
            conversation->examine->own->check.partial = true;
        }
        conversation->foreign = true;
    } else if (operation == WIRE_PORTALS_HELLO) {
        conversation_begin(conversation, side);
        follow_octets(&conversation->follow, side_of(conversation, side), conversation->head[side], HEAD,
                      microseconds(conversation->packet->when_ns), conversation->packet->number);
    } else if (conversation->head_len[!side] == HEAD) {
        conversation->foreign = true; /* neither side begins with a HELLO */
    }
    return count;
}

static void on_octets(void *context, struct reassembly_connection *connection, unsigned side,
                      const unsigned char *octets, size_t len, const struct capture_packet *packet)
{
    struct conversation *conversation = connection->context;

    (void)context;
    conversation->packet = packet;
    if (conversation->impi && examine_impi_octets(conversation->impi, side, octets, len, packet)) {
        conversation->foreign = true;
    }
    if (!conversation->is_portals && !conversation->foreign && conversation->head_len[side] < HEAD) {
        size_t used = conversation_head(conversation, side, octets, len);
        octets += used;
        len -= used;
    }
    if (conversation->is_portals) {
        follow_octets(&conversation->follow, side_of(conversation, side), octets, len, microseconds(packet->when_ns),
                      packet->number);
    }
}

static void on_lost(void *context, struct reassembly_connection *connection, unsigned side,
                    const struct capture_packet *packet)
{
    struct examine *examine = context;
    struct conversation *conversation = connection->context;
    char from[64], to[64];

    if (conversation->impi && examine_impi_lost(conversation->impi)) {
        conversation->foreign = false; /* the remark is wanted */
    } else if (conversation->foreign) {
        return;
    } else {
        examine->own->check.partial = true;
    }
    capture_end_text(&connection->ends[side], from, sizeof from);
    capture_end_text(&connection->ends[!side], to, sizeof to);
    findings_remark(examine, packet->number,
                    "octets from %s to %s are missing before this packet: not judged from here on", from, to);
}

static void on_ended(void *context, struct reassembly_connection *connection, unsigned side, bool reset,
                     const struct capture_packet *packet)
{
    struct conversation *conversation = connection->context;

    (void)context;
    conversation->packet = packet;
    if (conversation->impi) {
        (void)examine_impi_ended(conversation->impi, side, reset || connection->ways[side].lost, packet);
    }
    if (conversation->is_portals) {
        follow_end(&conversation->follow, side_of(conversation, side), reset || connection->ways[side].lost);
    }
}

static void on_gone(void *context, struct reassembly_connection *connection)
{
    struct conversation *conversation = connection->context;

    (void)context;
    examine_impi_part(conversation->impi);
    free(conversation);
}

void examine_open(struct examine *examine, uint32_t room, const uint64_t key[2])
{
    *examine = (struct examine){.own = memory_zero(sizeof *examine->own)};
    struct examine_own *own = examine->own;

    own->requests = memory_zero(room * sizeof *own->requests);
    own->slots = memory_zero(room * sizeof *own->slots);
    own->numbers = memory_zero(room * sizeof *own->numbers);
    own->check = wire_portals_check_begin(&(struct wire_portals_check_tables){.requests = own->requests,
                                                                              .request_count = room,
                                                                              .slots = own->slots,
                                                                              .slot_count = room,
                                                                              .numbers = own->numbers,
                                                                              .number_count = room,
                                                                              .key = {key[0], key[1]}});
    own->listener = (struct reassembly_listener){examine, on_opened, on_octets, on_lost, on_ended, on_gone};
    own->impi = examine_impi_open(examine);
    own->reassembly = reassembly_open(&own->listener);
}

void examine_packet(struct examine *examine, const struct capture_packet *packet)
{
    struct capture_segment segment;

    examine->packets++;
    switch (capture_segment_of(packet, &segment)) {
    case CAPTURE_SEGMENT:
        reassembly_take(examine->own->reassembly, &segment, packet);
        break;
    case CAPTURE_OTHER:
        break;
    case CAPTURE_FRAGMENT:
        examine->own->fragments++;
        break;
    case CAPTURE_STRANGE:
        examine->own->strange++;
        break;
    }
}

/* What was found before it came out that the capture does not show everything. */
static void drop_unproven(struct examine *examine)
{
    size_t kept = 0;

    for (size_t i = 0; i < examine->violation_count; i++) {
        if (!examine->violations[i].is_impi &&
            wire_portals_violation_needs_all(examine->violations[i].finding.violation)) {
            examine->unjudged++;
        } else {
            examine->violations[kept++] = examine->violations[i];
        }
    }
    examine->violation_count = kept;
}

void examine_finish(struct examine *examine)
{
    const struct examine_own *own = examine->own;

    examine->messages = own->check.messages;
    examine->unanswered = wire_portals_check_unanswered(&own->check);
    examine->unjudged = own->check.unjudged;
    if (own->check.partial) {
        drop_unproven(examine);
    }
    examine_impi_finish(own->impi);
    if (own->check.forgotten) {
        findings_remark(examine, 0, "%llu requests were given up for lack of room; their answers are not judged",
                        (unsigned long long)own->check.forgotten);
    }
    if (own->fragments) {
        findings_remark(examine, 0, "%llu fragments of IP packets are not put together",
                        (unsigned long long)own->fragments);
    }
    if (own->strange) {
        findings_remark(examine, 0, "%llu packets are of a link type that is not known, or damaged",
                        (unsigned long long)own->strange);
    }
    if (reassembly_ignored(own->reassembly)) {
        findings_remark(examine, 0, "%llu segments belong to more than %d connections and are not looked at",
                        (unsigned long long)reassembly_ignored(own->reassembly), REASSEMBLY_CONNECTIONS_MAX);
    }
}

void examine_close(struct examine *examine)
{
    reassembly_close(examine->own->reassembly);
    examine_impi_close(examine->own->impi);
    free(examine->own->requests);
    free(examine->own->slots);
    free(examine->own->numbers);
    free(examine->own);
    free(examine->violations);
    free(examine->notes);
    free(examine->remarks);
}
