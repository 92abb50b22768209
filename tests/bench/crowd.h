/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a crowd of endpoints does: all send to some. A few of them are hubs, as the servers of a machine are; every
 * endpoint puts to a hub, waits for the acknowledgement, and gets from it. For the benchmark and the test of scale.
 */
#ifndef TESTS_BENCH_CROWD_H
#define TESTS_BENCH_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CROWD_HUBS = 4, CROWD_MESSAGES = 4 /* of one endpoint in one round: put, acknowledgement, get, reply */ };

/* What memory went where, in octets of the whole job. */
struct crowd_memory {
    size_t endpoints; /* the core's, for open interfaces with nothing on them */
    size_t objects;   /* queues and descriptors that every endpoint has made for itself */
    size_t entries;   /* what the hubs' lists took */
};

/* crowd_open makes a job of `count` endpoints, more than CROWD_HUBS + 1. The hubs have one entry for everybody, or
 * (`entry_each`) one for each endpoint that it alone fits. Ends the program with a word when something fails. */
void crowd_open(uint32_t count, bool entry_each, struct crowd_memory *memory);

/* crowd_list makes a hub's list: entries for each endpoint of a job, from the first rank to the last, or one for all.
 * They serve `crowd_octets` of memory and log to `queue`. crowd_bits are the match bits with which an endpoint comes.
 */
enum { CROWD_PORTAL = 1, CROWD_OCTETS = 8 };
void crowd_list(uint64_t interface, uint64_t queue, uint32_t count, bool entry_each);
uint64_t crowd_bits(uint32_t rank);

/* crowd_round lets every endpoint put to a hub and get from it once; another hub each time. Looks at every event. */
void crowd_round(void);

/* crowd_wave lets all endpoints put to one hub more at once: no payload lands before the last header has arrived, so
 * that as many operations are under way there as there are endpoints. Two messages of each: put and acknowledgement. */
void crowd_wave(void);

/* crowd_wave_rise and crowd_wave_fall are its halves: after the first all operations are under way at endpoint
 * CROWD_HUBS, whose queue crowd_wave_queue names. */
void crowd_wave_rise(void);
void crowd_wave_fall(void);
uint64_t crowd_wave_queue(void);

/* crowd_dropped is how many messages all endpoints have discarded. */
int64_t crowd_dropped(void);

/* crowd_close ends the job. */
void crowd_close(void);

#endif
