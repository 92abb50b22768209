/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the reference hears of an IMPI client, of a server, and of another host: for any octets, however they are cut,
 * the same is heard, and what start-up concludes adds up. The lowest two bits of the first octet say who speaks, the
 * others in pieces of which size.
 */
#include "ref-impl/impi/agent/connection.h"
#include "ref-impl/impi/client/startup.h"
#include "ref-impl/impi/common/link.h"
#include "ref-impl/impi/server/session.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static const struct auth auth = {3, 5678, {1, 0}, 2};

/* Folds something that was heard into a sum. */
static void fold(uint64_t *sum, uint64_t value)
{
    *sum = (*sum ^ value) * 1099511628211u;
}

static void fold_octets(uint64_t *sum, const unsigned char *octets, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        fold(sum, octets[i]);
    }
}

static uint64_t hear_client(const uint8_t *data, size_t size, size_t piece)
{
    struct session session;
    struct session_event event = {.kind = SESSION_MORE};
    uint64_t sum = 1;

    session_begin(&session, &auth);
    for (size_t at = 0; at < size && event.kind != SESSION_BAD; at += piece) {
        const unsigned char *octets = data + at;
        size_t len = size - at < piece ? size - at : piece;

        do {
            session_next(&session, &octets, &len, &event);
            FUZZ_DEMAND(event.kind != SESSION_LABEL || event.len <= SESSION_VALUES_MAX);
            if (event.kind != SESSION_MORE) {
                fold(&sum, (uint64_t)event.kind);
                fold(&sum, (uint64_t)event.label);
                fold(&sum, (uint64_t)event.rank);
                fold_octets(&sum, event.octets, event.len);
            }
        } while (event.kind != SESSION_MORE && event.kind != SESSION_BAD);
    }
    FUZZ_DEMAND(session_state_text(&session)[0]);
    session_end(&session);
    return sum;
}

/* What all agree on must add up, and go over a link unharmed. */
static void agreed_judge(const struct agreed *agreed)
{
    const struct link_world *world = &agreed->world;
    size_t len = link_world_octets(world);
    unsigned char *octets = malloc(len);
    struct link_world *again = NULL;
    uint32_t next = 0;

    FUZZ_DEMAND(world->datalen >= 1 && world->tagub >= 32767 && world->ackmark >= 1);
    FUZZ_DEMAND(world->ackmark <= world->hiwater && agreed->first_host < world->hosts);
    for (uint32_t host = 0; host < world->hosts; host++) {
        FUZZ_DEMAND(agreed->hosts[host].first == next && agreed->hosts[host].processes > 0);
        next += agreed->hosts[host].processes;
    }
    FUZZ_DEMAND(next == world->size && octets);
    FUZZ_DEMAND(link_world_encode(world, world->size - 1, octets, len) == WIRE_OK);
    FUZZ_DEMAND(link_world_decode(octets, len, &again) == WIRE_OK && again->size == world->size);
    FUZZ_DEMAND(memcmp(again->members, world->members, world->size * sizeof *again->members) == 0);
    link_world_free(again);
    free(octets);
}

static uint64_t hear_server(const uint8_t *data, size_t size, size_t piece)
{
    static const uint16_t ports[] = {5001, 5002};
    struct offer offer = {.hosts = 2, .processes = 3, .values = {65536, 2147483647, -1, -1, 10, 20}, .ports = ports};
    struct startup startup;

    startup_begin(&startup, &auth, 1, &offer);
    for (size_t at = 0; at < size; at += piece) {
        (void)startup_hear(&startup, data + at, size - at < piece ? size - at : piece);
    }
    if (startup.agreed.hosts) {
        agreed_judge(&startup.agreed);
    }
    uint64_t sum = (uint64_t)startup.state;
    fold_octets(&sum, (const unsigned char *)startup.error, strlen(startup.error));
    startup_lost(&startup);
    startup_end(&startup);
    return sum;
}

static uint64_t hear_host(const uint8_t *data, size_t size, size_t piece)
{
    struct connection connection = {.fd = -1};
    struct connection_packet packet;
    enum connection_outcome outcome = CONNECTION_MORE;
    uint64_t sum = 1;

    for (size_t at = 0; at < size && outcome == CONNECTION_MORE; at += piece) {
        FUZZ_DEMAND(queue_put(&connection.in, data + at, size - at < piece ? size - at : piece));
        while ((outcome = connection_next(&connection, 500, &packet)) == CONNECTION_PACKET) {
            FUZZ_DEMAND(packet.header.type < WIRE_IMPI_TYPES && packet.len <= WIRE_IMPI_PACKET_OCTETS + 500);
            fold_octets(&sum, packet.octets, packet.len);
        }
    }
    fold(&sum, (uint64_t)outcome);
    connection_close(&connection);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    size_t piece = (size_t)(data[0] >> 2) + 1;
    data++;
    size--;
    switch (data[-1] & 3) {
    case 0:
    case 2:
        FUZZ_DEMAND(hear_client(data, size, piece) == hear_client(data, size, size));
        break;
    case 1:
        FUZZ_DEMAND(hear_server(data, size, piece) == hear_server(data, size, size));
        break;
    default:
        FUZZ_DEMAND(hear_host(data, size, piece) == hear_host(data, size, size));
        break;
    }
    return 0;
}
