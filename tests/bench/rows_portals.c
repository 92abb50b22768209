/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Rows of the table (table.py) of Portals itself, and of what two processes do at best without it: a flag in shared
 * memory, a TCP stream that is polled, one that is waited for. One run is one round: a line `name value` for each row,
 * in microseconds, except `rate` (million a second). Two ranks, each on the processor of its number.
 */
#include "ref-impl/include/portals.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 50, BATCHES = 40, FEW = 4, WINDOW = 64, WINDOWS = 200, MANY = 100000, CALLS = 500 };

static ptl_process_id_t self, other;
static ptl_handle_ni_t ni;
static ptl_handle_eq_t came, went;
static ptl_handle_md_t source, asked;
static char in[8 * WINDOW], out[8];

static void demand(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "rows_portals: rank %u: %s failed\n", (unsigned)self.rid, what);
        _exit(1);
    }
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void tell(const char *name, double value)
{
    if (self.rid == 0) {
        printf("%s %.4f\n", name, value);
    }
}

/* ---- Portals ---------------------------------------------------------------------------------------------------- */

static void portals_say(void)
{
    demand(PtlPut(source, PTL_NOACK_REQ, other, 0, 0, UINT64_MAX, 0) == PTL_OK, "PtlPut");
}

static void portals_hear(void)
{
    ptl_event_t event;

    demand(PtlEQWait(came, &event) == PTL_OK, "PtlEQWait");
}

static void portals_open(void)
{
    ptl_process_id_t anybody = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};
    ptl_handle_me_t me;
    ptl_handle_md_t md;
    ptl_md_t room = {.start = in,
                     .length = sizeof in,
                     .threshold = PTL_MD_THRESH_INF,
                     .options = PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE | PTL_MD_TRUNCATE};
    ptl_md_t from = {.start = out, .length = sizeof out, .threshold = PTL_MD_THRESH_INF, .eventq = PTL_EQ_NONE};

    demand(PtlNIInit(PTL_IFACE_DEFAULT, 4, 4, &ni) == PTL_OK, "PtlNIInit");
    demand(PtlEQAlloc(ni, 4096, &came) == PTL_OK && PtlEQAlloc(ni, 4096, &went) == PTL_OK, "PtlEQAlloc");
    room.eventq = came;
    demand(PtlMEAttach(ni, 0, anybody, UINT64_MAX, 0, PTL_RETAIN, &me) == PTL_OK, "PtlMEAttach");
    demand(PtlMDAttach(me, room, PTL_RETAIN, &md) == PTL_OK, "PtlMDAttach");
    room.eventq = PTL_EQ_NONE;
    demand(PtlMEAttach(ni, 1, anybody, 0, 0, PTL_RETAIN, &me) == PTL_OK, "PtlMEAttach");
    demand(PtlMDAttach(me, room, PTL_RETAIN, &md) == PTL_OK, "PtlMDAttach");
    demand(PtlMDBind(ni, from, &source) == PTL_OK, "PtlMDBind");
    from.eventq = went;
    demand(PtlMDBind(ni, from, &asked) == PTL_OK, "PtlMDBind");
    demand(PtlNIBarrier(ni) == PTL_OK, "PtlNIBarrier");
}

static void await(ptl_event_kind_t wanted)
{
    ptl_event_t event = {.type = PTL_EVENT_PUT};

    while (event.type != wanted) {
        demand(PtlEQWait(went, &event) == PTL_OK, "PtlEQWait");
    }
}

static void one_sided(void)
{
    double begin = now_us();

    for (int i = 0; i < CALLS && self.rid == 0; i++) {
        demand(PtlPut(asked, PTL_ACK_REQ, other, 1, 0, 0, 0) == PTL_OK, "PtlPut");
        await(PTL_EVENT_ACK);
    }
    tell("put_ack", (now_us() - begin) / CALLS);
    begin = now_us();
    for (int i = 0; i < CALLS && self.rid == 0; i++) {
        demand(PtlGet(asked, other, 1, 0, 0, 0) == PTL_OK, "PtlGet");
        await(PTL_EVENT_REPLY);
    }
    tell("get", (now_us() - begin) / CALLS);
    demand(PtlNIBarrier(ni) == PTL_OK, "PtlNIBarrier");
}

static void rate(void)
{
    double begin = now_us();

    for (int w = 0; w < WINDOWS; w++) {
        for (int i = 0; i < WINDOW; i++) {
            if (self.rid == 0) {
                portals_say();
            } else {
                portals_hear();
            }
        }
        if (self.rid == 0) {
            portals_hear();
        } else {
            portals_say();
        }
    }
    tell("rate", (double)WINDOWS * WINDOW / (now_us() - begin));
}

static ptl_handle_me_t last;

static void list_open(void)
{
    ptl_process_id_t anybody = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};
    ptl_md_t room = {.start = in,
                     .length = sizeof in,
                     .threshold = PTL_MD_THRESH_INF,
                     .options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE,
                     .eventq = came};
    ptl_handle_md_t md;

    demand(PtlMEAttach(ni, 2, anybody, UINT64_MAX, 0, PTL_RETAIN, &last) == PTL_OK, "PtlMEAttach");
    demand(PtlMDAttach(last, room, PTL_RETAIN, &md) == PTL_OK, "PtlMDAttach");
}

/* Entries that do not match, before the one that does. */
static void list_fill(int from, int to)
{
    ptl_process_id_t anybody = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};
    ptl_md_t room = {.start = in, .length = sizeof in, .threshold = 1, .options = PTL_MD_OP_PUT, .eventq = PTL_EQ_NONE};
    ptl_handle_me_t me;
    ptl_handle_md_t md;

    for (int i = from; i < to; i++) {
        demand(PtlMEInsert(anybody, (ptl_match_bits_t)i, 0, PTL_RETAIN, PTL_INS_BEFORE, last, &me) == PTL_OK &&
                   PtlMDAttach(me, room, PTL_RETAIN, &md) == PTL_OK,
               "making an entry");
    }
    demand(PtlNIBarrier(ni) == PTL_OK, "PtlNIBarrier");
}

static void search_say(void)
{
    demand(PtlPut(source, PTL_NOACK_REQ, other, 2, 0, UINT64_MAX, 0) == PTL_OK, "PtlPut");
}

/* ---- without Portals -------------------------------------------------------------------------------------------- */

static struct flags {
    _Alignas(64) _Atomic uint64_t of[2][8];
} * flags;
static int stream = -1;

static void flag_say(void)
{
    atomic_fetch_add_explicit(&flags->of[self.rid][0], 1, memory_order_release);
}

static void flag_hear(void)
{
    static uint64_t heard;

    heard++;
    while (atomic_load_explicit(&flags->of[other.rid][0], memory_order_acquire) < heard) {
    }
}

static void stream_say(void)
{
    demand(send(stream, out, sizeof out, MSG_NOSIGNAL) == sizeof out, "send");
}

static void stream_poll(void)
{
    char octets[8];

    while (recv(stream, octets, sizeof octets, MSG_DONTWAIT) != sizeof octets) {
    }
}

static void stream_wait(void)
{
    char octets[8];

    demand(recv(stream, octets, sizeof octets, MSG_WAITALL) == sizeof octets, "recv");
}

/* Both find each other by the process id of rank 0: the name of the memory, and of the socket's port in a file. */
static void floor_open(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof at;
    int end = socket(AF_INET, SOCK_STREAM, 0), one = 1;

    /* Port and memory go by a put: rank 0 says the port. */
    if (self.rid == 0) {
        demand(bind(end, (struct sockaddr *)&at, len) == 0 && listen(end, 1) == 0, "listen");
        demand(getsockname(end, (struct sockaddr *)&at, &len) == 0, "getsockname");
        memcpy(out, &at.sin_port, sizeof at.sin_port);
        portals_say();
        stream = accept(end, NULL, NULL);
        close(end);
    } else {
        portals_hear();
        memcpy(&at.sin_port, in, sizeof at.sin_port);
        demand(connect(end, (struct sockaddr *)&at, len) == 0, "connect");
        stream = end;
    }
    demand(setsockopt(stream, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0, "TCP_NODELAY");
    char name[64];
    snprintf(name, sizeof name, "/assay-rows-%u", (unsigned)ntohs(at.sin_port));
    int fd = shm_open(name, O_CREAT | O_RDWR, 0600);
    demand(fd >= 0 && ftruncate(fd, sizeof *flags) == 0, "shm_open");
    flags = mmap(NULL, sizeof *flags, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    demand(flags != MAP_FAILED, "mmap");
    close(fd);
    demand(PtlNIBarrier(ni) == PTL_OK, "PtlNIBarrier");
    (void)shm_unlink(name);
}

static double batch(void (*speak)(void), void (*listen_to)(void))
{
    double begin = now_us();

    for (int i = 0; i < BATCH; i++) {
        if (self.rid == 0) {
            speak();
        }
        listen_to();
        if (self.rid == 1) {
            speak();
        }
    }
    return (now_us() - begin) / BATCH / 2;
}

/* Half the round trip, of the quickest of some batches: others use this machine too. */
static double trip(void (*speak)(void), void (*listen_to)(void), int batches)
{
    double least = batch(speak, listen_to);

    for (int i = 1; i < batches; i++) {
        double one = batch(speak, listen_to);

        least = one < least ? one : least;
    }
    return least;
}

static void pin(void)
{
    cpu_set_t one;

    if (sysconf(_SC_NPROCESSORS_ONLN) >= 2) {
        CPU_ZERO(&one);
        CPU_SET((size_t)self.rid, &one);
        (void)sched_setaffinity(0, sizeof one, &one);
    }
}

int main(void)
{
    ptl_id_t size = 0;

    demand(PtlInit() == PTL_OK && PtlGetId(&self, &size) == PTL_OK && size == 2, "PtlInit as one of two ranks");
    other = (ptl_process_id_t){.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = 1 - self.rid};
    pin();
    portals_open();
    floor_open();
    (void)trip(portals_say, portals_hear, FEW);
    tell("trip", trip(portals_say, portals_hear, BATCHES));
    tell("flag", trip(flag_say, flag_hear, BATCHES));
    tell("stream_polled", trip(stream_say, stream_poll, BATCHES));
    tell("stream_waited", trip(stream_say, stream_wait, BATCHES));
    rate();
    one_sided();
    list_open();
    list_fill(0, 10000);
    tell("posted_10000", trip(search_say, portals_hear, FEW));
    list_fill(10000, MANY / 2);
    tell("posted_50000", trip(search_say, portals_hear, FEW));
    demand(PtlNIBarrier(ni) == PTL_OK && PtlNIFini(ni) == PTL_OK, "PtlNIFini");
    PtlFini();
    return 0;
}
