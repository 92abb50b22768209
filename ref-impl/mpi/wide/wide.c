/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The wide-area device: opens and closes it, knows who the other processes are, and hands each packet that comes to the
 * part that it concerns. See wide.h and wide/own.h. Chapter 3 of the IMPI document.
 */
#include "ref-impl/mpi/wide/wide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/wide/own.h"

enum { COMPLAINTS_MAX = 20 };

static struct wide_channel *channels; /* by world rank */
static int *by_id;                    /* world ranks, in the order of their process identifiers */
static int complaints;

struct wide_channel *wide_channel_to(int rank)
{
    return &channels[rank];
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

//= IMPI-101
static int compare_ids(const struct wire_impi_process *a, const struct wire_impi_process *b)
{
    int hosts = memcmp(a->host, b->host, sizeof(a->host));

    return hosts ? hosts : (a->pid > b->pid) - (a->pid < b->pid);
}

static int compare_ranks(const void *a, const void *b)
{
    const struct world_process *process = world_now()->process;

    return compare_ids(&process[*(const int *)a].id, &process[*(const int *)b].id);
}

static int compare_id_with_rank(const void *id, const void *rank)
{
    return compare_ids(id, &world_now()->process[*(const int *)rank].id);
}

/* The world rank of the process of another client from which a packet comes, or -1. */
static int sender_of(const struct wire_impi_packet *packet)
{
    const int *rank = bsearch(&packet->src, by_id, (size_t)world_now()->size, sizeof(*by_id), compare_id_with_rank);

    return rank && !world_is_native(*rank) ? *rank : -1;
}

/* ---- packets ---------------------------------------------------------------------------------------------------- */

void wide_complain(const struct wire_impi_packet *packet, const char *why)
{
    if (complaints < COMPLAINTS_MAX) {
        complaints++;
        fprintf(stderr, "mpi: rank %d: a packet of type %u with pk_srqid %llu and pk_drqid %llu is ignored: %s\n",
                world_now()->rank, packet->type, (unsigned long long)packet->srqid, (unsigned long long)packet->drqid,
                why);
    }
}

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

void wide_arrived(const struct wire_impi_packet *packet, unsigned char *octets)
{
    const struct world *world = world_now();
    int rank = sender_of(packet);

    //= IMPI-256
    if (rank < 0 || compare_ids(&packet->dest, &world->process[world->rank].id) != 0) {
        wide_complain(packet, rank < 0 ? "its sender is no process of another client" : "it is for somebody else");
        free(octets);
        return;
    }
    dispatch(packet, rank, octets);
    if (packet->type != WIRE_IMPI_PROTOACK && packet->type != WIRE_IMPI_FINI) {
        wide_count(rank);
    }
}

void wide_release(struct request *request)
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

/* ---- the beginning and the end ---------------------------------------------------------------------------------- */

bool wide_open(void)
{
    const struct world *world = world_now();
    size_t size = (size_t)world->size;

    channels = calloc(size, sizeof(*channels));
    by_id = calloc(size, sizeof(*by_id));
    if (!channels || !by_id) {
        fprintf(stderr, "mpi: there is no memory for channels to %d processes\n", world->size);
        return false;
    }
    for (int rank = 0; rank < world->size; rank++) {
        by_id[rank] = rank;
        TAILQ_INIT(&channels[rank].replies);
        TAILQ_INIT(&channels[rank].messages);
    }
    qsort(by_id, size, sizeof(*by_id), compare_ranks);
    complaints = 0;
    wide_send_open();
    wide_receive_open();
    return wide_link_open(world->link);
}

static void drop_replies(struct wide_channel *channel)
{
    struct wide_packet *packet;

    while ((packet = TAILQ_FIRST(&channel->replies))) {
        TAILQ_REMOVE(&channel->replies, packet, link);
        channel->waiting--;
        free(packet);
    }
}

void wide_close(void)
{
    int size = world_now()->size;

    engine_lock();
    for (int rank = 0; rank < size; rank++) {
        wide_send_finish(rank); //= IMPI-177
    }
    wide_link_finish();
    engine_unlock();
    wide_link_close();
    wide_receive_close();
    for (int rank = 0; rank < size; rank++) {
        drop_replies(&channels[rank]);
    }
    free(channels);
    free(by_id);
    channels = NULL;
    by_id = NULL;
}
