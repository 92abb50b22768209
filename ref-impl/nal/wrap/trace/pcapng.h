/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Writing capture files in the pcapng format: one section, one Ethernet interface, enhanced packet blocks with
 * comments. Every packet is in the file when the call returns, so that a crash leaves a file that can be read.
 */
#ifndef REF_IMPL_NAL_WRAP_TRACE_PCAPNG_H
#define REF_IMPL_NAL_WRAP_TRACE_PCAPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct pcapng;

/* The most parts that a packet may be given in. */
enum { PCAPNG_PARTS = 4 };

/* struct pcapng_packet is one packet: its octets in parts, and how long it had been on the wire, which is more where
 * not all of it was kept. `comment` may be NULL. Time is in nanoseconds since 1970. */
struct pcapng_packet {
    uint64_t time_ns;
    struct iovec parts[PCAPNG_PARTS];
    int part_count;
    size_t wire_octets;
    const char *comment;
};

/* pcapng_create - makes the file, or empties it; NULL with errno on failure. The texts stand in the file: `application`
 * and `comment` describe the capture, `interface` names its one interface.
 * pcapng_close - closes and frees it. */
struct pcapng *pcapng_create(const char *path, const char *application, const char *comment, const char *interface);
void pcapng_close(struct pcapng *capture);

/* pcapng_write - appends a packet. False with errno when it could not be written; the file then ends with the packet
 * before it, as far as that can be had. One thread at a time. */
bool pcapng_write(struct pcapng *capture, const struct pcapng_packet *packet);

#endif
