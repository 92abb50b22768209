/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A connection as a Portals stream (wire/follow/conversation.h). It is one when one of its sides begins with a HELLO;
 * until a side has said four octets it may be one:
 *
 *     new --a side begins with HELLO--> Portals stream: the checker judges each side from its HELLO on
 *      `---both begin otherwise-------> foreign: no Portals stream
 *
 * A HELLO opens the direction in which it travels. Of a direction whose beginning the capture lacks nothing is judged;
 * requests may have been sent there that nobody saw.
 */
#include "wire/follow/conversation.h"

#include "wire/portals/rules.h"

#include <string.h>

static void on_message(void *context, enum wire_portals_side side, const unsigned char *octets, size_t len)
{
    const struct wire_conversation *conversation = context;
    const struct wire_examine_listener *listener = &conversation->all->examine->listener;

    (void)side;
    if (listener->message) {
        listener->message(listener->context, octets, len);
    }
}

static void on_report(void *context, struct wire_follow *follow, enum wire_portals_side side,
                      const struct wire_portals_header *header, unsigned count)
{
    const struct wire_conversation *conversation = context;
    const struct wire_examine_listener *listener = &conversation->all->examine->listener;
    unsigned from = side == WIRE_PORTALS_OPENER ? conversation->opener : !conversation->opener;
    const struct wire_message *message = header ? wire_portals_message_of(wire_portals_kind(header)) : NULL;

    for (unsigned i = 0; i < count && listener->violation; i++) {
        if (wire_portals_check_lacks(follow->check, &follow->check->findings[i])) {
            follow->check->unjudged++;
            continue;
        }
        bool of_peer = follow->check->findings[i].of_peer;
        struct wire_examine_violation violation = {
            .packet = conversation->packet->number,
            .when_ns = conversation->packet->when_ns,
            .from = conversation->connection->ends[of_peer ? !from : from],
            .to = conversation->connection->ends[of_peer ? from : !from],
            .sender = follow->stream.ways[of_peer ? !side : side].hello.initiator,
            .message = message ? message->name : "octets",
            .header = header ? *header : (struct wire_portals_header){0},
            .finding = follow->check->findings[i],
        };
        listener->violation(listener->context, &violation);
    }
}

static void on_answered(void *context, uint64_t request, uint64_t answer)
{
    const struct wire_conversation *conversation = context;
    const struct wire_examine_listener *listener = &conversation->all->examine->listener;
    struct wire_examine_wait wait = {request, answer, "request", "answer"};

    if (listener->waited) {
        listener->waited(listener->context, &wait);
    }
}

/* Times count from the epoch; the checker wants them never to be negative. */
static uint64_t microseconds(int64_t when_ns)
{
    return when_ns > 0 ? (uint64_t)when_ns / 1000 : 0;
}

static enum wire_portals_side side_of(const struct wire_conversation *conversation, unsigned side)
{
    return side == conversation->opener ? WIRE_PORTALS_OPENER : WIRE_PORTALS_ACCEPTOR;
}

/* An end as its address shows it; false where that is not of IPv4. */
static bool id_of(const struct wire_end *end, struct wire_portals_id *id)
{
    const unsigned char *at = end->address;

    *id = (struct wire_portals_id){(uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3],
                                   end->port, WIRE_PORTALS_ID_UNKNOWN, WIRE_PORTALS_ID_UNKNOWN};
    return end->family == 4;
}

/* Who may have sent what is missing of a side, and to whom: by the HELLOs, or by the addresses; of these only the
 * acceptor's port is a process. */
static struct wire_conversation_pairs pairs_of(const struct wire_conversation *conversation, unsigned side)
{
    const struct wire_portals_check_way *ways = conversation->follow.stream.ways;
    const struct wire_portals_check_way *way = &ways[side_of(conversation, side)];
    const struct wire_portals_check_way *back = &ways[side_of(conversation, !side)];
    struct wire_conversation_pairs pairs = {.count = 0};
    struct wire_portals_id from, to;

    if (conversation->is_portals && (way->greeted || back->greeted)) {
        pairs.from[0] = way->greeted ? way->hello.initiator : back->hello.target;
        pairs.to[0] = back->greeted ? back->hello.initiator : way->hello.target;
        pairs.count = 1;
        return pairs;
    }
    conversation->all->by_address = true;
    if (!id_of(&conversation->connection->ends[side], &from) || !id_of(&conversation->connection->ends[!side], &to) ||
        wire_portals_port_is_shared(from.pid) || wire_portals_port_is_shared(to.pid)) {
        return pairs;
    }
    for (unsigned acceptor = conversation->connection->joined ? 0 : 1; acceptor < 2; acceptor++) {
        pairs.from[pairs.count] = from;
        pairs.to[pairs.count] = to;
        pairs.from[pairs.count].pid = acceptor == side ? from.pid : 0;
        pairs.to[pairs.count].pid = acceptor == side ? 0 : to.pid;
        pairs.count++;
    }
    return pairs;
}

/* `stream`: as for wire_portals_check_missed. */
static void missed(struct wire_conversation *conversation, const struct wire_conversation_pairs *pairs, uint64_t stream)
{
    struct wire_portals_check *check = &conversation->all->check;

    for (unsigned i = 0; i < pairs->count; i++) {
        wire_portals_check_missed(check, &pairs->from[i], &pairs->to[i], stream);
    }
    check->partial = check->partial || pairs->count == 0;
}

void wire_conversations_settle(struct wire_conversations *all)
{
    all->check.partial = all->check.partial || (all->by_address && all->check.translated);
}

static void side_missed(struct wire_conversation *conversation, unsigned side)
{
    struct wire_conversation_pairs pairs = pairs_of(conversation, side);

    missed(conversation, &pairs, 0);
}

/* The number of the stream, if it is one. */
static uint64_t stream_of(const struct wire_conversation *conversation)
{
    return conversation->is_portals ? conversation->follow.stream.number : 0;
}

/* Behind what was judged so far, and not acknowledged. */
static void side_missed_behind(struct wire_conversation *conversation, unsigned side)
{
    struct wire_conversation_pairs pairs = pairs_of(conversation, side);

    missed(conversation, &pairs, stream_of(conversation));
}

void wire_conversation_meet(struct wire_conversation *conversation, struct wire_conversations *all,
                            struct wire_reassembly_connection *connection, const struct wire_packet *packet)
{
    *conversation = (struct wire_conversation){.all = all, .connection = connection, .opened_ns = packet->when_ns};
    if (connection->joined) {
        side_missed(conversation, 0);
        side_missed(conversation, 1);
    }
}

static void begun_late(struct wire_conversation *conversation, unsigned side)
{
    (void)wire_follow_gap(&conversation->follow, side_of(conversation, side), UINT32_MAX);
    side_missed(conversation, side);
}

/* What the side that did not greet had said before; nothing yet, where the HELLO came with the SYN. */
static void take_head(struct wire_conversation *conversation, unsigned side)
{
    const struct wire_packet *now = conversation->packet;
    struct wire_packet earlier = *now;

    conversation->unbegun[side] = !conversation->late[side] && !conversation->connection->ways[side].begun;
    if (conversation->unbegun[side]) {
        return;
    }
    if (conversation->late[side] || !conversation->connection->ways[side].whole) {
        begun_late(conversation, side);
        return;
    }
    earlier.number = conversation->head_packet[side];
    conversation->packet = &earlier;
    if (conversation->head_len[side] == WIRE_CONVERSATION_HEAD) {
        wire_follow_foreign(&conversation->follow, side_of(conversation, side));
    } else if (conversation->head_len[side]) {
        wire_follow_octets(&conversation->follow, side_of(conversation, side), conversation->head[side],
                           conversation->head_len[side], microseconds(now->when_ns), earlier.number);
    }
    conversation->packet = now;
}

/* The connection is a Portals stream: what had been held back is judged now. */
static void begin(struct wire_conversation *conversation, unsigned greeter)
{
    bool joined = conversation->connection->joined;
    struct wire_portals_id acceptor;

    conversation->is_portals = true;
    conversation->all->examine->streams++;
    conversation->opener = joined ? greeter : 0;
    bool known = id_of(&conversation->connection->ends[!conversation->opener], &acceptor) && !joined;
    wire_follow_begin(&conversation->follow, &conversation->all->check, known ? &acceptor : NULL,
                      microseconds(conversation->opened_ns));
    conversation->follow.stream.apart = conversation->connection->apart;
    conversation->follow.report = on_report;
    conversation->follow.message = on_message;
    conversation->follow.answered = on_answered;
    conversation->follow.context = conversation;
    for (unsigned side = 0; side < 2; side++) {
        conversation->follow.stream.ways[side_of(conversation, side)].doubted =
            conversation->connection->ways[side].doubted;
    }
    take_head(conversation, !greeter);
}

static uint32_t operation_of(const struct wire_conversation *conversation, unsigned side)
{
    const unsigned char *at = conversation->head[side];

    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* A message where a HELLO should stand, in a connection whose beginning was not captured. */
static void remark_late(struct wire_conversation *conversation)
{
    const struct wire_examine_listener *listener = &conversation->all->examine->listener;

    if (!conversation->all->partial_told && listener->remark) {
        listener->remark(listener->context, conversation->packet->number,
                         "the capture may lack the beginning of a Portals stream: what was sent on it before could "
                         "explain is withheld");
    }
    conversation->all->partial_told = true;
}

/* The first octets of a side are there. */
static void head_judge(struct wire_conversation *conversation, unsigned side)
{
    uint32_t operation = operation_of(conversation, side);
    bool other_known = conversation->head_len[!side] == WIRE_CONVERSATION_HEAD && !conversation->late[!side];

    if (operation == WIRE_PORTALS_HELLO) {
        conversation->late[side] = false; /* nothing comes before it */
        begin(conversation, side);
        wire_follow_octets(&conversation->follow, side_of(conversation, side), conversation->head[side],
                           WIRE_CONVERSATION_HEAD, microseconds(conversation->packet->when_ns),
                           conversation->packet->number);
    } else if (conversation->late[side] && operation && wire_portals_message_of(operation)) {
        remark_late(conversation);
    } else if (!conversation->late[side] && other_known) {
        conversation->foreign = true; /* neither side begins with a HELLO */
    }
}

/* Takes the first octets of a side. The number of octets used. */
static size_t head_take(struct wire_conversation *conversation, unsigned side, const unsigned char *octets, size_t len)
{
    size_t wanted = WIRE_CONVERSATION_HEAD - conversation->head_len[side];
    size_t count = len < wanted ? len : wanted;

    if (conversation->head_len[side] == 0) {
        conversation->head_packet[side] = conversation->packet->number;
        conversation->late[side] = conversation->late[side] || !conversation->connection->ways[side].whole;
    }
    memcpy(conversation->head[side] + conversation->head_len[side], octets, count);
    conversation->head_len[side] += count;
    if (conversation->head_len[side] == WIRE_CONVERSATION_HEAD) {
        head_judge(conversation, side);
    }
    return count;
}

static bool is_elsewhere(const struct wire_end *end, const struct wire_portals_id *named)
{
    struct wire_portals_id id;

    return id_of(end, &id) && id.nid != named->nid;
}

/* Where the process that this side says to be was captured. */
static void place_note(struct wire_conversation *conversation, unsigned side, const struct wire_portals_id *self)
{
    struct wire_portals_id address;

    if (id_of(&conversation->connection->ends[side], &address)) {
        wire_portals_check_placed(&conversation->all->check, self, address.nid);
    }
}

/* Behind a router, or where a capture was made anonymous, a process has another address than the one by which it names
 * itself, or is named: what was missing by addresses then may have been between any two. */
static void compare(struct wire_conversation *conversation, unsigned side)
{
    const struct wire_portals_check_way *way = &conversation->follow.stream.ways[side_of(conversation, side)];
    const struct wire_end *ends = conversation->connection->ends;

    if (way->greeted && !conversation->compared[side]) {
        conversation->compared[side] = true;
        place_note(conversation, side, &way->hello.initiator);
        if (is_elsewhere(&ends[side], &way->hello.initiator) || is_elsewhere(&ends[!side], &way->hello.target)) {
            conversation->all->check.translated = true;
        }
    }
}

/* Behind what breaks the stream its octets mean nothing: whoever answers them nevertheless may have been asked. That a
 * HELLO is refused may be taken back as long as it is not answered. */
static void stop(struct wire_conversation *conversation, unsigned side)
{
    const struct wire_portals_check_way *ways = conversation->follow.stream.ways;
    const struct wire_portals_check_way *way = &ways[side_of(conversation, side)];
    bool for_good = way->hello_violation == WIRE_PORTALS_LEGAL || ways[side_of(conversation, !side)].greeted;

    if (way->over && for_good && !conversation->stopped[side]) {
        conversation->stopped[side] = true;
        side_missed_behind(conversation, side);
    }
}

void wire_conversation_octets(struct wire_conversation *conversation, unsigned side, const unsigned char *octets,
                              size_t len, const struct wire_packet *packet)
{
    conversation->packet = packet;
    if (conversation->reset[side]) { /* the reset did not count, or was captured too early: these octets may have */
        conversation->reset[side] = false;
        side_missed(conversation, side);
    }
    if (!conversation->is_portals && !conversation->foreign && conversation->head_len[side] < WIRE_CONVERSATION_HEAD) {
        size_t used = head_take(conversation, side, octets, len);

        octets += used;
        len -= used;
    }
    if (conversation->unbegun[side]) {
        conversation->unbegun[side] = false;
        if (!conversation->connection->ways[side].whole) {
            begun_late(conversation, side);
        }
    }
    if (conversation->is_portals) {
        wire_follow_octets(&conversation->follow, side_of(conversation, side), octets, len,
                           microseconds(packet->when_ns), packet->number);
        compare(conversation, side);
        stop(conversation, side);
    }
}

bool wire_conversation_gap(struct wire_conversation *conversation, unsigned side, uint32_t octets,
                           const struct wire_packet *packet)
{
    bool first;

    conversation->packet = packet;
    if (conversation->foreign) {
        return false;
    }
    if (!conversation->is_portals) {
        conversation->late[side] = true;
        conversation->head_len[side] = 0; /* what comes next may be a HELLO yet */
    } else if (!wire_follow_gap(&conversation->follow, side_of(conversation, side), octets)) {
        return false;
    }
    side_missed_behind(conversation, side);
    first = !conversation->lost[side];
    conversation->lost[side] = true;
    return first;
}

void wire_conversation_doubted(struct wire_conversation *conversation, unsigned side, bool raised)
{
    struct wire_conversation_pairs *doubts = &conversation->doubts[side];
    struct wire_portals_check *check = &conversation->all->check;

    if (raised) {
        *doubts = pairs_of(conversation, side);
    }
    if (conversation->is_portals) {
        conversation->follow.stream.ways[side_of(conversation, side)].doubted = raised;
    }
    for (unsigned i = 0; i < doubts->count; i++) {
        if (raised) {
            wire_portals_check_missed(check, &doubts->from[i], &doubts->to[i], stream_of(conversation));
        } else {
            wire_portals_check_seen(check, &doubts->from[i], &doubts->to[i]);
        }
    }
}

void wire_conversation_ended(struct wire_conversation *conversation, unsigned side, bool reset,
                             const struct wire_packet *packet)
{
    conversation->packet = packet;
    conversation->reset[side] = reset;
    if (conversation->is_portals) {
        wire_follow_end(&conversation->follow, side_of(conversation, side), reset);
    }
}

void wire_conversation_replaced(struct wire_conversation *conversation)
{
    struct wire_portals_check_stream *stream = &conversation->follow.stream;

    if (conversation->foreign || conversation->connection->closed ||
        wire_reassembly_is_silent(conversation->connection)) {
        return;
    }
    for (unsigned side = 0; side < 2; side++) {
        conversation->replaced[side] = pairs_of(conversation, side);
        missed(conversation, &conversation->replaced[side], stream_of(conversation));
    }
    if (conversation->is_portals) {
        wire_portals_check_replaced(&conversation->all->check, stream);
    }
}

void wire_conversation_beside(struct wire_conversation *conversation)
{
    for (unsigned side = 0; side < 2; side++) {
        struct wire_conversation_pairs *pairs = &conversation->replaced[side];

        for (unsigned i = 0; i < pairs->count; i++) {
            wire_portals_check_seen(&conversation->all->check, &pairs->from[i], &pairs->to[i]);
        }
        pairs->count = 0;
    }
}

void wire_conversation_part(struct wire_conversation *conversation)
{
    if (conversation->is_portals) {
        wire_follow_end(&conversation->follow, WIRE_PORTALS_OPENER, true);
    }
}
