/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A profile: all that differs between one specification and another. Each is one row of specs/profiles.json, which
 * profile_table.h reads; specs/README.md describes the fields.
 */
#ifndef TESTER_PROFILE_PROFILE_H
#define TESTER_PROFILE_PROFILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What looks at a system under test before any case (preflight.h), and what judges all that it sends beside the cases
 * (passive_checker.h): the functions of the engine that a row can name. */
enum profile_preflight { PROFILE_PREFLIGHT_PORTALS, PROFILE_PREFLIGHT_IMPI, PROFILE_PREFLIGHT_INTERCEPT };
enum profile_checker { PROFILE_CHECKER_PORTALS, PROFILE_CHECKER_IMPI, PROFILE_CHECKER_INTERCEPT };

/* struct profile_suite is a suite of cases and one line about it. */
struct profile_suite {
    const char *name, *about;
};

/* struct profile_text is a command to type, with the words above it. {folder} in the command stands for the folder of
 * the interpreter's archive; all other words in braces are for the launch agent. */
struct profile_text {
    const char *title, *command;
};

/* struct profile_server is a server that somebody who is judged in a role may bring along. */
struct profile_server {
    const char *title, *about;
    const char *const *reference; /* the command by which the reference's is started; ends with NULL */
};

/* struct profile_role is what a system under test can be in this profile. A profile without roles has one, whose name
 * is "". */
struct profile_role {
    const char *name;             /* "server" */
    const char *title;            /* "IMPI server" */
    const char *about;            /* one line for whoever chooses */
    const char *placeholder;      /* which a command template of this role has; NULL: this is the role of all others */
    const char *const *reference; /* the template by which the reference is judged; ends with NULL */
    struct profile_text build, start;    /* what a vendor types */
    const struct profile_server *server; /* or NULL: nothing can be brought along */
    const char *const *notes;            /* what a vendor has to know beside the commands; ends with NULL. NULL: none */
};

/* struct profile is one row; all strings and lists live as long as the table. */
struct profile {
    const char *name;        /* "portals-3.0" */
    const char *title;       /* "Portals 3.0" */
    const char *document;    /* the specification as one cites it */
    const char *prefix;      /* of its requirements' ids: "P30" */
    bool complete;           /* every testable requirement has a case, and every case a mutant */
    const char *interpreter; /* the program: "interp-portals" */
    const char *api;         /* what its `hello` calls what it was built for */
    bool own_jobs;           /* its cases start their jobs themselves; else the engine starts one for each case */
    enum profile_preflight preflight;
    enum profile_checker checker;
    const char *const *protocols; /* names for `assay decode --proto`; ends with NULL */
    const char *transport;        /* how a system under test is connected, for the report */
    bool on_wire;                 /* it always is; else the preflight finds out whether it speaks the transport */
    const struct profile_role *roles;
    size_t role_count; /* at least 1 */
    const struct profile_suite *suites;
    size_t suite_count;
    const json_t *row; /* the whole object */
};

/* profile_has_roles tells whether the command template decides what is judged. profile_role_find gives the role of
 * that name, profile_role_of that of a command template; NULL when there is none. */
bool profile_has_roles(const struct profile *profile);
const struct profile_role *profile_role_find(const struct profile *profile, const char *name);
const struct profile_role *profile_role_of(const struct profile *profile, const char *template);

/* profile_takes_server tells whether some role may bring a server along. */
bool profile_takes_server(const struct profile *profile);

#endif
