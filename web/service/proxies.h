/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The reverse proxies whose word about a request is taken: from where it came, by which scheme and name.
 */
#ifndef WEB_SERVICE_PROXIES_H
#define WEB_SERVICE_PROXIES_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

enum { PROXIES_MAX = 16 };

/* One address or network. IPv4 is kept as IPv6 keeps it (::ffff:0:0/96). */
struct proxy_network {
    struct in6_addr address;
    unsigned bits;
};

struct proxies {
    struct proxy_network networks[PROXIES_MAX];
    size_t count;
};

/* proxies_add reads "ADDRESS" or "ADDRESS/BITS", both numeric, and adds it; false when it is none or there are too
 * many. */
bool proxies_add(struct proxies *proxies, const char *text);

/* proxies_has tells whether the address is one of them. NULL and other families are not. */
bool proxies_has(const struct proxies *proxies, const struct sockaddr *address);

/* proxies_read_address reads a numeric address, IPv6 perhaps in brackets, either perhaps with a port, which is left
 * out; false when it is none. */
bool proxies_read_address(const char *text, struct sockaddr_storage *address);

#endif
