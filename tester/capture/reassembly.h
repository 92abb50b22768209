/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * TCP connections out of the segments of a capture: octets in their order, each once, however often and in whatever
 * order the segments were captured. Octets that the other side acknowledges and that the capture lacks are lost; a
 * direction that lost some tells nothing more, since messages can no longer be found in it.
 */
#ifndef TESTER_CAPTURE_REASSEMBLY_H
#define TESTER_CAPTURE_REASSEMBLY_H

#include "tester/capture/read.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is kept at most: of segments that came too early, and of connections. */
enum {
    REASSEMBLY_EARLY_MAX = 16 << 20,      /* octets, a direction */
    REASSEMBLY_SEGMENTS_MAX = 8192,       /* early segments, a direction: each is put into its place by looking */
    REASSEMBLY_ALL_EARLY_MAX = 256 << 20, /* octets, all together */
    REASSEMBLY_CONNECTIONS_MAX = 100000,
};

/* A segment that came before its turn. */
struct reassembly_early;

/* One direction of a connection. */
struct reassembly_way {
    bool begun; /* `next` is known */
    bool lost, finished;
    bool fin; /* its end has been seen, at `fin_at` */
    uint32_t next, fin_at;
    struct reassembly_early *early, *early_last; /* in order; the last one counts where there is a first one */
    size_t early_octets, early_count;
};

/* One connection. Sides are numbered: 0 opened it as far as is known. `context` is the listener's. */
struct reassembly_connection {
    struct capture_end ends[2];
    bool joined; /* its beginning was not captured */
    bool closed;
    struct reassembly_way ways[2]; /* by who sends */
    void *context;
    struct reassembly_connection *next;    /* in its bucket */
    struct reassembly_connection *younger; /* the next one that began; all end in this order, whatever their buckets */
};

/* Whom to tell, in the order of the capture. `packet` is the one at hand. */
struct reassembly_listener {
    void *context;
    void (*opened)(void *context, struct reassembly_connection *connection, const struct capture_packet *packet);
    void (*octets)(void *context, struct reassembly_connection *connection, unsigned side, const unsigned char *octets,
                   size_t len, const struct capture_packet *packet);
    void (*lost)(void *context, struct reassembly_connection *connection, unsigned side,
                 const struct capture_packet *packet);
    /* A side has finished (FIN), or reset the connection. */
    void (*ended)(void *context, struct reassembly_connection *connection, unsigned side, bool reset,
                  const struct capture_packet *packet);
    void (*gone)(void *context, struct reassembly_connection *connection); /* the connection is freed */
};

struct reassembly;

/* reassembly_open begins; the listener must outlive it. reassembly_close frees all, `gone` being called for each. */
struct reassembly *reassembly_open(const struct reassembly_listener *listener);
void reassembly_close(struct reassembly *reassembly);

/* reassembly_take takes the next segment. */
void reassembly_take(struct reassembly *reassembly, const struct capture_segment *segment,
                     const struct capture_packet *packet);

/* reassembly_ignored tells how many segments belonged to connections beyond the limit. */
uint64_t reassembly_ignored(const struct reassembly *reassembly);

#endif
