/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What an MPI library over Portals says in the 64 match bits of its messages. Portals itself knows nothing of that, and
 * no capture tells which library spoke: who asks names the layout.
 *
 * A layout is a list of forms; which one bits have is told by the portal, and where several share one, by some of the
 * bits. A form is a list of fields.
 */
#ifndef WIRE_PORTALS_MATCH_BITS_H
#define WIRE_PORTALS_MATCH_BITS_H

#include "wire/octets/row.h"
#include "wire/octets/text.h"
#include "wire/portals/messages.h"

#include <stdbool.h>
#include <stdint.h>

/* Some of the 64 bits. */
struct wire_match_field {
    const char *name;  /* for machines: "tag" */
    const char *label; /* for people: "Tag" */
    uint8_t lowest;    /* bit; 0 is the least significant */
    uint8_t width;     /* bits */
    bool is_signed;    /* in two's complement */
    const struct wire_value *values;
    const char *help;
};

/* What the bits of messages to some portals are made of. */
struct wire_match_form {
    const char *label;      /* what such a message is: "MPI message" */
    uint32_t first, last;   /* portal table indices */
    uint64_t told_by, told; /* bits with (bits & told_by) == told have this form */
    const struct wire_match_field *fields;
    unsigned count;
};

/* What a library does. */
struct wire_match_layout {
    const char *name;  /* for machines: "assay-mpi" */
    const char *label; /* for people */
    const struct wire_match_form *forms;
    unsigned count;
};

enum {
    WIRE_MATCH_LAYOUTS = 2,
    WIRE_MATCH_TEXT_MAX = 256, /* characters that suffice for wire_match_text */
};

#define WIRE_MATCH_NAMES "assay-mpi, puma-mpi"

/* All that are known. */
extern const struct wire_match_layout wire_match_layouts[WIRE_MATCH_LAYOUTS];

/* wire_match_layout - the layout of that name, or NULL. */
const struct wire_match_layout *wire_match_layout(const char *name);

/* wire_match_form - the form of a message's bits; NULL: it has none, the layout does not say, or is NULL. */
const struct wire_match_form *wire_match_form(const struct wire_match_layout *layout,
                                              const struct wire_portals_header *header);

/* wire_match_value - what the bits say in a field; of a signed one the sign goes through all 64 bits.
 * wire_match_value_text - adds it as a word, where it has a name, or as a number. */
uint64_t wire_match_value(const struct wire_match_field *field, uint64_t bits);
void wire_match_value_text(struct wire_text *text, const struct wire_match_field *field, uint64_t value);

/* wire_match_text - adds what the match bits of a message say: "MPI message: protocol short, context slot 2, tag 7".
 * Adds nothing, and is false, where the message has none or the layout does not say. */
bool wire_match_text(struct wire_text *text, const struct wire_match_layout *layout,
                     const struct wire_portals_header *header);

#endif
