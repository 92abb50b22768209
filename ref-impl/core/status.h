/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the core answers. The front door (ref-impl/api) turns it into the codes of the specification that it speaks;
 * the core itself knows no revision's numbers.
 */
#ifndef REF_IMPL_CORE_STATUS_H
#define REF_IMPL_CORE_STATUS_H

enum core_status {
    CORE_OK,
    CORE_NO_SPACE,       /* memory or a limit of core/limits.h is exhausted */
    CORE_NO_INTERFACE,   /* no interface of that number, or its network refused */
    CORE_DUPLICATE,      /* the interface is open already */
    CORE_BAD_INTERFACE,  /* the handle names no open interface */
    CORE_BAD_ENTRY,      /* ... no linked match entry */
    CORE_BAD_DESCRIPTOR, /* ... no live memory descriptor */
    CORE_BAD_QUEUE,      /* ... no live event queue */
    CORE_BAD_HANDLE,     /* ... nothing at all */
    CORE_BAD_PROCESS,    /* the process cannot be reached */
    CORE_BAD_PORTAL,     /* portal index outside the table */
    CORE_BAD_ACCESS,     /* access control index outside the table */
    CORE_ILLEGAL,        /* a memory descriptor's values contradict each other or the rules */
    CORE_LIST_TOO_LONG,
    CORE_IN_USE,         /* an operation on the object is under way, or its place is taken */
    CORE_NO_FREE_PORTAL, /* every portal has a match list */
    CORE_NOT_EMPTY,      /* the test queue of an update holds events, or will */
    CORE_EMPTY,          /* no event */
    CORE_EVENT_AND_GAP   /* an event was given; before it others were lost */
};

/* CORE_MUST_USE marks a function whose status may not be ignored. */
#define CORE_MUST_USE __attribute__((warn_unused_result))

#endif
