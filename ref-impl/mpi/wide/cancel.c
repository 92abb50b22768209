/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cancelling in the wide-area device, on both sides (IMPI 3.7.4).
 *
 *      what has become of the message                               MPI_Cancel
 *      nothing has left                                             it is taken out of its queue: cancelled
 *      short, has left                                              CANCEL, and the reply decides
 *      synchronous or long, the first packet has left, no SYNCACK   CANCEL, and the reply decides
 *      SYNCACK has come                                             too late
 *
 * SYNCACK and the reply may cross: then the message was received and the reply is CANCELNO. The standard wants MPI_Wait
 * to return whatever the other program does, and the other agent answers without it.
 */
#include "ref-impl/mpi/wide/cancel.h"

#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/wide/channel.h"
#include "ref-impl/mpi/wide/receive.h"
#include "ref-impl/mpi/wide/send.h"

static void ask(struct request *request)
{
    struct wire_impi_packet head = wide_packet_to(request->match.peer, WIRE_IMPI_CANCEL);

    request->wide.cancelling = true;
    request->phase = REQUEST_ACTIVE;  /* a short one may have been done */
    head.srqid = request->wide.srqid; //= IMPI-162 IMPI-163 IMPI-164
    wide_reply(request->match.peer, &head);
}

void wide_cancel_send(struct request *request)
{
    struct wide_request *w = &request->wide;

    switch (w->place) {
    case WIDE_QUEUED: //= IMPI-166
        TAILQ_REMOVE(&wide_channel_to(request->match.peer)->messages, request, wide.queue);
        request->outcome.cancelled = true;
        w->place = WIDE_GONE;
        wide_send_settle(request);
        return;
    case WIDE_UNANSWERED:
        if (!w->cancelling) {
            ask(request);
        }
        return;
    case WIDE_GONE:
        if (!w->cancelling && !w->answered && !request->outcome.cancelled) {
            ask(request);
        }
        return;
    case WIDE_STREAMING: //= IMPI-165
    case WIDE_NOWHERE:
    case WIDE_POSTED:
    case WIDE_FILLING:
        return;
    }
}

void wide_cancel_asked(const struct wire_impi_packet *packet, int rank)
{
    bool destroyed = wide_receive_forget(rank, packet->srqid); //= IMPI-168 IMPI-169 IMPI-171 IMPI-176
    struct wire_impi_packet reply = wide_packet_to(rank, destroyed ? WIRE_IMPI_CANCELYES : WIRE_IMPI_CANCELNO);

    reply.srqid = packet->srqid;
    wide_reply(rank, &reply); //= IMPI-167 IMPI-170
}

void wide_cancel_answered(const struct wire_impi_packet *packet, int rank)
{
    struct request *request = wide_send_find(rank, packet->srqid);

    if (!request || !request->wide.cancelling) {
        wide_complain(packet, "nothing was to be cancelled"); //= IMPI-258
        return;
    }
    request->wide.cancelling = false;
    request->wide.answered = true;
    if (packet->type == WIRE_IMPI_CANCELYES) {
        if (request->wide.place == WIDE_STREAMING) {
            wide_complain(packet, "the message is being received");
        } else {
            request->outcome.cancelled = true; //= IMPI-174
            request->wide.place = WIDE_GONE;
        }
    }
    wide_send_settle(request); //= IMPI-175
}
