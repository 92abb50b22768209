/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One connection of an IMPI job as octets come from it: cuts both directions into messages and has each judged by the
 * checkers of wire/. A connection is one of two kinds: a link between a client and the server, or a channel between two
 * hosts. The sides are numbered: 0 connected (the client; the host of higher rank), 1 listened. Serves the passive
 * checker of a case and `assay check`.
 */
#ifndef WIRE_FOLLOW_FOLLOW_IMPI_H
#define WIRE_FOLLOW_FOLLOW_IMPI_H

#include "wire/impi/check_channel.h"
#include "wire/impi/check_collective.h"
#include "wire/impi/check_job.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whom to tell of everything that breaks a rule: the side that sent it, and what it is ("COLL", "SYNCACK", or "octets"
 * for what is no message). */
struct wire_follow_impi_listener {
    void (*report)(void *context, unsigned side, const char *message, const struct wire_impi_findings *findings);
    /* the same of what is only worth a note; NULL: nobody wants to know */
    void (*note)(void *context, unsigned side, const char *message, const struct wire_impi_findings *notes);
    /* a command or packet is about to be judged: `octets` begin it; or NULL */
    void (*message)(void *context, unsigned side, const unsigned char *octets, size_t len);
    /* a message of a collective operation has been judged; or NULL */
    void (*collective)(void *context, unsigned side, const struct wire_impi_step *step);
    void *context;
    uint64_t messages; /* seen so far */
};

/* A connection between a client and the server. */
struct wire_follow_impi_link {
    struct wire_impi_link link;
    struct wire_impi_startup ways[2];
    struct wire_follow_impi_listener listener;
};

/* A connection between two hosts. */
struct wire_follow_impi_channel {
    struct wire_impi_channel channel;
    unsigned char rank[WIRE_IMPI_RANK_OCTETS];
    size_t rank_len;
    bool searching[2];                             /* for the next packet, behind a gap */
    unsigned char hosts[2][WIRE_IMPI_HOST_OCTETS]; /* addresses of the sides: who talks, where no job is known */
    struct wire_impi_packets ways[2];
    struct wire_follow_impi_listener listener;
};

/* wire_follow_impi_link_begin begins with a connection to the server of the job. */
void wire_follow_impi_link_begin(struct wire_follow_impi_link *follow, struct wire_impi_job *job);

/* wire_follow_impi_channel_begin begins with a connection between hosts; the members job and hosts of follow->channel
 * may be set afterwards. */
void wire_follow_impi_channel_begin(struct wire_follow_impi_channel *follow,
                                    const struct wire_impi_channel_tables *tables,
                                    const struct wire_impi_limits *limits);

/* wire_follow_impi_link_octets, wire_follow_impi_channel_octets take more octets that `side` sent. mark is the
 * caller's number for where they came, not 0, never falling. */
void wire_follow_impi_link_octets(struct wire_follow_impi_link *follow, unsigned side, const unsigned char *octets,
                                  size_t len, uint64_t mark);
void wire_follow_impi_channel_octets(struct wire_follow_impi_channel *follow, unsigned side,
                                     const unsigned char *octets, size_t len, uint64_t mark);

/* wire_follow_impi_channel_gap steps over octets of `side` that nobody has. Unless all of them are data of the packet
 * at hand, the next packet is searched for; then true. wire_follow_impi_channel_late begins so with both sides, of a
 * channel whose beginning nobody has. */
bool wire_follow_impi_channel_gap(struct wire_follow_impi_channel *follow, unsigned side, uint32_t octets,
                                  uint64_t mark);
void wire_follow_impi_channel_late(struct wire_follow_impi_channel *follow);

/* wire_follow_impi_channel_begins - whether a packet from one host of the channel to the other begins here for sure:
 * one between processes that its job knows, or, without a job, between the addresses of its two sides. */
bool wire_follow_impi_channel_begins(const struct wire_follow_impi_channel *follow, unsigned side,
                                     const unsigned char *octets, size_t len);

/* wire_follow_impi_link_end, wire_follow_impi_channel_end: `side` has finished, or reset the connection. */
void wire_follow_impi_link_end(struct wire_follow_impi_link *follow, unsigned side, bool reset);
void wire_follow_impi_channel_end(struct wire_follow_impi_channel *follow, unsigned side, bool reset);

/* wire_follow_impi_finding_text says in one sentence what is wrong: requirement, rule, what was expected and observed,
 * which reading a note is about. `related` is the word for the other message's mark ("see packet"); NULL leaves it
 * out. */
void wire_follow_impi_finding_text(const struct wire_impi_finding *finding, const char *related, char *text,
                                   size_t room);

#endif
