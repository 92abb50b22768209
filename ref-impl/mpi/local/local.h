/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The local device: messages between the processes of one client, over Portals as chapter 5.3 of the Portals document
 * has it. The network matches them in the match list and moves them from buffer to buffer; local/own.h draws the lists
 * and says how.
 *
 * All functions are called with the engine's lock held, and none but local_wait, local_open and local_close blocks; but
 * local_receive, and local_advance when it posts receives that had to wait, may give the lock away until a message that
 * is just arriving is there.
 * "The program's thread" is the one that calls MPI.
 */
#ifndef REF_IMPL_MPI_LOCAL_LOCAL_H
#define REF_IMPL_MPI_LOCAL_LOCAL_H

#include <portals.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "ref-impl/include/mpi.h"

struct request;
struct request_match;
struct request_outcome;

/* So many bits tell the contexts of messages from each other in this device. */
enum { LOCAL_SLOT_BITS = 24 };

/* Where a request is in this device. */
enum local_place {
    LOCAL_NOWHERE, /* not here */
    LOCAL_QUEUED,  /* a send that waits for its turn, or a receive that waits for room in the match list */
    LOCAL_POSTED,  /* a receive in the match list */
    LOCAL_MOVING,  /* matched: its octets are on their way; or sent, and not all has been heard of it */
};

/* The device's part of a request. */
struct local_request {
    enum local_place place;
    bool is_long;     /* send: it is kept for the receiver to get */
    bool cancelling;  /* send: the receiver has been asked to forget it */
    bool settled;     /* long send: acknowledged or got */
    uint8_t number;   /* long send: names it at its sender among those to one process */
    unsigned awaited; /* events that are still to come */
    ptl_handle_me_t entry;
    ptl_handle_md_t descriptor;
    TAILQ_ENTRY(request) queue; /* while LOCAL_QUEUED */
};

/* local_open makes the structures of chapter 5.3; the process is in its Portals job. Blocks until all processes of the
 * client can receive. local_close waits for all to come, and takes everything away. False, and a line on stderr. */
bool local_open(void);
void local_close(void);

/* local_send begins to send to a process of the client. local_receive takes a message that has come, or posts the
 * receive. The program's thread. */
void local_send(struct request *request);
void local_receive(struct request *request);

/* local_probe looks for a message that has come and fits. The program's thread. */
bool local_probe(const struct request_match *match, struct request_outcome *outcome);

/* local_withdraw takes a receive out of this device; false when it has got a message already. Any thread. */
bool local_withdraw(struct request *request);

/* local_cancel_send tries to undo a send. The request is done when it has succeeded or failed for good. */
void local_cancel_send(struct request *request);

/* local_advance takes note of all events that have come. The program's thread. */
void local_advance(void);

/* local_wait gives the lock away until an event has come, of an arrival or of a request, and takes note of it. Returns
 * at once where only looking again and again would notice everything. The program's thread. */
void local_wait(bool arrivals);

/* local_wake makes local_wait return. Any thread but the program's. */
void local_wake(bool arrivals);

#endif
