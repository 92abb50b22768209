/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The common part of the benchmarks that put Portals beside what carries it; see pair.h. Both sizes of message have a
 * portal, an entry and a descriptor of their own, and share one event queue: at any time only one kind is under way.
 */
#include "tests/bench/pair.h"

#include "ref-impl/include/portals.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 21, TRIPS = 400, BURST = 16, BURSTS = 4 };

/* struct size is what there is for messages of one length. */
struct size {
    ptl_size_t length;
    ptl_pt_index_t portal;
    unsigned char *out, *in;
    ptl_handle_md_t source;
};

/* struct series is what was measured of a way. */
struct series {
    const struct pair_way *way;
    double half_trip_us[ROUNDS];
    double mb_per_s[ROUNDS];
};

static ptl_process_id_t self;
static ptl_handle_ni_t ni;
static ptl_handle_eq_t eq;
static struct size sizes[] = {{.length = PAIR_SMALL, .portal = 1}, {.length = PAIR_LARGE, .portal = 2}};

void pair_demand(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "%s: rank %u: %s failed\n", program_invocation_short_name, (unsigned)self.rid, what);
        _exit(1);
    }
}

unsigned pair_rank(void)
{
    return (unsigned)self.rid;
}

static struct size *size_of(size_t length)
{
    return &sizes[length != PAIR_SMALL];
}

unsigned char *pair_out(size_t length)
{
    return size_of(length)->out;
}

unsigned char *pair_in(size_t length)
{
    return size_of(length)->in;
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void size_open(struct size *size)
{
    ptl_process_id_t anybody = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};
    ptl_md_t room = {.start = size->in,
                     .length = size->length,
                     .threshold = PTL_MD_THRESH_INF,
                     .options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE,
                     .eventq = eq};
    ptl_md_t source = {
        .start = size->out, .length = size->length, .threshold = PTL_MD_THRESH_INF, .eventq = PTL_EQ_NONE};
    ptl_handle_me_t me;
    ptl_handle_md_t handle;

    pair_demand(PtlMEAttach(ni, size->portal, anybody, 0, 0, PTL_RETAIN, &me) == PTL_OK, "PtlMEAttach");
    pair_demand(PtlMDAttach(me, room, PTL_RETAIN, &handle) == PTL_OK, "PtlMDAttach");
    pair_demand(PtlMDBind(ni, source, &size->source) == PTL_OK, "PtlMDBind");
}

void pair_portals_say(size_t length)
{
    const struct size *size = size_of(length);
    ptl_process_id_t other = {.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = 1 - self.rid};

    pair_demand(PtlPut(size->source, PTL_NOACK_REQ, other, size->portal, 0, 0, 0) == PTL_OK, "PtlPut");
}

void pair_portals_hear(size_t length)
{
    ptl_event_t event;

    pair_demand(PtlEQWait(eq, &event) == PTL_OK && event.type == PTL_EVENT_PUT && event.mlength == length, "PtlEQWait");
}

static void trips(struct series *series, int round)
{
    double begun = now_us();

    for (int i = 0; i < TRIPS; i++) {
        if (self.rid == 0) {
            series->way->say(PAIR_SMALL);
            series->way->hear(PAIR_SMALL);
        } else {
            series->way->hear(PAIR_SMALL);
            series->way->say(PAIR_SMALL);
        }
    }
    series->half_trip_us[round] = (now_us() - begun) / (2.0 * TRIPS);
}

static void stream(struct series *series, int round)
{
    double begun = now_us();

    for (int burst = 0; burst < BURSTS; burst++) {
        for (int i = 0; i < BURST; i++) {
            if (self.rid == 0) {
                series->way->say(PAIR_LARGE);
            } else {
                series->way->hear(PAIR_LARGE);
            }
        }
        if (self.rid == 0) {
            series->way->hear(PAIR_SMALL);
        } else {
            series->way->say(PAIR_SMALL);
        }
    }
    series->mb_per_s[round] = (double)BURST * BURSTS * PAIR_LARGE / (now_us() - begun);
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
    printf("%-28s %-12s median %9.2f   min %9.2f   max %9.2f  %s\n", what, name, values[ROUNDS / 2], values[0],
           values[ROUNDS - 1], unit);
    return values[ROUNDS / 2];
}

static void report(struct series *portals, struct series *raw)
{
    double a = line("8 octets, half round trip", portals->way->name, portals->half_trip_us, "us");
    double b = line("8 octets, half round trip", raw->way->name, raw->half_trip_us, "us");

    printf("%-28s portals takes %.2f times as long as %s\n", "", a / b, raw->way->name);
    a = line("1 MiB messages", portals->way->name, portals->mb_per_s, "MB/s");
    b = line("1 MiB messages", raw->way->name, raw->mb_per_s, "MB/s");
    printf("%-28s portals reaches %.0f %% of %s\n", "", 100.0 * a / b, raw->way->name);
}

static void open_all(void)
{
    pair_demand(PtlNIInit(PTL_IFACE_DEFAULT, 4, 4, &ni) == PTL_OK && PtlEQAlloc(ni, 1024, &eq) == PTL_OK, "PtlNIInit");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        sizes[i].out = calloc(1, sizes[i].length);
        sizes[i].in = calloc(1, sizes[i].length);
        pair_demand(sizes[i].out && sizes[i].in, "allocating the messages");
        size_open(&sizes[i]);
    }
    pair_demand(PtlNIBarrier(ni) == PTL_OK, "PtlNIBarrier");
}

static void close_all(void)
{
    pair_demand(PtlNIBarrier(ni) == PTL_OK && PtlNIFini(ni) == PTL_OK, "PtlNIFini");
    PtlFini();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        free(sizes[i].out);
        free(sizes[i].in);
    }
}

/* Each rank on a processor of its own, if there are as many: where the system puts them is another matter. */
static void pin(void)
{
    cpu_set_t one;

    if (sysconf(_SC_NPROCESSORS_ONLN) >= 2) {
        CPU_ZERO(&one);
        CPU_SET((size_t)self.rid, &one);
        (void)sched_setaffinity(0, sizeof one, &one);
    }
}

int pair_run(const struct pair_way *raw)
{
    static const struct pair_way portals = {.name = "portals", .say = pair_portals_say, .hear = pair_portals_hear};
    static struct series of_portals, of_raw;
    ptl_id_t count = 0;

    of_portals.way = &portals;
    of_raw.way = raw;
    pair_demand(PtlInit() == PTL_OK && PtlGetId(&self, &count) == PTL_OK, "PtlInit");
    if (count != 2) {
        fprintf(stderr, "%s: needs two ranks: portalsrun -np 2 %s\n", program_invocation_short_name,
                program_invocation_short_name);
        return 2;
    }
    pin();
    open_all();
    raw->open();
    for (int round = 0; round < ROUNDS; round++) {
        trips(&of_portals, round);
        trips(&of_raw, round);
        stream(&of_portals, round);
        stream(&of_raw, round);
    }
    if (self.rid == 0) {
        report(&of_portals, &of_raw);
    }
    close_all();
    raw->close();
    return 0;
}
