/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The shared memory network: processes of one job on one node reach each other through memory that they share, without
 * the kernel's network. Everybody else (other nodes, other jobs, this process itself) is reached over tcp, on which the
 * process stays present: a peer is always reached by the same way, so its messages keep their order (P30-002).
 *
 * A process is on this network from shm_prepare, before others may know its address, to shm_stop.
 */
#ifndef REF_IMPL_NAL_SHM_SHM_H
#define REF_IMPL_NAL_SHM_SHM_H

#include "ref-impl/nal/nal.h"

#include <stdbool.h>
#include <stdint.h>

struct shm_net;

/* shm_net_prepare - makes the memory into which the others will write, for the process with this node and process id,
 * and starts the thread that serves it. `secret` is what the processes of the job have in common and others do not
 * know. NULL, with a line on stderr, when memory or threads are lacking.
 * shm_net_join - finds the others on the same node among the `size` members; *self is one of them. All have been
 * prepared by then. One that cannot be found will be reached over tcp. False without memory, with a line on stderr.
 * shm_net_stop - leaves, after the interfaces have been closed. May be called without shm_net_join. */
struct shm_net *shm_net_prepare(uint32_t nid, uint32_t pid, const char *secret);
bool shm_net_join(struct shm_net *net, const struct wire_portals_id *self, const struct wire_portals_id *members,
                  uint32_t size);
void shm_net_stop(struct shm_net *net);

/* shm_net_open - opens an interface; as nal_open. `others` is the open interface through which all those are reached
 * who are not on this network; it belongs to the new interface from then on, which closes it. May be NULL: then they
 * are not reached. */
enum nal_status shm_net_open(struct shm_net *net, const struct nal_config *config, const struct nal_upcalls *upcalls,
                             void *core, struct nal *others, struct nal **nal);

/* shm_prepare, shm_join, shm_stop - the same for the one presence of this whole process, which the job prepares before
 * it joins. shm_join and shm_stop do nothing where shm_prepare has not been called. */
bool shm_prepare(uint32_t nid, uint32_t pid, const char *secret);
bool shm_join(const struct wire_portals_id *self, const struct wire_portals_id *members, uint32_t size);
void shm_stop(void);

/* shm_interface_open - opens an interface on the process's presence, and on tcp: what nal_open calls for ASSAY_NAL=shm.
 * NAL_NO_DEVICE, with a line on stderr, before shm_prepare. */
enum nal_status shm_interface_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                   struct nal **nal);

#endif
