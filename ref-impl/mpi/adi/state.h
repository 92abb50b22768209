/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What MPI on Puma keeps, for the files of this folder: figures 1 and 2 of the paper.
 *
 *      receive portal     [ posted receives, oldest first ] --> [ short ] --> [ long ]
 *                          independent blocks of one buffer      a heap        laid over it: keeps the header
 *
 *      read portal        [ single blocks: long messages, until they are acknowledged or pulled ]
 *
 *      acknowledgements   those of Portals find their descriptors by themselves; here come credits alone
 *
 * Two protocols.
 *
 *   short   One message with header and body; done when it has left. Room in the heap is lent: `credits`. Without, a
 *           copy goes the long way, and the message is done.
 *   long    The same, and the message can be read. A posted receive keeps the body and acknowledges: done. Else the
 *           header is kept, and the receiver pulls the body when it wants it: done.
 *
 * All is guarded by the engine's lock.
 */
#ifndef REF_IMPL_MPI_ADI_STATE_H
#define REF_IMPL_MPI_ADI_STATE_H

#include <portals.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/puma/puma.h"

/* Where the other device has its own; windows have theirs behind them, and the same network interface. */
enum adi_portal { ADI_RECEIVE = LOCAL_ARRIVE, ADI_READ = LOCAL_FETCH, ADI_CREDIT = LOCAL_CONTROL };

enum {
    ADI_LONG_OCTETS = LOCAL_LONG_OCTETS, /* messages of so many octets are long */
    ADI_NUMBERS = PUMA_MARKS,            /* long messages from one process to another at a time */
    ADI_OFFERED_MAX = 60000,             /* ... and to all of them: so many entries the read portal has room for */
    ADI_UNNOTED = 64,                    /* ... that the other one may still have to note */
    ADI_OFFERED_SHORT = 64,              /* ... when a short one still goes the long way */
    ADI_SHORT_KEPT = 4096,               /* short messages that the heap has room for, shared out to all processes */
    ADI_CREDITS_LEAST = 4,               /* ... at least so many to each */
};

/* A message that is leaving, or credits. */
struct adi_send {
    struct request *request; /* NULL: credits, or a copy */
    struct puma_sending sending;
    struct puma_descriptor *read; /* long: where it can be pulled */
    int rid, number;
    bool named; /* it has its number */
    bool pulled;
    TAILQ_ENTRY(adi_send) link;
    unsigned char copy[]; /* of a short message that goes the long way */
};

/* A receive that is posted, or that pulls its message. */
struct adi_receive {
    struct request *request;
    struct puma_descriptor *posted; /* NULL: it pulls */
    struct puma_sending pull;
    TAILQ_ENTRY(adi_receive) link;
};

/* A process of the client. */
struct adi_peer {
    int credits;      /* of ours at its side */
    int owed;         /* of its at our side, which it does not know to be free again */
    unsigned unnoted; /* long messages to it that may stand among its headers */
    unsigned noted;   /* of its long messages, which it has not been told */
    uint16_t *free;   /* numbers that were given back, `free_count` of `numbered`; there is `room` for so many */
    unsigned free_count, numbered, room;
    struct request_list queue; /* sends that wait */
};

TAILQ_HEAD(adi_sends, adi_send);
TAILQ_HEAD(adi_receives, adi_receive);

struct adi_device {
    struct puma_list *receive, *read, *credit;
    struct puma_descriptor *heap, *headers, *credited;
    void *heap_octets;
    int size, credits;
    unsigned offered; /* long messages to all processes */
    struct adi_peer *peer;
    struct adi_sends sends;
    struct adi_receives receives;
    unsigned idle; /* times that nothing was found to have happened */
};

extern struct adi_device adi_device;

/* adi_mark - the offset that tells the number of a long message, and the other way round: from the end, so that little
 * of the body is kept while few are under way. */
static inline uint32_t adi_mark(uint32_t number)
{
    return PUMA_MARKS - 1 - number % PUMA_MARKS;
}

/* adi_need - what was allocated; ends the job without it. */
void *adi_need(void *memory);

#endif
