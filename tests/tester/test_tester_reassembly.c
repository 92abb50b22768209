/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Connections out of segments (reassembly.h): that nobody can choose addresses which make finding them slow, and
 * that both directions are found as one connection.
 */
#include "wire/follow/reassembly.h"

#include "tester/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "tests/unit/tap.h"

enum { CONNECTIONS = 8000, SLOWER_MOST = 10, GROUPS = 4096, OFTEN = 5 };

static unsigned opened;

static void on_opened(void *context, struct wire_reassembly_connection *connection, const struct wire_packet *packet)
{
    (void)context, (void)connection, (void)packet;
    opened++;
}

static void on_gone(void *context, struct wire_reassembly_connection *connection)
{
    (void)context, (void)connection;
}

static void *take_memory(void *context, size_t octets)
{
    (void)context;
    return memory_zero(octets);
}

static void give_memory(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static const struct wire_memory memory = {NULL, take_memory, give_memory};
static uint64_t keys[WIRE_REASSEMBLY_KEYS];

static const struct wire_reassembly_listener listener = {.opened = on_opened, .gone = on_gone};

/* A well-known hash without a key, FNV-1a, as anybody can compute it beforehand. */
static uint32_t fnv(const struct wire_end *end)
{
    uint32_t hash = 0x811c9dc5u ^ end->port;

    for (size_t i = 0; i < sizeof end->address; i++) {
        hash = (hash ^ end->address[i]) * 0x01000193u;
    }
    return hash ^ hash >> 15;
}

/* The next address behind this one, of those in a group if they are chosen. */
static void step(struct wire_end *end, uint64_t *count, bool chosen)
{
    do {
        ++*count;
        memcpy(end->address + 4, count, sizeof *count);
    } while (chosen && fnv(end) % GROUPS != 0);
}

/* The processor's time for so many connections, in seconds. */
static double take(bool chosen)
{
    static struct wire_segment segments[CONNECTIONS];
    struct wire_packet packet = {0};
    struct wire_reassembly *reassembly = wire_reassembly_open(&listener, &memory, keys);
    struct wire_end from = {.family = 6, .address = {0xfd}, .port = 5000};
    uint64_t count = 0;

    for (int i = 0; i < CONNECTIONS; i++) {
        step(&from, &count, chosen);
        segments[i] = (struct wire_segment){
            .from = from, .to = {.family = 6, .address = {0xfe}, .port = 4000}, .flags = WIRE_TCP_SYN};
    }
    clock_t begun = clock();
    for (int i = 0; i < CONNECTIONS; i++) {
        wire_reassembly_take(reassembly, &segments[i], &packet);
    }
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    wire_reassembly_close(reassembly);
    return seconds;
}

static void both_directions(void)
{
    struct wire_packet packet = {0};
    struct wire_reassembly *reassembly = wire_reassembly_open(&listener, &memory, keys);
    struct wire_end one = {.family = 4, .address = {10, 0, 0, 1}, .port = 700};
    struct wire_end other = {.family = 4, .address = {10, 0, 0, 1}, .port = 600};

    opened = 0;
    wire_reassembly_take(reassembly, &(struct wire_segment){.from = one, .to = other, .flags = WIRE_TCP_SYN}, &packet);
    wire_reassembly_take(
        reassembly, &(struct wire_segment){.from = other, .to = one, .flags = WIRE_TCP_SYN | WIRE_TCP_ACK}, &packet);
    CHECK_EQ(opened, 1, "an answer belongs to the connection that it answers");
    wire_reassembly_close(reassembly);
}

int main(void)
{
    double even = 0, chosen = 0;
    bool slower = true;

    CHECK(getrandom(keys, sizeof keys, 0) == (ssize_t)sizeof keys, "keys that nobody knows");
    /* What else the machine does can hit one measurement, hardly five. */
    for (int i = 0; i < OFTEN && slower; i++) {
        even = take(false);
        chosen = take(true);
        slower = chosen >= SLOWER_MOST * even + 0.02;
    }
    CHECK(!slower, "chosen addresses take %.4f s, others %.4f s", chosen, even);
    both_directions();
    return tap_done();
}
