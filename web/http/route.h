/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A table of routes, and how the row for a request is found. The service's own is in web/routes.c.
 */
#ifndef WEB_HTTP_ROUTE_H
#define WEB_HTTP_ROUTE_H

#include "web/http/request.h"
#include "web/store/role.h"

#include <stdbool.h>
#include <stddef.h>

/* Who may ask. */
enum route_who {
    WHO_ANYONE,
    WHO_RUN,     /* whoever has the token of a run, which the engine checks; not counted by the limits of requests */
    WHO_ACCOUNT, /* signed in by cookie or API token; else 401 */
    WHO_TESTER,  /* likewise, with that role or a higher one; else 403 */
    WHO_COSTLY,  /* a tester, of what makes much work: has a limit of its own beside that of all requests */
    WHO_CERTIFIER,
    WHO_ADMINISTRATOR,
    WHO_PAGE, /* signed in by cookie; else sent to the sign-in page */
};

/* How it is answered. */
enum route_pace {
    AT_ONCE, /* by the server's thread: waits for nothing, not even for who writes to the database, and reads little */
    ASIDE,   /* aside.h */
};

struct route {
    const char *method;  /* GET rows answer HEAD too */
    const char *pattern; /* a segment in braces stands for anything but a slash */
    enum route_who who;
    size_t body_limit; /* octets; 0: takes no body */
    void (*handle)(struct request *request);
    enum route_pace pace;
};

struct route_table {
    const struct route *rows;
    size_t count;
};

/* route_find gives the row for a method and a path and writes what the braces stand for, or NULL. known_path tells
 * whether another method has that path. */
const struct route *route_find(const struct route_table *table, const char *method, const char *path,
                               char parameters[REQUEST_PARAMETERS_MAX][REQUEST_PARAMETER_SIZE], bool *known_path);

/* route_role gives the least role that may ask for it. */
enum role route_role(const struct route *route);

/* route_allowed writes the methods that `path` has, for the header Allow. */
void route_allowed(const struct route_table *table, const char *path, char *allowed, size_t allowed_octets);

/* route_print writes the table to standard output: method, pattern, who, body limit. */
void route_print(const struct route_table *table);

#endif
