/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * impirun's side of a client on many nodes: see nodes.h for what is said in which order. One thread, one poll; a peer
 * that does not know the key is not listened to any further.
 */
#include "ref-impl/impi/client/nodes.h"

#include "ref-impl/clock.h"
#include "ref-impl/impi/agent/setup.h"
#include "ref-impl/impi/client/launcher.h"
#include "ref-impl/impi/client/line.h"
#include "ref-impl/impi/client/negotiate_pack.h"
#include "ref-impl/impi/client/server_watch.h"
#include "ref-impl/impi/common/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <net/if.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    KEY_OCTETS = 16,
    UNIDENTIFIED_MAX = 256, /* connections that have not said who they are */
    NODE_OCTETS = 72,
    PLACES_OCTETS = 256, /* our addresses, with commas between */
    SPARE_FDS = 64,
    FAILED = 1,
    LOST_MS = 10000,  /* from the loss of a process to the end of its launcher, which knows more of it */
    BROKEN_MS = 1000, /* from another failure of an agent: the loss of a process of another node may be behind it */
    LEAVE_MS = 10000  /* from the end of a launcher to that of the agents */
};

/* struct member is one rank, until it becomes the program. */
struct member {
    struct line_stream stream;
    unsigned char host_id[WIRE_IMPI_HOST_OCTETS];
    char node[NODE_OCTETS];
};

/* struct host is a host agent. */
struct host {
    struct line_stream stream;
    uint32_t first; /* of its ranks */
    bool ended;
    int status; /* an enum agent_status, once it has ended */
};

struct nodes {
    const struct client_options *options;
    struct launcher launcher;
    int listen_fd;
    char key[2 * KEY_OCTETS + 1];
    struct line_stream unidentified[UNIDENTIFIED_MAX];
    uint64_t came[UNIDENTIFIED_MAX]; /* in which order they have come */
    uint64_t newcomers;
    struct member *members;
    struct host *hosts;
    struct offer_host *places;
    uint16_t *ports;
    uint32_t host_count, joined, listening;
    struct pollfd *polled;
    bool failed; /* a line says why */
};

/* Always false. */
__attribute__((format(printf, 2, 3))) static bool fail(struct nodes *n, const char *fmt, ...)
{
    char text[256];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    fprintf(stderr, "impirun: %s\n", text);
    n->failed = true;
    return false;
}

/* All IPv4 addresses of this machine, for members that may reach only one of them; a loopback one is the last. */
static void places_write(char *text, size_t cap)
{
    struct ifaddrs *all = NULL;
    size_t used = 0;

    (void)getifaddrs(&all);
    for (const struct ifaddrs *at = all; at && used + INET_ADDRSTRLEN + 12 < cap; at = at->ifa_next) {
        char address[INET_ADDRSTRLEN];

        if (at->ifa_addr && at->ifa_addr->sa_family == AF_INET && !(at->ifa_flags & IFF_LOOPBACK)) {
            const struct sockaddr_in *in = (const void *)at->ifa_addr;

            inet_ntop(AF_INET, &in->sin_addr, address, sizeof address);
            used += (size_t)snprintf(text + used, cap - used, "%s,", address);
        }
    }
    snprintf(text + used, cap - used, "127.0.0.1");
    freeifaddrs(all);
}

static bool key_make(struct nodes *n)
{
    unsigned char octets[KEY_OCTETS];

    if (getrandom(octets, sizeof octets, 0) != (ssize_t)sizeof octets) {
        return false;
    }
    for (size_t i = 0; i < sizeof octets; i++) {
        snprintf(n->key + 2 * i, 3, "%02x", octets[i]);
    }
    return true;
}

/* Room for a connection of each member, of each agent, and of unidentified. */
static bool descriptors_need(const struct nodes *n)
{
    rlim_t count = 2 * (rlim_t)n->options->processes + UNIDENTIFIED_MAX + SPARE_FDS;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) {
        return true;
    }
    limit.rlim_cur = limit.rlim_max < count ? limit.rlim_max : count;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= count;
}

static bool memory_take(struct nodes *n)
{
    uint32_t count = n->options->processes;

    n->members = calloc(count, sizeof *n->members);
    n->hosts = calloc(count, sizeof *n->hosts);
    n->places = calloc(count, sizeof *n->places);
    n->ports = calloc(count, sizeof *n->ports);
    n->polled = calloc((size_t)count + UNIDENTIFIED_MAX + 3, sizeof *n->polled);
    for (uint32_t i = 0; n->members && n->hosts && i < count; i++) {
        n->members[i].stream.fd = n->hosts[i].stream.fd = -1;
    }
    return n->members && n->hosts && n->places && n->ports && n->polled;
}

/* The launcher, with `impirun -member` and the program behind. */
static bool members_start(struct nodes *n, int server_fd)
{
    char self[4096], places[PLACES_OCTETS], server[ADDRESS_TEXT_OCTETS];
    struct address at = address_any(0), peer;
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    size_t words = 0;

    n->listen_fd = address_listen(&at);
    if (n->listen_fd < 0 || len <= 0 || !key_make(n) || !address_peer(server_fd, &peer)) {
        return fail(n, "cannot listen for the processes of other nodes: %s", strerror(errno));
    }
    self[len] = '\0';
    address_text(&peer, server);
    places_write(places, sizeof places - 8);
    snprintf(places + strlen(places), 8, ":%u", (unsigned)address_port(&at));
    while (n->options->command[words]) {
        words++;
    }
    char **more = calloc(words + 6, sizeof *more);
    if (!more) {
        return fail(n, "no memory");
    }
    char *own[] = {self, "-member", n->key, places, server};
    memcpy(more, own, sizeof own);
    memcpy(more + 5, n->options->command, words * sizeof *more);
    bool good = launcher_start(&n->launcher, n->options->launcher, n->options->processes, more);
    free(more);
    n->failed = !good;
    return good;
}

static bool octets_parse(const char *text, unsigned char *octets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned value = 0;

        if (sscanf(text + 2 * i, "%2x", &value) != 1) {
            return false;
        }
        octets[i] = (unsigned char)value;
    }
    return true;
}

/* JOIN: a newcomer is a rank. */
static bool member_joins(struct nodes *n, struct line_stream *newcomer, const char *text)
{
    char id[2 * WIRE_IMPI_HOST_OCTETS + 1], node[NODE_OCTETS];
    uint32_t rank = 0;

    if (sscanf(text, "%" SCNu32 " %32[0-9a-f] %71s", &rank, id, node) != 3 || strlen(id) != sizeof id - 1) {
        return false;
    }
    if (rank >= n->options->processes || n->members[rank].stream.fd >= 0) {
        (void)fail(n,
                   "the launcher has started rank %" PRIu32 "%s, and -np says %" PRIu32 ": does its command say {np}?",
                   rank, rank < n->options->processes ? " twice" : "", n->options->processes);
        return false;
    }
    struct member *member = &n->members[rank];
    if (!octets_parse(id, member->host_id, sizeof member->host_id)) {
        return false;
    }
    memcpy(member->node, node, sizeof node);
    member->stream = *newcomer;
    *newcomer = (struct line_stream){.fd = -1};
    n->joined++;
    return true;
}

/* AGENT: a newcomer is a host agent. */
static bool agent_joins(struct nodes *n, struct line_stream *newcomer, const char *text)
{
    uint32_t first = 0, port = 0, host = 0;

    if (sscanf(text, "%" SCNu32 " %" SCNu32, &first, &port) != 2 || port < 1 || port > UINT16_MAX) {
        return false;
    }
    while (host < n->host_count && n->hosts[host].first != first) {
        host++;
    }
    if (host == n->host_count || n->hosts[host].stream.fd >= 0) {
        return false;
    }
    n->ports[host] = (uint16_t)port;
    n->hosts[host].stream = *newcomer;
    *newcomer = (struct line_stream){.fd = -1};
    n->listening++;
    return true;
}

/* What somebody says who has not said anything yet; false: no more is wanted. */
static bool newcomer_speaks(struct nodes *n, struct line_stream *newcomer)
{
    char text[LINE_OCTETS], word[8], key[sizeof n->key];
    int used = 0;
    enum line_outcome outcome = line_next(newcomer, text);

    if (outcome != LINE_HEARD) {
        return outcome == LINE_NOT_YET;
    }
    if (sscanf(text, "%7s %32s %n", word, key, &used) != 2 || strcmp(key, n->key) != 0) {
        return false;
    }
    if (strcmp(word, "JOIN") == 0 && n->host_count == 0) {
        return member_joins(n, newcomer, text + used);
    }
    return strcmp(word, "AGENT") == 0 && agent_joins(n, newcomer, text + used);
}

/* Takes a newcomer; where there is no room for one, whoever has been silent the longest makes it. */
static void newcomer_take(struct nodes *n)
{
    int fd = accept4(n->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    size_t place = 0;

    if (fd < 0) {
        return;
    }
    for (size_t i = 1; i < UNIDENTIFIED_MAX && n->unidentified[place].fd >= 0; i++) {
        if (n->unidentified[i].fd < 0 || n->came[i] < n->came[place]) {
            place = i;
        }
    }
    line_close(&n->unidentified[place]);
    n->came[place] = n->newcomers++;
    address_ready(fd);
    n->unidentified[place].fd = fd;
}

/* Waits for the launcher's end, newcomers, and those who have not said who they are. */
static bool newcomers_serve(struct nodes *n)
{
    n->polled[0] = (struct pollfd){n->launcher.fd, POLLIN, 0};
    n->polled[1] = (struct pollfd){n->listen_fd, POLLIN, 0};
    for (size_t i = 0; i < UNIDENTIFIED_MAX; i++) {
        n->polled[2 + i] = (struct pollfd){n->unidentified[i].fd, POLLIN, 0};
    }
    if (poll(n->polled, 2 + UNIDENTIFIED_MAX, -1) < 0) {
        return true;
    }
    for (size_t i = 0; i < UNIDENTIFIED_MAX; i++) {
        if (n->polled[2 + i].revents != 0 && !newcomer_speaks(n, &n->unidentified[i])) {
            line_close(&n->unidentified[i]);
        }
    }
    if (n->polled[1].revents != 0) {
        newcomer_take(n);
    }
    launcher_reap(&n->launcher);
    if (!n->launcher.running && !n->failed) {
        return fail(n, "the launcher ended with status %d when %" PRIu32 " of %" PRIu32 " processes had come",
                    n->launcher.status, n->joined, n->options->processes);
    }
    return !n->failed;
}

/* Deals the ranks to hosts: those in a row on one node, in as many blocks as the user wants. */
static bool hosts_deal(struct nodes *n)
{
    uint32_t count = n->options->processes, end;

    for (uint32_t first = 0; first < count; first = end) {
        for (end = first + 1; end < count && strcmp(n->members[end].node, n->members[first].node) == 0 &&
                              memcmp(n->members[end].host_id, n->members[first].host_id, WIRE_IMPI_HOST_OCTETS) == 0;) {
            end++;
        }
        struct offer row = {.processes = end - first,
                            .hosts = n->options->hosts < end - first ? n->options->hosts : end - first};
        for (uint32_t i = 0; i < row.hosts; i++) {
            struct offer_host *place = &n->places[n->host_count];

            place->first = first + offer_first(&row, i);
            memcpy(place->id, n->members[first].host_id, sizeof place->id);
            n->hosts[n->host_count++].first = place->first;
        }
    }
    if (n->host_count > LINK_HOSTS_MAX) {
        return fail(n, "%" PRIu32 " hosts are more than %d", n->host_count, LINK_HOSTS_MAX);
    }
    return true;
}

/* The rank behind the last one of a host. */
static uint32_t host_end(const struct nodes *n, uint32_t host)
{
    return host + 1 < n->host_count ? n->hosts[host + 1].first : n->options->processes;
}

static bool leaders_tell(struct nodes *n)
{
    for (uint32_t host = 0; host < n->host_count; host++) {
        uint32_t first = n->hosts[host].first;

        if (!line_say(n->members[first].stream.fd, "LEAD %" PRIu32 " %" PRIu32, first, host_end(n, host) - first)) {
            return fail(n, "rank %" PRIu32 " is gone before the job begins", first);
        }
    }
    return true;
}

static bool members_link(struct nodes *n)
{
    for (uint32_t host = 0; host < n->host_count; host++) {
        for (uint32_t rank = n->hosts[host].first; rank < host_end(n, host); rank++) {
            if (!line_say(n->members[rank].stream.fd, "LINK %" PRIu32, n->hosts[host].first)) {
                return fail(n, "rank %" PRIu32 " is gone before the job begins", rank);
            }
        }
    }
    return true;
}

/* Others cannot reach a node at its loopback address; only where all is on one machine it does. */
static bool places_judge(struct nodes *n)
{
    for (uint32_t i = 1; i < n->options->processes; i++) {
        if (n->members[i].host_id[12] == 127 && strcmp(n->members[i].node, n->members[0].node) != 0) {
            return fail(n,
                        "nodes %s and %s would both be known by a loopback address: name the IMPI server by an "
                        "address that all nodes reach",
                        n->members[0].node, n->members[i].node);
        }
    }
    return true;
}

static bool all_gather(struct nodes *n, int server_fd)
{
    if (!memory_take(n) || !descriptors_need(n)) {
        return fail(n, "cannot have so many processes: no memory, or too few open files are allowed (ulimit -Hn)");
    }
    if (!members_start(n, server_fd)) {
        return false;
    }
    while (n->joined < n->options->processes) {
        if (!newcomers_serve(n)) {
            return false;
        }
    }
    if (!places_judge(n) || !hosts_deal(n) || !leaders_tell(n)) {
        return false;
    }
    while (n->listening < n->host_count) {
        if (!newcomers_serve(n)) {
            return false;
        }
    }
    return members_link(n);
}

struct nodes *nodes_gather(const struct client_options *options, int server_fd, struct offer *offer, int *status)
{
    struct nodes *n = calloc(1, sizeof *n);

    *status = FAILED;
    if (!n) {
        fputs("impirun: no memory\n", stderr);
        return NULL;
    }
    n->options = options;
    n->launcher.fd = n->listen_fd = -1;
    for (size_t i = 0; i < UNIDENTIFIED_MAX; i++) {
        n->unidentified[i].fd = -1;
    }
    if (!all_gather(n, server_fd)) {
        launcher_reap(&n->launcher);
        *status = !n->launcher.running && n->launcher.status != 0 ? n->launcher.status : FAILED;
        nodes_end(n);
        return NULL;
    }
    offer->hosts = n->host_count;
    offer->places = n->places;
    offer->ports = n->ports;
    return n;
}

int nodes_launcher_fd(const struct nodes *n)
{
    return n->launcher.fd;
}

/* Gives agents the labels, and members the word to begin. */
static bool job_tell(struct nodes *n, const struct negotiation *labels, uint32_t clients)
{
    struct queue packed = {0};
    bool good = negotiate_pack(labels, &packed);

    for (uint32_t host = 0; good && host < n->host_count; host++) {
        int fd = n->hosts[host].stream.fd;

        good = line_say(fd, "JOB %" PRIu32 " %" PRId32 " %" PRIu32 " %zu %" PRIu32, clients, n->options->rank, host,
                        queue_len(&packed), n->options->connect_seconds) &&
               line_say_octets(fd, queue_front(&packed), queue_len(&packed));
    }
    for (uint32_t rank = 0; good && rank < n->options->processes; rank++) {
        good = line_say(n->members[rank].stream.fd, "RUN");
    }
    for (uint32_t rank = 0; good && rank < n->options->processes; rank++) {
        line_close(&n->members[rank].stream);
    }
    queue_free(&packed);
    return good || fail(n, "a process or a host agent is gone before the job begins");
}

/* What an agent says: how it ends. */
static void agent_speaks(struct host *host)
{
    unsigned char octet = AGENT_BROKEN;
    ssize_t got = recv(host->stream.fd, &octet, 1, MSG_DONTWAIT);

    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    host->ended = true;
    host->status = got == 1 ? octet : AGENT_BROKEN;
    line_close(&host->stream);
}

/* How many agents have not ended; *outcome is how the others did. A lost process explains what else is broken. */
static uint32_t agents_running(const struct nodes *n, int *outcome)
{
    uint32_t running = 0;

    *outcome = AGENT_ORDERLY;
    for (uint32_t host = 0; host < n->host_count; host++) {
        running += !n->hosts[host].ended;
        if (n->hosts[host].ended && n->hosts[host].status != AGENT_ORDERLY && *outcome != AGENT_PROCESS_LOST) {
            *outcome = n->hosts[host].status;
        }
    }
    return running;
}

/* How long what still runs may go on, since something has ended; 0: no longer. */
static uint64_t patience_ms(const struct nodes *n, int outcome)
{
    if (!n->launcher.running) {
        return n->launcher.status == 0 && outcome == AGENT_ORDERLY ? LEAVE_MS : 0;
    }
    return outcome == AGENT_PROCESS_LOST ? LOST_MS : BROKEN_MS;
}

/* Waits until something happens, at most until `due`; 0: however long that takes. */
static void job_serve(struct nodes *n, int *server_fd, uint64_t due)
{
    uint64_t now = clock_now_ms();
    int patience = due == 0 ? -1 : due > now ? (int)(due - now) : 0;

    n->polled[0] = (struct pollfd){n->launcher.running ? n->launcher.fd : -1, POLLIN, 0};
    n->polled[1] = (struct pollfd){*server_fd, POLLIN, 0};
    for (uint32_t host = 0; host < n->host_count; host++) {
        n->polled[2 + host] = (struct pollfd){n->hosts[host].stream.fd, POLLIN, 0};
    }
    if (poll(n->polled, 2 + (nfds_t)n->host_count, patience) <= 0) {
        return;
    }
    launcher_reap(&n->launcher);
    for (uint32_t host = 0; host < n->host_count; host++) {
        if (n->polled[2 + host].revents != 0) {
            agent_speaks(&n->hosts[host]);
        }
    }
    if (n->polled[1].revents != 0) {
        server_watch(server_fd, NULL);
    }
}

int nodes_run(struct nodes *n, const struct negotiation *labels, uint32_t clients, int *server_fd)
{
    uint64_t since = 0; /* something has ended that the rest must follow; 0: nothing has */
    int outcome = AGENT_ORDERLY;

    if (!job_tell(n, labels, clients)) {
        return FAILED;
    }
    while (agents_running(n, &outcome) > 0 || n->launcher.running) {
        uint64_t now = clock_now_ms();

        if (since == 0 && (outcome != AGENT_ORDERLY || !n->launcher.running)) {
            since = now;
        }
        if (since != 0 && now >= since + patience_ms(n, outcome)) {
            break;
        }
        job_serve(n, server_fd, since == 0 ? 0 : since + patience_ms(n, outcome));
    }
    bool orderly = agents_running(n, &outcome) == 0 && outcome == AGENT_ORDERLY;
    if (n->launcher.running) {
        launcher_end(&n->launcher);
        return FAILED;
    }
    return n->launcher.status != 0 ? n->launcher.status : orderly ? 0 : FAILED;
}

void nodes_end(struct nodes *n)
{
    if (!n) {
        return;
    }
    for (uint32_t i = 0; n->members && n->hosts && i < n->options->processes; i++) {
        line_close(&n->members[i].stream);
        line_close(&n->hosts[i].stream);
    }
    for (size_t i = 0; i < UNIDENTIFIED_MAX; i++) {
        line_close(&n->unidentified[i]);
    }
    launcher_end(&n->launcher);
    if (n->listen_fd >= 0) {
        close(n->listen_fd);
    }
    free(n->members);
    free(n->hosts);
    free(n->places);
    free(n->ports);
    free(n->polled);
    free(n);
}
