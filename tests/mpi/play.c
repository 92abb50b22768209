/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A world that a test makes up: takes the place of world.c and p2p.c of the library.
 */
#include "tests/mpi/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/api/objects/info.h"
#include "ref-impl/mpi/collectives/op.h"
#include "ref-impl/mpi/communicators/errors.h"
#include "ref-impl/mpi/contexts/context.h"
#include "ref-impl/mpi/messages/p2p.h"
#include "ref-impl/mpi/messages/p2p_request.h"
#include "ref-impl/mpi/nonblocking/operation.h"
#include "ref-impl/mpi/types/type.h"

enum { PROCESSES_MAX = 64, WORDS_MAX = 1024, READY_MAX = 32, OCTETS_MAX = 4096 };

static struct world world;
static struct world_process process[PROCESSES_MAX];
static char words[WORDS_MAX], said[WORDS_MAX];
static struct {
    unsigned char octets[OCTETS_MAX];
    size_t len;
} ready[READY_MAX], sent;
static size_t ready_first, ready_count;
static size_t first_length;
static bool is_early;
static uint64_t context;
static int tag;

static void must(bool good, const char *what)
{
    if (!good) {
        printf("Bail out! %s\n", what);
        exit(1);
    }
}

const struct world *world_now(void)
{
    return world.size ? &world : NULL;
}

bool world_is_native(int rank)
{
    return process[rank].client == world.client;
}

_Noreturn void world_abort(int code, const char *why)
{
    printf("Bail out! the job is aborted with %d: %s\n", code, why);
    exit(1);
}

void play_open(int rank, const char *clients, const char *hosts)
{
    world = (struct world){.rank = rank, .size = (int)strlen(clients), .tag_ub = 40000, .maxlinear = 4};
    world.process = process;
    for (int i = 0; i < world.size; i++) {
        process[i] = (struct world_process){.client = clients[i] - '0', .host = hosts[i] - '0'};
        world.clients = process[i].client >= world.clients ? process[i].client + 1 : world.clients;
        world.hosts = process[i].host >= world.hosts ? process[i].host + 1 : world.hosts;
    }
    world.client = process[rank].client;
    ready_first = ready_count = 0;
    is_early = false;
    first_length = 0;
    words[0] = '\0';
    must(type_open() && op_open() && errors_open() && group_open() && comm_open(), "the library does not open");
}

void play_close(void)
{
    info_close();
    comm_close();
    comm_context_close();
    group_close();
    errors_close();
    op_close();
    type_close();
    attribute_close();
    world.size = 0;
}

void play_maxlinear(int masters)
{
    world.maxlinear = masters;
}

void play_ready(const void *octets, size_t len)
{
    must(ready_count < READY_MAX && len <= OCTETS_MAX, "too much is laid ready");
    memcpy(ready[ready_count].octets, octets, len);
    ready[ready_count++].len = len;
}

void play_early(void)
{
    is_early = true;
}

const char *play_words(void)
{
    memcpy(said, words, sizeof(said));
    words[0] = '\0';
    return said;
}

const unsigned char *play_sent(size_t *len)
{
    *len = sent.len;
    return sent.octets;
}

size_t play_first_length(void)
{
    return first_length;
}

uint64_t play_context(void)
{
    return context;
}

int play_tag(void)
{
    return tag;
}

static void write_down(char what, const struct p2p_message *message)
{
    size_t len = strlen(words);

    snprintf(words + len, sizeof(words) - len, "%s%c%d", len ? " " : "", what, message->peer);
    context = message->comm->context.cid + (message->collective ? 1 : 0);
    tag = message->tag;
}

int p2p_send(const struct p2p_message *message, enum p2p_mode mode)
{
    (void)mode;
    write_down('s', message);
    sent.len = type_octets(message->type, (size_t)message->count, TYPE_NATIVE);
    must(sent.len <= OCTETS_MAX, "too long a message");
    first_length = first_length ? first_length : sent.len;
    return type_pack(message->type, (size_t)message->count, TYPE_NATIVE, message->buffer, sent.octets, sent.len);
}

int p2p_receive(const struct p2p_message *message, MPI_Status *status)
{
    size_t index;

    (void)status;
    write_down('r', message);
    if (message->count == 0) {
        return MPI_SUCCESS;
    }
    must(ready_first < ready_count, "a message is wanted and none is ready");
    index = ready_first++;
    return type_unpack(message->type, (size_t)message->count, TYPE_NATIVE, ready[index].octets, ready[index].len,
                       message->buffer);
}

int p2p_start_send(const struct p2p_message *message, enum p2p_mode mode, struct request **request)
{
    *request = NULL;
    return p2p_send(message, mode);
}

int p2p_start_receive(const struct p2p_message *message, struct request **request)
{
    *request = NULL;
    return p2p_receive(message, NULL);
}

void p2p_cancel(struct request *request)
{
    (void)request;
}

int p2p_wait(struct request *request, MPI_Status *status)
{
    (void)request;
    (void)status;
    return MPI_SUCCESS;
}

bool p2p_probe(const struct p2p_message *message, bool wait, MPI_Status *status)
{
    (void)message;
    if (!wait && !is_early) {
        return false;
    }
    must(ready_first < ready_count, "a message is looked for and none is ready");
    status->assay_octets = ready[ready_first].len;
    is_early = false;
    return true;
}

int p2p_exchange(const struct p2p_message *out, const struct p2p_message *in, MPI_Status *status)
{
    int code = p2p_send(out, P2P_STANDARD);

    return code == MPI_SUCCESS ? p2p_receive(in, status) : code;
}

void p2p_progress(void)
{
}

void p2p_await_turn(const struct mpi_comm *comm)
{
    (void)comm;
}

/* ---- operations that only begin: none does here ---- */

int operation_begin(struct mpi_comm *comm, const struct operation_work *work, struct request **request)
{
    (void)comm;
    (void)work;
    *request = NULL;
    return MPI_ERR_OTHER;
}

void p2p_abandon(struct request *request)
{
    (void)request;
}
