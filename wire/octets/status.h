/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The one status of everything in wire/. Outputs of a function are written only when it returns WIRE_OK, unless its
 * comment says otherwise.
 */
#ifndef WIRE_OCTETS_STATUS_H
#define WIRE_OCTETS_STATUS_H

enum wire_status {
    WIRE_OK = 0,    /* done */
    WIRE_SHORT,     /* the octets end before the message does: more are needed */
    WIRE_UNKNOWN,   /* the operation is none that the protocol has: where the message ends cannot be told */
    WIRE_TOO_LONG,  /* a length is above the protocol's maximum */
    WIRE_MALFORMED, /* text or octets that no message can consist of */
    WIRE_NO_SPACE,  /* the caller's buffer is too small */
};

/* WIRE_MUST_USE - marks a function whose result may not be ignored. */
#define WIRE_MUST_USE __attribute__((warn_unused_result))

/* wire_status_text - the status as words for a person, for example "unknown operation". Static, never NULL. */
const char *wire_status_text(enum wire_status status);

#endif
