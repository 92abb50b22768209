/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * external32: the form in which user data travel between IMPI clients (1.2.2 of the IMPI 0.0 document; MPI-2, section
 * 9.5.2): elements without gaps, most significant octet first, two's complement, IEEE floating point, each basic type
 * with a size of its own whatever the machine's. MPI_LONG has 4 octets, MPI_LONG_DOUBLE 16.
 *
 * Runs of elements of one basic type are converted; derived datatypes are walked by whoever knows them.
 */
#ifndef WIRE_IMPI_EXTERNAL32_H
#define WIRE_IMPI_EXTERNAL32_H

#include "wire/octets/status.h"

#include <stddef.h>

/* The basic types of MPI-1 in C, and one of MPI-2. */
enum wire_external32 {
    WIRE_EXTERNAL32_BYTE, /* MPI_BYTE, MPI_PACKED: octets as they are */
    WIRE_EXTERNAL32_CHAR,
    WIRE_EXTERNAL32_UNSIGNED_CHAR,
    WIRE_EXTERNAL32_SHORT,
    WIRE_EXTERNAL32_UNSIGNED_SHORT,
    WIRE_EXTERNAL32_INT,
    WIRE_EXTERNAL32_UNSIGNED,
    WIRE_EXTERNAL32_LONG,
    WIRE_EXTERNAL32_UNSIGNED_LONG,
    WIRE_EXTERNAL32_LONG_LONG,
    WIRE_EXTERNAL32_UNSIGNED_LONG_LONG,
    WIRE_EXTERNAL32_FLOAT,
    WIRE_EXTERNAL32_DOUBLE,
    WIRE_EXTERNAL32_LONG_DOUBLE,
    WIRE_EXTERNAL32_WCHAR, /* MPI_WCHAR */
};

enum { WIRE_EXTERNAL32_TYPES = 15 };

/* wire_external32_octets - octets of one element in external32. */
size_t wire_external32_octets(enum wire_external32 type);

/* wire_external32_native_octets - octets of one element in the memory of this machine. */
size_t wire_external32_native_octets(enum wire_external32 type);

/* wire_external32_name - the C binding's name: "MPI_INT". Static. */
const char *wire_external32_name(enum wire_external32 type);

/* wire_external32_pack - converts `count` elements at `native`, which need not be aligned, to external32 at `out`.
 * WIRE_NO_SPACE: they need more than `cap` octets; nothing is written. WIRE_MALFORMED: an element has no external32
 * form, which is a long outside 4 octets or a wide character outside 2; what is in `out` is then undefined, and `*bad`,
 * unless NULL, its index. */
WIRE_MUST_USE enum wire_status wire_external32_pack(enum wire_external32 type, const void *native, size_t count,
                                                    void *out, size_t cap, size_t *bad);

/* wire_external32_unpack - converts the `len` octets of external32 at `octets`, which must be whole elements, to native
 * form at `native`, which must have room for len / wire_external32_octets(type) of them and need not be aligned.
 * WIRE_SHORT: the last element is cut off; nothing is written. WIRE_MALFORMED: an element has no native form (a long
 * long or long on a machine where it is narrower); `bad` as above. A long double is rounded to what this machine has,
 * and becomes infinite where it is too large for it. */
WIRE_MUST_USE enum wire_status wire_external32_unpack(enum wire_external32 type, const void *octets, size_t len,
                                                      void *native, size_t *bad);

#endif
