/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * An interface on a network to other processes: what of nal.h is the same whatever moves the octets, and the way in
 * which an interface ends. The network's progress thread does that between two messages, so that no upcall of the
 * interface can be running:
 *
 *    OPEN ---end---> FLUSHING -------------------------------------------> CLOSED
 *                      first: no message arrives any more, landings end      the ending thread goes on
 *                      then: queued messages leave, for a bounded time
 *
 * The process goes on discarding and counting what arrives for the interface.
 *
 * Locks. `lock` is that of the network's arrivals; it guards what its group of members says.
 */
#ifndef REF_IMPL_NAL_PEER_INTERFACE_H
#define REF_IMPL_NAL_PEER_INTERFACE_H

#include "ref-impl/nal/drive.h"
#include "ref-impl/nal/nal.h"
#include "ref-impl/nal/peer/arrivals.h"

#include <stdbool.h>
#include <stdint.h>

struct peer_queue;

enum peer_interface_state { PEER_INTERFACE_OPEN, PEER_INTERFACE_FLUSHING, PEER_INTERFACE_CLOSED };

/* struct peer_interface is an open interface; its first member is what the core holds. */
struct peer_interface {
    struct nal nal;
    struct peer_network *network;
    struct nal_config config;
    struct arrivals_port port;

    /* Guarded by lock. */
    enum peer_interface_state state;
    struct peer_interface *next_closing;
    bool retired;      /* the progress thread has begun to close it */
    bool moved;        /* octets of its messages moved since the last look */
    uint64_t begun_ms; /* when the closing began */
    uint64_t moved_ms; /* when octets last moved while closing */
};

/* struct peer_network is what the network says of itself, and its interfaces that are closing. Called by the progress
 * thread; those with `finished` put there what is not sent, as not complete. NULL where nothing is to be done.
 *
 * withdraw  takes back the messages that need not be flushed; with `lock` held
 * land      ends what is arriving for the interface: nothing is stored any more, and the core is told; no lock held
 * pending   whether messages of the interface still wait to leave; with `lock` held
 * give_up   takes back those that could not be flushed; with `lock` held
 * shut      ends the interface's connections, after all has left; with `lock` held */
struct peer_network {
    const char *name;
    uint32_t numbers; /* of interfaces: 0 up to this */
    struct arrivals *arrivals;
    void *net;
    struct drive *drive; /* who drives it */
    void (*withdraw)(struct peer_interface *interface, struct peer_queue *finished);
    void (*land)(struct peer_interface *interface);
    bool (*pending)(const struct peer_interface *interface);
    void (*give_up)(struct peer_interface *interface, struct peer_queue *finished);
    void (*shut)(struct peer_interface *interface);

    /* Guarded by lock. */
    struct peer_interface *closing;
};

/* peer_interface_open - opens an interface with these operations on the network; as nal_open. */
enum nal_status peer_interface_open(struct peer_network *network, const struct nal_ops *ops,
                                    const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                    struct nal **nal);

/* peer_interface_revoke, peer_interface_distance, peer_interface_end, peer_interface_close - operations of nal.h. */
void peer_interface_revoke(struct nal *nal, void *token);
double peer_interface_distance(struct nal *nal, const struct wire_portals_id *peer);
void peer_interface_end(struct nal *nal);
void peer_interface_close(struct nal *nal);

/* peer_interface_take, peer_interface_claim, peer_interface_rely, peer_interface_give - of struct nal_driving. */
bool peer_interface_take(struct nal *nal);
bool peer_interface_claim(struct nal *nal);
void peer_interface_rely(struct nal *nal);
void peer_interface_give(struct nal *nal);

/* peer_closing_advance - does what closing interfaces wait for. Progress thread, no lock held. */
void peer_closing_advance(struct peer_network *network);

#endif
