/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The limits of the core. The public header states the same numbers for its readers; api/ checks at compile time that
 * they agree.
 */
#ifndef REF_IMPL_CORE_LIMITS_H
#define REF_IMPL_CORE_LIMITS_H

enum {
    LIMIT_INTERFACES = 4,     /* numbered from 0 */
    LIMIT_OBJECTS = 1 << 20,  /* match entries, memory descriptors, event queues of one interface: so many of each */
    LIMIT_EVENTS = 1 << 22,   /* events of one queue */
    LIMIT_LIST = 1 << 16,     /* entries of one match list */
    LIMIT_PORTALS = 1 << 16,  /* entries of a portal table */
    LIMIT_ACCESSES = 1 << 16, /* entries of an access control table */
    LIMIT_EXCHANGE = 64,      /* octets that a getput exchanges */
    LIMIT_PIECES = 1 << 12,   /* pieces of a scattered region */
};

#endif
