/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The shared memory network: processes of one job on one node reach each other through memory that they share, without
 * the kernel's network. Nobody else is reached (other nodes, other jobs, this process itself): NAL_NO_ROUTE.
 *
 * Who is on the node is found out by looking: a member of the job with the same node id has made memory under a name
 * that holds its address and its network namespace, and in it stands the job's secret.
 */
#ifndef REF_IMPL_NAL_SHM_SHM_H
#define REF_IMPL_NAL_SHM_SHM_H

#include "ref-impl/nal/network.h"

#include <stdbool.h>
#include <stdint.h>

struct shm_net;

/* shm_net_prepare - makes the memory into which the others will write, for the process with this node and process id,
 * and starts the thread that serves it. `secret` is what the processes of the job have in common and others do not
 * know. NULL, with a line on stderr, when memory or threads are lacking.
 * shm_net_join - finds the others on the same node among the `size` members; *self is one of them. All have been
 * prepared by then. One that cannot be found is not reached. False without memory, with a line on stderr.
 * shm_net_stop - leaves, after the interfaces have been closed. May be called without shm_net_join. */
struct shm_net *shm_net_prepare(uint32_t nid, uint32_t pid, const char *secret);
bool shm_net_join(struct shm_net *net, const struct wire_portals_id *self, const struct wire_portals_id *members,
                  uint32_t size);
void shm_net_stop(struct shm_net *net);

/* shm_net_open - opens an interface; as nal_open. */
enum nal_status shm_net_open(struct shm_net *net, const struct nal_config *config, const struct nal_upcalls *upcalls,
                             void *core, struct nal **nal);

/* shm_network - the row. */
extern const struct network shm_network;

#endif
