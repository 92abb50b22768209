/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The world table as octets, and its way over the link; see link.h. The agent writes tables, the MPI library reads one.
 * Chapter 2.3.5 says what is in it: the clients' labels, as every client of the job understands them.
 */
#include "ref-impl/impi/common/link.h"

#include "wire/octets/cursor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LENGTH_OCTETS = 4, NUMBERS_OCTETS = 15 * 4, MEMBER_OCTETS = 24 };

/* Octets behind the length. */
static size_t body_octets(uint32_t clients, uint32_t hosts, uint32_t size)
{
    return NUMBERS_OCTETS + 4 * (size_t)clients + 4 * (size_t)hosts + MEMBER_OCTETS * (size_t)size;
}

size_t link_world_octets(const struct link_world *world)
{
    return LENGTH_OCTETS + body_octets(world->clients, world->hosts, world->size);
}

static void numbers_write(struct wire_writer *w, const struct link_world *world, uint32_t rank)
{
    wire_write_u32(w, LINK_VERSION);
    wire_write_u32(w, rank);
    wire_write_u32(w, world->clients);
    wire_write_u32(w, world->hosts);
    wire_write_u32(w, world->size);
    wire_write_u32(w, world->major);
    wire_write_u32(w, world->minor);
    wire_write_u32(w, world->datalen);
    wire_write_u32(w, (uint32_t)world->tagub);
    wire_write_u32(w, (uint32_t)world->xsize);
    wire_write_u32(w, (uint32_t)world->maxlinear);
    wire_write_u32(w, (uint32_t)world->xsize_given);
    wire_write_u32(w, (uint32_t)world->maxlinear_given);
    wire_write_u32(w, world->ackmark);
    wire_write_u32(w, world->hiwater);
}

/* Hosts of each client, then processes of each host: how long the runs of equal clients and hosts are. */
static void counts_write(struct wire_writer *w, const struct link_world *world)
{
    uint32_t rank = 0;

    for (uint32_t client = 0; client < world->clients; client++) {
        uint32_t first = world->members[rank].host;

        while (rank < world->size && world->members[rank].client == client) {
            rank++;
        }
        wire_write_u32(w, world->members[rank - 1].host - first + 1);
    }
    rank = 0;
    for (uint32_t host = 0; host < world->hosts; host++) {
        uint32_t first = rank;

        while (rank < world->size && world->members[rank].host == host) {
            rank++;
        }
        wire_write_u32(w, rank - first);
    }
}

enum wire_status link_world_encode(const struct link_world *world, uint32_t rank, void *buffer, size_t cap)
{
    size_t need = link_world_octets(world);
    struct wire_writer w = wire_writer_over(buffer, cap);

    if (cap < need) {
        return WIRE_NO_SPACE;
    }
    wire_write_u32(&w, (uint32_t)(need - LENGTH_OCTETS));
    numbers_write(&w, world, rank);
    counts_write(&w, world);
    for (uint32_t i = 0; i < world->size; i++) {
        wire_write_octets(&w, world->members[i].process.host, WIRE_IMPI_HOST_OCTETS);
        wire_write_u64(&w, (uint64_t)world->members[i].process.pid);
    }
    return w.failed ? WIRE_NO_SPACE : WIRE_OK;
}

static void numbers_read(struct wire_reader *r, struct link_world *world)
{
    world->rank = wire_read_u32(r);
    world->clients = wire_read_u32(r);
    world->hosts = wire_read_u32(r);
    world->size = wire_read_u32(r);
    world->major = wire_read_u32(r);
    world->minor = wire_read_u32(r);
    world->datalen = wire_read_u32(r);
    world->tagub = (int32_t)wire_read_u32(r);
    world->xsize = (int32_t)wire_read_u32(r);
    world->maxlinear = (int32_t)wire_read_u32(r);
    world->xsize_given = (int32_t)wire_read_u32(r);
    world->maxlinear_given = (int32_t)wire_read_u32(r);
    world->ackmark = wire_read_u32(r);
    world->hiwater = wire_read_u32(r);
}

/* Gives every member its client and its host. False when the counts do not add up. */
static bool counts_read(struct wire_reader *r, struct link_world *world)
{
    struct wire_reader hosts_of = wire_read_part(r, 4 * (size_t)world->clients);
    struct wire_reader processes_of = wire_read_part(r, 4 * (size_t)world->hosts);
    uint32_t host = 0;
    uint32_t rank = 0;

    for (uint32_t client = 0; client < world->clients; client++) {
        uint32_t hosts = wire_read_u32(&hosts_of);

        if (hosts == 0 || hosts > world->hosts - host) {
            return false;
        }
        for (uint32_t last = host + hosts; host < last; host++) {
            uint32_t processes = wire_read_u32(&processes_of);

            if (processes == 0 || processes > world->size - rank) {
                return false;
            }
            for (uint32_t end = rank + processes; rank < end; rank++) {
                world->members[rank].client = client;
                world->members[rank].host = host;
            }
        }
    }
    return !r->failed && host == world->hosts && rank == world->size;
}

/* Numbers that no agent writes. */
static enum wire_status numbers_judge(const struct link_world *world, size_t body)
{
    if (world->clients > LINK_CLIENTS_MAX || world->hosts > LINK_HOSTS_MAX || world->size > LINK_PROCESSES_MAX) {
        return WIRE_TOO_LONG;
    }
    if (body != body_octets(world->clients, world->hosts, world->size) || world->rank >= world->size ||
        world->datalen == 0 || world->ackmark == 0 || world->hiwater < world->ackmark) {
        return WIRE_MALFORMED;
    }
    return WIRE_OK;
}

enum wire_status link_world_decode(const void *octets, size_t len, struct link_world **world)
{
    struct wire_reader r = wire_reader_over(octets, len);
    size_t body = wire_read_u32(&r);
    struct link_world read = {0};

    if (r.failed || body > r.left) {
        return WIRE_SHORT;
    }
    r.left = body;
    if (wire_read_u32(&r) != LINK_VERSION) {
        return r.failed ? WIRE_MALFORMED : WIRE_UNKNOWN;
    }
    numbers_read(&r, &read);
    enum wire_status status = r.failed ? WIRE_MALFORMED : numbers_judge(&read, body);
    if (status != WIRE_OK) {
        return status;
    }
    struct link_world *made = calloc(1, sizeof *made);
    read.members = calloc(read.size, sizeof *read.members);
    if (!made || !read.members) {
        free(made);
        free(read.members);
        return WIRE_NO_SPACE;
    }
    *made = read;
    if (!counts_read(&r, made)) {
        link_world_free(made);
        return WIRE_MALFORMED;
    }
    for (uint32_t i = 0; i < made->size; i++) {
        const unsigned char *host = wire_read_octets(&r, WIRE_IMPI_HOST_OCTETS);

        if (host) {
            memcpy(made->members[i].process.host, host, WIRE_IMPI_HOST_OCTETS);
        }
        made->members[i].process.pid = (int64_t)wire_read_u64(&r);
    }
    *world = made;
    return WIRE_OK;
}

void link_world_free(struct link_world *world)
{
    if (world) {
        free(world->members);
        free(world);
    }
}

bool link_fini_names(const struct wire_impi_process *process)
{
    static const struct wire_impi_process nobody;

    return !wire_impi_process_same(process, &nobody);
}

/* Whether a descriptor is open, and one of a stream socket. */
static bool is_stream(int fd)
{
    int type = 0;
    socklen_t len = sizeof type;

    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_STREAM;
}

int link_open(void)
{
    const char *text = getenv("ASSAY_IMPI_LINK");
    char *end = NULL;

    if (!text) {
        return LINK_NONE;
    }
    errno = 0;
    long fd = strtol(text, &end, 10);
    if (end == text || *end || errno != 0 || fd < 0 || fd > INT32_MAX || !is_stream((int)fd) ||
        fcntl((int)fd, F_SETFD, FD_CLOEXEC) != 0) {
        fprintf(stderr, "impi: ASSAY_IMPI_LINK=%s names no open stream socket; start this program by impirun\n", text);
        return LINK_UNUSABLE;
    }
    unsetenv("ASSAY_IMPI_LINK");
    return (int)fd;
}

/* Reads exactly `len` octets; 0, or the errno of a failure, or -1 at the end of the stream. */
static int octets_receive(int fd, unsigned char *octets, size_t len)
{
    while (len > 0) {
        ssize_t got = read(fd, octets, len);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got < 0 ? errno : -1;
        }
        octets += got;
        len -= (size_t)got;
    }
    return 0;
}

struct link_world *link_world_receive(int fd)
{
    unsigned char length[LENGTH_OCTETS];
    struct link_world *world = NULL;
    int failure = octets_receive(fd, length, sizeof length);

    if (failure == 0) {
        struct wire_reader r = wire_reader_over(length, sizeof length);
        size_t body = wire_read_u32(&r);
        unsigned char *table = body <= LINK_WORLD_OCTETS_MAX ? malloc(LENGTH_OCTETS + body) : NULL;

        if (!table) {
            fprintf(stderr, "impi: the host agent announces a table of %zu octets, which cannot be held\n", body);
            return NULL;
        }
        memcpy(table, length, sizeof length);
        failure = octets_receive(fd, table + LENGTH_OCTETS, body);
        if (failure == 0) {
            enum wire_status status = link_world_decode(table, LENGTH_OCTETS + body, &world);
            if (status != WIRE_OK) {
                fprintf(stderr, "impi: the host agent's table of the job cannot be used: %s\n",
                        wire_status_text(status));
            }
        }
        free(table);
    }
    if (failure > 0) {
        fprintf(stderr, "impi: cannot read from the host agent: %s\n", strerror(failure));
    }
    return world;
}
