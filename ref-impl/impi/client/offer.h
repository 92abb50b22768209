/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a client contributes to the labels (chapter 2.3.5): its hosts, its processes, and the values that its user
 * wants.
 */
#ifndef REF_IMPL_IMPI_CLIENT_OFFER_H
#define REF_IMPL_IMPI_CLIENT_OFFER_H

#include "ref-impl/impi/common/queue.h"
#include "wire/impi/packet.h"

#include <stdbool.h>
#include <stdint.h>

/* Bounds of what a user may ask for; 3.9 has most of them. */
#define OFFER_TAGUB_MAX 2147483647
enum {
    OFFER_DATALEN = 65536,
    OFFER_DATALEN_MAX = 1 << 24, /* ours: a whole packet is held in memory */
    OFFER_TAGUB_MIN = 32767,
    OFFER_ACKMARK = 10,
    OFFER_HIWATER = 20,
    OFFER_HIWATER_MAX = 1 << 20 /* ours as well */
};

/* Ours, and none of version 0.0: a label without values, which says that the hosts of this client want secure channels
 * (common/secure.h). */
enum { OFFER_SECURE_LABEL = 0x41535359 };

/* struct offer_values is what a user can choose. */
struct offer_values {
    uint32_t datalen;
    int32_t tagub;
    int32_t xsize, maxlinear; /* -1: the user did not choose */
    uint32_t ackmark, hiwater;
};

/* struct offer_host is where the hosts of a client that has several machines are, and where their processes begin. */
struct offer_host {
    unsigned char id[WIRE_IMPI_HOST_OCTETS];
    uint32_t first;
};

/* struct offer is all that a client contributes. Without `places` its processes are dealt to its hosts in blocks, and
 * all are at `host_id`; process i is known by the identifier of its host and `first_pid` + i. */
struct offer {
    uint32_t hosts, processes; /* 1 <= hosts <= processes */
    struct offer_values values;
    unsigned char host_id[WIRE_IMPI_HOST_OCTETS];
    const struct offer_host *places; /* one for each host, or NULL */
    const uint16_t *ports;           /* one for each host */
    int64_t first_pid;
    bool secure; /* the hosts want secure channels */
};

/* offer_first - the first process of a host; for `host` equal to `hosts`, the number of processes.
 * offer_host_id - the identifier of a host.
 * offer_process_host_id - that of the host of a process. */
uint32_t offer_first(const struct offer *offer, uint32_t host);
const unsigned char *offer_host_id(const struct offer *offer, uint32_t host);
const unsigned char *offer_process_host_id(const struct offer *offer, uint32_t process);

/* offer_write - puts one COLL command for each label of version 0.0, in ascending order, that of secure
 * channels where they are wanted, and DONE. False: no memory. */
bool offer_write(const struct offer *offer, struct queue *queue);

#endif
