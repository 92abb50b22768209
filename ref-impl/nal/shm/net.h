/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The inside of the shared memory network, shared by the files of this folder and by nobody else.
 *
 *      nal_send, nal_revoke                       the progress thread (progress.c)
 *           |                                        |                  |
 *     interface.c ----- send.c: endpoints out      receive.c          closing.c
 *                           |                     records, data      end of interfaces
 *                       ring.c                       |
 *                       segment.c                 ../peer/landing.c: where arriving data goes, revocation
 *
 * What is in a ring: short messages in a brief form (brief.h), and records, each directly followed by the payload of
 * its message, or by nothing where the payload is lent. A lent payload stays in the sender's memory, and the receiver
 * fetches it from there straight into the place for which it is meant: one copy instead of two. Payload is lent when it
 * is long and the kernel lets the receiver read the sender's memory (process_vm_readv); the receiver says whether it
 * does. Where both processes are at work it is faster poured (pour.h). What the application was given back meanwhile,
 * because the sender gave the message up, does not count as received: the receiver looks at `withdrawn` after fetching.
 *
 * Locks. `lock` guards what its group of members says, and is lent to the arrivals, whose own lock comes after it. It
 * is not held during an upcall.
 */
#ifndef REF_IMPL_NAL_SHM_NET_H
#define REF_IMPL_NAL_SHM_NET_H

#include "ref-impl/lock.h"
#include "ref-impl/nal/drive.h"
#include "ref-impl/nal/nal.h"
#include "ref-impl/nal/peer/arrivals.h"
#include "ref-impl/nal/peer/interface.h"
#include "ref-impl/nal/peer/queue.h"
#include "ref-impl/nal/shm/ring.h"
#include "ref-impl/nal/shm/segment.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHM_LEND_OCTETS = 16 * 1024,  /* longer payload is lent where that is possible */
    SHM_PIECE_OCTETS = 16 * 1024, /* payload is published in pieces of this size: both sides copy at the same time */
    SHM_TICK_MS = 50,             /* how often peers are looked at while something waits for them */
    SHM_ANSWERS_SOFT = 4096,      /* unsent acknowledgements and replies above which a stalled peer is no longer read */
    SHM_ANSWERS_HARD = 1 << 20,   /* and above which no peer is */
    SHM_STALLED_TICKS = 20,       /* a peer is stalled when it took no octet for so many ticks */
    SHM_TURN_STEPS = 64,          /* records and pieces of one peer, before others have their turn */
    SHM_WATCHED = 4,              /* rings that are looked at directly */
};

/* struct shm_record begins a message in a ring, unless that has the short form (brief.h). */
struct shm_record {
    uint64_t form; /* SHM_FORM_WHOLE */
    struct wire_portals_header header;
    uint64_t lent_at; /* where the payload is in the sender's memory; 0: it follows in the ring */
};

/* struct shm_item is one message that waits: for room in a ring, or for its payload to be fetched. `done` counts octets
 * of payload in the ring. */
struct shm_item {
    struct peer_item base;
    uint64_t number; /* among the lent payloads of its endpoint, from 1 */
    bool begun;      /* its record is in the ring */
    struct wire_portals_header header;
};

/* Whether messages can be put into the ring to a peer:
 *
 *      FRESH --first use--> OPEN --the peer is gone--> DEAD
 *        +----no memory---> CLOSED: NAL_NO_ROUTE, for ever                                                           */
enum shm_out { SHM_OUT_FRESH, SHM_OUT_OPEN, SHM_OUT_CLOSED, SHM_OUT_DEAD };

enum shm_reading {
    SHM_READ_RECORD,  /* at a message boundary */
    SHM_READ_PAYLOAD, /* landing.remaining + surplus octets follow in the ring */
    SHM_READ_LENT,    /* landing.remaining octets are to be fetched */
    SHM_READ_NEVER,   /* the ring holds nonsense */
};

/* struct shm_endpoint is the traffic with one interface of one peer, in both directions. */
struct shm_endpoint {
    struct shm_net *net;
    struct shm_peer *peer;
    uint32_t interface;

    /* Of whoever has the turn (../drive.h); where it says "progress thread" below, that is meant. */
    struct shm_ring *in;
    uint64_t in_written; /* how far the peer had written it when that was last looked at */
    enum shm_reading reading;
    uint64_t surplus;       /* octets of payload that are thrown away after what lands */
    uint64_t lent_at;       /* where the rest of a lent payload is */
    uint64_t lent_received; /* how many lent payloads have been announced to us */
    bool heard;             /* the peer has used the ring */
    bool asked;             /* the sender knows whether we can fetch */
    bool pours;             /* the peer has been asked to pour what is being read, and may */
    uint8_t unasked;        /* so many lent payloads it is not asked for next */
    uint8_t unanswered;     /* so many it was not asked for, since it had not answered */
    bool has_pour;          /* there is memory to pour into */
    struct landing landing;

    /* Guarded by net->lock. */
    struct shm_ring *out;
    uint64_t out_read; /* how far the peer had read it when that was last looked at */
    enum shm_out state;
    struct peer_queue queue;  /* not, or not wholly, in the ring */
    struct peer_queue lent;   /* in the ring, but their payload has not been fetched */
    uint64_t lent_sent;       /* how many payloads were ever lent */
    _Atomic uint32_t waiting; /* items in both queues; also read without the lock, and so is the next */
    _Atomic uint32_t answers; /* items that the peer has caused */
    uint32_t stalled_ticks;   /* since anything moved, while there are too many answers */
    uint32_t completing;      /* `sent` of items of this endpoint are being called: no newer item may overtake them */
};

/* What is to be done besides what bits say. */
enum shm_want {
    SHM_WANT_LOOK = 1,   /* to look at everything */
    SHM_WANT_RETURN = 2, /* the caller that drives is to return */
};

/* struct shm_peer is another process of the job on this node. */
struct shm_peer {
    struct wire_portals_id id;
    struct shm_inbox *inbox;
    unsigned char *rings;
    bool gone; /* of whoever has the turn */
    struct shm_endpoint endpoints[SHM_INTERFACES];
};

/* struct shm_watch is the rings that are looked at directly (watch.c). Written by whoever has the turn, read by all. */
struct shm_watch {
    _Atomic(struct shm_endpoint *) endpoints[SHM_WATCHED];
    uint32_t next;    /* whose place the next one takes */
    _Atomic bool any; /* there may be one */
};

struct shm_net {
    struct shm_segment segment;
    pthread_t thread;

    /* Written by shm_net_join, before `joined`. */
    struct wire_portals_id self;
    uint32_t size;             /* of the job */
    uint32_t words;            /* of pending bits that are in use */
    uint32_t count;            /* of peers */
    struct shm_peer *peers;    /* ordered by their pids */
    struct shm_peer **by_rank; /* `size` of them; NULL: not on this network */

    struct arrivals arrivals;
    struct peer_network interfaces; /* what it guards by `lock` included */

    struct lock lock;
    pthread_cond_t quiet; /* an arrive has ended, an interface is closed, or the thread has begun */
    uint64_t items;       /* that wait in any endpoint */
    bool begun, joined;

    _Atomic bool ticking;    /* all peers are looked at from time to time; set by whoever drives */
    _Atomic bool stopping;   /* set under `lock` */
    _Atomic uint32_t wanted; /* of enum shm_want; whoever adds to it then rings the bell */

    struct shm_watch watch;
    struct drive drive;
    struct drive_spin idle; /* the progress thread's own */

    /* Of whoever has the turn. */
    uint32_t arriving_count;              /* endpoints in the middle of a message */
    uint64_t tick_ms;                     /* when the next look is due */
    bool called;                          /* it is a caller: the program is here and does not compute */
    uint32_t hurries;                     /* passes of callers that may have left something to the next one */
    struct shm_endpoint *taking, *giving; /* where payload is being poured (pour.h); NULL: nowhere */
    uint64_t taken_ns;                    /* when the peer was asked, or poured last */
    uint64_t looked_ns;                   /* when we have looked last whether it has */
    uint64_t given_ns;                    /* when we have poured last */
    _Atomic uint64_t expected_ns;         /* until then the peer may ask for what was lent last; 0: no more */
};

/* shm_progress_is_me - whether the caller is at work for this net. */
bool shm_progress_is_me(const struct shm_net *net);
/* shm_net_wake - makes the progress thread look at everything. With `lock` held. */
void shm_net_wake(struct shm_net *net);
/* shm_progress_run - the progress thread; `net` is its argument. */
void *shm_progress_run(void *net);
/* shm_driving - how callers do its work. */
extern const struct nal_driving shm_driving;

/* shm_item_new - an item for a message; NULL without memory.
 * shm_item_of - the item that begins so. */
struct shm_item *shm_item_new(const struct wire_portals_header *header, const void *payload, uint64_t length);
static inline struct shm_item *shm_item_of(struct peer_item *base)
{
    return (struct shm_item *)base;
}
/* shm_peer_compare - orders peers by their pids, for bsearch and qsort. */
int shm_peer_compare(const void *left, const void *right);

/* shm_endpoint_usable - whether the endpoint's ring can be used at all; decided once.
 * shm_endpoint_put - puts a short message into the ring as a whole; false, and nothing done, where others wait or there
 * is no room.
 * shm_endpoint_push - queues an item, or puts it into the ring at once where order allows; what is done with goes to
 * *finished.
 * shm_endpoint_fail - gives up all that the endpoint holds. All with `lock` held.
 * shm_endpoint_write - puts into the ring what there is room for, takes back what was fetched, and calls `sent`;
 * progress thread, no lock held. */
bool shm_endpoint_usable(struct shm_endpoint *endpoint);
bool shm_endpoint_put(struct shm_endpoint *endpoint, const struct wire_portals_header *header, const void *payload,
                      uint64_t length);
void shm_endpoint_push(struct shm_endpoint *endpoint, struct peer_item *item, struct peer_queue *finished);
void shm_endpoint_fail(struct shm_endpoint *endpoint, struct peer_queue *finished);
void shm_endpoint_write(struct shm_endpoint *endpoint);
/* shm_endpoint_tick - notes that time has passed. Progress thread, no lock held. */
void shm_endpoint_tick(struct shm_endpoint *endpoint);

/* shm_endpoint_read - handles what has arrived in the endpoint, up to a turn's worth; says whether there may be more.
 * shm_endpoint_interrupt - the interface closes: what is arriving does not land.
 * shm_endpoint_end - the peer is gone: what it had sent arrives, but the message that it was in the middle of will
 * never be whole. Progress thread. */
bool shm_endpoint_read(struct shm_endpoint *endpoint);
void shm_endpoint_interrupt(struct shm_endpoint *endpoint);
void shm_endpoint_end(struct shm_endpoint *endpoint);

/* shm_watch_begin - looks at the endpoint's ring directly from now on.
 * shm_watch_end, shm_watch_end_all - no longer; what is in it then is marked. All with the turn.
 * shm_watch_due - one in which there is something, or NULL. Any thread. */
void shm_watch_begin(struct shm_endpoint *endpoint);
void shm_watch_end(struct shm_endpoint *endpoint);
void shm_watch_end_all(struct shm_net *net);
struct shm_endpoint *shm_watch_due(struct shm_net *net);

/* shm_closing_begin - fills in how interfaces of this net end (closing.c). */
void shm_closing_begin(struct shm_net *net);

#endif
