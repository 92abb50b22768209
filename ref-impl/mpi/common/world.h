/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The world: who the processes of MPI_COMM_WORLD are, where they run, and what their implementations have agreed on. It
 * comes from the host agent where impirun started the process (IMPI chapters 2.3 and 3.9), from the Portals job where
 * portalsrun or a PMIx launcher did, and is a world of one where nobody did.
 *
 *      world rank    0    1    2    3    4    5    6          a job of three clients, the second with two hosts
 *      client        0    0    1    1    1    1    2
 *      host          0    0    1    1    2    2    3          counted over the whole job
 *      rid           0    1    0    1    2    3    0          Portals rank: the place in the client
 *
 * The world is opened once, by MPI_Init, and then only read: no lock.
 */
#ifndef REF_IMPL_MPI_COMMON_WORLD_H
#define REF_IMPL_MPI_COMMON_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/impi/packet.h"

/* One process of the world. */
struct world_process {
    int client;
    int host;                    /* over all clients */
    int rid;                     /* rank in the Portals job of its client */
    struct wire_impi_process id; /* how packets name it; all zero without IMPI */
};

struct world {
    int rank, size;
    int client, clients; /* mine, and how many there are */
    int hosts;           /* of all clients */
    int first;           /* world rank of my client's first process */
    int native;          /* processes of my client: world ranks first .. first + native - 1 */
    bool wide;           /* there is a host agent, and processes of other clients may be reached through it */
    int link;            /* the way to it, or -1 */
    uint32_t datalen;    /* octets of user data in one packet, at most (3.9) */
    int tag_ub;          /* MPI_TAG_UB */
    int xsize;           /* IMPI_Coll_xsize in force */
    int maxlinear;       /* IMPI_Coll_maxlinear in force: so many masters are still served linearly */
    uint32_t ackmark, hiwater;
    struct world_process *process; /* by world rank */
};

/* world_open joins the Portals job and learns who the processes are; blocks until those of the client know each other.
 * False, and a line on stderr that says what failed, when the process cannot take part; then nothing is left open. */
bool world_open(void);

/* world_close leaves the Portals job and frees what world_open made. */
void world_close(void);

/* world_now is the world between world_open and world_close, else NULL. */
const struct world *world_now(void);

/* world_is_native says whether the process of that world rank belongs to my client, so that it is reached through
 * Portals and shares my representation of data. `rank` is one of the world's. */
bool world_is_native(int rank);

/* world_abort ends the whole job with status `code` and does not return: launchers end the other processes, and a host
 * agent tells impirun, which ends the client without the FINI command. A line on stderr names the rank and `why`. May
 * be called at any time, also before world_open. */
_Noreturn void world_abort(int code, const char *why);

#endif
