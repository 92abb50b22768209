/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Networks as the option --proxy names them.
 */
#include "web/service/proxies.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { V4_OFFSET = 96 };

/* The address as IPv6 has it; false when it is of another family. */
static bool to_v6(const struct sockaddr *address, struct in6_addr *v6)
{
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};

    if (address && address->sa_family == AF_INET6) {
        *v6 = ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        return true;
    }
    if (!address || address->sa_family != AF_INET) {
        return false;
    }
    memcpy(v6->s6_addr, mapped, sizeof mapped);
    memcpy(v6->s6_addr + sizeof mapped, &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
    return true;
}

static bool read_plain(const char *text, struct sockaddr_storage *address)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;

    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        address->ss_family = AF_INET;
    } else if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
        address->ss_family = AF_INET6;
    }
    return address->ss_family != 0;
}

bool proxies_read_address(const char *text, struct sockaddr_storage *address)
{
    char plain[INET6_ADDRSTRLEN + 2];
    size_t len = strlen(text);
    const char *colon = strchr(text, ':');

    if (text[0] == '[') {
        text++;
        len = strcspn(text, "]");
    } else if (colon && !strchr(colon + 1, ':')) {
        len = (size_t)(colon - text);
    }
    if (len >= sizeof plain) {
        return false;
    }
    memcpy(plain, text, len);
    plain[len] = '\0';
    return read_plain(plain, address);
}

bool proxies_add(struct proxies *proxies, const char *text)
{
    size_t len = strcspn(text, "/");
    struct proxy_network network;
    struct sockaddr_storage address;
    unsigned long most, bits;
    char plain[INET6_ADDRSTRLEN], *end;

    if (proxies->count == PROXIES_MAX || len >= sizeof plain) {
        return false;
    }
    memcpy(plain, text, len);
    plain[len] = '\0';
    if (!read_plain(plain, &address) || !to_v6((const struct sockaddr *)&address, &network.address)) {
        return false;
    }
    most = address.ss_family == AF_INET ? 32 : 128;
    bits = most;
    if (text[len] == '/') {
        bits = strtoul(text + len + 1, &end, 10);
        if (text[len + 1] < '0' || text[len + 1] > '9' || *end != '\0' || bits > most) {
            return false;
        }
    }
    network.bits = (unsigned)(bits + (address.ss_family == AF_INET ? V4_OFFSET : 0));
    proxies->networks[proxies->count++] = network;
    return true;
}

static bool is_in(const struct proxy_network *network, const struct in6_addr *address)
{
    size_t whole = network->bits / 8;
    unsigned rest = network->bits % 8;
    unsigned mask = 0xff00u >> rest & 0xff;

    return memcmp(network->address.s6_addr, address->s6_addr, whole) == 0 &&
           (rest == 0 || ((network->address.s6_addr[whole] ^ address->s6_addr[whole]) & mask) == 0);
}

bool proxies_has(const struct proxies *proxies, const struct sockaddr *address)
{
    struct in6_addr v6;

    for (size_t i = 0; i < proxies->count && to_v6(address, &v6); i++) {
        if (is_in(&proxies->networks[i], &v6)) {
            return true;
        }
    }
    return false;
}
