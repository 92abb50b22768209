/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Ping-pong, as the thesis on Intercept measures it (A.1, 6.1.2): rank 1 puts a short message to rank 0, which
 * puts one back, thirty times. What is printed is the time from the put until its sender may use its memory again: over
 * Intercept that is when the target has told that it has the message, so it does not depend on the answer (ICPT-241).
 *
 *      portalsrun -np 2 --nal intercept ping_pong
 *
 * The thesis's two programs are one here, and its API is that of Portals 3.2: PTL_EVENT_SENT stands where it has
 * PTL_EVENT_SEND_END.
 */
#include "ref-impl/examples/must.h"

#include <limits.h>
#include <string.h>
#include <time.h>

enum {
    LOOPS = 30,
    BUFFER = LOOPS * 1024,
    SERVER = 0,
    CLIENT = 1,
    SERVER_PORTAL = 2,
    CLIENT_PORTAL = 4,
    PORTALS = 10,
    QUEUE = 10,
    COOKIE = 0,
    PAUSE_NS = 200000000,
};

static ptl_process_id_t self;
static ptl_id_t size;
static ptl_handle_ni_t ni;
static char inbuf[BUFFER], outbuf[BUFFER];
static ptl_handle_eq_t eq; /* of both descriptors */
static ptl_handle_md_t out;

static unsigned long long now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_nsec / 1000;
}

/* Takes puts from anybody with any bits, and binds `text` to be sent. */
//= ICPT-236
//= ICPT-237
//= ICPT-239
static void buffers_open(ptl_pt_index_t portal, const char *text)
{
    ptl_handle_me_t entry;
    ptl_md_t md = {.start = inbuf, .length = sizeof inbuf, .threshold = PTL_MD_THRESH_INF, .options = PTL_MD_OP_PUT};

    MUST(PtlEQAlloc(ni, QUEUE, &eq));
    md.eventq = eq;
    MUST(PtlMEAttach(ni, portal, must_anybody(), 0, ~(ptl_match_bits_t)0, PTL_RETAIN, &entry));
    MUST(PtlMDAttach(entry, md, PTL_RETAIN, NULL));
    snprintf(outbuf, sizeof outbuf, "%s", text);
    md.start = outbuf;
    md.length = strlen(outbuf) + 1;
    MUST(PtlMDBind(ni, md, &out));
}

//= ICPT-238
static void put_to(ptl_id_t rank, ptl_pt_index_t portal)
{
    ptl_process_id_t target = {.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = rank};

    MUST(PtlPut(out, PTL_NOACK_REQ, target, portal, COOKIE, 0, 0));
}

//= ICPT-243
static void server(void)
{
    for (int i = 0; i < LOOPS;) {
        if (must_event(eq).type == PTL_EVENT_PUT) {
            i++;
            put_to(CLIENT, CLIENT_PORTAL);
        }
    }
}

/* Waits for both events of a ping, its own and the answer; when the first came. */
static unsigned long long ping_end(void)
{
    unsigned long long sent_us = 0;

    for (int i = 0; i < 2; i++) {
        if (must_event(eq).type == PTL_EVENT_SENT) {
            sent_us = now_us();
        }
    }
    return sent_us;
}

//= ICPT-241
//= ICPT-234
//= ICPT-240
//= ICPT-242
//= ICPT-244
static void client(void)
{
    unsigned long long least = ULLONG_MAX, most = 0, sum = 0;
    struct timespec pause = {0, PAUSE_NS};

    printf("Sending %d ping(s) to rank %d\n", (int)LOOPS, (int)SERVER);
    for (int i = 0; i < LOOPS; i++) {
        unsigned long long begin = now_us();

        put_to(SERVER, SERVER_PORTAL);
        unsigned long long delay = ping_end() - begin;
        sum += delay;
        least = delay < least ? delay : least;
        most = delay > most ? delay : most;
        nanosleep(&pause, NULL);
    }
    printf("Summary:\nMinimum latency: %llu\nMaximum latency: %llu\nAverage: %llu (%d tries)\n", least, most,
           sum / LOOPS, (int)LOOPS);
}

//= ICPT-235
int main(int argc, char **argv)
{
    (void)argv;
    MUST(PtlInit());
    MUST(PtlGetId(&self, &size));
    if (argc > 1 || size != 2) {
        fprintf(stderr, "ping_pong: call it as portalsrun -np 2 ping_pong\n");
        PtlFini();
        return 2;
    }
    MUST(PtlNIInit(PTL_IFACE_DEFAULT, PORTALS, 2, &ni));
    if (self.rid == SERVER) {
        buffers_open(SERVER_PORTAL, "the pong");
    } else {
        buffers_open(CLIENT_PORTAL, "a ping, of twenty-eight more");
    }
    MUST(PtlNIBarrier(ni));
    if (self.rid == SERVER) {
        server();
    } else {
        client();
    }
    MUST(PtlNIBarrier(ni)); /* nobody leaves while the other still needs it */
    MUST(PtlNIFini(ni));
    PtlFini();
    return 0;
}
