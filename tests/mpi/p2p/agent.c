/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A host agent in the hands of a test: see agent.h.
 */
#include "tests/mpi/p2p/agent.h"

#include <errno.h>
#include <mpi.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ref-impl/impi/common/link.h"

enum { DEADLINE_MS = 60000, NOBODY = 99, HEAD = 128 };

/* Where the fields of a header stand (3.5). */
enum {
    TYPE = 0,
    LEN = 4,
    SRC = 8,
    DEST = 32,
    SRQID = 56,
    DRQID = 64,
    MSGLEN = 72,
    LSRANK = 80,
    TAG = 84,
    CID = 88,
    SEQNUM = 96,
    COUNT = 104,
    DTYPE = 112,
    RESERVED = 120,
};

static int wire = -1;
static uint64_t fences;

/* Process `rank` is 10.0.0.<client + 1> and pid 1000 + rank. */
static void put_process(unsigned char *at, int rank)
{
    memset(at, 0, 24);
    if (rank == AGENT_NOBODY) {
        return;
    }
    if (rank >= 0 && rank <= 2) {
        at[12] = 10;
        at[15] = rank == 0 ? 1 : 2;
    }
    at[22] = (unsigned char)((1000 + rank) >> 8);
    at[23] = (unsigned char)(1000 + rank);
}

static void put(unsigned char *at, uint64_t value, int octets)
{
    for (int i = octets - 1; i >= 0; i--) {
        at[i] = (unsigned char)value;
        value >>= 8;
    }
}

static uint64_t get(const unsigned char *at, int octets)
{
    uint64_t value = 0;

    for (int i = 0; i < octets; i++) {
        value = value << 8 | at[i];
    }
    return value;
}

static int get_process(const unsigned char *at)
{
    unsigned char expected[24];

    for (int rank = 0; rank <= 2; rank++) {
        put_process(expected, rank);
        if (memcmp(at, expected, sizeof(expected)) == 0) {
            return rank;
        }
    }
    return NOBODY;
}

static void die(const char *what)
{
    printf("Bail out! %s: %s\n", what, strerror(errno));
    exit(1);
}

void agent_send_octets(const void *octets, size_t len)
{
    for (const unsigned char *at = octets; len > 0;) {
        ssize_t sent = write(wire, at, len);

        if (sent <= 0) {
            die("cannot write to the process");
        }
        at += sent;
        len -= (size_t)sent;
    }
}

size_t agent_octets(const struct agent_packet *packet, const unsigned char **octets)
{
    static unsigned char all[HEAD + AGENT_DATA_MAX];
    bool data = packet->type == DATA || packet->type == DATASYNC;

    put(all + TYPE, packet->type, 4);
    put(all + LEN, data ? packet->len : packet->rest, 4);
    put_process(all + SRC, packet->src);
    put_process(all + DEST, packet->dest);
    put(all + SRQID, packet->type == PROTOACK ? packet->rest : packet->srqid, 8);
    put(all + DRQID, data || packet->type == SYNCACK ? packet->drqid : packet->rest, 8);
    put(all + MSGLEN, data ? packet->msglen : packet->rest, 8);
    put(all + LSRANK, data ? (uint32_t)packet->lsrank : packet->rest, 4);
    put(all + TAG, data ? (uint32_t)packet->tag : packet->rest, 4);
    put(all + CID, data ? packet->cid : packet->rest, 8);
    put(all + SEQNUM, packet->rest, 8);
    put(all + COUNT, packet->rest, 8);
    put(all + DTYPE, packet->rest, 8);
    put(all + RESERVED, packet->rest, 8);
    memcpy(all + HEAD, packet->data, data ? packet->len : 0);
    *octets = all;
    return HEAD + (data ? packet->len : 0);
}

void agent_send(const struct agent_packet *packet)
{
    const unsigned char *octets;
    size_t len = agent_octets(packet, &octets);

    agent_send_octets(octets, len);
}

static bool read_octets(unsigned char *octets, size_t len)
{
    while (len > 0) {
        struct pollfd fd = {.fd = wire, .events = POLLIN};
        ssize_t got;

        if (poll(&fd, 1, DEADLINE_MS) <= 0) {
            return false;
        }
        got = read(wire, octets, len);
        if (got <= 0) {
            return false;
        }
        octets += got;
        len -= (size_t)got;
    }
    return true;
}

struct agent_packet agent_read(void)
{
    unsigned char head[HEAD];
    struct agent_packet p = {.type = NOBODY};

    if (!read_octets(head, sizeof(head))) {
        return p;
    }
    p.type = (uint32_t)get(head + TYPE, 4);
    p.len = (uint32_t)get(head + LEN, 4);
    p.src = get_process(head + SRC);
    p.dest = get_process(head + DEST);
    p.srqid = get(head + SRQID, 8);
    p.drqid = get(head + DRQID, 8);
    p.msglen = get(head + MSGLEN, 8);
    p.lsrank = (int32_t)get(head + LSRANK, 4);
    p.tag = (int32_t)get(head + TAG, 4);
    p.cid = get(head + CID, 8);
    p.rest = get(head + RESERVED, 8);
    if ((p.type == DATA || p.type == DATASYNC) && (p.len > sizeof(p.data) || !read_octets(p.data, p.len))) {
        p.type = NOBODY;
    }
    return p;
}

bool agent_waiting(void)
{
    struct pollfd fd = {.fd = wire, .events = POLLIN};

    return poll(&fd, 1, 0) > 0;
}

bool agent_nothing(void)
{
    struct agent_packet ask = agent_answer(CANCEL, 2, UINT64_C(0xfe00000000000000) + ++fences);
    struct agent_packet answer;

    agent_send(&ask);
    answer = agent_read();
    if (answer.type != CANCELNO || answer.srqid != ask.srqid) {
        printf("# there is a packet of type %u from %d to %d with pk_srqid %llu\n", answer.type, answer.src,
               answer.dest, (unsigned long long)answer.srqid);
        return false;
    }
    return true;
}

void agent_settled(void)
{
    if (!agent_nothing()) {
        die("the process sent something that nobody expected");
    }
}

struct agent_packet agent_data(int src, int tag, uint32_t len)
{
    struct agent_packet p = {.type = DATA, .src = src, .len = len, .msglen = len, .lsrank = src, .tag = tag};

    for (uint32_t i = 0; i < len && i < AGENT_DATA_MAX; i++) {
        p.data[i] = (unsigned char)i;
    }
    return p;
}

struct agent_packet agent_answer(uint32_t type, int src, uint64_t srqid)
{
    return (struct agent_packet){.type = type, .src = src, .srqid = srqid, .rest = UINT64_MAX};
}

void agent_begin(uint32_t datalen, uint32_t ackmark, uint32_t hiwater)
{
    struct link_member members[3] = {{.client = 0, .host = 0}, {.client = 1, .host = 1}, {.client = 1, .host = 1}};
    struct link_world world = {
        .clients = 2,
        .hosts = 2,
        .size = 3,
        .datalen = datalen,
        .tagub = 40000,
        .xsize = 1024,
        .maxlinear = 4,
        .xsize_given = -1,
        .maxlinear_given = -1,
        .ackmark = ackmark,
        .hiwater = hiwater,
        .members = members,
    };
    unsigned char table[512];
    char text[16];
    int ends[2];

    for (int rank = 0; rank < 3; rank++) {
        unsigned char id[24];

        put_process(id, rank);
        memcpy(members[rank].process.host, id, 16);
        members[rank].process.pid = 1000 + rank;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 ||
        link_world_encode(&world, 0, table, sizeof(table)) != WIRE_OK) {
        die("cannot make a link");
    }
    wire = ends[1];
    agent_send_octets(table, link_world_octets(&world));
    snprintf(text, sizeof(text), "%d", ends[0]);
    setenv("ASSAY_IMPI_LINK", text, 1);
    setenv("ASSAY_NAL", "loop", 1);
    MPI_Init(NULL, NULL);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

void agent_end(void)
{
    struct agent_packet barrier = agent_data(1, 110, 0), fini = agent_answer(FINI, AGENT_NOBODY, 0);

    barrier.cid = 1;
    agent_send(&barrier); /* master 1 is there: 4.10 */
    agent_send(&fini);    /* and will have gone */
    MPI_Finalize();
}
