/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The inside of the reliability layer, shared by the files of this folder and by nobody else.
 *
 *      reliable.c   the process's layer, its interfaces: opening, closing, revoking
 *      send.c       what waits for its acknowledgement; sending, and sending again
 *      receive.c    what arrives: in its turn, twice, too early; acknowledging
 *      peer.c       peers: how they are found, greeted, lost, given up
 *      timer.c      the thread that looks after what has waited too long
 *
 * One lock guards everything here. It is not held during calls into the network below nor during upcalls: what is to
 * be told is collected in a `struct reliable_done` and told afterwards. Messages that the network below holds are
 * freed only when it has said `sent`; the places of peers stay until the end of the process.
 *
 * How many places. Names are claimed by whoever connects, so there must not be one more for every name. A peer that is
 * gone and has never sent a numbered message leaves its place to another one (reliable_peer_find): nothing would be
 * known of it but that it was there. The counting of one that has must be kept, or a message of it that comes again
 * would be taken twice; so only so many are begun (reliable_peer_admit).
 */
#ifndef REF_IMPL_NAL_WRAP_RELIABLE_NET_H
#define REF_IMPL_NAL_WRAP_RELIABLE_NET_H

#include "ref-impl/nal/wrap/reliable/below.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    RELIABLE_INTERFACES = 16, /* as many as TCP has */
    RELIABLE_CHAINS = 256,    /* of the table of peers */
    RELIABLE_ROUNDS = 32,     /* of a barrier, at most */
    RELIABLE_COUNTED = 4096,  /* peers of an interface that number, in each other group and beyond the own one's size */
    RELIABLE_WINDOW = 64,     /* messages that are under way to one peer at once */
    RELIABLE_AGAIN_MS = 10,   /* after this time without acknowledgement all is sent again; it doubles */
    RELIABLE_AGAIN_MAX_MS = 500,
    RELIABLE_DEAD_MS = 10000,      /* a peer that acknowledges nothing new for so long is dead */
    RELIABLE_RESUME_MS = 20000,    /* a peer that does not send the rest of a message for so long is dead too */
    RELIABLE_FLUSH_IDLE_MS = 1000, /* closing gives up what is not acknowledged when nothing new is for so long */
    RELIABLE_FLUSH_MS = 10000,     /* and in any case after this time */
    RELIABLE_LINGER_MS = 150,      /* at the end of the process, since the last message that was acknowledged */
};

struct reliable;
struct reliable_peer;

/* struct reliable_message is one message of the core's, from nal_send to `sent`. */
struct reliable_message {
    struct reliable_message *next;
    struct reliable *interface;
    struct reliable_peer *peer; /* NULL when it goes to this process itself */
    struct wire_portals_header header;
    const void *payload;
    uint64_t length;
    void *cookie;
    bool below;    /* the network below has it */
    bool over;     /* nobody waits for it any more but the network below */
    bool complete; /* what `sent` will say */
};

enum reliable_contact {
    RELIABLE_UNKNOWN,  /* no connection: must be greeted before anything is sent */
    RELIABLE_GREETING, /* greeted, no answer yet */
    RELIABLE_PLAIN,    /* says version 1.0 */
    RELIABLE_NUMBERED, /* says version 1.1 or more */
};

enum reliable_landing_state {
    RELIABLE_LANDING_NONE,
    RELIABLE_LANDING_ACTIVE,  /* the network below stores its payload */
    RELIABLE_LANDING_WAITING, /* a connection broke inside it: the rest will come again */
};

/* struct reliable_landing is the message of a peer whose payload is arriving; its address is the token below. */
struct reliable_landing {
    enum reliable_landing_state state;
    uint64_t epoch, number;
    struct nal_sink sink; /* as the core gave it; all zero when the core is done with it */
    bool revoked;
    bool revoking;                 /* the network below is being told: no other message may take this place */
    uint64_t give_up_ms;           /* while waiting */
    struct reliable_landing *next; /* while active */
    struct reliable_peer *peer;
};

struct reliable_peer {
    struct reliable_peer *chain; /* peers of one chain of the table */
    struct reliable_peer *next;  /* all peers of the interface */
    struct reliable *interface;
    struct wire_portals_id id;
    enum reliable_contact contact;
    unsigned users; /* threads that have left the lock and come back to this peer */

    /* Sending. */
    bool served;          /* it has said 1.1 since it was last given up: a lost connection is no reason to give up */
    uint64_t epoch;       /* ours; 0: the next message begins one */
    uint64_t last_epoch;  /* all former ones were not larger */
    uint64_t sent_number; /* the largest one that was sent */
    uint64_t next_number; /* of the next message that is queued */
    uint64_t incarnation; /* the peer's, 0 until it is known */
    struct reliable_message *first, *last; /* not acknowledged yet, in order */
    struct reliable_message *cursor;       /* the next one to send (again); NULL: all are sent */
    uint32_t below;                        /* messages that the network below has */
    bool pumping;                          /* a thread is sending; it sends also what comes meanwhile */
    uint32_t again_ms;                     /* how long to wait before sending again */
    uint64_t due_ms;                       /* when the timer has to look; 0: never */
    uint64_t heard_ms;                     /* when an acknowledgement last brought anything new */

    /* Receiving. */
    uint64_t in_epoch; /* 0: it has not sent any numbered message that was admitted */
    uint64_t expected; /* the next number */
    bool gap;          /* it has been told that the next one is missing */
    struct reliable_landing landing;
};

enum reliable_state {
    RELIABLE_CLOSED, /* no core; below may be open, and answers */
    RELIABLE_OPEN,
    RELIABLE_CLOSING, /* no core for what arrives; what was sent is flushed */
    RELIABLE_TURNING, /* the network below is being closed, and perhaps opened again */
};

/* struct reliable is one interface. */
struct reliable {
    struct nal nal;
    struct reliable_net *net;
    struct nal_config config;
    enum reliable_state state;
    struct nal *below; /* NULL until the interface is needed */
    struct nal_upcalls upcalls;
    void *core;
    uint32_t telling;                  /* threads that are making upcalls */
    struct reliable_landing *landings; /* the active ones */
    uint64_t moved_ms;                 /* when something was last acknowledged */
    struct reliable_peer *peers;
    struct reliable_peer *chains[RELIABLE_CHAINS];
    uint32_t members, others;             /* peers with a counting, of the own group and of others */
    bool full;                            /* that there are too many has been said */
    uint64_t drops;                       /* what came while the interface was closed */
    struct wire_portals_header *barriers; /* the last one of each round; NULL while there was none */
};

struct reliable_net {
    struct reliable_below below;
    struct wire_portals_id self;
    uint32_t group_size;
    uint64_t incarnation;
    pthread_t thread;
    pthread_mutex_t open_lock; /* held while a network below is opened; taken before lock */

    pthread_mutex_t lock;
    pthread_cond_t timer; /* the timer has to look earlier, or to stop */
    pthread_cond_t quiet; /* something has ended */
    uint64_t wake_ms;     /* when the timer looks next; UINT64_MAX: not before it is told to */
    uint64_t taken_ms;    /* when a numbered message last came */
    bool stopping;
    struct reliable interfaces[RELIABLE_INTERFACES];
};

/* struct reliable_done is what the core has to be told. */
struct reliable_done {
    struct reliable_message *first, *last;
    void *token; /* of a landing that has failed, or NULL */
};

/* reliable_epoch_after - an epoch that is larger than `before` and than all of former processes. */
uint64_t reliable_epoch_after(uint64_t before);

/* reliable_done_add - a message that is over: it will be told as soon as the network below has let go of it. Lock held.
 * reliable_unlock - leaves the lock and makes the upcalls. */
void reliable_done_add(struct reliable_done *done, struct reliable_message *message, bool complete);
void reliable_unlock(struct reliable *interface, struct reliable_done *done);

/* reliable_peer_known - the peer of that address, or NULL.
 * reliable_peer_find - the same, made where there is none, in the place of one that is forgotten where there is such;
 * NULL without memory.
 * reliable_peer_admit - whether numbered messages of the peer are taken: a counting begins for it now, unless it has
 * one or there are too many; the first time a line on stderr says so. Lock held. */
struct reliable_peer *reliable_peer_known(struct reliable *interface, const struct wire_portals_id *id);
struct reliable_peer *reliable_peer_find(struct reliable *interface, const struct wire_portals_id *id);
bool reliable_peer_admit(struct reliable_peer *peer, const struct wire_portals_id *id);
/* reliable_peer_due - the timer has to look at the peer in so many milliseconds. Lock held. */
void reliable_peer_due(struct reliable_peer *peer, uint64_t in_ms);
/* reliable_peer_greet - makes contact with a peer that is not known, or lost; what comes of it reliable_net_peer is
 * told, also at once. The status of the network below. Lock held, and left meanwhile. */
enum nal_status reliable_peer_greet(struct reliable_peer *peer);
/* reliable_peer_give_up - all that was sent to the peer has failed, a new epoch begins, and what it had begun to send
 * fails.
 * reliable_peer_forget - only the former. Lock held. */
void reliable_peer_give_up(struct reliable_peer *peer, struct reliable_done *done);
void reliable_peer_forget(struct reliable_peer *peer, struct reliable_done *done);

/* reliable_peer_pump - sends what may be sent. Lock held, and left while sending.
 * reliable_peer_again - begins to send from the first message on. Lock held. */
void reliable_peer_pump(struct reliable_peer *peer, struct reliable_done *done);
void reliable_peer_again(struct reliable_peer *peer);
/* reliable_peer_renumber - begins an epoch larger than `beyond`, also for all that waits. Lock held. */
void reliable_peer_renumber(struct reliable_peer *peer, uint64_t beyond);
/* reliable_send - nal_ops' send.
 * reliable_sent - the upcall.
 * reliable_acknowledged - takes an ACKNOWLEDGE. */
enum nal_status reliable_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                              uint64_t length, void *cookie);
void reliable_sent(void *interface, void *cookie, bool complete);
void reliable_acknowledged(struct reliable *interface, const struct wire_portals_header *header);

/* reliable_arrive, reliable_landed, reliable_dropped - the upcalls.
 * reliable_early_tell - tells a core that has just opened the interface what came before.
 * reliable_landing_fail - the token of a landing that will not be resumed, or NULL; the core is done with it. Lock
 * held. */
void reliable_arrive(void *interface, const struct wire_portals_header *header, struct nal_sink *sink);
void reliable_landed(void *interface, void *token, bool complete);
void reliable_dropped(void *interface);
void reliable_early_tell(struct reliable *interface);
void *reliable_landing_fail(struct reliable_landing *landing);
/* reliable_revoke - nal_ops' revoke. */
void reliable_revoke(struct nal *nal, void *token);

/* reliable_below_open - opens the network below the interface where it is not open. No lock held. */
enum nal_status reliable_below_open(struct reliable *interface);

/* reliable_timer_run - the timer thread; `net` is its argument. */
void *reliable_timer_run(void *net);

#endif
