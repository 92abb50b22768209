/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: conversations of two processes over a few streams, with small tables that overflow soon. Four octets of
 * input are one step: who speaks where, which message, which field of it is changed, to what. Whatever is said, the
 * checker's lists stay whole, its findings are complete, and nobody is said to have answered what nobody asked once
 * requests have been forgotten.
 */
#include "tests/fuzz/fuzz.h"
#include "wire/portals/check.h"
#include "wire/portals/stream.h"

enum { STREAMS = 4, REQUESTS = 8, SLOTS = 16, NUMBERS = 8, STEP = 4, STEPS_MAX = 200 };

struct session {
    struct wire_portals_check check;
    struct wire_portals_check_stream streams[STREAMS];
    uint64_t now_us;
};

static struct wire_portals_check_request requests[REQUESTS + 1];
static struct wire_portals_check_slot slots[SLOTS];
static struct wire_portals_check_number numbers[NUMBERS + 1];

static void demand_findings(const struct wire_portals_check *check, unsigned count)
{
    FUZZ_DEMAND(count < WIRE_PORTALS_FINDINGS_MAX && count == check->finding_count);
    for (unsigned i = 0; i < count; i++) {
        const struct wire_portals_finding *finding = &check->findings[i];
        FUZZ_DEMAND(finding->name && finding->requirement && finding->requirement[0] && finding->text);
        FUZZ_DEMAND((finding->header_violation == WIRE_PORTALS_LEGAL) !=
                    (finding->violation == WIRE_PORTALS_NO_VIOLATION));
        bool unasked =
            finding->violation == WIRE_PORTALS_ACK_UNASKED || finding->violation == WIRE_PORTALS_REPLY_UNASKED;
        FUZZ_DEMAND(!unasked || check->forgotten == 0);
    }
}

static void demand_list(const struct wire_portals_check *check, const struct wire_portals_check_ages *ages)
{
    uint32_t seen = 0;

    for (uint32_t at = ages->oldest; at != 0; at = check->tables.requests[at].newer) {
        FUZZ_DEMAND(at <= check->used && ++seen <= ages->count);
    }
    FUZZ_DEMAND(seen == ages->count);
}

static void demand_tables(const struct wire_portals_check *check)
{
    demand_list(check, &check->waiting);
    demand_list(check, &check->settled);
    demand_list(check, &check->free);
    FUZZ_DEMAND(check->used <= REQUESTS);
    FUZZ_DEMAND(check->waiting.count + check->settled.count + check->free.count == check->used);
}

/* A message as the process on that side would say it. */
static struct wire_portals_header say(unsigned which, bool by_b)
{
    static const struct wire_portals_id a = {0x7f000001, 50001, 7, 0}, b = {0x7f000001, 50002, 7, 1};
    uint32_t kind = wire_portals_messages[which].operation;
    bool tagged = kind > WIRE_PORTALS_TAG && kind != WIRE_PORTALS_HELLO;
    struct wire_portals_header header = {
        .operation = tagged ? kind - WIRE_PORTALS_TAG : kind,
        .tagged = tagged,
        .initiator = by_b ? b : a,
        .target = by_b ? a : b,
        .md = 5,
        .version_major = 1,
        .version_minor = 1,
        .group_size = 2,
        .sequence = 1,
        .epoch = 1,
        .number = 1,
        .incarnation = 1,
    };

    return header;
}

static void step(struct session *session, const uint8_t *input)
{
    struct wire_portals_check_stream *stream = &session->streams[input[0] % STREAMS];
    enum wire_portals_side side = input[0] & 0x10 ? WIRE_PORTALS_ACCEPTOR : WIRE_PORTALS_OPENER;
    struct wire_portals_header header = say(input[1] % WIRE_PORTALS_COUNT, (input[0] & 0x20) != 0);
    const struct wire_message *message = wire_portals_message_of(wire_portals_kind(&header));
    unsigned char octets[WIRE_PORTALS_HEADER_MAX];
    size_t len = 0;

    session->now_us += (uint64_t)(input[0] >> 6) * 5000000;
    if (input[1] >= 0xf0) {
        demand_findings(&session->check, wire_portals_check_end(&session->check, stream, side, input[1] % 3));
        return;
    }
    FUZZ_DEMAND(message && wire_portals_encode(&header, octets, sizeof octets, &len) == WIRE_OK);
    const struct wire_row *row = &message->rows[input[2] % message->row_count];
    if (wire_row_set(row, octets, len, input[3] == 0xff ? wire_row_max(row) : input[3]) != WIRE_OK) {
        return;
    }
    enum wire_status status = wire_portals_decode(octets, len, &header, NULL, NULL);
    if (status == WIRE_OK) {
        demand_findings(&session->check, wire_portals_check_message(&session->check, stream, side, &header,
                                                                    session->now_us, session->check.messages + 1));
    } else if (status != WIRE_SHORT) {
        demand_findings(&session->check, wire_portals_check_broken(&session->check, stream, side, status));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct wire_portals_check_tables tables = {requests, REQUESTS, slots, SLOTS, numbers, NUMBERS, {0, 0}, false};
    struct session session = {.check = wire_portals_check_begin(&tables)};

    for (unsigned i = 0; i < STREAMS; i++) {
        session.streams[i] = wire_portals_check_open(&session.check, NULL, 0);
    }
    for (size_t i = 0; i < STEPS_MAX && size >= STEP; i++, data += STEP, size -= STEP) {
        step(&session, data);
        demand_tables(&session.check);
    }
    return 0;
}
