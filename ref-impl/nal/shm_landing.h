/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where arriving payload goes, and how that is taken back: inside of the shared memory network, see shm_net.h and
 * shm_landing.c.
 */
#ifndef REF_IMPL_NAL_SHM_LANDING_H
#define REF_IMPL_NAL_SHM_LANDING_H

#include "wire/portals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shm_net;
struct shm_interface;

enum shm_landing_state {
    SHM_LANDING_NONE,    /* no message with a sink is arriving */
    SHM_LANDING_ACTIVE,  /* octets are being stored; in the list net->landings */
    SHM_LANDING_REVOKED, /* none will be stored any more, `landed` is still to come */
};

/* struct shm_landing is the sink of the message that is arriving in one lane. Guarded by sink_lock, except for what
 * only the progress thread uses. */
struct shm_landing {
    struct shm_landing *next, *prev;
    enum shm_landing_state state;
    unsigned char *start;
    uint64_t remaining;
    void *token;
    struct shm_interface *interface;
};

/* shm_landing_begin - gives a whole header to the interface and keeps its sink. False when the interface is not open
 * (nothing counted). shm_landing_store - stores octets, returns how many it took (the rest is surplus).
 * shm_landing_fetch - the same from the memory of another process; false when that cannot be read. shm_landing_end -
 * the message is over: calls `landed`. shm_landing_settle - calls the `landed` of a revoked landing and returns how
 * many octets will not be stored. Progress thread, no lock held. */
bool shm_landing_begin(struct shm_net *net, struct shm_landing *landing, uint32_t interface,
                       const struct wire_portals_header *header, uint64_t payload_octets);
size_t shm_landing_store(struct shm_net *net, struct shm_landing *landing, const void *octets, size_t len);
bool shm_landing_fetch(struct shm_net *net, struct shm_landing *landing, int32_t process, uint64_t *from);
void shm_landing_end(struct shm_net *net, struct shm_landing *landing, bool complete);
uint64_t shm_landing_settle(struct shm_net *net, struct shm_landing *landing);
/* shm_landing_revoke - takes back the sink of that token. Any thread. */
void shm_landing_revoke(struct shm_interface *interface, void *token);

#endif
