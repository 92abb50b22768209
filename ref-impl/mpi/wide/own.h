/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The inside of the wide-area device, for its own files:
 *
 *      wide/send.c     messages become packets      wide/receive.c   packets become messages
 *      wide/cancel.c   cancelling, both sides       wide.c           which packet goes to whom
 *      wide/channel.c  flow control: what may leave at this time
 *      wide/link.c     octets to and from the host agent, and the thread
 *
 * Each pair of processes has a virtual channel of its own (3.6). What is to be sent in one waits in two queues: replies
 * and cancel requests, and messages. Up to IMPI_Pk_hiwater packets that have not been acknowledged may have left.
 */
#ifndef REF_IMPL_MPI_WIDE_OWN_H
#define REF_IMPL_MPI_WIDE_OWN_H

#include "ref-impl/mpi/messages/engine.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/wide/wide.h"
#include "wire/impi/packet.h"

/* A packet on its way to the link. */
struct wide_packet {
    unsigned char head[WIRE_IMPI_PACKET_OCTETS];
    const unsigned char *octets; /* user data: the request's */
    size_t len, written;         /* of it; of head and data together */
    struct request *request;     /* whose octets they are, or NULL */
    TAILQ_ENTRY(wide_packet) link;
};

TAILQ_HEAD(wide_packet_list, wide_packet);

/* The virtual channel to and from a process of another client. */
struct wide_channel {
    uint32_t sent;     /* packets that have left and are not acknowledged */
    uint32_t received; /* packets that have come since the last acknowledgement */
    bool parting;      /* its host has said FINI, and waits until there are no replies any more */
    struct wide_packet_list replies;
    uint32_t waiting;             /* how many they are */
    struct request_list messages; /* QUEUED and STREAMING */
};

LIST_HEAD(wide_known, request);

/* ---- wide.c */

/* wide_channel_to - the channel of a process of another client, by world rank. */
struct wide_channel *wide_channel_to(int rank);

/* wide_arrived - a whole packet has been read; `octets` (pk_len, or NULL) is the device's now, to be freed. */
void wide_arrived(const struct wire_impi_packet *packet, unsigned char *octets);

/* wide_complain - says on stderr that a packet is ignored, and why; falls silent when there are too many. */
void wide_complain(const struct wire_impi_packet *packet, const char *why);

/* ---- wide/channel.c */

/* wide_packet_to - the head of a packet to a process, all unused fields 0. */
struct wire_impi_packet wide_packet_to(int rank, enum wire_impi_type type);

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

/* ---- wide/send.c */

/* wide_send_next - the next packet of a message, whose turn it is. Sets *more when it is not the last one for now. */
struct wire_impi_packet wide_send_next(struct request *request, struct wide_packet *packet, bool *more);

/* wide_send_finish - throws away what could not leave in this channel, messages and CANCELs: nobody receives them any
 * more, and they must not follow the FINI. */
void wide_send_finish(int rank);

/* wide_send_settle - finishes a send if nothing of it is still to come. */
void wide_send_settle(struct request *request);

/* wide_send_answered - a SYNCACK has come. */
void wide_send_answered(const struct wire_impi_packet *packet, int rank);

/* wide_send_find - the send to that process with this pk_srqid that is not retired, or NULL. */
struct request *wide_send_find(int rank, uint64_t srqid);

/* ---- wide/receive.c */

/* wide_receive_data - a DATA or DATASYNC packet has come. */
void wide_receive_data(const struct wire_impi_packet *packet, int rank, unsigned char *octets);

/* wide_receive_forget - destroys the last message from that process with this pk_srqid that no receive has; false when
 * there is none. */
bool wide_receive_forget(int rank, uint64_t srqid);

void wide_receive_open(void);
void wide_receive_close(void);
void wide_send_open(void);

/* ---- wide/cancel.c */

/* wide_cancel_asked - a CANCEL has come.
 * wide_cancel_answered - a reply to ours has. */
void wide_cancel_asked(const struct wire_impi_packet *packet, int rank);
void wide_cancel_answered(const struct wire_impi_packet *packet, int rank);

/* ---- wide/link.c */

/* wide_link_open starts the thread; false when there is none to be had. wide_link_finish says FINI. wide_link_close
 * waits until the agent has said so too; engine's lock not held. */
bool wide_link_open(int fd);
void wide_link_finish(void);
void wide_link_close(void);

/* wide_link_new - a packet to be filled in.
 * wide_link_push - hands it to the link, before all others that have not begun to leave if it is urgent; writes what
 * can be written without blocking. */
struct wide_packet *wide_link_new(void);
void wide_link_push(struct wide_packet *packet, const struct wire_impi_packet *head, bool urgent);

#endif
