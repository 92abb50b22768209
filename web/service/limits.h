/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the service allows at most, to one account and in all: nobody may take what others need. One table holds names,
 * defaults and bounds; `assayd --limit NAME=N` changes one of them.
 */
#ifndef WEB_SERVICE_LIMITS_H
#define WEB_SERVICE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum limit {
    LIMIT_STREAMS,          /* live views at once, in all */
    LIMIT_ACCOUNT_STREAMS,  /* of one account */
    LIMIT_RUNS,             /* runs under way at once, in all */
    LIMIT_ACCOUNT_RUNS,     /* of one account */
    LIMIT_CAPTURE_MIB,      /* capture of one case */
    LIMIT_RUN_MIB,          /* evidence of one run */
    LIMIT_ACCOUNT_MIB,      /* what all runs of one account may hold */
    LIMIT_ACCOUNT_ITEMS,    /* implementations, and runs that are kept, of one account */
    LIMIT_ACCOUNT_REQUESTS, /* of one account in a minute */
    LIMIT_ACCOUNT_COSTLY,   /* those among them that make work: of one account in a minute */
    LIMIT_ADDRESS_REQUESTS, /* from one address in a minute, where nobody is signed in */
    LIMIT_CACHE_MIB,        /* answers that are kept in memory */
    LIMIT_REQUEST_SECONDS,  /* until a request must be there */
    LIMIT_AGENT_SECONDS,    /* until a launch agent that was lost must be back */
    LIMIT_DECODERS,         /* captures that are decoded at once, in all */
    LIMIT_ACCOUNT_DECODERS, /* for one account */
    LIMIT_RETAIN_DAYS,      /* that the evidence of runs without certificate is kept */
    LIMIT_BUNDLE_MINUTES,   /* from the end of a run until its evidence is packed together */
    LIMITS
};

enum { LIMIT_RUNS_MOST = 1024 }; /* to which LIMIT_RUNS may be set */

struct limits {
    unsigned of[LIMITS];
};

/* limits_default sets all to their defaults. */
void limits_default(struct limits *limits);

/* limits_set reads "NAME=N". False: one line in message says what is wrong. */
bool limits_set(struct limits *limits, const char *text, char *message, size_t message_octets);

/* limits_name gives the name by which --limit knows it. */
const char *limits_name(enum limit limit);

/* limits_octets gives a limit that is counted in MiB. */
uint64_t limits_octets(const struct limits *limits, enum limit limit);

/* limits_print writes a line for each: name, default, meaning. */
void limits_print(FILE *out);

#endif
