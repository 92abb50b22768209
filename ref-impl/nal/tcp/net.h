/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The inside of the TCP network, shared by the files of this folder and by nobody else.
 *
 *      nal_send, nal_revoke                       the progress thread (progress.c)
 *           |                                        |            |            |
 *     interface.c -- queue.c: writing            accept.c      read.c        self.c
 *           |              |                     HELLO         header, data  messages to oneself
 *           +------- connection.c, routes                         |
 *                                                 ../peer/landing.c: where arriving data goes, revocation
 *
 * Locks. `lock` guards what its group of members says, and is lent to the arrivals, whose own lock comes after it. It
 * is not held during an upcall.
 *
 * Streams are created by any thread, but destroyed by the progress thread only, never while it handles another
 * connection's event. Other threads find connections through the routes, under `lock`, and do not keep them.
 */
#ifndef REF_IMPL_NAL_TCP_NET_H
#define REF_IMPL_NAL_TCP_NET_H

#include "ref-impl/lock.h"
#include "ref-impl/nal/drive.h"
#include "ref-impl/nal/nal.h"
#include "ref-impl/nal/network.h"
#include "ref-impl/nal/peer/arrivals.h"
#include "ref-impl/nal/peer/interface.h"
#include "ref-impl/nal/peer/queue.h"
#include "wire/portals/messages.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TCP_INPUT_OCTETS = 16 * 1024, /* read ahead of a connection: holds headers and small payloads */
    TCP_ROUTES = 256,             /* chains of the table of routes */
    TCP_TICK_MS = 100,            /* how often deadlines and stalled peers are looked at, while there are any */
    TCP_HELLO_MS = 10000,         /* a connection without HELLO is closed after this time */
    TCP_REDIAL_MS = 200,          /* after which a peer is called again that does not listen yet */
    TCP_ANSWERS_SOFT = 4096,      /* unsent acknowledgements and replies above which a stalled peer is no longer read */
    TCP_ANSWERS_HARD = 1 << 20,   /* and above which no peer is */
    TCP_HELD_OCTETS = 1024,       /* longer messages are neither held back nor copied (queue.c) */
    TCP_COPIES_MOST = 256,        /* messages of one connection that wait in copies */
    TCP_HELD_POLLS = 2,           /* polls after which what is held back leaves */
    TCP_POLLS_SPARED = 8,         /* polls right after a message that do not ask the system, in a row at most */
    TCP_CROSSED_READS = 32,       /* of a connection that the peer has opened, before it takes the place of our own */
    TCP_LEAVING_MS = 2000,        /* how long a peer may take to close what has ended */
    TCP_RECENT_LOOKS = 4,         /* of so many looks one asks the system what has come on all connections */
    TCP_STALLED_TICKS = 10,       /* a peer is stalled when it took no octet for so many ticks */
};

/* struct tcp_item is one message that waits to be sent. `done` counts octets of header and payload. The payload is the
 * caller's, or a copy behind the header. */
struct tcp_item {
    struct peer_item base;
    bool is_copy;
    size_t header_octets; /* a NUMBER that stands before the header included */
    unsigned char header[];
};

enum tcp_reading {
    TCP_READ_HELLO,   /* nothing but HELLO may come */
    TCP_READ_HEADER,  /* at a message boundary, or inside a header */
    TCP_READ_PAYLOAD, /* a header was taken; landing.remaining + surplus octets follow */
};

struct tcp_connection {
    struct tcp_net *net;
    int fd;
    bool opened; /* by this process; else accepted */

    /* Of whoever has the turn. */
    enum tcp_reading reading;
    struct wire_portals_id peer; /* as its HELLO said; until then only nid and pid of whom we called */
    uint32_t interface;
    uint64_t epoch, number; /* of the NUMBER whose message comes next; 0 when there was none */
    uint64_t surplus;       /* octets of payload that are thrown away after what lands */
    uint64_t deadline_ms;
    struct landing landing;
    uint32_t reads; /* that brought something */
    size_t input_begin, input_end;
    unsigned char input[TCP_INPUT_OCTETS];

    /* Guarded by net->lock. */
    struct tcp_connection *next, *prev; /* all connections of the net */
    struct tcp_connection *route_next;  /* connections of one chain of routes */
    bool routed;                        /* messages to this peer and interface go here */
    bool connecting;
    bool greeted;                /* the peer's HELLO was taken */
    bool numbered;               /* and said that the peer knows numbered messages */
    bool refused;                /* nobody listens where the connection was to lead */
    uint64_t redial_ms;          /* when the peer is called again; 0: it is not, else there is no socket */
    uint64_t patience_ms;        /* when that ends */
    bool broken;                 /* nothing can be written any more */
    bool ended;                  /* nothing more will be read; what is queued may still go out */
    struct tcp_connection *twin; /* the other one, where both processes have opened one; NULL: there is none */
    bool leaving;                /* our direction has ended: what is sent waits to go on the twin */
    bool dirty;                  /* in net->dirty */
    struct tcp_connection *dirty_next;
    uint32_t pushed; /* messages of callers since `era` was the net's */
    uint32_t era;
    struct peer_queue queue;
    uint32_t copies;        /* items in the queue that are copies */
    uint32_t awaited;       /* items in the queue of which somebody waits to hear that they are sent */
    uint32_t answers;       /* items in the queue that the peer has caused */
    uint32_t stalled_ticks; /* since octets moved, while there are too many answers */
    bool paused;            /* not read until its peer takes what is queued for it */
    uint32_t completing; /* `sent` of items that were queued here are being called: no newer item may overtake them */
    uint32_t events;     /* what epoll watches for */
};

struct tcp_net {
    struct wire_portals_id self;
    uint32_t group_size;
    struct network_watch watch; /* peer is NULL when nobody watches */
    uint32_t patience_ms;       /* how long a peer is waited for that does not listen */
    int listen_fd, epoll_fd, wake_fd;
    pthread_t thread;

    struct arrivals arrivals;
    struct peer_network interfaces; /* what it guards by `lock` included */

    struct lock lock;
    pthread_cond_t quiet; /* an arrive has ended, or an interface is closed */
    struct tcp_connection *connections;
    struct tcp_connection *routes[TCP_ROUTES];
    struct tcp_connection *dirty; /* have queued items that are written at the end of a batch */
    struct peer_queue self_queue;
    uint32_t paused_count;
    bool woken;        /* wake_fd has been written and not yet read */
    bool sweep_wanted; /* a connection needs a look without an event of its own */
    bool accept_paused;
    bool stopping;

    _Atomic bool poked;      /* the caller that drives is to return */
    _Atomic bool held;       /* messages are held back: `dirty` has their connections */
    _Atomic uint32_t polls;  /* since a message was sent */
    _Atomic uint32_t spared; /* polls right after a message */
    _Atomic uint32_t era;    /* how often somebody has waited, or polled more than once */
    struct drive drive;
    struct drive_spin idle; /* the progress thread's own */

    /* Of whoever has the turn (../drive.h); where it says "progress thread" below, that is meant. */
    int timeout_ms;                /* how long one may sleep; -1: until there is something to do */
    bool batching;                 /* a connection is being read: answers are collected and written together */
    struct tcp_connection *recent; /* the one that was heard last, or NULL */
    uint32_t looks;                /* of callers */
    bool listening;                /* epoll watches the listening socket */
    struct landing self_landing;
    uint64_t tick_ms;       /* when the next look is due; 0 when nothing needs one */
    uint64_t stop_ms;       /* when stopping began; 0 before */
    uint64_t stop_left;     /* octets that were still to arrive when some did, */
    uint64_t stop_moved_ms; /* the last time */
};

/* tcp_net_wake - makes the progress thread look at what has changed.
 * tcp_net_wake_sweep - and at every connection. Called with `lock` held. */
void tcp_net_wake(struct tcp_net *net);
void tcp_net_wake_sweep(struct tcp_net *net);
/* tcp_progress_is_me - whether the caller is at work for this net. */
bool tcp_progress_is_me(const struct tcp_net *net);

/* tcp_item_new - an item for a message, with its payload or with a copy of it; NULL without memory.
 * tcp_item_of - the item that begins so. */
struct tcp_item *tcp_item_new(const struct wire_portals_header *header, const void *payload, uint64_t length,
                              bool is_copy);
static inline struct tcp_item *tcp_item_of(struct peer_item *base)
{
    return (struct tcp_item *)base;
}
/* tcp_connection_takes_copy - whether a copy may be pushed: nobody has to hear of what is done with then.
 * tcp_connection_push - queues an item, or writes it at once where order allows; what is done with goes to *finished.
 * tcp_connection_flush - writes what is queued, up to `writes` system calls.
 * tcp_connection_fail - gives up all that is queued. All with `lock` held. */
bool tcp_connection_takes_copy(const struct tcp_connection *connection);
void tcp_connection_push(struct tcp_connection *connection, struct peer_item *item, struct peer_queue *finished);
void tcp_connection_flush(struct tcp_connection *connection, int writes, struct peer_queue *finished);
void tcp_connection_fail(struct tcp_connection *connection, struct peer_queue *finished);
/* tcp_net_release - writes what is held back, and says whether anything was; with the turn, no lock held. */
bool tcp_net_release(struct tcp_net *net);
/* tcp_connection_clean - takes a connection out of the list of dirty ones. With `lock` held. */
void tcp_connection_clean(struct tcp_connection *connection);
/* tcp_connection_write - flushes and calls `sent`; progress thread, no lock held.
 * tcp_net_write_dirty - the same for all connections that answers were collected for. */
void tcp_connection_write(struct tcp_connection *connection);
void tcp_net_write_dirty(struct tcp_net *net);

/* tcp_connection_new - a connection on a connected or connecting socket, in the list and watched; NULL without memory,
 * the socket is then still the caller's.
 * tcp_connection_connect - opens a connection to a peer, HELLO queued; NAL_OK also where the refusal will show only
 * later. Both with `lock` held. */
struct tcp_connection *tcp_connection_new(struct tcp_net *net, int fd, bool opened);
enum nal_status tcp_connection_connect(struct tcp_net *net, uint32_t interface, const struct wire_portals_id *target,
                                       struct tcp_connection **connection);
/* tcp_connection_wait - whether a connection that was refused is tried again later. No lock held.
 * tcp_connection_redial - tries it again when due; false: it is to be destroyed. No lock held. Progress thread. */
bool tcp_connection_wait(struct tcp_connection *connection);
bool tcp_connection_redial(struct tcp_connection *connection);
/* tcp_connection_destroy - closes a connection and completes its queue as not sent. Progress thread, no lock held. */
void tcp_connection_destroy(struct tcp_connection *connection);
/* tcp_connection_watch - tells epoll what the connection waits for now. With `lock` held. */
void tcp_connection_watch(struct tcp_connection *connection);
/* tcp_connection_hello - queues this process's HELLO. False without memory. With `lock` held. */
bool tcp_connection_hello(struct tcp_connection *connection);
/* tcp_route_find - the connection on which messages to that peer and interface go, or NULL.
 * tcp_route_add, tcp_route_remove - make a connection that route, or no longer. With `lock` held. */
struct tcp_connection *tcp_route_find(struct tcp_net *net, uint32_t interface, uint32_t nid, uint32_t pid);
void tcp_route_add(struct tcp_connection *connection);
void tcp_route_remove(struct tcp_connection *connection);

/* tcp_crossing_note - the peer has opened a connection although this process has.
 * tcp_crossing_holds - whether what is queued on the connection waits for its twin to be over.
 * tcp_crossing_end - the connection is over: gives the one whose queue has waited for that, or NULL. All with `lock`
 * held.
 * tcp_crossing_advance - leaves one of two connections when it is time, after reading. With the turn, no lock held. */
void tcp_crossing_note(struct tcp_connection *accepted, struct tcp_connection *own);
bool tcp_crossing_holds(const struct tcp_connection *connection);
struct tcp_connection *tcp_crossing_end(struct tcp_connection *connection);
void tcp_crossing_advance(struct tcp_connection *connection);

/* tcp_connection_tell - tells the watch what has become of the connection's peer. No lock held. */
void tcp_connection_tell(const struct tcp_connection *connection, enum network_peer_state state);

/* tcp_accept_all - takes the connections that wait.
 * tcp_hello_take - judges a HELLO; false: close. Progress thread. */
void tcp_accept_all(struct tcp_net *net);
bool tcp_hello_take(struct tcp_connection *connection, const struct wire_portals_header *hello);

/* tcp_connection_read - reads and handles what has arrived, of a connection that is known to be at its end (`last`)
 * also where its peer is otherwise not heard; false when the connection is to be destroyed. Progress thread. */
bool tcp_connection_read(struct tcp_connection *connection, bool last);

/* tcp_self_deliver - delivers the messages that this process has sent to itself. Progress thread. */
void tcp_self_deliver(struct tcp_net *net);

/* tcp_closing_begin - fills in how interfaces of this net end (closing.c). */
void tcp_closing_begin(struct tcp_net *net);

/* tcp_progress_run - the progress thread; `net` is its argument. */
void *tcp_progress_run(void *net);
/* tcp_driving - how callers do its work. */
extern const struct nal_driving tcp_driving;

#endif
