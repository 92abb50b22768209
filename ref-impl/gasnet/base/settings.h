/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The variables of the environment that the document names, with their defaults and bounds. A value that is no number,
 * or out of its bounds, is refused when the library starts.
 */
#ifndef REF_IMPL_GASNET_BASE_SETTINGS_H
#define REF_IMPL_GASNET_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CHUNK_OCTETS = 1024, /* what a request or a bounce buffer holds */
    CREDIT_OCTETS = 256, /* receive space that a credit stands for, beside one event */
    CREDITS_LEAST = 4,   /* what a node always keeps of each other one: the largest request */
    RECEIVE_BUFFERS = 8, /* pieces of the receive space */
    CREDITS_IN_CHUNK = CHUNK_OCTETS / CREDIT_OCTETS
};

struct settings {
    uint64_t request_chunks; /* GASNET_PORTAL_SB_CHUNKS */
    uint64_t reply_chunks;   /* GASNET_PORTAL_RPL_CHUNKS */
    uint64_t temporaries;    /* GASNET_PORTAL_NUM_TMPMD */
    uint64_t messages;       /* GASNET_PORTAL_MSG_LIMIT, or its older name GASNET_PORTAL_PUTGET_LIMIT */
    uint64_t safe_events;    /* GASNET_PORTAL_SAFE_LIMIT */
    uint64_t request_events; /* GASNET_PORTAL_AM_LIMIT */
    uint64_t system_events;  /* GASNET_PORTAL_SYS_LIMIT; 0: all */
    uint64_t credits_most;   /* GASNET_PORTAL_MAX_CRED_PER_NODE */
    uint64_t credits_each;   /* GASNET_PORTAL_CRED_PER_NODE */
    uint64_t credits_banked; /* GASNET_PORTAL_BANKED_CREDITS */
    uint64_t receive_octets; /* GASNET_PORTAL_AMRECV_SPACE; 0: as the credits need it */
    uint64_t epoch;          /* GASNET_PORTAL_EPOCH_DURATION: requests received */
    uint64_t packed_long;    /* GASNET_PORTAL_PACKED_LONG */
    uint64_t flow_control;   /* GASNET_PORTAL_FLOW_CONTROL */
    uint64_t dynamic;        /* GASNET_PORTAL_DYNAMIC_CREDITS */
    uint64_t statistics;     /* GASNET_PORTAL_CREDIT_STATS */
    uint64_t segment_octets; /* GASNET_MAX_SEGSIZE */
    uint64_t exit_seconds;   /* GASNET_EXITTIMEOUT; 0: as the next three say */
    uint64_t exit_least;     /* GASNET_EXITTIMEOUT_MIN */
    uint64_t exit_most;      /* GASNET_EXITTIMEOUT_MAX */
    double exit_factor;      /* GASNET_EXITTIMEOUT_FACTOR: seconds for each node */
};

/* settings_read - reads them all; false, with a line on stderr for each that is wrong. */
bool settings_read(void);

/* settings_get - what was read.
 * settings_exit_seconds - how long a job of so many nodes may take to end: at least 1. */
const struct settings *settings_get(void);
unsigned settings_exit_seconds(uint32_t nodes);

#endif
