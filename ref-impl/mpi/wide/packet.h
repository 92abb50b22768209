/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Packets of the wide-area device: those on their way to the link, and who is named in those that come.
 */
#ifndef REF_IMPL_MPI_WIDE_PACKET_H
#define REF_IMPL_MPI_WIDE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "wire/impi/packet.h"

struct request;

/* pk_dtype in the packets of this library: which messages a call of the program sends, and which are of the agreements
 * that go under the same context. The document leaves its value open (3.5); others need not look at it. */
#define WIDE_OF_CALL      UINT64_C(0x6173736179000001)
#define WIDE_OF_AGREEMENT UINT64_C(0x6173736179000002)

/* A packet on its way to the link. */
struct wide_packet {
    unsigned char head[WIRE_IMPI_PACKET_OCTETS];
    const unsigned char *octets;                  /* user data: the request's */
    size_t len, written;                          /* of it; of head and data together */
    struct request *request;                      /* whose octets they are, or NULL */
    void (*written_off)(struct request *request); /* called when all of a request's packet has been written */
    TAILQ_ENTRY(wide_packet) link;
};

TAILQ_HEAD(wide_packet_list, wide_packet);

/* wide_packet_to - the head of a packet to a process, all unused fields 0. */
struct wire_impi_packet wide_packet_to(int rank, enum wire_impi_type type);

/* wide_packet_sender - the world rank of the process of another client from which a packet comes, or -1.
 * wide_packet_is_ours - whether a packet is for this process. */
int wide_packet_sender(const struct wire_impi_packet *packet);
bool wide_packet_is_ours(const struct wire_impi_packet *packet);

/* wide_complain - says on stderr that a packet is ignored, and why; falls silent when there are too many. */
void wide_complain(const struct wire_impi_packet *packet, const char *why);

/* wide_packet_open - makes the index of processes; false when memory is used up.
 * wide_packet_close - frees it. */
bool wide_packet_open(void);
void wide_packet_close(void);

#endif
