/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which number the library knows an interface by. Without --interfaces it is that of the manager.
 */
#include "interfaces.h"

#include <string.h>

enum { LISTED_MOST = 16 };

static unsigned long long listed[LISTED_MOST], highest;
static size_t listed_count;

/* read_list reads numbers with commas between; what has no sign, since a number behind all must be found. */
static bool read_list(const char *list)
{
    while (listed_count < LISTED_MOST) {
        size_t len = strcspn(list, ",");
        char one[24] = "";
        struct integer integer;
        unsigned long long bits;

        if (len >= sizeof one)
            return false;
        memcpy(one, list, len);
        if (!text_read_integer(one, &integer) || integer.negative ||
            !text_integer_bits(&integer, sizeof(ptl_interface_t), &bits))
            return false;
        highest = bits > highest ? bits : highest;
        listed[listed_count++] = bits;
        if (!list[len])
            return true;
        list += len + 1;
    }
    return false;
}

const char *interfaces_begin(int *count, char **arguments)
{
    for (int i = 1; i < *count; i++) {
        if (strcmp(arguments[i], "--interfaces") != 0)
            continue;
        if (i + 1 == *count)
            return "a value is missing behind --interfaces";
        if (!read_list(arguments[i + 1]))
            return "--interfaces takes up to 16 numbers of interfaces, with commas between";
        memmove(&arguments[i], &arguments[i + 2], (size_t)(*count - i - 1) * sizeof *arguments); /* with the NULL */
        *count -= 2;
        return NULL;
    }
    return NULL;
}

ptl_interface_t interfaces_number(struct call *call, const char *key)
{
    unsigned long long bits =
        call_bits(call, key, sizeof(ptl_interface_t), "default", (unsigned long long)PTL_IFACE_DEFAULT);
    struct integer integer = {0};

    if (!listed_count || call_is(call, key, "default") || call_failed(call))
        return (ptl_interface_t)bits;
    if (bits < listed_count)
        return (ptl_interface_t)listed[bits];
    text_read_integer(call_value(call, key), &integer);
    if (integer.negative)
        return (ptl_interface_t)bits;
    integer.magnitude += highest + 1 - listed_count;
    if (!text_integer_bits(&integer, sizeof(ptl_interface_t), &bits))
        failure_set(&call->failure, "too-wide", "%s: no integer of %u octets is left for it", key,
                    (unsigned)sizeof(ptl_interface_t));
    return (ptl_interface_t)bits;
}
