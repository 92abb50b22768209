/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The command line of assayd.
 */
#ifndef WEB_SERVICE_OPTIONS_H
#define WEB_SERVICE_OPTIONS_H

#include "web/service/issuer.h"
#include "web/service/limits.h"
#include "web/service/place.h"
#include "web/service/proxies.h"

#include <stdbool.h>
#include <sys/socket.h>

enum options_task {
    OPTIONS_SERVE,
    OPTIONS_ISSUE_TOKEN, /* print an API token and end */
    OPTIONS_BACK_UP,     /* copy the data folder and end */
    OPTIONS_INSPECT,     /* look whether the data are whole and end */
    OPTIONS_REJUDGE,     /* judge the stored evidence again and end */
    OPTIONS_ROTATE_KEY,  /* change the signing key and end */
    OPTIONS_LIST_ROUTES, /* print the table of routes and end */
    OPTIONS_END,         /* --help or --version was answered */
    OPTIONS_WRONG,       /* one line was printed to stderr */
};

struct options {
    enum options_task task;
    const char *listen; /* as given: ADDR:PORT */
    struct place place; /* where the data are */
    const char *tls_cert, *tls_key, *peer_address, *token_name, *backup, *rejudge, *access_log;
    const char *sharkd; /* NULL: the one of PATH, if it is there; "none" */
    struct issuer issuer;
    bool sign_in_link, single_user;
    struct limits limits;
    struct proxies proxies;
    char host[64]; /* of listen, without brackets */
    struct sockaddr_storage address;
    socklen_t address_len;
};

/* options_parse reads the command line; pointers in it point into argv. */
void options_parse(int argc, char **argv, struct options *options);

#endif
