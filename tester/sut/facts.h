/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is known about the system under test: by its command template, and by the preflight.
 */
#ifndef TESTER_SUT_FACTS_H
#define TESTER_SUT_FACTS_H

#include <stdbool.h>

/* When the command that starts a job returns: behind its processes, or before they leave, even before they come. */
enum sut_returns { SUT_RETURNS_UNKNOWN, SUT_RETURNS_EARLY, SUT_RETURNS_LAST };

struct sut_facts {
    char interpreter[128];    /* its name and version */
    char features[128];       /* comma-separated */
    char *verbs;              /* comma-separated; NULL: not known */
    bool wire;                /* speaks the TCP binding with the manager's peers */
    char no_wire[512];        /* why not */
    bool network;             /* its processes join a network of the manager's that they are told of */
    char no_network[512];     /* why not */
    unsigned first_portal;    /* from which portal index on all are the application's */
    enum sut_returns returns; /* when its command returns */
    bool single;           /* its command template does not say how many processes: every job has as many as it says */
    const char *guest;     /* who meets it in place of the reference's client; "": that one */
    const char *role;      /* of a profile with roles: "server" or "client"; else "" */
    bool hosts, options;   /* the template says how many hosts a client has; it takes options */
    bool incoming;         /* it can be connected to from here */
    char no_incoming[256]; /* why not */
    char own_server[1024]; /* command of the server that a vendor of clients brings; "" without */
    bool server_incoming;  /* that server can be connected to from here */
    char no_server_incoming[256];
};

#endif
