/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The labels of IMPI's COLL command (2.3.5): what each is called, and of which elements its values consist. A label
 * that stands here not is no error: its values are opaque, and travel all the same.
 */
#ifndef WIRE_IMPI_LABELS_H
#define WIRE_IMPI_LABELS_H

#include "wire/octets/row.h"

#include <stddef.h>
#include <stdint.h>

/* The labels of version 0.0, in the order in which clients send them. */
enum wire_impi_label_code {
    WIRE_IMPI_NO_LABEL = 0, /* reserved: never sent */
    WIRE_IMPI_C_VERSION = 0x1000,
    WIRE_IMPI_C_NHOSTS = 0x1100,
    WIRE_IMPI_C_NPROCS = 0x1200,
    WIRE_IMPI_C_DATALEN = 0x1300,
    WIRE_IMPI_C_TAGUB = 0x1400,
    WIRE_IMPI_C_COLL_XSIZE = 0x1500,
    WIRE_IMPI_C_COLL_MAXLINEAR = 0x1600,
    WIRE_IMPI_H_IPV6 = 0x2000,
    WIRE_IMPI_H_PORT = 0x2100,
    WIRE_IMPI_H_NPROCS = 0x2200,
    WIRE_IMPI_H_ACKMARK = 0x2300,
    WIRE_IMPI_H_HIWATER = 0x2400,
    WIRE_IMPI_P_IPV6 = 0x3000,
    WIRE_IMPI_P_PID = 0x3100,
};

enum {
    WIRE_IMPI_LABELS = 14,           /* of version 0.0 */
    WIRE_IMPI_ELEMENT_MAX = 16,      /* octets of the widest element */
    WIRE_IMPI_DEFAULT_XSIZE = 1024,  /* what -1 stands for in C_COLL_XSIZE */
    WIRE_IMPI_DEFAULT_MAXLINEAR = 4, /* and in C_COLL_MAXLINEAR */
    WIRE_IMPI_TAGUB_MIN = 32767,     /* 3.9; the largest is 2^31 - 1 */
};

/* How many elements a client gives. */
enum wire_impi_per {
    WIRE_IMPI_PER_VERSION, /* one for each version that it supports */
    WIRE_IMPI_PER_CLIENT,  /* one */
    WIRE_IMPI_PER_HOST,    /* one for each of its hosts */
    WIRE_IMPI_PER_PROCESS, /* one for each of its processes */
};

/* One label. */
struct wire_impi_label {
    int32_t code;
    const char *name;   /* as the document has it: "IMPI_C_NHOSTS" */
    const char *label;  /* for people: "Number of hosts" */
    const char *clause; /* where it is specified */
    enum wire_impi_per per;
    struct wire_row element; /* an element: its offset is 0 */
};

/* All labels in ascending order. */
extern const struct wire_impi_label wire_impi_labels[WIRE_IMPI_LABELS];

/* wire_impi_label_of - the label with this code, or NULL when version 0.0 has none. */
const struct wire_impi_label *wire_impi_label_of(int32_t code);

/* wire_impi_label_named - the label of that name, or NULL. */
const struct wire_impi_label *wire_impi_label_named(const char *name);

#endif
