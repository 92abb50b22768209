/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is known of a TCP connection of a capture, and whom to tell of it (wire/follow/reassembly.h).
 */
#ifndef WIRE_FOLLOW_CONNECTION_H
#define WIRE_FOLLOW_CONNECTION_H

#include "wire/follow/segment.h"

/* What is kept at most: of segments that came too early, and of connections. */
enum {
    WIRE_REASSEMBLY_EARLY_MAX = 16 << 20,      /* octets, a direction */
    WIRE_REASSEMBLY_SEGMENTS_MAX = 8192,       /* early segments, a direction: each is put into its place by looking */
    WIRE_REASSEMBLY_ALL_EARLY_MAX = 256 << 20, /* octets, all together */
    WIRE_REASSEMBLY_CONNECTIONS_MAX = 100000,
    WIRE_REASSEMBLY_PATIENCE = 8, /* packets: so long octets may come yet that were acknowledged, where it matters */
};

/* A segment that came before its turn. */
struct wire_reassembly_early;

/* A segment of which it is not known whether its receiver has taken it, or to which connection it belongs. */
struct wire_reassembly_held;

/* The first octets of a direction. */
struct wire_reassembly_head;

/* One direction of a connection. */
struct wire_reassembly_way {
    bool begun;     /* `next` is known */
    bool whole;     /* from its very beginning: its SYN was captured, or the acknowledgement of it */
    bool silent;    /* begun by an acknowledgement of who had said nothing himself */
    bool doubted;   /* octets have not come that must have been there */
    bool confirmed; /* the other side has got octets up to `acked`, which lies ahead */
    bool lost;      /* there was a gap */
    bool finished;
    bool fin; /* its end has been seen, at `fin_at` */
    uint32_t first, next, acked, fin_at;
    uint32_t low;      /* from where on octets have come, at most 1 GiB behind the latest */
    bool placed;       /* it is one of several paths, where octets belong at `shift` */
    bool elsewhere;    /* since the latest octets, others have come by another path */
    bool stream_ended; /* what all paths carry */
    uint32_t shift;
    uint32_t right, wrong;                            /* segments, by what their checksums say */
    uint64_t confirmed_at;                            /* the packet that said so first */
    struct wire_packet late;                          /* the latest one that showed that something is missing */
    struct wire_reassembly_early *early, *early_last; /* in order; the last one counts where there is a first one */
    size_t early_octets, early_count;
    struct wire_reassembly_held *held, *held_last; /* with wrong checksums, in the order in which they came */
    unsigned held_count;
    struct wire_reassembly_head *head; /* NULL: there are none */
};

/* One connection. Sides are numbered: 0 opened it as far as is known. `context` is the listener's. */
struct wire_reassembly_connection {
    struct wire_end ends[2];
    bool joined;  /* its beginning was not captured: which side opened it is not known */
    bool further; /* it is a further path of a stream that another one began */
    bool closed;
    bool patient;   /* the listener's: a gap costs so much that octets are waited for */
    bool copy;      /* another one with other addresses: nothing more is told of it */
    bool twice;     /* it was captured at both of its ends */
    bool replaced;  /* another one of the same ends was opened after it */
    bool over;      /* and has the same numbers, so that what comes yet is that one's */
    uint32_t apart; /* not 0, and another number for each: when it began another one of the same ends went on */
    bool beside;    /* and both go on, which has been told */
    uint64_t segments, again;                        /* with data, or that open; of these captured before */
    struct wire_reassembly_way ways[2];              /* by who sends */
    struct wire_reassembly_held *since, *since_last; /* what came since its SYN came again */
    unsigned since_count;
    size_t since_octets;
    void *context;
    struct wire_reassembly_connection *next; /* in its bucket */
    struct wire_reassembly_connection
        *younger; /* the next one that began; all end in this order, whatever their buckets */
};

/* wire_reassembly_is_silent - whether nothing was said on it, as where an opening was not answered. */
static inline bool wire_reassembly_is_silent(const struct wire_reassembly_connection *connection)
{
    const struct wire_reassembly_way *ways = connection->ways;

    return !connection->joined && ways[0].next == ways[0].first && ways[1].next == ways[1].first && !ways[0].doubted &&
           !ways[1].doubted;
}

/* Whom to tell, in the order of the capture. `packet` is the one at hand. Each may be NULL. */
struct wire_reassembly_listener {
    void *context;
    void (*opened)(void *context, struct wire_reassembly_connection *connection, const struct wire_packet *packet);
    void (*octets)(void *context, struct wire_reassembly_connection *connection, unsigned side,
                   const unsigned char *octets, size_t len, const struct wire_packet *packet);
    /* So many octets are missing before what comes next of that side; UINT32_MAX: nobody knows how many. */
    void (*gap)(void *context, struct wire_reassembly_connection *connection, unsigned side, uint32_t octets,
                const struct wire_packet *packet);
    /* Octets are missing so far, or, when `raised` is false, they have come or the gap is certain by now. */
    void (*doubted)(void *context, struct wire_reassembly_connection *connection, unsigned side, bool raised);
    /* A side has finished (FIN), or reset the connection. */
    void (*ended)(void *context, struct wire_reassembly_connection *connection, unsigned side, bool reset,
                  const struct wire_packet *packet);
    /* The connection was captured at both of its ends; where its addresses are others at one of them, `copy` is the
     * packet with which it begins there, else NULL. */
    void (*twice)(void *context, struct wire_reassembly_connection *connection, const struct wire_packet *copy);
    /* Another connection of the same ends is opened: it is over, unless what comes of it yet shows otherwise. */
    void (*replaced)(void *context, struct wire_reassembly_connection *connection);
    /* Another connection has the same ends at the same time. */
    void (*beside)(void *context, struct wire_reassembly_connection *connection, const struct wire_packet *packet);
    void (*gone)(void *context, struct wire_reassembly_connection *connection); /* the connection is freed */
};

#endif
