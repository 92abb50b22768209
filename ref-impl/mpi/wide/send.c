/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending in the wide-area device: how a message becomes packets (IMPI 3.5, 3.7.1, 3.7.2).
 *
 *      short                DATA                                                  done when it has left
 *      short, synchronous   DATASYNC            <- SYNCACK                        done
 *      long                 DATASYNC, full      <- SYNCACK    DATA, DATA, ...     done when all have left
 *
 * Packets are made when their turn comes, so that a long message takes no more memory than its octets. A request keeps
 * its pk_srqid until the program has retired it: until then it may want to cancel it.
 */
#include "ref-impl/mpi/wide/send.h"

#include <stdlib.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/wide/channel.h"

enum { KNOWN_LISTS = 256 };

static LIST_HEAD(, request) known[KNOWN_LISTS]; /* by pk_srqid */
static uint64_t last_srqid, last_seqnum;
static bool finishing; /* nothing of a message may leave any more */

void wide_send_open(void)
{
    for (size_t i = 0; i < KNOWN_LISTS; i++) {
        LIST_INIT(&known[i]);
    }
    last_srqid = 0;
    last_seqnum = 0;
    finishing = false;
}

/* Whether a packet that waits among the replies is one: CANCEL waits there as well. */
static bool is_answer(const struct wide_packet *packet)
{
    struct wire_impi_packet head;

    return wire_impi_packet_decode(packet->head, sizeof(packet->head), &head) == WIRE_OK &&
           head.type != WIRE_IMPI_CANCEL;
}

/* Throws away the CANCELs among what waits. */
static void drop_cancels(struct wide_channel *channel)
{
    struct wide_packet *next;

    for (struct wide_packet *reply = TAILQ_FIRST(&channel->replies); reply; reply = next) {
        next = TAILQ_NEXT(reply, link);
        if (!is_answer(reply)) {
            TAILQ_REMOVE(&channel->replies, reply, link);
            channel->waiting--;
            free(reply);
        }
    }
}

void wide_send_finish(int rank)
{
    struct wide_channel *channel = wide_channel_to(rank);
    struct request *request;

    finishing = true;
    drop_cancels(channel);
    while ((request = TAILQ_FIRST(&channel->messages))) {
        TAILQ_REMOVE(&channel->messages, request, wide.queue);
        request->wide.place = WIDE_GONE;
    }
}

struct request *wide_send_find(int rank, uint64_t srqid)
{
    struct request *at;

    //= IMPI-147
    LIST_FOREACH(at, &known[srqid % KNOWN_LISTS], wide.known)
    {
        if (at->wide.srqid == srqid && at->match.peer == rank) {
            return at;
        }
    }
    return NULL;
}

void wide_send(struct request *request)
{
    struct wide_request *w = &request->wide;

    *w = (struct wide_request){.place = WIDE_QUEUED, .srqid = ++last_srqid}; //= IMPI-113 IMPI-114
    LIST_INSERT_HEAD(&known[w->srqid % KNOWN_LISTS], request, wide.known);
    TAILQ_INSERT_TAIL(&wide_channel_to(request->match.peer)->messages, request, wide.queue);
    wide_pump(request->match.peer); //= IMPI-141
}

static bool is_long(const struct request *request)
{
    return request->length > world_now()->datalen; //= IMPI-140
}

static struct wire_impi_packet head_of(const struct request *request)
{
    struct wire_impi_packet head = wide_packet_to(request->match.peer, WIRE_IMPI_DATA); //= IMPI-143

    //= IMPI-152
    head.srqid = request->wide.srqid;
    head.msglen = request->length;             //= IMPI-115
    head.lsrank = request->message.comm->rank; //= IMPI-116
    head.tag = request->match.tag;             //= IMPI-107
    head.cid = request->match.cid;             //= IMPI-103 IMPI-104
    head.seqnum = ++last_seqnum;               //= IMPI-117
    head.count = request->message.count;
    head.dtype = request->match.origin == REQUEST_OF_AGREEMENT ? WIDE_OF_AGREEMENT : WIDE_OF_CALL;
    return head;
}

/* The first packet of a message. */
static void first(struct request *request, struct wire_impi_packet *head)
{
    if (is_long(request) || request->mode == P2P_SYNCHRONOUS) {
        head->type = WIRE_IMPI_DATASYNC; //= IMPI-142 IMPI-148
        request->wide.place = WIDE_UNANSWERED;
    } else {
        request->wide.place = WIDE_GONE;
    }
}

void wide_send_settle(struct request *request)
{
    const struct wide_request *w = &request->wide;

    if (request->phase == REQUEST_ACTIVE && w->place == WIDE_GONE && !w->cancelling && w->unwritten == 0) {
        request_finish(request);
    }
}

/* A packet of a message has been written. */
static void written_off(struct request *request)
{
    request->wide.unwritten--;
    wide_send_settle(request);
}

struct wire_impi_packet wide_send_next(struct request *request, struct wide_packet *packet, bool *more)
{
    struct wide_request *w = &request->wide;
    struct wire_impi_packet head = head_of(request);
    size_t left = request->length - (size_t)w->offset;

    packet->octets = left ? request->octets + w->offset : NULL;
    packet->len = left < world_now()->datalen ? left : world_now()->datalen; //= IMPI-111 IMPI-149
    packet->request = request;
    packet->written_off = written_off;
    head.len = (uint32_t)packet->len; //= IMPI-110
    w->offset += packet->len;
    w->unwritten++;
    if (w->place == WIDE_QUEUED) {
        first(request, &head);
        *more = false; //= IMPI-150
        return head;
    }
    head.drqid = w->drqid; //= IMPI-151
    *more = w->offset < request->length;
    if (!*more) {
        w->place = WIDE_GONE;
    }
    return head;
}

void wide_send_answered(const struct wire_impi_packet *packet, int rank)
{
    struct request *request = wide_send_find(rank, packet->srqid);

    if (!request || request->wide.place != WIDE_UNANSWERED || finishing) {
        wide_complain(packet, "no message waits for it"); //= IMPI-258
        return;
    }
    request->wide.answered = true;
    if (!is_long(request)) {
        request->wide.place = WIDE_GONE; //= IMPI-144
        wide_send_settle(request);
        return;
    }
    request->wide.drqid = packet->drqid;
    request->wide.place = WIDE_STREAMING;
    TAILQ_INSERT_TAIL(&wide_channel_to(rank)->messages, request, wide.queue);
    wide_pump(rank);
}
