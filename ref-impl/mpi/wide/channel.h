/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Virtual channels of the wide-area device: flow control.
 *
 * Each pair of processes has a virtual channel of its own (3.6). What is to be sent in one waits in two queues: replies
 * and cancel requests, and messages. Up to IMPI_Pk_hiwater packets that have not been acknowledged may have left.
 */
#ifndef REF_IMPL_MPI_WIDE_CHANNEL_H
#define REF_IMPL_MPI_WIDE_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/wide/packet.h"

/* The virtual channel to and from a process of another client. */
struct wide_channel {
    uint32_t sent;     /* packets that have left and are not acknowledged */
    uint32_t received; /* packets that have come since the last acknowledgement */
    bool parting;      /* its host has said FINI, and waits until there are no replies any more */
    struct wide_packet_list replies;
    uint32_t waiting;             /* how many they are */
    struct request_list messages; /* QUEUED and STREAMING */
};

/* wide_channel_next - makes the next packet of a message whose turn it is; sets *more when it is not the last one for
 * now. */
typedef struct wire_impi_packet wide_channel_next(struct request *request, struct wide_packet *packet, bool *more);

/* wide_channel_open - makes a channel to each process of the world, which ask `next` for the packets of messages; false
 * when memory is used up.
 * wide_channel_close - frees them, with the replies that have not left. */
bool wide_channel_open(wide_channel_next *next);
void wide_channel_close(void);

/* wide_channel_to - the channel of a process of another client, by world rank. */
struct wide_channel *wide_channel_to(int rank);

/* wide_reply - sends a packet without data, in its turn. Ends the job when too many wait for theirs, because the other
 * side asks and asks and acknowledges none. */
void wide_reply(int rank, const struct wire_impi_packet *packet);

/* wide_pump - lets leave what may leave. */
void wide_pump(int rank);

/* wide_count - a packet has come that counts; acknowledges when it is time. */
void wide_count(int rank);

/* wide_acknowledged - a PROTOACK has come. */
void wide_acknowledged(const struct wire_impi_packet *packet, int rank);

/* wide_part - nothing comes from that process any more: tells the agent so, behind all replies that it still gets. */
void wide_part(int rank);

#endif
