/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the processes of the parallel file server (chapter 5.1) and their clients say to each other. All run on machines
 * of one kind, so a request is simply a struct.
 *
 *      client                      the server that it asks              the other servers
 *        |------ request ---------------->|                                    |
 *        |                                |------ request, with the client's --->|
 *        |                                |       id as Portals told it        |
 *        |<===== puts or gets, each server its own stripes, at offsets that the servers choose ========>|
 *
 * The client adds up the lengths of what was done to its memory: when the sum is the size of the operation, it is done.
 *
 * The file is one row of octets, in stripes. Stripe s is on server s % count, as its stripe s / count.
 */
#ifndef REF_IMPL_EXAMPLES_FILE_PROTOCOL_H
#define REF_IMPL_EXAMPLES_FILE_PROTOCOL_H

#include <portals.h>

enum {
    FILE_PORTAL_REQUESTS = 1,  /* of a server: from clients */
    FILE_PORTAL_FORWARDED = 2, /* of a server: from the other servers */
    FILE_PORTALS = 8,          /* size of everybody's portal table */
    FILE_COOKIE_CLIENTS = 2,   /* of a server: the access control entry that admits clients */
    FILE_COOKIES = 4,          /* size of everybody's access control table */
    FILE_STRIPE = 4096,
    FILE_CLIENTS_MAX = 16, /* at a time */
};

#define FILE_LENGTH_MAX ((ptl_size_t)1 << 30)

enum file_kind {
    FILE_OPEN,  /* the client's memory is at `portal`, and the servers' cookie there is `cookie` */
    FILE_READ,  /* put `length` octets of the file, from `offset` on, into the memory with match bits `operation` */
    FILE_WRITE, /* get them from there */
    FILE_CLOSE,
};

struct file_request {
    uint32_t kind; /* enum file_kind */
    ptl_pt_index_t portal;
    ptl_ac_index_t cookie;
    ptl_process_id_t client; /* in forwarded requests; what a client writes here is not looked at */
    ptl_match_bits_t operation;
    ptl_size_t offset, length;
};

#endif
