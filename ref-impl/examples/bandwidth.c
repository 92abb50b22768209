/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Bandwidth, as the thesis on Intercept measures it (A.2, 6.1.2): rank 1 puts one long message to rank 0, and times it
 * until its memory is its own again.
 *
 *      portalsrun -np 2 --nal intercept bandwidth [-l MB] [-m OCTETS]
 *
 * -l  length of the message, in units of 2^20 octets; 100 at most, and where it is not said
 * -m  how far the buffers begin behind a page's beginning
 *
 * The thesis's two programs are one here, and its API is that of Portals 3.2: the event that ends the measurement is
 * PTL_EVENT_SENT, and what the server prints is whether it has got all of it.
 */
#include "ref-impl/examples/must.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MB = 1024 * 1024, ALIGNMENT = 4096, SERVER = 0, CLIENT = 1, PORTAL = 5, PORTALS = 10, QUEUE = 10, COOKIE = 0 };
enum { LENGTH_MOST = 100 };

static ptl_process_id_t self;
static ptl_id_t size;
static ptl_handle_ni_t ni;
static unsigned char buffer[(size_t)LENGTH_MOST * MB] __attribute__((aligned(ALIGNMENT)));

/* What the command line says. */
static size_t misalign, length;

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* A number of at most `most`. */
static bool number_read(const char *text, size_t most, size_t *number)
{
    char *end = NULL;
    unsigned long value = strtoul(text, &end, 10);

    *number = value;
    return *text >= '0' && *text <= '9' && *end == '\0' && value <= most;
}

//= ICPT-247
//= ICPT-248
static bool arguments_read(int argc, char **argv)
{
    size_t mb = 0;
    bool good = true;

    for (int option = getopt(argc, argv, "l:m:"); good && option != -1; option = getopt(argc, argv, "l:m:")) {
        good = (option == 'l' && number_read(optarg, LENGTH_MOST, &mb)) ||
               (option == 'm' && number_read(optarg, sizeof buffer - 1, &misalign));
    }
    length = sizeof buffer - misalign;
    if (mb > 0 && mb * MB < length) {
        length = mb * MB;
    }
    return good && optind == argc;
}

static unsigned char pattern(size_t i)
{
    return (unsigned char)(i * 7 + i / 251);
}

//= ICPT-253
//= ICPT-255
static bool server(ptl_handle_eq_t eq)
{
    ptl_event_t event = must_event(eq);
    size_t good = 0;

    while (good < length && buffer[misalign + good] == pattern(good)) {
        good++;
    }
    printf("Received %llu bytes, %s.\n", (unsigned long long)event.mlength,
           good == length ? "as they were sent" : "but not as they were sent");
    return event.mlength == length && good == length;
}

//= ICPT-245
static ptl_handle_eq_t server_open(void)
{
    ptl_handle_eq_t eq;
    ptl_handle_me_t entry;
    ptl_md_t md = {.start = buffer + misalign,
                   .length = sizeof buffer - misalign,
                   .threshold = 1,
                   .options = PTL_MD_OP_PUT | PTL_MD_TRUNCATE};

    MUST(PtlEQAlloc(ni, QUEUE, &eq));
    md.eventq = eq;
    MUST(PtlMEAttach(ni, PORTAL, must_anybody(), 0, ~(ptl_match_bits_t)0, PTL_RETAIN, &entry));
    MUST(PtlMDAttach(entry, md, PTL_RETAIN, NULL));
    return eq;
}

//= ICPT-249
//= ICPT-246
//= ICPT-250
//= ICPT-251
//= ICPT-252
static void client(void)
{
    ptl_process_id_t target = {.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = SERVER};
    ptl_md_t md = {.start = buffer + misalign, .length = length, .threshold = 1};
    ptl_handle_eq_t eq;
    ptl_handle_md_t bound;

    MUST(PtlEQAlloc(ni, QUEUE, &eq));
    md.eventq = eq;
    MUST(PtlMDBind(ni, md, &bound));
    double begin = now_ms();
    MUST(PtlPut(bound, PTL_NOACK_REQ, target, PORTAL, COOKIE, 0, 0));
    while (must_event(eq).type != PTL_EVENT_SENT) {
    }
    double took = now_ms() - begin;
    printf("Sent %zu bytes in %f ms.\nBandwidth: %f MB/s\n", length, took, (double)length / MB / took * 1000);
}

int main(int argc, char **argv)
{
    ptl_handle_eq_t eq = PTL_EQ_NONE;
    bool good = arguments_read(argc, argv);

    MUST(PtlInit());
    MUST(PtlGetId(&self, &size));
    if (!good || size != 2) {
        fprintf(stderr, "bandwidth: call it as portalsrun -np 2 bandwidth [-l MB] [-m OCTETS]\n");
        PtlFini();
        return 2;
    }
    MUST(PtlNIInit(PTL_IFACE_DEFAULT, PORTALS, 2, &ni));
    if (self.rid == SERVER) {
        eq = server_open();
    } else {
        printf("Buffer address: %p\nBuffer address + misalignment: %p\nMessage length: %zu\n", (void *)buffer,
               (void *)(buffer + misalign), length);
        for (size_t i = 0; i < length; i++) {
            buffer[misalign + i] = pattern(i);
        }
    }
    MUST(PtlNIBarrier(ni));
    if (self.rid == SERVER) {
        good = server(eq);
    } else {
        client();
    }
    MUST(PtlNIBarrier(ni)); /* nobody leaves while the other still needs it */
    MUST(PtlNIFini(ni));
    PtlFini();
    return good ? 0 : 1;
}
