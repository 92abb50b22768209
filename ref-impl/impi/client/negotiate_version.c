/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Versions in common; see client/negotiate_version.h and chapter 2.3.5. Each client gives a list, strictly ascending,
 * with 0.0 in it; the server joins the lists and says nothing of where one ends. A version that is not above the one
 * before it can only be the first of the next client's.
 *
 *      0.0  0.1 | 0.0  0.1  0.2 | 0.0          three clients: 0.0 is in all lists, 0.1 in two
 */
#include "ref-impl/impi/client/negotiate_version.h"

#include "wire/octets/cursor.h"

#include <stdio.h>

enum { ERROR_OCTETS = 256, VERSION_OCTETS = 8 };

/* Major and minor in one number that orders as they do. */
static uint64_t version_at(const unsigned char *octets, size_t i)
{
    struct wire_reader r = wire_reader_over(octets + i * VERSION_OCTETS, VERSION_OCTETS);

    return wire_read_u64(&r);
}

static unsigned bits(uint32_t mask)
{
    unsigned count = 0;

    for (; mask != 0; mask &= mask - 1) {
        count++;
    }
    return count;
}

/* How many lists there are, and in how many of them a version stands. */
static unsigned lists(const unsigned char *octets, size_t count, uint64_t version, unsigned *with)
{
    unsigned found = 0;
    uint64_t before = 0;

    *with = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t at = version_at(octets, i);

        found += i == 0 || at <= before;
        *with += at == version;
        before = at;
    }
    return found;
}

//= IMPI-059
bool negotiate_version(const void *octets, size_t len, uint32_t mask, uint32_t clients, struct link_world *world,
                       char *error)
{
    size_t count = len / VERSION_OCTETS;
    unsigned given = bits(mask);
    uint64_t best = 0;
    bool any = given < clients; /* whoever says nothing has 0.0, and nothing else */
    unsigned with = 0;

    if (len % VERSION_OCTETS != 0) {
        snprintf(error, ERROR_OCTETS, "IMPI_C_VERSION: %zu octets are no whole number of versions", len);
        return false;
    }
    unsigned found = lists(octets, count, 0, &with);
    if (found != given) {
        snprintf(error, ERROR_OCTETS,
                 "IMPI_C_VERSION: there are %u ascending lists of versions, where %u clients gave one", found, given);
        return false;
    }
    /* A version that we do not have cannot stand in all lists, because it does not stand in ours. */
    for (size_t i = 0; i < count && given == clients; i++) {
        uint64_t version = version_at(octets, i);

        (void)lists(octets, count, version, &with);
        if (with == given && (!any || version > best)) {
            best = version;
            any = true;
        }
    }
    if (!any) {
        snprintf(error, ERROR_OCTETS, "IMPI_C_VERSION: the clients have no version in common; all must have 0.0");
        return false;
    }
    world->major = (uint32_t)(best >> 32);
    world->minor = (uint32_t)best;
    return true;
}
