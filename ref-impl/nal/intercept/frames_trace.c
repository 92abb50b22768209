/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Frames as a capture; see frames_trace.h. Link and network layers are made up: the datagrams are caught above them.
 */
#include "ref-impl/nal/intercept/frames_trace.h"

#include "ref-impl/nal/wrap/trace/pcapng.h"

#include "wire/octets/cursor.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ETHERNET_OCTETS = 14, IP_OCTETS = 20, UDP_OCTETS = 8, HEADERS = ETHERNET_OCTETS + IP_OCTETS + UDP_OCTETS };
enum { TYPE_IPV4 = 0x0800, VERSION_AND_LENGTH = 0x4500, DO_NOT_FRAGMENT = 0x4000, TTL_AND_UDP = 0x4011 };

bool frames_trace_begin(struct frames_trace *trace)
{
    const char *folder = getenv("ASSAY_TRACE");
    char *path = NULL;

    *trace = (struct frames_trace){NULL};
    if (!folder || !*folder) {
        return true;
    }
    if (asprintf(&path, "%s/intercept-%ld.pcapng", folder, (long)getpid()) < 0) {
        path = NULL;
    } else {
        trace->capture = pcapng_create(path, "assay", "Frames of the Intercept network at its switch", "switch");
    }
    if (!trace->capture) {
        fprintf(stderr, "portals: cannot write the trace %s: %s\n", path ? path : folder, strerror(errno));
    }
    free(path);
    return trace->capture != NULL;
}

static uint16_t ip_checksum(const unsigned char *header)
{
    uint32_t sum = 0;

    for (int i = 0; i < IP_OCTETS; i += 2) {
        sum += (uint32_t)header[i] << 8 | header[i + 1];
    }
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t) ~(sum + (sum >> 16));
}

static void headers_make(unsigned char *headers, const struct sockaddr_in *from, const struct sockaddr_in *to,
                         size_t len)
{
    struct wire_writer writer = wire_writer_over(headers, HEADERS);
    unsigned char *ip = headers + ETHERNET_OCTETS;
    uint16_t sum;

    memset(headers, 0, HEADERS);
    wire_write_octets(&writer, headers, ETHERNET_OCTETS - 2);
    wire_write_u16(&writer, TYPE_IPV4);
    wire_write_u16(&writer, VERSION_AND_LENGTH);
    wire_write_u16(&writer, (uint16_t)(IP_OCTETS + UDP_OCTETS + len));
    wire_write_u16(&writer, 0);
    wire_write_u16(&writer, DO_NOT_FRAGMENT);
    wire_write_u16(&writer, TTL_AND_UDP);
    wire_write_u16(&writer, 0);
    wire_write_u32(&writer, ntohl(from->sin_addr.s_addr));
    wire_write_u32(&writer, ntohl(to->sin_addr.s_addr));
    wire_write_u16(&writer, ntohs(from->sin_port));
    wire_write_u16(&writer, ntohs(to->sin_port));
    wire_write_u16(&writer, (uint16_t)(UDP_OCTETS + len));
    sum = ip_checksum(ip);
    ip[10] = (unsigned char)(sum >> 8);
    ip[11] = (unsigned char)sum;
}

void frames_trace_show(struct frames_trace *trace, const struct sockaddr_in *from, const struct sockaddr_in *to,
                       const unsigned char *octets, size_t len, const char *word)
{
    unsigned char headers[HEADERS];
    struct timespec now;

    if (!trace->capture) {
        return;
    }
    headers_make(headers, from, to, len);
    clock_gettime(CLOCK_REALTIME, &now);
    struct pcapng_packet packet = {
        .time_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec,
        .parts = {{headers, sizeof headers}, {(void *)octets, len}}, /* pcapng_write only reads them */
        .part_count = 2,
        .wire_octets = sizeof headers + len,
        .comment = word};

    if (!pcapng_write(trace->capture, &packet)) {
        fprintf(stderr, "portals: the trace of the network intercept ends here: %s\n", strerror(errno));
        frames_trace_end(trace);
    }
}

void frames_trace_end(struct frames_trace *trace)
{
    if (trace->capture) {
        pcapng_close(trace->capture);
        trace->capture = NULL;
    }
}
