/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What each device notes in a request: it belongs to that device alone, but that the other one and what stands above
 * may ask where the request is.
 */
#ifndef REF_IMPL_MPI_MESSAGES_DEVICE_PARTS_H
#define REF_IMPL_MPI_MESSAGES_DEVICE_PARTS_H

#include <portals.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct request;

/* Where a request is in the local device. */
enum local_place {
    LOCAL_NOWHERE, /* not here */
    LOCAL_QUEUED,  /* a send that waits for its turn */
    LOCAL_POSTED,  /* a receive in the match list */
    LOCAL_LISTED,  /* a receive in a list of the library's own: it gets its message when an arrival is noted */
    LOCAL_MOVING,  /* matched: its octets are on their way; or sent, and not all has been heard of it */
    LOCAL_ASKED,   /* a short send that has left: the receiver has been asked to forget it */
};

/* What a receive takes, in the local device: any bits among those that are ignored. */
struct local_want {
    ptl_match_bits_t bits, ignored;
    int rid; /* of the sender in the client, or -1: of each */
};

/* The local device's part of a request. */
struct local_request {
    enum local_place place;
    bool is_long;         /* send: it is kept for the receiver to get */
    bool cancelling;      /* send: the receiver has been, or will be asked to forget it */
    bool asked;           /* ... has been, of a short one */
    bool settled;         /* long send: acknowledged or got */
    bool is_short;        /* send: it has gone to a posted receive, or to a buffer */
    bool is_copy;         /* send: the library's own, of a message that could not leave (local/copy.h) */
    bool beside;          /* what is heard of it goes to the helper */
    uint32_t number;      /* of a long message: names it at its sender (local/offer.c) */
    uint32_t sequence;    /* short send: so many went to that process before it */
    unsigned awaited;     /* events that are still to come */
    struct request *twin; /* of a send its copy, of a copy its send; NULL: there is none any more */
    void *part;           /* what the device of MPI on Puma (adi/) notes, if that is in the place of this one */
    ptl_handle_me_t entry;
    ptl_handle_md_t descriptor;
    struct local_want want;     /* receive */
    uint64_t age;               /* while LOCAL_LISTED: so many were listed before */
    TAILQ_ENTRY(request) chain; /* while LOCAL_LISTED: among those of one hash */
    TAILQ_ENTRY(request) queue; /* while LOCAL_QUEUED or LOCAL_LISTED */
};

/* Where a request is in the wide-area device.
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

/* The wide-area device's part of a request. */
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

#endif
