/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A client whose processes run on many nodes, started by the user's own launcher (impirun -launcher): any that provides
 * PMIx, such as Open MPI's mpirun or Slurm's srun. What the launcher starts for each rank is not the program yet but
 * `impirun -member` (member.h), which becomes the program when the job is agreed on. So nothing of the user's runs
 * before that, although hosts and ports, which depend on where the launcher puts whom, must be known for it.
 *
 *      member -> impirun   JOIN key rank host-id node-name     each rank, as soon as it runs
 *      impirun -> member   LEAD first count                    to the first of the ranks in a row that share a host
 *                                                              agent: start it
 *      agent -> impirun    AGENT key first port                on a connection of its own: listens to other hosts
 *      impirun -> member   LINK first                          connect to the agent of that host, on this node
 *      impirun -> agent    JOB clients rank host octets seconds, and the labels (negotiate_pack.h)
 *      impirun -> member   RUN                                 be the program
 *      agent -> impirun    one octet, an enum agent_status     its end
 *
 * Ranks on one node in a row share one agent, or as many as -hosts says. All of them end when impirun does.
 */
#ifndef REF_IMPL_IMPI_CLIENT_NODES_H
#define REF_IMPL_IMPI_CLIENT_NODES_H

#include "ref-impl/impi/client/negotiate.h"
#include "ref-impl/impi/client/offer.h"
#include "ref-impl/impi/client/options.h"

struct nodes;

/* nodes_gather - starts the launcher, waits until all members and agents are there, and fills hosts, ports and
 * identifiers of *offer, which stay the nodes'. `server_fd` is connected to the IMPI server: the hosts have the address
 * by which their node reaches it. NULL, with a line on stderr and *status for the end of impirun: it failed. */
struct nodes *nodes_gather(const struct client_options *options, int server_fd, struct offer *offer, int *status);

/* nodes_launcher_fd - becomes readable when the launcher has ended. */
int nodes_launcher_fd(const struct nodes *nodes);

/* nodes_run - runs the job that client `rank` of `clients` has agreed on, from these labels, to its end. Blocks. The
 * connection to the server is watched: when that ends, it is closed and -1. The exit status as client_run gives it. */
int nodes_run(struct nodes *nodes, const struct negotiation *labels, uint32_t clients, int *server_fd);

/* nodes_end - ends whatever still runs. NULL is allowed. */
void nodes_end(struct nodes *nodes);

#endif
