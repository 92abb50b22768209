/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Traffic of a large job: all send to some. A few endpoints are servers, as those of files are; every
 * endpoint puts to a server, waits for the acknowledgement, and gets from it. For the benchmark and the test of scale.
 */
#ifndef TESTS_BENCH_TRAFFIC_H
#define TESTS_BENCH_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRAFFIC_SERVERS = 4, TRAFFIC_MESSAGES = 4 /* of one endpoint in one round: put, acknowledgement, get, reply */ };

/* What memory went where, in octets of the whole job. */
struct traffic_memory {
    size_t endpoints; /* the core's, for open interfaces with nothing on them */
    size_t objects;   /* queues and descriptors that every endpoint has made for itself */
    size_t entries;   /* what the servers' lists took */
};

/* traffic_open makes a job of `count` endpoints, more than TRAFFIC_SERVERS + 1. The servers have one entry for
 * everybody, or (`entry_each`) one for each endpoint that it alone fits. Ends the program with a word when something
 * fails. */
void traffic_open(uint32_t count, bool entry_each, struct traffic_memory *memory);

/* traffic_list makes a server's list: entries for each endpoint of a job, from the first rank to the last, or one for
 * all. They serve `traffic_octets` of memory and log to `queue`. traffic_bits are the match bits with which an endpoint
 * comes. */
enum { TRAFFIC_PORTAL = 1, TRAFFIC_OCTETS = 8 };
void traffic_list(uint64_t interface, uint64_t queue, uint32_t count, bool entry_each);
uint64_t traffic_bits(uint32_t rank);

/* traffic_round lets every endpoint put to a server and get from it once; another server each time. Looks at every
 * event. */
void traffic_round(void);

/* traffic_wave lets all endpoints put to one server more at once: no payload lands before the last header has arrived,
 * so that as many operations are under way there as there are endpoints. Two messages of each: put and acknowledgement.
 */
void traffic_wave(void);

/* traffic_wave_rise and traffic_wave_fall are its halves: after the first all operations are under way at endpoint
 * TRAFFIC_SERVERS, whose queue traffic_wave_queue names. */
void traffic_wave_rise(void);
void traffic_wave_fall(void);
uint64_t traffic_wave_queue(void);

/* traffic_dropped is how many messages all endpoints have discarded. */
int64_t traffic_dropped(void);

/* traffic_close ends the job. */
void traffic_close(void);

#endif
