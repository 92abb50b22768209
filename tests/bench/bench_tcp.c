/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a Portals message over TCP costs beside TCP itself: the half round trip of 8 octets, and how fast 1 MiB messages
 * flow. Two ranks (`make bench-tcp` starts them) do both in turn, round after round, so that both meet the same
 * machine; what counts is the ratio of the medians. The raw peer uses blocking calls on a stream of its own, without
 * threads.
 */
#include "ref-impl/include/portals.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 21, TRIPS = 400, SMALL = 8, LARGE = 1 << 20, BURST = 16, BURSTS = 4, PORTAL = 1 };

static ptl_process_id_t self;
static ptl_handle_ni_t ni;
static ptl_handle_eq_t eq;
static ptl_handle_md_t small_md, large_md;
static unsigned char small[SMALL], *large, small_in[SMALL], *large_in;
static int raw_fd;

static void demand(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "bench_tcp: rank %u: %s failed\n", (unsigned)self.rid, what);
        _exit(1);
    }
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static ptl_process_id_t other(void)
{
    ptl_process_id_t id = {.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = 1 - self.rid};

    return id;
}

/* Both sizes arrive at the same portal, told apart by their match bits, which are their lengths. */
static void attach(void *start, ptl_size_t length)
{
    ptl_process_id_t anybody = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};
    ptl_md_t md = {.start = start,
                   .length = length,
                   .threshold = PTL_MD_THRESH_INF,
                   .options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE,
                   .eventq = eq};
    ptl_handle_me_t me;
    ptl_handle_md_t handle;

    if (length == SMALL) {
        demand(PtlMEAttach(ni, PORTAL, anybody, length, 0, PTL_RETAIN, &me) == PTL_OK, "PtlMEAttach");
    } else {
        demand(PtlMEAttach(ni, PORTAL + 1, anybody, length, 0, PTL_RETAIN, &me) == PTL_OK, "PtlMEAttach");
    }
    demand(PtlMDAttach(me, md, PTL_RETAIN, &handle) == PTL_OK, "PtlMDAttach");
}

static ptl_handle_md_t bind_source(void *start, ptl_size_t length)
{
    ptl_md_t md = {.start = start, .length = length, .threshold = PTL_MD_THRESH_INF, .eventq = PTL_EQ_NONE};
    ptl_handle_md_t handle;

    demand(PtlMDBind(ni, md, &handle) == PTL_OK, "PtlMDBind");
    return handle;
}

static void portals_say(size_t length)
{
    bool is_small = length == SMALL;

    demand(PtlPut(is_small ? small_md : large_md, PTL_NOACK_REQ, other(), is_small ? PORTAL : PORTAL + 1, 0, length,
                  0) == PTL_OK,
           "PtlPut");
}

static void portals_hear(size_t length)
{
    ptl_event_t event;

    demand(PtlEQWait(eq, &event) == PTL_OK && event.type == PTL_EVENT_PUT && event.mlength == length, "PtlEQWait");
}

static void raw_say(size_t length)
{
    const unsigned char *from = length == SMALL ? small : large;

    for (size_t said = 0; said < length;) {
        ssize_t put = send(raw_fd, from + said, length - said, MSG_NOSIGNAL);
        demand(put > 0, "send");
        said += (size_t)put;
    }
}

static void raw_hear(size_t length)
{
    unsigned char *to = length == SMALL ? small_in : large_in;

    demand(recv(raw_fd, to, length, MSG_WAITALL) == (ssize_t)length, "recv");
}

/* struct way is one of the two ways to talk. */
struct way {
    const char *name;
    void (*say)(size_t length);
    void (*hear)(size_t length);
    double half_trip_us[ROUNDS];
    double mb_per_s[ROUNDS];
};

static void trips(struct way *way, int round)
{
    double begun = now_us();

    for (int i = 0; i < TRIPS; i++) {
        if (self.rid == 0) {
            way->say(SMALL);
            way->hear(SMALL);
        } else {
            way->hear(SMALL);
            way->say(SMALL);
        }
    }
    way->half_trip_us[round] = (now_us() - begun) / (2.0 * TRIPS);
}

static void stream(struct way *way, int round)
{
    double begun = now_us();

    for (int burst = 0; burst < BURSTS; burst++) {
        for (int i = 0; i < BURST; i++) {
            if (self.rid == 0) {
                way->say(LARGE);
            } else {
                way->hear(LARGE);
            }
        }
        if (self.rid == 0) {
            way->hear(SMALL);
        } else {
            way->say(SMALL);
        }
    }
    way->mb_per_s[round] = (double)BURST * BURSTS * LARGE / (now_us() - begun);
}

/* The raw stream: rank 1 listens, and puts its port to rank 0. */
static void raw_open(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    demand(fd >= 0, "socket");
    if (self.rid == 1) {
        demand(bind(fd, (struct sockaddr *)&address, len) == 0 && listen(fd, 1) == 0 &&
                   getsockname(fd, (struct sockaddr *)&address, &len) == 0,
               "listen");
        memcpy(small, &address.sin_port, sizeof address.sin_port);
        portals_say(SMALL);
        raw_fd = accept(fd, NULL, NULL);
        close(fd);
    } else {
        portals_hear(SMALL);
        memcpy(&address.sin_port, small_in, sizeof address.sin_port);
        raw_fd = connect(fd, (struct sockaddr *)&address, len) == 0 ? fd : -1;
    }
    demand(raw_fd >= 0, "connecting the raw stream");
    (void)setsockopt(raw_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;

    return a < b ? -1 : a > b;
}

static double line(const char *what, const char *name, double *values, const char *unit)
{
    qsort(values, ROUNDS, sizeof *values, compare);
    printf("%-28s %-8s median %9.2f   min %9.2f   max %9.2f  %s\n", what, name, values[ROUNDS / 2], values[0],
           values[ROUNDS - 1], unit);
    return values[ROUNDS / 2];
}

static void report(struct way *portals, struct way *raw)
{
    double a = line("8 octets, half round trip", portals->name, portals->half_trip_us, "us");
    double b = line("8 octets, half round trip", raw->name, raw->half_trip_us, "us");

    printf("%-28s portals takes %.2f times as long as raw tcp\n", "", a / b);
    a = line("1 MiB messages", portals->name, portals->mb_per_s, "MB/s");
    b = line("1 MiB messages", raw->name, raw->mb_per_s, "MB/s");
    printf("%-28s portals reaches %.0f %% of raw tcp\n", "", 100.0 * a / b);
}

int main(void)
{
    static struct way portals = {.name = "portals", .say = portals_say, .hear = portals_hear};
    static struct way raw = {.name = "raw tcp", .say = raw_say, .hear = raw_hear};
    ptl_id_t size = 0;

    large = calloc(1, LARGE);
    large_in = calloc(1, LARGE);
    demand(PtlInit() == PTL_OK && PtlGetId(&self, &size) == PTL_OK, "PtlInit");
    if (size != 2 || !large || !large_in) {
        fprintf(stderr, "bench_tcp: needs two ranks: portalsrun -np 2 bench_tcp\n");
        return 2;
    }
    demand(PtlNIInit(PTL_IFACE_DEFAULT, 4, 4, &ni) == PTL_OK && PtlEQAlloc(ni, 1024, &eq) == PTL_OK, "PtlNIInit");
    attach(small_in, SMALL);
    attach(large_in, LARGE);
    small_md = bind_source(small, SMALL);
    large_md = bind_source(large, LARGE);
    demand(PtlNIBarrier(ni) == PTL_OK, "PtlNIBarrier");
    raw_open();
    for (int round = 0; round < ROUNDS; round++) {
        trips(&portals, round);
        trips(&raw, round);
        stream(&portals, round);
        stream(&raw, round);
    }
    if (self.rid == 0) {
        report(&portals, &raw);
    }
    demand(PtlNIBarrier(ni) == PTL_OK && PtlNIFini(ni) == PTL_OK, "PtlNIFini");
    PtlFini();
    close(raw_fd);
    free(large);
    free(large_in);
    return 0;
}
