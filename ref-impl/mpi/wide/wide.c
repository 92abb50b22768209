/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The wide-area device: opens and closes its parts, and hands each packet that comes to the one that it concerns.
 * Chapter 3 of the IMPI document.
 *
 *      a message leaves                          a packet arrives
 *
 *      send.c      makes packets                 link.c      reads it, by a thread or where the program waits
 *      channel.c   when they may leave           wide.c      whose is it?
 *      link.c      writes them                   receive.c   data: to a receive, or to the unexpected messages
 *                                                send.c      SYNCACK      cancel.c   CANCEL and what answers it
 *                                                channel.c   PROTOACK; answers leave as messages do
 */
#include "ref-impl/mpi/wide/wide.h"

#include <stdio.h>
#include <stdlib.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/wide/cancel.h"
#include "ref-impl/mpi/wide/channel.h"
#include "ref-impl/mpi/wide/link.h"
#include "ref-impl/mpi/wide/receive.h"
#include "ref-impl/mpi/wide/send.h"

static void dispatch(const struct wire_impi_packet *packet, int rank, unsigned char *octets)
{
    switch ((enum wire_impi_type)packet->type) {
    case WIRE_IMPI_DATA:
    case WIRE_IMPI_DATASYNC:
        wide_receive_data(packet, rank, octets);
        return;
    case WIRE_IMPI_PROTOACK: //= IMPI-122
        wide_acknowledged(packet, rank);
        return;
    case WIRE_IMPI_SYNCACK: //= IMPI-121
        wide_send_answered(packet, rank);
        return;
    case WIRE_IMPI_CANCEL: //= IMPI-123
        wide_cancel_asked(packet, rank);
        return;
    case WIRE_IMPI_CANCELYES:
    case WIRE_IMPI_CANCELNO:
        wide_cancel_answered(packet, rank);
        return;
    case WIRE_IMPI_FINI:
        wide_part(rank);
        return;
    }
}

/* Where data of a packet that comes belong, if that is known. */
static unsigned char *wide_place(const struct wire_impi_packet *packet)
{
    int rank = wide_packet_sender(packet);

    return rank >= 0 && wide_packet_is_ours(packet) ? wide_receive_place(packet, rank) : NULL;
}

/* A whole packet has been read; `octets` is ours, or where wide_place said. */
static void wide_arrived(const struct wire_impi_packet *packet, unsigned char *octets)
{
    int rank = wide_packet_sender(packet);

    //= IMPI-256
    if (rank < 0 || !wide_packet_is_ours(packet)) {
        wide_complain(packet, rank < 0 ? "its sender is no process of another client" : "it is for somebody else");
        free(octets);
        return;
    }
    dispatch(packet, rank, octets);
    if (packet->type != WIRE_IMPI_PROTOACK && packet->type != WIRE_IMPI_FINI) {
        wide_count(rank);
    }
}

static void wide_release(struct request *request)
{
    struct wide_request *w = &request->wide;

    if (w->place == WIDE_GONE) {
        LIST_REMOVE(request, wide.known);
        w->place = WIDE_NOWHERE;
    }
    if (!w->in_place) {
        free(w->landed);
    }
    w->landed = NULL;
}

static bool wide_open(void)
{
    const struct world *world = world_now();

    if (!wide_packet_open() || !wide_channel_open(wide_send_next)) {
        fprintf(stderr, "mpi: there is no memory for channels to %d processes\n", world->size);
        return false;
    }
    wide_send_open();
    wide_receive_open();
    return wide_link_open(world->link, wide_place, wide_arrived);
}

static void wide_close(void)
{
    engine_lock();
    for (int rank = 0; rank < world_now()->size; rank++) {
        wide_send_finish(rank); //= IMPI-177
    }
    wide_link_finish();
    engine_unlock();
    wide_link_close();
    wide_receive_close();
    wide_channel_close();
    wide_packet_close();
}

const struct device wide_as_device = {
    .open = wide_open,
    .close = wide_close,
    .send = wide_send,
    .receive = wide_receive,
    .probe = wide_probe,
    .withdraw = wide_withdraw,
    .cancel = wide_cancel_send,
    .release = wide_release,
    .wait_alone = wide_link_wait,
};
