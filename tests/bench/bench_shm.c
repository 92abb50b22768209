/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a Portals message through shared memory costs beside shared memory itself: the half round trip of 8 octets, and
 * how fast 1 MiB messages flow. Two ranks (`make bench-shm` starts them) do it in turn, round after round, so that both
 * meet the same machine; what counts is the ratio of the medians.
 *
 * The raw way uses two buffers in a piece of shared memory of its own, one in each direction, copies once on each side,
 * and sleeps on a futex after looking for a moment, as a program must that shares its processors. No thread of its own
 * serves it: unlike Portals it moves nothing while the program computes.
 */
#include "ref-impl/include/portals.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 21, TRIPS = 400, SMALL = 8, LARGE = 1 << 20, BURST = 16, BURSTS = 4, PORTAL = 1 };

static ptl_process_id_t self;
static ptl_handle_ni_t ni;
static ptl_handle_eq_t eq;
static ptl_handle_md_t small_md, large_md;
static unsigned char small[SMALL], *large, small_in[SMALL], *large_in;

/* struct channel is one direction of the raw ways: one message at a time. `turn` counts half turns: odd, it is full. */
struct channel {
    _Alignas(64) _Atomic uint32_t turn;
    _Atomic uint32_t sleepers;
    _Alignas(64) unsigned char octets[LARGE];
};

static struct channel *channels; /* the n-th is written by rank n */

static void demand(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "bench_shm: rank %u: %s failed\n", (unsigned)self.rid, what);
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

/* How often the raw way looks before it sleeps. */
enum { LOOKS = 2048 };

/* Waits until the channel is full, or empty. */
static void raw_await(struct channel *channel, bool full)
{
    for (unsigned looks = 0;; looks++) {
        uint32_t turn = atomic_load_explicit(&channel->turn, memory_order_acquire);

        if ((turn & 1) == full) {
            return;
        }
        if (looks >= LOOKS) {
            atomic_fetch_add(&channel->sleepers, 1);
            (void)syscall(SYS_futex, &channel->turn, FUTEX_WAIT, turn, NULL, NULL, 0);
            atomic_fetch_sub(&channel->sleepers, 1);
        }
    }
}

static void raw_turn(struct channel *channel)
{
    atomic_fetch_add(&channel->turn, 1);
    if (atomic_load(&channel->sleepers) > 0) {
        (void)syscall(SYS_futex, &channel->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
}

static void raw_say(size_t length)
{
    struct channel *channel = &channels[self.rid];

    raw_await(channel, false);
    memcpy(channel->octets, length == SMALL ? small : large, length);
    raw_turn(channel);
}

static void raw_hear(size_t length)
{
    struct channel *channel = &channels[1 - self.rid];

    raw_await(channel, true);
    memcpy(length == SMALL ? small_in : large_in, channel->octets, length);
    raw_turn(channel);
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

/* The raw memory: rank 1 makes it, and puts its process and descriptor to rank 0, which opens it by those. */
static void raw_open(void)
{
    char path[64];
    uint32_t place[2] = {0, 0};
    int fd = -1;

    if (self.rid == 1) {
        fd = memfd_create("bench_shm", MFD_CLOEXEC);
        demand(fd >= 0 && ftruncate(fd, 2 * sizeof *channels) == 0, "memfd_create");
        place[0] = (uint32_t)getpid();
        place[1] = (uint32_t)fd;
        memcpy(small, place, sizeof place);
        portals_say(SMALL);
    } else {
        portals_hear(SMALL);
        memcpy(place, small_in, sizeof place);
        snprintf(path, sizeof path, "/proc/%u/fd/%u", (unsigned)place[0], (unsigned)place[1]);
        fd = open(path, O_RDWR | O_CLOEXEC);
    }
    channels = mmap(NULL, 2 * sizeof *channels, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    demand(fd >= 0 && channels != MAP_FAILED, "mapping the raw memory");
    demand(PtlNIBarrier(ni) == PTL_OK, "PtlNIBarrier");
    close(fd);
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
    printf("%-28s %-18s median %9.2f   min %9.2f   max %9.2f  %s\n", what, name, values[ROUNDS / 2], values[0],
           values[ROUNDS - 1], unit);
    return values[ROUNDS / 2];
}

static void report(struct way *ways, size_t count)
{
    double trip = 0;
    double rate = 0;

    for (size_t i = 0; i < count; i++) {
        double value = line("8 octets, half round trip", ways[i].name, ways[i].half_trip_us, "us");

        if (i > 0) {
            printf("%-28s portals takes %.2f times as long\n", "", trip / value);
        } else {
            trip = value;
        }
    }
    for (size_t i = 0; i < count; i++) {
        double value = line("1 MiB messages", ways[i].name, ways[i].mb_per_s, "MB/s");

        if (i > 0) {
            printf("%-28s portals reaches %.0f %%\n", "", 100.0 * rate / value);
        } else {
            rate = value;
        }
    }
}

int main(void)
{
    static struct way ways[] = {
        {.name = "portals", .say = portals_say, .hear = portals_hear},
        {.name = "raw memory", .say = raw_say, .hear = raw_hear},
    };
    enum { WAYS = sizeof ways / sizeof ways[0] };
    ptl_id_t size = 0;

    large = calloc(1, LARGE);
    large_in = calloc(1, LARGE);
    demand(PtlInit() == PTL_OK && PtlGetId(&self, &size) == PTL_OK, "PtlInit");
    if (size != 2 || !large || !large_in) {
        fprintf(stderr, "bench_shm: needs two ranks: portalsrun -np 2 --nal shm bench_shm\n");
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
        for (size_t i = 0; i < WAYS; i++) {
            trips(&ways[i], round);
            stream(&ways[i], round);
        }
    }
    if (self.rid == 0) {
        report(ways, WAYS);
    }
    demand(PtlNIBarrier(ni) == PTL_OK && PtlNIFini(ni) == PTL_OK, "PtlNIFini");
    PtlFini();
    munmap(channels, 2 * sizeof *channels);
    free(large);
    free(large_in);
    return 0;
}
