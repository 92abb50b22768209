/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The wide-area device: messages between processes of different clients, as IMPI packets (chapter 3 of the IMPI
 * document) over the link to the host agent. wide/own.h says how it is built. Its thread reads the link and answers by
 * itself, so that acknowledgements and replies need no call of the program.
 *
 * All functions but wide_open and wide_close are called with the engine's lock held, and none of those blocks.
 */
#ifndef REF_IMPL_MPI_WIDE_WIDE_H
#define REF_IMPL_MPI_WIDE_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct request;
struct request_match;
struct request_outcome;

/* Where a request is in this device.
 *
 *      receive   NOWHERE -> POSTED -> FILLING (long) -> NOWHERE
 *      send      NOWHERE -> QUEUED -> GONE                                      short
 *                                  -> UNANSWERED -> GONE                        short, synchronous
 *                                  -> UNANSWERED -> STREAMING -> GONE           long
 */
enum wide_place {
    WIDE_NOWHERE,    /* not here */
    WIDE_POSTED,     /* a receive that waits for its message */
    WIDE_FILLING,    /* a receive whose message comes in */
    WIDE_QUEUED,     /* a send of which nothing has left */
    WIDE_UNANSWERED, /* the first packet has left, its SYNCACK has not come */
    WIDE_STREAMING,  /* the SYNCACK has come, the rest is leaving */
    WIDE_GONE,       /* all has left that will; the request keeps its id until the program has retired it */
};

/* The device's part of a request. */
struct wide_request {
    enum wide_place place;
    bool cancelling;            /* send: a CANCEL is not answered yet */
    bool answered;              /* send: it is known for good whether the message was received */
    uint64_t srqid, drqid;      /* pk_srqid of a send; pk_drqid of a receive, and of a send what the receiver gave */
    uint64_t offset;            /* octets of the message that have left, or come */
    unsigned unwritten;         /* send: packets on the way to the link that need its octets */
    unsigned char *landed;      /* receive: the message, in external32 */
    bool in_place;              /* ... which is the user's buffer, where it looks the same there */
    size_t room;                /* octets of `landed`: of a message that is too long the rest is dropped */
    TAILQ_ENTRY(request) queue; /* while POSTED, QUEUED or STREAMING */
    LIST_ENTRY(request) known;  /* among the requests that packets can name */
};

/* wide_open begins to read the link; false, and a line on stderr, when it cannot. wide_close sends what finalization
 * wants and blocks until the agent is done too (IMPI 2.4, 3.8). */
bool wide_open(void);
void wide_close(void);

/* wide_send begins to send to a process of another client. wide_receive takes a message that has come, unless the local
 * device has one already, or posts the receive. */
void wide_send(struct request *request);
void wide_receive(struct request *request);

/* wide_probe looks for a message that has come and fits. */
bool wide_probe(const struct request_match *match, struct request_outcome *outcome);

/* wide_withdraw takes a posted receive out of this device; false when its message is coming in. */
bool wide_withdraw(struct request *request);

/* wide_cancel_send tries to undo a send, also one that is done and not retired: then it is active again until the
 * receiver has answered. */
void wide_cancel_send(struct request *request);

/* wide_release frees what the device keeps for a request that is retired. */
void wide_release(struct request *request);

#endif
