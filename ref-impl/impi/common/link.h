/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The link between a host agent and one of its MPI processes: a Unix stream socket, whose number the process finds in
 * ASSAY_IMPI_LINK. The IMPI document leaves this medium to the implementation (3.1); ours is as near to the wire as can
 * be.
 *
 *      agent -> process    the world table, once, as soon as all channels to other hosts stand
 *      both ways           IMPI packets as on the wire (wire/impi/packet.h): a header of 128 octets, behind DATA and
 *                          DATASYNC pk_len octets of user data
 *      process -> agent    a FINI packet that names nobody: this process is finalized and sends nothing but
 *                          acknowledgements any more; it must read on, and acknowledge, until the last of these:
 *      agent -> process    a FINI packet that names a process of another client in pk_src: its host has said FINI, and
 *                          nothing comes from it any more
 *      process -> agent    a FINI packet that names it in pk_dest: the answer to that, behind acknowledgements and
 *                          replies to all that has come from it, those included that had to wait for a PROTOACK
 *      agent -> process    a FINI packet that names nobody: every channel is closed, the agent closes the link
 *
 * What the agent has checked of a packet that it hands over: the type exists, pk_len is within the limit in force,
 * pk_dest is this process, and pk_src a process of the host from which it came; both stand there exactly as in the
 * world table. Everything else in it is as the peer wrote it. What a process sends must name itself in pk_src and a
 * process of another client in pk_dest.
 *
 * A link that ends without the process's FINI is a death: the agent ends the job. So MPI_Abort needs no message: it
 * writes its line and exits with a status other than 0. A link that ends without the agent's FINI says that the job is
 * being ended.
 *
 * Used by ref-impl/impi (agent) and ref-impl/mpi (wide-area device).
 */
#ifndef REF_IMPL_IMPI_COMMON_LINK_H
#define REF_IMPL_IMPI_COMMON_LINK_H

#include "wire/impi/packet.h"
#include "wire/octets/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LINK_VERSION = 2,
    LINK_CLIENTS_MAX = 32,
    LINK_HOSTS_MAX = 4096,
    LINK_PROCESSES_MAX = 65536,
};

/* struct link_member is one process of MPI_COMM_WORLD. */
struct link_member {
    uint32_t client; /* rank of its client */
    uint32_t host;   /* rank of its host among all hosts of the job */
    struct wire_impi_process process;
};

/* struct link_world is what start-up has agreed on. `members` has `size` entries by world rank: clients ascending, in
 * a client hosts ascending, in a host processes ascending (2.3.5). */
struct link_world {
    uint32_t rank; /* of the process that gets the table */
    uint32_t clients, hosts, size;
    uint32_t major, minor; /* version of IMPI in force */
    uint32_t datalen;      /* most user octets in a packet, at least 1 */
    int32_t tagub;         /* largest tag, at least 32767 */
    int32_t xsize;         /* C_COLL_XSIZE in force, the default where the clients gave -1 */
    int32_t maxlinear;     /* C_COLL_MAXLINEAR in force, likewise */
    int32_t xsize_given;   /* what a client gave, -1: none of them chose */
    int32_t maxlinear_given;
    uint32_t ackmark, hiwater; /* the smallest of all hosts: 1 <= ackmark <= hiwater */
    struct link_member *members;
};

/* link_world_octets - how many octets the table of this world has; at most LINK_WORLD_OCTETS_MAX. */
size_t link_world_octets(const struct link_world *world);

enum { LINK_WORLD_OCTETS_MAX = 64 + 4 * LINK_CLIENTS_MAX + 4 * LINK_HOSTS_MAX + 24 * LINK_PROCESSES_MAX };

/* link_world_encode - writes the table for the process of world rank `rank`, in network byte order: its length in
 * octets without these four, LINK_VERSION, the numbers in the order of struct link_world, hosts of each client,
 * processes of each host, and for each process 16 octets of host identifier and 8 of process identifier. WIRE_NO_SPACE:
 * `cap` is below link_world_octets. */
WIRE_MUST_USE enum wire_status link_world_encode(const struct link_world *world, uint32_t rank, void *buffer,
                                                 size_t cap);

/* link_world_decode - reads a table of `len` octets, the length in front included. On WIRE_OK *world is a new world
 * that link_world_free frees. WIRE_SHORT: it is longer than `len`. WIRE_UNKNOWN: another version. WIRE_TOO_LONG: more
 * clients, hosts or processes than any job has. WIRE_MALFORMED: numbers that contradict each other. WIRE_NO_SPACE: no
 * memory. */
WIRE_MUST_USE enum wire_status link_world_decode(const void *octets, size_t len, struct link_world **world);

/* link_world_free - frees a world of link_world_decode; NULL is allowed. */
void link_world_free(struct link_world *world);

/* link_fini_names - the process whose end of a virtual channel a FINI packet on a link is about: `process` is its
 * pk_src or pk_dest. False: it is about the link. */
bool link_fini_names(const struct wire_impi_process *process);

/* What link_open gives instead of a descriptor. */
enum { LINK_NONE = -1, LINK_UNUSABLE = -2 };

/* link_open - the process's end of its link; LINK_NONE where impirun did not start it; LINK_UNUSABLE, and a line on
 * stderr, where ASSAY_IMPI_LINK does not name an open stream socket. Takes it away from programs that this one may
 * start: closes on exec, and ASSAY_IMPI_LINK leaves the environment. The caller owns the descriptor. */
int link_open(void);

/* link_world_receive - blocks until the agent's table has come and gives it, or NULL, with a line on stderr unless the
 * link just ended: then the job is being ended, and whoever ended it has said why. The caller frees it. */
struct link_world *link_world_receive(int fd);

#endif
