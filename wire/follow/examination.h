/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What an examination of a capture (wire/follow/examine.h) needs, and what it tells.
 */
#ifndef WIRE_FOLLOW_EXAMINATION_H
#define WIRE_FOLLOW_EXAMINATION_H

#include "wire/follow/connection.h"
#include "wire/impi/check_collective.h"
#include "wire/impi/check_job.h"
#include "wire/intercept/check.h"
#include "wire/portals/check.h"

/* Packets so near each other may stand in a wrong order in a capture, where they are of several connections: they reach
 * it by several processors or interfaces. */
enum { WIRE_EXAMINE_CLOSE = 8 };

/* One violation, or one note: a finding of IMPI's that is no violation (wire/impi/check.h). */
struct wire_examine_violation {
    uint64_t packet;
    int64_t when_ns;
    struct wire_end from, to;
    struct wire_portals_id sender;     /* as its HELLO says; nid 0 before that */
    const char *message;               /* "ack", or "octets" for what is no message */
    struct wire_portals_header header; /* of a Portals message over TCP; otherwise its operation is 0 */
    struct wire_portals_finding finding;
    bool is_intercept; /* of the Intercept network: of `finding` name, requirement and text are used */
    enum wire_intercept_violation intercept; /* which, and where it was found */
    struct wire_intercept_basis basis;
    bool is_impi; /* a violation of IMPI: then not `finding` but */
    struct wire_impi_finding impi;
    const struct wire_impi_job *job; /* in which it was found, or NULL */
    uint64_t times;                  /* of a note: so often it was due, of which this is the first */
    const void *owner;               /* of a note that is still being counted: its connection */
};

/* wire_examine_is_hearsay - it is not the sender's, but of some client whose connection was not captured. */
static inline bool wire_examine_is_hearsay(const struct wire_examine_violation *violation)
{
    return violation->is_impi && violation->impi.hearsay;
}

/* Something that was asked for in one packet, and has come in another one, or, `came` being 0, not until the end. That
 * breaks no rule, since nobody says how long it may take. */
struct wire_examine_wait {
    uint64_t asked, came;
    const char *what;   /* who waits: "put" */
    const char *wanted; /* for what: "acknowledgement" */
};

/* Whom to tell; each may be NULL. */
struct wire_examine_listener {
    void *context;
    void (*violation)(void *context, const struct wire_examine_violation *violation);
    void (*note)(void *context, const struct wire_examine_violation *note);
    void (*counted)(void *context, const void *owner); /* a connection's notes will not be due any more */
    void (*remark)(void *context, uint64_t packet, const char *text); /* packet 0: of the whole capture */
    void (*missing)(void *context, uint64_t packet, const struct wire_end *from, const struct wire_end *to);
    void (*waited)(void *context, const struct wire_examine_wait *wait);
    /* A message is about to be judged: `octets` begin it. */
    void (*message)(void *context, const unsigned char *octets, size_t len);
    /* A message of a collective operation of an IMPI job has been judged. */
    void (*collective)(void *context, const struct wire_packet *packet, const struct wire_impi_job *job,
                       const struct wire_impi_step *step);
};

/* What an examination needs and what it came to. */
struct wire_examine {
    struct wire_examine_listener listener;
    struct wire_memory memory;
    bool merged; /* set by the caller: captures by several clocks, so that their order says little */
    uint64_t messages, connections, streams;
    uint64_t unanswered;                               /* requests that asked for an answer and got none */
    uint64_t unjudged;                                 /* answers to requests that the capture does not show */
    uint64_t impi_links, impi_channels, impi_messages; /* connections to IMPI servers, between hosts; on both */
    /* of the Intercept network: links, frames on them, of which sent again or corrupt; messages that began */
    uint64_t intercept_links, intercept_frames, intercept_again, intercept_corrupt, intercept_messages;
    struct wire_examine_own *own;
};

#endif
