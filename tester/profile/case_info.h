/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a case says about itself.
 */
#ifndef TESTER_PROFILE_CASE_INFO_H
#define TESTER_PROFILE_CASE_INFO_H

#include <stdbool.h>

/* What struct case_info.cell holds: whose server it is and whose the two clients are ("sut" or "reference"), and the
 * name of the program that they run. */
enum { CELL_SERVER, CELL_CLIENT_A, CELL_CLIENT_B, CELL_PROGRAM, CELL_TEXTS };

/* struct case_info describes one case; strings live as long as the list. `requirements` ends with NULL. */
struct case_info {
    const char *id, *title, *suite, *chapter, *profile, *file;
    const char *revision;      /* the profile for which it was written, of which this one may be a later revision */
    const char *chapter_title; /* of that section of the specification; "" when it is not known */
    const char *const *requirements;
    const char *purpose;     /* one or two sentences for a reader */
    const char *source;      /* the text of the case's file */
    bool foundation;         /* all others rest on it: its folder is one of foundations */
    unsigned line;           /* of that text, on which the case is declared; several cases may share one */
    unsigned ranks;          /* processes of the system under test */
    bool needs_wire;         /* plays a peer on the Portals TCP binding */
    bool needs_network;      /* plays the network below the system under test; starts its job by itself */
    bool negative;           /* sends what a correct peer never would */
    const char *role;        /* of a profile with roles: "server" or "client"; else "" */
    const char *limit;       /* of a conformance statement, which the case uses up; else "" */
    bool needs_hosts;        /* an IMPI client with several hosts: {hosts} in the command template */
    bool needs_options;      /* options of an IMPI server: {options} in the template */
    bool needs_incoming;     /* connects to the system under test */
    bool needs_own_server;   /* a meeting under the IMPI server that a vendor of clients brings */
    bool joins_own_server;   /* the reference's clients connect to that */
    const char *const *cell; /* of a meeting of implementations: CELL_SERVER and so on, texts; else NULL */
};

#endif
