/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the local device keeps, for its own files. The match list of the portal where messages arrive:
 *
 *      [ posted receives, oldest first ] --> [ mark ] --> [ short ] --> [ long ]
 *                                            takes         a list of     cuts to
 *                                            nothing       buffers       nothing
 *
 * and that of the portal where long messages lie until they are fetched:
 *
 *      [ long messages on offer ] --> [ end ], which takes nothing
 *
 * of which there are more, for very many of them (LOCAL_FETCH_FAR).
 *
 * Two protocols.
 *
 *   short   One put, without acknowledgement, done when it has left; of a few octets a copy is put (local/tiny.c), and
 *           the send is done. Taken by a buffer of `short`, from where it is copied when its receive is known: a
 *           receive with room for a few octets only mostly stands in no match list (local/receive.c). So that there
 *           always is such a buffer, each process lends each other one some: `credits`. A process gives them back when
 *           it has taken the message out of the buffer, or where it keeps too many, when that is received.
 *   long    The message is laid out to be got, then put with the wish for an acknowledgement. A posted receive takes it
 *           and acknowledges: done. Otherwise `long` keeps nothing but the fact, and does not acknowledge; the receiver
 *           gets the octets when it wants them: done. Nothing is copied, and nothing but room for an event is needed at
 *           the receiver until it has noted the fact, which is lent too (local/offer.c). A synchronous message goes
 *           this way whatever its length, because the sender hears when it is being received; and so does a short one
 *           when there are no credits, so that a busy receiver stops nobody.
 *
 * What can go neither way waits in the sender's queue for that process, in order. A short message without credits is
 * copied, whichever way it goes then, so that nobody waits for a receiver that does not ask (local/copy.h); the helper
 * thread gets it on its way, and takes note of credits. When these are used up, or half of what may be unnoted is, the
 * sender asks the receiver to note what has arrived, which its helper does while the program calls nothing or waits for
 * something else. Match bits of a message:
 *
 *       63   62   61       49 48             31 30                              0
 *      +----+----+-----------+-----------------+---------------------------------+
 *      |long|form|  number   |      slot       |               tag               |
 *      +----+----+-----------+-----------------+---------------------------------+
 *
 * Form is 1 for octets in external32, which those of communicators of several clients are. The number of a long message
 * says under which it lies at its sender, without the upper bits, which were told before; that of a short one that may
 * be cancelled, 1 to 8191, how many of these went before it.
 *
 * Who sent it says the process id of the match entry. A third portal has the messages of the device itself.
 */
#ifndef REF_IMPL_MPI_LOCAL_STATE_H
#define REF_IMPL_MPI_LOCAL_STATE_H

#include <portals.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/short_path.h"

enum local_portal {
    LOCAL_ARRIVE,
    LOCAL_FETCH,
    LOCAL_CONTROL,
    LOCAL_PUTS, /* this one and those below are of one-sided communication (windows/state.h) */
    LOCAL_GETS,
    LOCAL_ASKS,
    LOCAL_ANSWERS,
    LOCAL_FETCH_FAR, /* the first of those where long messages with far numbers lie (local/offer.c) */
    LOCAL_FETCH_LAST = LOCAL_FETCH_FAR + 15,
    LOCAL_PORTALS,
};

enum {
    //= PUMA-031
    //= PUMA-129
    LOCAL_LONG_OCTETS = 2048,  /* messages of so many octets are long */
    LOCAL_LISTED_OCTETS = 512, /* receives with room for less are listed; more would cost the buffers too much memory */
    LOCAL_NUMBERS = 32768,     /* long messages that a process may have to note: each other one has its share, */
    LOCAL_NUMBERS_MOST = 8192, /* ... at most so many */
    LOCAL_NUMBERS_LEAST = 64,  /* ... at least so many */
    LOCAL_FAR_FIRST = LOCAL_NUMBERS_MOST,                     /* further ones have numbers from here on, */
    LOCAL_FAR_LISTS = LOCAL_FETCH_LAST - LOCAL_FETCH_FAR + 1, /* ... and lie in so many lists, */
    LOCAL_FAR_EACH = 32768,                                   /* ... so many in each */
    LOCAL_FETCHING_MAX = 8192, /* long messages of which the program hears when they have been got, or the helper */
    LOCAL_SEQUENCES = 8191,    /* short ones that the number in the match bits tells from each other */
    LOCAL_ASKED_MAX = 128,     /* messages for which the question whether they may be cancelled is under way */
    //= PUMA-049
    LOCAL_POSTED_MAX = 16384, /* receives in the match list */
    LOCAL_SENDING_MAX = 8192, /* sends of which events are still to come; far ones that have not left */
    //= PUMA-048
    //= PUMA-106
    //= PUMA-165
    LOCAL_SHORT_KEPT = 131072, /* short messages that a process has room for: each other one has its share */
    LOCAL_CREDITS_LEAST = 4,   /* ... at least so many */
    LOCAL_COPIES = 100000,     /* short messages that wait for one process at their sender, if it copied them */
    LOCAL_COPIED_OCTETS = 1 << 26,
    LOCAL_COPIES_ALL = 400000, /* ... for all processes together */
    LOCAL_COPIED_OCTETS_ALL = 1 << 28,
    LOCAL_NOTED = 1 << 20, /* short messages that a process keeps beyond the credits that it lends */
    LOCAL_NOTED_OCTETS = 1 << 29,
    LOCAL_BUFFER_MESSAGES = 2048, /* that go into one buffer; each is a descriptor, which costs at the start */
    LOCAL_SPARE = 64,             /* descriptors that are kept to be used again */
    LOCAL_READY = 8,              /* ... by calls that send and wait; a power of two */
};

#define LOCAL_COOKIE ((ptl_ac_index_t)0) /* entry of the access table that admits the job */

/* Messages of the device itself: what they are stands in the upper half of the match bits, with what in the lower. */
enum local_control {
    LOCAL_WAKE_COMPLETION, /* from oneself */
    LOCAL_WAKE_ARRIVAL,    /* from oneself */
    LOCAL_CREDIT,          /* so many buffers may be used again */
    LOCAL_CANCEL,          /* forget the long message of that number */
    LOCAL_FORGOTTEN,       /* done */
    LOCAL_TOO_LATE,        /* it is being received */
    LOCAL_SHORT_FORGOTTEN, /* forgotten: the short message of that number */
    LOCAL_SHORT_TOO_LATE,  /* it is not here any more */
    LOCAL_STOP,            /* from oneself: the helper ends */
    LOCAL_UPPER,           /* the bits of the numbers of the next long messages that have no room in theirs */
    LOCAL_NOTE,            /* note what has arrived, */
    LOCAL_COUNTED,         /* ... and so many long messages and words about their numbers have been noted */
    LOCAL_GOT,             /* so many messages with far numbers have been got */
    LOCAL_CONTROL_FIRST = LOCAL_WAKE_COMPLETION,
};

/* One more: the wish to forget a short message. Beside this bit stand the match bits of the message. */
#define LOCAL_CANCEL_SHORT ((ptl_match_bits_t)1 << 63)

/* Room for LOCAL_BUFFER_MESSAGES short messages that nobody has asked for, one behind the other. */
struct local_buffer {
    ptl_handle_md_t descriptor;
    unsigned char *start;
    unsigned noted; /* messages in it that have been taken note of */
};

struct local_arrival;

/* A wish to cancel a message, from the process that sent it. */
struct local_ask {
    int rid;
    ptl_match_bits_t bits; /* of the message to the device */
    TAILQ_ENTRY(local_ask) link;
};

TAILQ_HEAD(local_ask_list, local_ask);

/* Another process of the client, or this one. */
struct local_peer {
    int credits;             /* of ours at its side */
    int owed;                /* of its at our side, which it does not know to be free again */
    int copies;              /* sends to it that were copied, and wait or are under way */
    size_t copied_octets;    /* of all these */
    uint32_t sequence;       /* of the next short message to it */
    struct request **number; /* long messages to it, by their numbers */
    uint16_t *free;          /* numbers that were given back, `free_count` of `numbered` */
    uint32_t numbered, free_count;
    uint32_t unnoted;    /* long messages to it, and words about their numbers, that it may still have to note */
    uint32_t told_upper; /* the upper bits of the last number */
    bool asked;          /* to note what has arrived; it has not answered */
    bool credited;       /* it has given credits back since */
    uint32_t noted;      /* of its long messages and words, which it has not been told */
    uint32_t upper;      /* the upper bits of the number of its next long message */
    uint32_t unsaid;     /* far ones that were, or are being got from it, without its having said that it has heard */
    uint32_t heard;      /* far ones that it has got, which it has not been told */
    struct request_list queue; /* sends that wait */
};

/* A descriptor of what a blocking call has sent, for the next one that sends the same octets. */
struct local_ready {
    bool bound;
    const void *octets;
    size_t length;
    ptl_handle_md_t descriptor;
};

/* The device. `interface` to `end` and `size` to `numbers` stay as they are; the rest is guarded by the engine's lock.
 */
struct local_device {
    ptl_process_id_t self;
    ptl_handle_ni_t interface;
    ptl_handle_eq_t done, arrived, asked; /* of requests, of unexpected messages, for the helper and of copies */
    int (*wait)(ptl_handle_eq_t queue, ptl_event_t *event); /* PtlEQWait, or what does more (windows/attend.h) */
    ptl_handle_me_t mark, short_entry, long_entry, end;
    int size; /* processes of the client */
    int credits;
    uint32_t numbers;
    pthread_t helper;

    struct local_peer *peer;
    struct request **number; /* those of all peers, one behind the other */
    uint16_t *free;
    struct local_buffer *buffers;
    unsigned char *octets; /* of all buffers */
    size_t buffer_count;
    struct local_buffer *last_buffer;   /* at the end of the list of `short_entry`, unless that is empty */
    struct local_buffer *empty_buffer;  /* all in it has been noted, but it is not back in the list */
    ptl_handle_md_t nothing;            /* the source of empty messages */
    struct request *opening;            /* the receive that is being posted */
    struct local_arrival *found;        /* the first message for that one; it is among the unexpected ones */
    ptl_handle_md_t spare[LOCAL_SPARE]; /* descriptors of messages that have been sent, for the next ones */
    unsigned spare_count;
    struct local_ready ready[LOCAL_READY];
    bool leaving; /* one of these is being sent */
    unsigned posted, fetching, sending, queued, asking;
    unsigned getting, getting_beside; /* of those being fetched: under way, heard of by the program, by the helper */
    unsigned far, far_leaving;        /* long sends with far numbers, those that have not left */
    struct request_list fetches;      /* those being fetched that wait for their turn */
    int copies;                       /* to all processes, and their octets */
    size_t copied_octets;
    unsigned noted; /* unexpected messages of which the credits are given back already */
    size_t noted_octets;
    unsigned idle_turns;            /* of waiting for two queues in turn, since the last event of either */
    unsigned long finishes;         /* request_finishes when it was looked at last, before a pause */
    bool waking[2];                 /* an event to wake the program is under way: of a completion, of an arrival */
    struct local_ask_list asks;     /* what the helper leaves to the program, which is waiting for arrivals */
    struct request_list asked_back; /* messages that are being cancelled: `asking` of them, then those that wait */
};

extern struct local_device local_device;

/* local_must - calls a Portals function that cannot fail unless the job is broken.
 * local_must_ - says which one did, and ends the job. */
ASIDE void local_must_(int code, const char *call);
#define local_must(call) local_must_((call), #call)

/* local_process - a process of the client, or each of them, as criterion and as target. */
ptl_process_id_t local_process(int rid);
#define LOCAL_EACH (-1)

/* local_control_bits - match bits of a message of the device itself. */
static inline ptl_match_bits_t local_control_bits(enum local_control what, uint32_t with)
{
    return (ptl_match_bits_t)what << 32 | with;
}

/* local_tell - sends a message of the device itself. */
ASIDE void local_tell(int rid, enum local_control what, uint32_t with);

#endif
