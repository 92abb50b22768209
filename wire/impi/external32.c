/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Native elements to external32 and back. Fulfils section 1.2.2 of the IMPI 0.0 document, which takes external32 from
 * MPI-2, section 9.5.2. The MPI library packs what it sends to other clients with it, the tester writes and reads the
 * user data of its scripted processes.
 *
 * Integers go through 64 bits, where it is seen whether they fit the other form; floating point numbers are moved as
 * bits. MPI-2 prints the bias of a long double as 10383; what IEEE 754, to which it refers, has is 16383, and so has
 * this (wire/impi/quad.c).
 */
#include "wire/impi/external32.h"

#include "wire/impi/quad.h"
#include "wire/octets/cursor.h"

#include <stdbool.h>
#include <string.h>

enum form { OCTETS, SIGNED, UNSIGNED, FLOATING, LONG_DOUBLE };

struct basic {
    const char *name;
    size_t octets; /* in external32 */
    size_t native;
    enum form form;
};

//= IMPI-004
static const struct basic basics[WIRE_EXTERNAL32_TYPES] = {
    [WIRE_EXTERNAL32_BYTE] = {"MPI_BYTE", 1, 1, OCTETS},
    [WIRE_EXTERNAL32_CHAR] = {"MPI_CHAR", 1, 1, OCTETS},
    [WIRE_EXTERNAL32_UNSIGNED_CHAR] = {"MPI_UNSIGNED_CHAR", 1, 1, OCTETS},
    [WIRE_EXTERNAL32_SHORT] = {"MPI_SHORT", 2, sizeof(short), SIGNED},
    [WIRE_EXTERNAL32_UNSIGNED_SHORT] = {"MPI_UNSIGNED_SHORT", 2, sizeof(unsigned short), UNSIGNED},
    [WIRE_EXTERNAL32_INT] = {"MPI_INT", 4, sizeof(int), SIGNED},
    [WIRE_EXTERNAL32_UNSIGNED] = {"MPI_UNSIGNED", 4, sizeof(unsigned), UNSIGNED},
    [WIRE_EXTERNAL32_LONG] = {"MPI_LONG", 4, sizeof(long), SIGNED},
    [WIRE_EXTERNAL32_UNSIGNED_LONG] = {"MPI_UNSIGNED_LONG", 4, sizeof(unsigned long), UNSIGNED},
    [WIRE_EXTERNAL32_LONG_LONG] = {"MPI_LONG_LONG", 8, sizeof(long long), SIGNED},
    [WIRE_EXTERNAL32_UNSIGNED_LONG_LONG] = {"MPI_UNSIGNED_LONG_LONG", 8, sizeof(unsigned long long), UNSIGNED},
    [WIRE_EXTERNAL32_FLOAT] = {"MPI_FLOAT", 4, sizeof(float), FLOATING},
    [WIRE_EXTERNAL32_DOUBLE] = {"MPI_DOUBLE", 8, sizeof(double), FLOATING},
    [WIRE_EXTERNAL32_LONG_DOUBLE] = {"MPI_LONG_DOUBLE", 16, sizeof(long double), LONG_DOUBLE},
    [WIRE_EXTERNAL32_WCHAR] = {"MPI_WCHAR", 2, sizeof(wchar_t), UNSIGNED}, /* Unicode, which begins at 0 */
};

_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "IEEE single and double precision");

size_t wire_external32_octets(enum wire_external32 type)
{
    return basics[type].octets;
}

size_t wire_external32_native_octets(enum wire_external32 type)
{
    return basics[type].native;
}

const char *wire_external32_name(enum wire_external32 type)
{
    return basics[type].name;
}

/* A number of 2, 4 or 8 octets in the machine's order; with `is_signed` its sign goes through all 64 bits. */
static uint64_t load(const unsigned char *at, size_t octets, bool is_signed)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;

    switch (octets) {
    case 2:
        memcpy(&two, at, sizeof two);
        return is_signed && two >> 15 ? two | ~(uint64_t)UINT16_MAX : two;
    case 4:
        memcpy(&four, at, sizeof four);
        return is_signed && four >> 31 ? four | ~(uint64_t)UINT32_MAX : four;
    default:
        memcpy(&eight, at, sizeof eight);
        return eight;
    }
}

static void store(unsigned char *at, size_t octets, uint64_t value)
{
    uint16_t two = (uint16_t)value;
    uint32_t four = (uint32_t)value;

    memcpy(at, octets == 2 ? (const void *)&two : octets == 4 ? (const void *)&four : (const void *)&value, octets);
}

/* Whether the number, widened to 64 bits, fits so many octets. */
static bool fits(uint64_t value, size_t octets, bool is_signed)
{
    unsigned bits = (unsigned)(8 * octets);
    uint64_t above;

    if (bits == 64) {
        return true;
    }
    above = value >> (is_signed ? bits - 1 : bits);
    return above == 0 || (is_signed && above == UINT64_MAX >> (bits - 1));
}

static void write_number(struct wire_writer *writer, size_t octets, uint64_t value)
{
    switch (octets) {
    case 2:
        wire_write_u16(writer, (uint16_t)value);
        return;
    case 4:
        wire_write_u32(writer, (uint32_t)value);
        return;
    default:
        wire_write_u64(writer, value);
        return;
    }
}

static uint64_t read_number(struct wire_reader *reader, size_t octets, bool is_signed)
{
    uint64_t value;

    switch (octets) {
    case 2:
        value = wire_read_u16(reader);
        return is_signed && value >> 15 ? value | ~(uint64_t)UINT16_MAX : value;
    case 4:
        value = wire_read_u32(reader);
        return is_signed && value >> 31 ? value | ~(uint64_t)UINT32_MAX : value;
    default:
        return wire_read_u64(reader);
    }
}

static bool pack_one(const struct basic *basic, const unsigned char *native, struct wire_writer *writer)
{
    bool is_signed = basic->form == SIGNED;
    struct wire_quad quad;
    uint64_t value;

    if (basic->form == LONG_DOUBLE) {
        quad = wire_quad_of(native);
        wire_write_u64(writer, quad.high);
        wire_write_u64(writer, quad.low);
        return true;
    }
    value = load(native, basic->native, is_signed);
    if (!fits(value, basic->octets, is_signed)) {
        return false;
    }
    write_number(writer, basic->octets, value);
    return true;
}

static bool unpack_one(const struct basic *basic, struct wire_reader *reader, unsigned char *native)
{
    bool is_signed = basic->form == SIGNED;
    struct wire_quad quad;
    uint64_t value;

    if (basic->form == LONG_DOUBLE) {
        quad.high = wire_read_u64(reader);
        quad.low = wire_read_u64(reader);
        wire_quad_to(quad, native);
        return true;
    }
    value = read_number(reader, basic->octets, is_signed);
    if (!fits(value, basic->native, is_signed)) {
        return false;
    }
    store(native, basic->native, value);
    return true;
}

static void tell(size_t *bad, size_t index)
{
    if (bad) {
        *bad = index;
    }
}

//= IMPI-002
enum wire_status wire_external32_pack(enum wire_external32 type, const void *native, size_t count, void *out,
                                      size_t cap, size_t *bad)
{
    const struct basic *basic = &basics[type];
    struct wire_writer writer = wire_writer_over(out, cap);
    const unsigned char *at = native;

    if (count > cap / basic->octets) {
        return WIRE_NO_SPACE;
    }
    if (basic->form == OCTETS) {
        wire_write_octets(&writer, native, count);
        return WIRE_OK;
    }
    for (size_t i = 0; i < count; i++) {
        if (!pack_one(basic, at + i * basic->native, &writer)) {
            tell(bad, i);
            return WIRE_MALFORMED;
        }
    }
    return WIRE_OK;
}

//= IMPI-003
enum wire_status wire_external32_unpack(enum wire_external32 type, const void *octets, size_t len, void *native,
                                        size_t *bad)
{
    const struct basic *basic = &basics[type];
    struct wire_reader reader = wire_reader_over(octets, len);
    unsigned char *at = native;
    size_t count = len / basic->octets;

    if (len % basic->octets) {
        return WIRE_SHORT;
    }
    if (basic->form == OCTETS && len) {
        memcpy(native, octets, len);
        return WIRE_OK;
    }
    for (size_t i = 0; i < count; i++) {
        if (!unpack_one(basic, &reader, at + i * basic->native)) {
            tell(bad, i);
            return WIRE_MALFORMED;
        }
    }
    return WIRE_OK;
}
