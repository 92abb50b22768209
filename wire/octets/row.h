/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Rows: the description of a message as data. A message is a constant table of rows, one row a field, in the order of
 * the wire. Whoever wants to know which fields there are (codec, printer, dissector, web page, format chapter) walks
 * the rows; nobody keeps a second list.
 */
#ifndef WIRE_OCTETS_ROW_H
#define WIRE_OCTETS_ROW_H

#include "wire/octets/status.h"

#include <stddef.h>
#include <stdint.h>

/* How a field's value is shown to a person. */
enum wire_base {
    WIRE_DEC,     /* a count or an index */
    WIRE_INT,     /* a number that may be negative, in two's complement */
    WIRE_HEX,     /* a pattern of bits or an opaque value */
    WIRE_IPV4,    /* an IPv4 address */
    WIRE_ENUM,    /* a code; its names are in `values` */
    WIRE_HOST,    /* 16 octets: an IPv6 address, or an IPv4 address in the last four; wire_row_octets reads it */
    WIRE_VERSION, /* 8 octets: major and minor version, 4 each */
};

/* One named value of a field. Tables of them end with a NULL name. */
struct wire_value {
    uint64_t value;
    const char *name;
};

/* One field. */
struct wire_row {
    const char *name;                /* for machines, as in JSON and in C: "initiator.nid" */
    const char *label;               /* for people: "Initiator node id" */
    const char *clause;              /* where it is specified: "4.1, table 6" */
    uint16_t offset;                 /* octets from the beginning of the message */
    uint8_t width;                   /* octets: 1, 2, 4 or 8, most significant first; of a host 16 */
    enum wire_base base;             /* how to show it */
    const struct wire_value *values; /* the values that have a name, or NULL */
    const char *help;                /* one sentence for a tool tip */
};

/* One kind of message: its fixed part, and which row, if any, says how many octets of payload follow it. */
struct wire_message {
    const char *name;   /* for machines: "put" */
    const char *label;  /* for people: "Put request" */
    const char *clause; /* where it is specified */
    uint32_t operation; /* the code in its first field */
    uint16_t octets;    /* length of the fixed part */
    const struct wire_row *rows;
    uint16_t row_count;
    int16_t payload_row; /* index of the row that holds the payload's length, or -1 when there is never payload */
    uint16_t counted;    /* octets of the fixed part that this length counts too */
};

/* wire_row_get - reads the field `row` of the message that begins at `octets`.
 * WIRE_SHORT when the `len` octets end before the field does, WIRE_MALFORMED when the field is no number (a host). */
WIRE_MUST_USE enum wire_status wire_row_get(const struct wire_row *row, const void *octets, size_t len,
                                            uint64_t *value);

/* wire_row_set - writes the field `row` of the message that begins at `octets` and changes nothing else.
 * WIRE_NO_SPACE when the `len` octets end before the field does, WIRE_MALFORMED when the value needs more octets than
 * the field has. */
WIRE_MUST_USE enum wire_status wire_row_set(const struct wire_row *row, void *octets, size_t len, uint64_t value);

/* wire_row_octets - where the field stands in the message that begins at `octets`, or NULL when the `len` octets end
 * before the field does. */
const unsigned char *wire_row_octets(const struct wire_row *row, const void *octets, size_t len);

/* wire_row_signed - the value of a WIRE_INT field, as wire_row_get gave it, with its sign. */
int64_t wire_row_signed(const struct wire_row *row, uint64_t value);

/* wire_row_max - the largest value that the field can hold. */
uint64_t wire_row_max(const struct wire_row *row);

/* wire_row_find - the row of that name, or NULL. */
const struct wire_row *wire_row_find(const struct wire_message *message, const char *name);

/* wire_row_value_name - the name that `value` has in this field, or NULL when it has none. */
const char *wire_row_value_name(const struct wire_row *row, uint64_t value);

#endif
