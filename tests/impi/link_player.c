/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A process of an IMPI job that knows the link to its host agent (ref-impl/impi/common/link.h) and nothing of MPI. It
 * does what its arguments say, one after the other, and writes a line for what it sees. The tests of impirun start it
 * in the place of an MPI program.
 *
 *      table              prints the table of the job
 *      send RANK LEN TAG  sends a message of LEN octets, all of them the low octet of TAG, to a process
 *      greet              sends its own rank to every process of the other clients, with tag 7
 *      greeted            receives such a message from each of them
 *      await COUNT        receives so many messages
 *      echo               receives, and sends back, until a message with tag 99
 *      fini               says that it is finalized, and reads until the agent says so too
 *      raw HEX            writes octets to the agent
 *      hold               reads until the link ends
 *      only RANK          the actions up to the next `all` are for that rank
 *      all
 *      exit STATUS, die   ends here
 *      stop               does nothing any more, and reads nothing
 */
#include "ref-impl/impi/agent/connection.h"
#include "ref-impl/impi/common/link.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct player {
    struct link_world *world;
    struct connection connection;
    uint32_t *received; /* from each rank, since the last PROTOACK */
    bool ended;         /* the link, without the agent's FINI */
};

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "link-player: %s\n", what);
    exit(3);
}

static uint32_t rank_of(const struct player *p, const struct wire_impi_process *process)
{
    for (uint32_t rank = 0; rank < p->world->size; rank++) {
        if (wire_impi_process_same(&p->world->members[rank].process, process)) {
            return rank;
        }
    }
    fail("a packet from nobody");
}

static void flush(struct player *p)
{
    while (queue_len(&p->connection.out) > 0 && queue_send(&p->connection.out, p->connection.fd) == QUEUE_MOVED) {
        struct pollfd wait = {p->connection.fd, POLLOUT, 0};

        if (queue_len(&p->connection.out) > 0) {
            (void)poll(&wait, 1, -1);
        }
    }
}

static void packet_send(struct player *p, struct wire_impi_packet header, uint32_t to, const void *data)
{
    unsigned char octets[WIRE_IMPI_PACKET_OCTETS];

    header.src = p->world->members[p->world->rank].process;
    header.dest = p->world->members[to].process;
    if (wire_impi_packet_encode(&header, octets, sizeof octets) != WIRE_OK ||
        !connection_put(&p->connection, octets, sizeof octets) ||
        !connection_put(&p->connection, data, header.type == WIRE_IMPI_DATA ? header.len : 0)) {
        fail("no memory");
    }
    flush(p);
}

static void message_send(struct player *p, uint32_t to, int32_t tag, const void *data, uint32_t len)
{
    packet_send(p,
                (struct wire_impi_packet){.type = WIRE_IMPI_DATA,
                                          .len = len,
                                          .msglen = len,
                                          .lsrank = (int32_t)p->world->rank,
                                          .tag = tag,
                                          .srqid = 1},
                to, data);
}

/* The next packet; false: the link has ended. */
static bool any_packet_receive(struct player *p, struct connection_packet *packet)
{
    for (;;) {
        switch (connection_next(&p->connection, UINT32_MAX, packet)) {
        case CONNECTION_PACKET:
            return true;
        case CONNECTION_MORE:
            break;
        case CONNECTION_UNKNOWN_TYPE:
        case CONNECTION_TOO_LONG:
            fail("the agent writes something that is no packet");
        }
        struct pollfd wait = {p->connection.fd, POLLIN, 0};
        (void)poll(&wait, 1, -1);
        if (connection_read(&p->connection) != QUEUE_MOVED) {
            p->ended = true;
            return false;
        }
    }
}

/* The same; when a host has said FINI to which nothing is owed, which is always so, the agent is told. */
static bool packet_receive(struct player *p, struct connection_packet *packet)
{
    while (any_packet_receive(p, packet)) {
        if (packet->header.type != WIRE_IMPI_FINI || !link_fini_names(&packet->header.src)) {
            return true;
        }
        packet_send(p, (struct wire_impi_packet){.type = WIRE_IMPI_FINI}, rank_of(p, &packet->header.src), NULL);
    }
    return false;
}

/* The next message; acknowledges as flow control wants. False: FINI, or the end. */
static bool message_receive(struct player *p, struct connection_packet *packet)
{
    while (packet_receive(p, packet)) {
        if (packet->header.type == WIRE_IMPI_FINI) {
            return false;
        }
        if (packet->header.type == WIRE_IMPI_PROTOACK) {
            continue;
        }
        uint32_t from = rank_of(p, &packet->header.src);
        p->received[from]++;
        if (p->received[from] == p->world->ackmark) {
            p->received[from] = 0;
            packet_send(p, (struct wire_impi_packet){.type = WIRE_IMPI_PROTOACK}, from, NULL);
        }
        if (wire_impi_packet_has_data(packet->header.type)) {
            return true;
        }
        printf("rank %" PRIu32 ": type %" PRIu32 " from rank %" PRIu32 "\n", p->world->rank, packet->header.type, from);
    }
    return false;
}

static bool message_print(struct player *p)
{
    struct connection_packet packet;

    if (!message_receive(p, &packet)) {
        return false;
    }
    const unsigned char *data = packet.octets + WIRE_IMPI_PACKET_OCTETS;
    bool same = true;
    for (uint32_t i = 1; i < packet.header.len; i++) {
        same = same && data[i] == data[0];
    }
    printf("rank %" PRIu32 ": %" PRIu32 " octets %s%02x from rank %" PRIu32 " tag %" PRId32 "\n", p->world->rank,
           packet.header.len, same ? "of " : "beginning with ", packet.header.len ? data[0] : 0U,
           rank_of(p, &packet.header.src), packet.header.tag);
    return true;
}

static bool is_remote(const struct player *p, uint32_t rank)
{
    return p->world->members[rank].client != p->world->members[p->world->rank].client;
}

static void greet(struct player *p, char **words)
{
    (void)words;
    for (uint32_t rank = 0; rank < p->world->size; rank++) {
        if (is_remote(p, rank)) {
            uint32_t own = p->world->rank;

            message_send(p, rank, 7, &own, sizeof own);
        }
    }
}

static void greeted(struct player *p, char **words)
{
    (void)words;
    uint32_t count = 0;
    uint32_t sum = 0;
    struct connection_packet packet;

    for (uint32_t rank = 0; rank < p->world->size; rank++) {
        count += is_remote(p, rank);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = 0;

        if (!message_receive(p, &packet) || packet.header.len != sizeof from) {
            fail("a greeting is missing");
        }
        memcpy(&from, packet.octets + WIRE_IMPI_PACKET_OCTETS, sizeof from);
        sum += from;
    }
    printf("rank %" PRIu32 ": greeted by %" PRIu32 " processes, sum %" PRIu32 "\n", p->world->rank, count, sum);
}

static void echo(struct player *p, char **words)
{
    (void)words;
    struct connection_packet packet;

    while (message_receive(p, &packet) && packet.header.tag != 99) {
        message_send(p, rank_of(p, &packet.header.src), packet.header.tag, packet.octets + WIRE_IMPI_PACKET_OCTETS,
                     packet.header.len);
    }
}

static void hold(struct player *p, char **words)
{
    (void)words;
    while (message_print(p)) {
    }
    printf("rank %" PRIu32 ": %s\n", p->world->rank, p->ended ? "the link has ended" : "FINI");
}

static void fini(struct player *p, char **words)
{
    struct wire_impi_packet header = {.type = WIRE_IMPI_FINI};

    if (!connection_put_header(&p->connection, &header)) {
        fail("no memory");
    }
    flush(p);
    hold(p, words);
}

static void raw(struct player *p, char **words)
{
    const char *hex = words[0];

    for (; hex[0] && hex[1]; hex += 2) {
        char pair[3] = {hex[0], hex[1], '\0'};
        unsigned char octet = (unsigned char)strtoul(pair, NULL, 16);

        if (!connection_put(&p->connection, &octet, 1)) {
            fail("no memory");
        }
    }
    flush(p);
}

static void table(struct player *p, char **words)
{
    const struct link_world *w = p->world;

    (void)words;
    printf("rank %" PRIu32 " of %" PRIu32 ": clients %" PRIu32 " hosts %" PRIu32 " version %" PRIu32 ".%" PRIu32
           " datalen %" PRIu32 " tagub %" PRId32 " xsize %" PRId32 "/%" PRId32 " maxlinear %" PRId32 "/%" PRId32
           " ackmark %" PRIu32 " hiwater %" PRIu32 "\n",
           w->rank, w->size, w->clients, w->hosts, w->major, w->minor, w->datalen, w->tagub, w->xsize_given, w->xsize,
           w->maxlinear_given, w->maxlinear, w->ackmark, w->hiwater);
    for (uint32_t rank = 0; rank < w->size && w->rank == 0; rank++) {
        printf("member %" PRIu32 ": client %" PRIu32 " host %" PRIu32 " pid %" PRId64 "\n", rank,
               w->members[rank].client, w->members[rank].host, w->members[rank].process.pid);
    }
}

static void send_many(struct player *p, char **words)
{
    uint32_t to = (uint32_t)strtoul(words[0], NULL, 10);
    uint32_t len = (uint32_t)strtoul(words[1], NULL, 10);
    int32_t tag = (int32_t)strtol(words[2], NULL, 10);
    unsigned char *data = malloc(len + 1);

    if (!data) {
        fail("no memory");
    }
    memset(data, tag & 0xff, len);
    message_send(p, to, tag, data, len);
    free(data);
}

static void await_many(struct player *p, char **words)
{
    for (long i = strtol(words[0], NULL, 10); i > 0 && message_print(p); i--) {
    }
}

static void leave(struct player *p, char **words)
{
    (void)p;
    fflush(stdout);
    exit((int)strtol(words[0], NULL, 10));
}

static void die(struct player *p, char **words)
{
    (void)p;
    (void)words;
    raise(SIGKILL);
}

static void stop(struct player *p, char **words)
{
    (void)p;
    (void)words;
    raise(SIGSTOP);
}

/* What can be done; `words` are the arguments that follow the name. */
static const struct action {
    const char *name;
    int arguments;
    void (*act)(struct player *p, char **words);
} actions[] = {
    {"table", 0, table},      {"send", 3, send_many}, {"greet", 0, greet}, {"greeted", 0, greeted},
    {"await", 1, await_many}, {"echo", 0, echo},      {"fini", 0, fini},   {"hold", 0, hold},
    {"raw", 1, raw},          {"exit", 1, leave},     {"die", 0, die},     {"stop", 0, stop},
};

static const struct action *action_named(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        if (strcmp(actions[i].name, name) == 0) {
            return &actions[i];
        }
    }
    fail("unknown action");
}

/* Does the actions of the arguments that are for this rank. */
static void play(struct player *p, int argc, char **argv)
{
    bool mine = true;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "all") == 0) {
            mine = true;
            continue;
        }
        if (strcmp(argv[i], "only") == 0) {
            mine = p->world->rank == strtoul(argv[++i], NULL, 10);
            continue;
        }
        const struct action *action = action_named(argv[i]);
        if (i + action->arguments >= argc) {
            fail("an action lacks arguments");
        }
        if (mine) {
            action->act(p, argv + i + 1);
        }
        i += action->arguments;
    }
}

int main(int argc, char **argv)
{
    struct player p = {.connection.fd = link_open()};

    setvbuf(stdout, NULL, _IOLBF, 0);
    p.world = p.connection.fd >= 0 ? link_world_receive(p.connection.fd) : NULL;
    if (!p.world) {
        fail("there is no table of the job");
    }
    p.received = calloc(p.world->size, sizeof *p.received);
    if (!p.received) {
        fail("no memory");
    }
    play(&p, argc, argv);
    connection_close(&p.connection);
    link_world_free(p.world);
    free(p.received);
    return 0;
}
