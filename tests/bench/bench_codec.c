/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What decoding and encoding a header costs, beside a plain copy of the same octets. The three are measured in turn,
 * round after round, so that a change of the machine's speed meets all of them alike; printed are the median, least and
 * greatest of the rounds in nanoseconds a header, and the ratio to the copy of the same round. Each call works on
 * another header of a block that fits the first-level cache, and what comes out is used, so nothing can be left out.
 */
#include "wire/portals/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    HEADERS = 64, /* of 80 octets: 5 KiB */
    ROUNDS = 31,
    PASSES = 400, /* over all headers, in one measurement */
};

/* One kind of message under measurement. */
struct block {
    unsigned char octets[HEADERS][WIRE_PORTALS_HEADER_MAX];
    unsigned char copy[HEADERS][WIRE_PORTALS_HEADER_MAX];
    struct wire_portals_header headers[HEADERS];
    size_t len;
};

/* One measured quantity over all rounds. */
struct series {
    const char *name;
    double ns[ROUNDS];
    double ratio[ROUNDS];
};

static volatile uint64_t sink;

static double now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Keeps the compiler from reusing what it knew of memory before. */
static void forget(void *memory)
{
    __asm__ volatile("" : : "r"(memory) : "memory");
}

static double measure_copy(struct block *block)
{
    double start = now_ns();
    uint64_t sum = 0;

    for (size_t pass = 0; pass < PASSES; pass++) {
        for (size_t i = 0; i < HEADERS; i++) {
            forget(block);
            memcpy(block->copy[i], block->octets[i], block->len);
            sum += block->copy[i][block->len - 1];
        }
    }
    sink += sum;
    return (now_ns() - start) / (PASSES * HEADERS);
}

static double measure_decode(struct block *block)
{
    double start = now_ns();
    uint64_t sum = 0;

    for (size_t pass = 0; pass < PASSES; pass++) {
        for (size_t i = 0; i < HEADERS; i++) {
            uint64_t payload = 0;

            forget(block);
            if (wire_portals_decode(block->octets[i], block->len, &block->headers[i], NULL, &payload) != WIRE_OK) {
                abort();
            }
            sum += payload + block->headers[i].match_bits;
        }
    }
    sink += sum;
    return (now_ns() - start) / (PASSES * HEADERS);
}

static double measure_encode(struct block *block)
{
    double start = now_ns();
    uint64_t sum = 0;

    for (size_t pass = 0; pass < PASSES; pass++) {
        for (size_t i = 0; i < HEADERS; i++) {
            size_t len = 0;

            forget(block);
            if (wire_portals_encode(&block->headers[i], block->copy[i], sizeof block->copy[i], &len) != WIRE_OK) {
                abort();
            }
            sum += len;
        }
    }
    sink += sum;
    return (now_ns() - start) / (PASSES * HEADERS);
}

static void fill(struct block *block, uint32_t operation)
{
    for (uint32_t i = 0; i < HEADERS; i++) {
        struct wire_portals_header header = {
            .operation = operation,
            .initiator = {0x7f000001, 50001, 7, i},
            .target = {0x7f000001, 50002, 7, i + 1},
            .portal = i,
            .cookie = 1,
            .match_bits = i * UINT64_C(0x9e3779b97f4a7c15),
            .offset = i,
            .md = i,
            .rlength = 4096 + i,
            .mlength = i,
            .version_major = 1,
            .group_size = 64,
            .sequence = i,
        };

        if (wire_portals_encode(&header, block->octets[i], sizeof block->octets[i], &block->len) != WIRE_OK) {
            abort();
        }
    }
}

static int compare(const void *one, const void *other)
{
    double a = *(const double *)one;
    double b = *(const double *)other;

    return (a > b) - (a < b);
}

static void print_series(const struct wire_message *message, struct series *series)
{
    qsort(series->ns, ROUNDS, sizeof series->ns[0], compare);
    qsort(series->ratio, ROUNDS, sizeof series->ratio[0], compare);
    printf("%-8s %3u octets  %-7s %7.1f %7.1f %7.1f ns   %6.2f %6.2f %6.2f\n", message->name, message->octets,
           series->name, series->ns[ROUNDS / 2], series->ns[0], series->ns[ROUNDS - 1], series->ratio[ROUNDS / 2],
           series->ratio[0], series->ratio[ROUNDS - 1]);
}

static void bench_message(const struct wire_message *message)
{
    static struct block block;
    static struct series copy = {.name = "copy"};
    static struct series decode = {.name = "decode"};
    static struct series encode = {.name = "encode"};

    fill(&block, message->operation);
    (void)measure_decode(&block);
    for (size_t round = 0; round < ROUNDS; round++) {
        copy.ns[round] = measure_copy(&block);
        decode.ns[round] = measure_decode(&block);
        encode.ns[round] = measure_encode(&block);
        copy.ratio[round] = 1;
        decode.ratio[round] = decode.ns[round] / copy.ns[round];
        encode.ratio[round] = encode.ns[round] / copy.ns[round];
    }
    print_series(message, &copy);
    print_series(message, &decode);
    print_series(message, &encode);
}

int main(void)
{
    printf("%-20s  %-7s %7s %7s %7s      %6s %6s %6s\n", "message", "", "median", "min", "max", "median", "min", "max");
    printf("%-20s  %-7s %23s ns   %20s\n", "", "", "one header", "times the copy");
    for (size_t i = 0; i < WIRE_PORTALS_COUNT; i++) {
        bench_message(&wire_portals_messages[i]);
    }
    return 0;
}
