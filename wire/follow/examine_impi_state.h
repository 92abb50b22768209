/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is known of the IMPI jobs of a capture and their connections. examine_impi.c fills it, examine_impi_tell.c tells
 * what is found; nobody else includes this.
 */
#ifndef WIRE_FOLLOW_EXAMINE_IMPI_STATE_H
#define WIRE_FOLLOW_EXAMINE_IMPI_STATE_H

#include "wire/follow/examination.h"
#include "wire/follow/follow_impi.h"
#include "wire/follow/held.h"
#include "wire/impi/check_collective.h"

enum {
    JOBS_MAX = 512,
    CHANNELS_MAX = 512, /* 32 clients of one host each have 496 */
    HOSTS = 256,
    PROCESSES = 4096,
};

/* What a connection is taken for. */
enum kind { UNTOLD, LATE, LINK, CHANNEL, FOREIGN };

struct followed_job {
    struct wire_impi_job job;
    struct wire_end server;
    unsigned links, over; /* connections, and of these ended */
    int64_t ended_ns;     /* when the latest of those ended */
    uint64_t begun_at;    /* the packet with which the first of them is known */
    bool alike;           /* another one at the same time announces the same host */
    bool replaced;        /* one of them began anew, and its end had not been captured */
    struct wire_impi_job_host hosts[HOSTS];
    struct wire_impi_job_process processes[PROCESSES];
    struct wire_impi_collectives collectives;
};

struct wire_examine_impi {
    struct wire_examine *examine;
    struct followed_job *jobs[JOBS_MAX];
    struct impi_conversation *channels[CHANNELS_MAX]; /* NULL: one that has gone */
    size_t job_count, channel_count;
};

struct impi_conversation {
    struct wire_examine_impi *impi;
    const struct wire_reassembly_connection *connection;
    const struct wire_packet *packet; /* at hand */
    enum kind kind;
    uint64_t begun_at; /* a channel: the packet with which it is known */
    bool missed;       /* octets of it are missing: of a link, it is not judged any more */
    bool heard;        /* what who connected says was acknowledged before it was captured */
    bool ended;
    bool reset[2];          /* the side has reset it */
    bool gone[2];           /* the side has ended, maybe before what it began with has come */
    bool looked[2];         /* at how the side begins */
    bool given_back;        /* it was taken for one of IMPI, and is none */
    bool doubted[2];        /* octets of the side have not come so far */
    bool late[2];           /* or are coming now, in the packet */
    uint64_t with[2];       /* of this number; 0: in the next one */
    struct wire_held *held; /* while it is not told */
    struct followed_job *job;
    struct wire_follow_impi_link *link;       /* made when it is one: most connections of a capture are neither */
    struct wire_follow_impi_channel *channel; /* likewise */
    struct wire_impi_pair *pairs;
    struct wire_impi_request *requests;
};

/* wire_examine_impi_listener - who tells what is found on the connection. */
struct wire_follow_impi_listener wire_examine_impi_listener(struct impi_conversation *conversation);

/* wire_examine_impi_job_of - the job of this link, a new one when those of its server are over; NULL: there are too
 * many.
 * wire_examine_impi_job_known - its start-up is known to its last value: others may announce the same hosts.
 * wire_examine_impi_job_at - the job, known to its last value, that has announced a host at this end of the connection;
 * NULL: none has, or several have. */
struct followed_job *wire_examine_impi_job_of(const struct impi_conversation *link);
void wire_examine_impi_job_known(struct wire_examine_impi *impi, struct followed_job *job);
struct followed_job *wire_examine_impi_job_at(const struct impi_conversation *conversation, unsigned side,
                                              int64_t *host);

/* wire_examine_impi_is - whether the connection is one of IMPI. */
static inline bool wire_examine_impi_is(const struct impi_conversation *conversation)
{
    return !conversation->given_back && (conversation->kind == LINK || conversation->kind == CHANNEL);
}

#endif
