/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory as values of C types, in the form of this machine: so a case says "the int 5" and need not know byte orders.
 * specs/interpreter.md, section 7.3.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs.h"

enum native { NATIVE_SIGNED, NATIVE_UNSIGNED, NATIVE_FLOAT, NATIVE_DOUBLE, NATIVE_LONG_DOUBLE };

/* struct type is one C type. */
struct type {
    const char *name;
    enum native native;
    size_t octets;
};

static const struct type types[] = {
    {"signed-char", NATIVE_SIGNED, sizeof(signed char)},
    {"unsigned-char", NATIVE_UNSIGNED, sizeof(unsigned char)},
    {"short", NATIVE_SIGNED, sizeof(short)},
    {"unsigned-short", NATIVE_UNSIGNED, sizeof(unsigned short)},
    {"int", NATIVE_SIGNED, sizeof(int)},
    {"unsigned-int", NATIVE_UNSIGNED, sizeof(unsigned int)},
    {"long", NATIVE_SIGNED, sizeof(long)},
    {"unsigned-long", NATIVE_UNSIGNED, sizeof(unsigned long)},
    {"long-long", NATIVE_SIGNED, sizeof(long long)},
    {"unsigned-long-long", NATIVE_UNSIGNED, sizeof(unsigned long long)},
    {"float", NATIVE_FLOAT, sizeof(float)},
    {"double", NATIVE_DOUBLE, sizeof(double)},
    {"long-double", NATIVE_LONG_DOUBLE, sizeof(long double)},
};

/* union value has room for one, and looks at it as octets. */
union value {
    unsigned char c;
    unsigned short s;
    unsigned int i;
    unsigned long l;
    unsigned long long ll;
    float f;
    double d;
    long double ld;
    unsigned char octets[sizeof(long double) > sizeof(long long) ? sizeof(long double) : sizeof(long long)];
};

static const struct type *read_type(struct call *call)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (call_is(call, "type", types[i].name))
            return &types[i];
    failure_set(&call->failure, "bad-value", "type '%.40s' is no C type that is known here", call_value(call, "type"));
    return NULL;
}

/* put_integer gives an integer of so many octets its place in the union. */
static void put_integer(union value *value, size_t octets, unsigned long long bits)
{
    if (octets == sizeof value->c)
        value->c = (unsigned char)bits;
    else if (octets == sizeof value->s)
        value->s = (unsigned short)bits;
    else if (octets == sizeof value->i)
        value->i = (unsigned int)bits;
    else if (octets == sizeof value->l)
        value->l = (unsigned long)bits;
    else
        value->ll = bits;
}

static unsigned long long get_integer(const union value *value, size_t octets)
{
    if (octets == sizeof value->c)
        return value->c;
    if (octets == sizeof value->s)
        return value->s;
    if (octets == sizeof value->i)
        return value->i;
    return octets == sizeof value->l ? value->l : value->ll;
}

/* read_integer takes an integer that the type can hold as such: -1 is no unsigned value here, nor 255 a signed one. */
static bool read_integer(const char *text, const struct type *type, union value *value)
{
    unsigned long long half = 1ull << (8 * type->octets - 1), most = half - 1 + half;
    struct integer integer;

    if (!text_read_integer(text, &integer))
        return false;
    if (type->native == NATIVE_SIGNED)
        most = integer.negative ? half : half - 1;
    if ((integer.negative && integer.magnitude && type->native == NATIVE_UNSIGNED) || integer.magnitude > most)
        return false;
    put_integer(value, type->octets, integer.negative ? 0 - integer.magnitude : integer.magnitude);
    return true;
}

static bool read_value(const char *text, const struct type *type, union value *value)
{
    char *end = NULL;
    long double real;

    if (type->native == NATIVE_SIGNED || type->native == NATIVE_UNSIGNED)
        return read_integer(text, type, value);
    if (!*text || *text == ' ')
        return false;
    /* long double has padding on some machines, which must not be chance */
    memset(value, 0, sizeof *value);
    if (type->native == NATIVE_FLOAT)
        real = value->f = strtof(text, &end);
    else if (type->native == NATIVE_DOUBLE)
        real = value->d = strtod(text, &end);
    else
        real = value->ld = strtold(text, &end);
    return end != text && !*end && (!isinf(real) || strpbrk(text, "iI")); /* too large is no value */
}

/* add_real writes a number with so many digits; a NaN has no sign here. */
static void add_real(struct line *line, int digits, long double real)
{
    if (isnan(real))
        line_add(line, "nan");
    else
        line_add(line, "%.*Lg", digits, real);
}

static void add_value(struct line *line, const struct type *type, const union value *value)
{
    unsigned long long bits;

    switch (type->native) {
    case NATIVE_SIGNED:
        bits = get_integer(value, type->octets);
        if (bits >> (8 * type->octets - 1))
            line_add(line, "-%llu", 0 - (bits | ~0ull << (8 * type->octets - 1)));
        else
            line_add(line, "%llu", bits);
        return;
    case NATIVE_UNSIGNED:
        line_add(line, "%llu", get_integer(value, type->octets));
        return;
    case NATIVE_FLOAT:
        add_real(line, FLT_DIG + 3, (long double)value->f);
        return;
    case NATIVE_DOUBLE:
        add_real(line, DBL_DIG + 2, (long double)value->d);
        return;
    case NATIVE_LONG_DOUBLE:
        add_real(line, LDBL_DIG + 3, value->ld);
        return;
    }
}

static void run_write(struct call *call)
{
    unsigned long long offset = call_count(call, "offset", 0, SIZE_MAX);
    const struct type *type = read_type(call);
    size_t count;
    char **words = call_words(call, "values", LIST_MOST, &count);
    unsigned char *at, *values;

    if (!type || !words)
        return;
    at = call_region(call, "name", offset, count * type->octets);
    values = call_memory(call, count * type->octets);
    for (size_t i = 0; i < count && !call_failed(call); i++) {
        union value value;
        if (read_value(words[i], type, &value))
            memcpy(values + i * type->octets, value.octets, type->octets);
        else
            failure_set(&call->failure, "bad-value", "'%.40s' is no value of type %s", words[i], type->name);
    }
    if (!call_failed(call))
        memcpy(at, values, count * type->octets);
}

static void run_read(struct call *call)
{
    unsigned long long offset = call_count(call, "offset", 0, SIZE_MAX);
    size_t count = (size_t)call_count(call, "count", 0, LIST_MOST);
    const struct type *type = read_type(call);
    const unsigned char *at = type ? call_region(call, "name", offset, count * type->octets) : NULL;

    if (!at || call_failed(call))
        return;
    line_add(&call->result, " values=");
    for (size_t i = 0; i < count; i++) {
        union value value;
        memcpy(value.octets, at + i * type->octets, type->octets);
        line_add(&call->result, i ? "," : "");
        add_value(&call->result, type, &value);
    }
}

const struct verb mpi_native[] = {
    {"write-values", "name offset type values", run_write, false},
    {"read-values", "name offset type count", run_read, false},
    {NULL, NULL, NULL, false},
};
