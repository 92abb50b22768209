/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the parts of the service share: made once in main.c; while requests are answered only
 * `ending` changes.
 */
#ifndef WEB_SERVICE_SERVICE_H
#define WEB_SERVICE_SERVICE_H

#include "tester/report/certificate.h"
#include "web/service/issuer.h"
#include "web/service/limits.h"
#include "web/service/proxies.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>

struct access_log;
struct aside;
struct catalogue;
struct database;
struct decoders;
struct evidence_files;
struct frame;
struct hangups;
struct hashing;
struct hub;
struct kept;
struct listener;
struct known;
struct rate;
struct room;
struct route_table;
struct runs;
struct timeouts;

struct service {
    const char *data;         /* the data folder */
    const char *name;         /* of one of several services that share it; "": it is alone */
    const char *peer_address; /* where scripted peers listen, or NULL: the local address of the agent's connection */
    bool tls;
    bool single_user; /* whoever connects is the owner; only on loopback */
    char csrf[49];    /* of that user's pages */
    struct issuer issuer;
    struct limits limits;
    struct proxies proxies;
    const struct route_table *routes;
    struct aside *aside;
    struct access_log *access_log; /* NULL: none is kept */
    struct database *database;
    struct evidence_files *evidence;
    struct decoders *decoders; /* NULL: captures are not decoded here */
    struct room *room;
    struct catalogue *catalogue;
    struct frame *frame;
    struct hangups *hangups; /* NULL: without TLS none are watched */
    struct hashing *hashing;
    struct hub *hub;
    struct kept *kept;
    struct known *known;
    struct listener *listener; /* NULL: the service is alone */
    struct runs *runs;
    struct rate *account_rate, *costly_rate, *address_rate, *guess_rate;
    struct timeouts *timeouts;
    atomic_bool ending; /* no request is begun any more: 503 */
    atomic_uint slept;  /* requests whose connections were suspended, and that are not answered yet */
    struct certificate_key key;
    json_t *key_chain; /* the keys before, and what proves them (tester/report/key_chain.h) */
};

#endif
