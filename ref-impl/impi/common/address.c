/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Addresses in their three shapes, and sockets at them; see address.h. Chapters 1.2.3 and 2.2. Used by the server, the
 * client and the host agents.
 */
#include "ref-impl/impi/common/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BACKLOG = 1024, V4_AT = 12 /* where the IPv4 address stands in a host identifier */ };

static struct address of_v4(struct in_addr in, uint16_t port)
{
    struct address address = {.len = sizeof(struct sockaddr_in)};
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = in};

    memcpy(&address.storage, &v4, sizeof v4);
    return address;
}

static struct address of_v6(struct in6_addr in, uint16_t port)
{
    struct address address = {.len = sizeof(struct sockaddr_in6)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in};

    memcpy(&address.storage, &v6, sizeof v6);
    return address;
}

size_t address_resolve(const char *host, uint16_t port, struct address *addresses, size_t cap, const char **reason)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int failure = getaddrinfo(host, NULL, &hints, &found);
    size_t count = 0;

    if (failure != 0) {
        *reason = gai_strerror(failure);
        return 0;
    }
    for (const struct addrinfo *one = found; one && count < cap; one = one->ai_next) {
        addresses[count] = (struct address){.len = one->ai_addrlen};
        memcpy(&addresses[count].storage, one->ai_addr, one->ai_addrlen);
        address_set_port(&addresses[count++], port);
    }
    freeaddrinfo(found);
    return count;
}

bool address_split(const char *text, char *host, size_t cap, uint16_t *port)
{
    const char *colon = strrchr(text, ':');
    char *end = NULL;

    if (!colon || colon == text || colon[1] < '0' || colon[1] > '9') {
        return false;
    }
    errno = 0;
    unsigned long number = strtoul(colon + 1, &end, 10);
    size_t len = (size_t)(colon - text);
    if (*end || errno != 0 || number == 0 || number > 65535) {
        return false;
    }
    if (text[0] == '[' && colon[-1] == ']') {
        text++;
        len -= 2;
    }
    if (len == 0 || len >= cap) {
        return false;
    }
    memcpy(host, text, len);
    host[len] = '\0';
    *port = (uint16_t)number;
    return true;
}

void address_text(const struct address *address, char text[ADDRESS_TEXT_OCTETS])
{
    char number[INET6_ADDRSTRLEN] = "?";
    unsigned port = address_port(address);

    if (address->storage.ss_family == AF_INET6) {
        struct sockaddr_in6 v6;

        memcpy(&v6, &address->storage, sizeof v6);
        inet_ntop(AF_INET6, &v6.sin6_addr, number, sizeof number);
        snprintf(text, ADDRESS_TEXT_OCTETS, "[%s]:%u", number, port);
    } else {
        struct sockaddr_in v4;

        memcpy(&v4, &address->storage, sizeof v4);
        inet_ntop(AF_INET, &v4.sin_addr, number, sizeof number);
        snprintf(text, ADDRESS_TEXT_OCTETS, "%s:%u", number, port);
    }
}

/* The port stands at the same place in both kinds. */
static uint16_t *port_of(struct address *address)
{
    return address->storage.ss_family == AF_INET6 ? &((struct sockaddr_in6 *)(void *)&address->storage)->sin6_port
                                                  : &((struct sockaddr_in *)(void *)&address->storage)->sin_port;
}

uint16_t address_port(const struct address *address)
{
    struct address copy = *address;

    return ntohs(*port_of(&copy));
}

void address_set_port(struct address *address, uint16_t port)
{
    *port_of(address) = htons(port);
}

struct address address_any(uint16_t port)
{
    return of_v4((struct in_addr){htonl(INADDR_ANY)}, port);
}

struct address address_outward(void)
{
    struct ifaddrs *all = NULL;
    struct in_addr in = {htonl(INADDR_LOOPBACK)};

    if (getifaddrs(&all) != 0) {
        return of_v4(in, 0);
    }
    for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
        struct sockaddr_in v4;

        if (one->ifa_addr && one->ifa_addr->sa_family == AF_INET && !(one->ifa_flags & IFF_LOOPBACK) &&
            (one->ifa_flags & IFF_UP)) {
            memcpy(&v4, one->ifa_addr, sizeof v4);
            in = v4.sin_addr;
            break;
        }
    }
    freeifaddrs(all);
    return of_v4(in, 0);
}

/* A datagram socket that is connected has an address, and nothing is sent. */
bool address_towards(const struct address *to, struct address *own)
{
    int fd = socket(to->storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool good = fd >= 0 && connect(fd, (const struct sockaddr *)&to->storage, to->len) == 0 && address_local(fd, own);

    if (fd >= 0) {
        close(fd);
    }
    if (good) {
        address_set_port(own, 0);
    }
    return good;
}

bool address_local(int fd, struct address *address)
{
    memset(address, 0, sizeof *address);
    address->len = sizeof address->storage;
    return getsockname(fd, (struct sockaddr *)&address->storage, &address->len) == 0;
}

bool address_peer(int fd, struct address *address)
{
    memset(address, 0, sizeof *address);
    address->len = sizeof address->storage;
    return getpeername(fd, (struct sockaddr *)&address->storage, &address->len) == 0;
}

//= IMPI-006
//= IMPI-007
void address_host_id(const struct address *address, unsigned char host[WIRE_IMPI_HOST_OCTETS])
{
    if (address->storage.ss_family == AF_INET6) {
        struct sockaddr_in6 v6;

        memcpy(&v6, &address->storage, sizeof v6);
        memcpy(host, v6.sin6_addr.s6_addr, WIRE_IMPI_HOST_OCTETS);
    } else {
        struct sockaddr_in v4;

        memcpy(&v4, &address->storage, sizeof v4);
        memset(host, 0, V4_AT - 2);
        memset(host + V4_AT - 2, 0xff, 2);
        memcpy(host + V4_AT, &v4.sin_addr, sizeof v4.sin_addr);
    }
}

//= IMPI-008
struct address address_of_host_id(const unsigned char host[WIRE_IMPI_HOST_OCTETS], uint16_t port)
{
    static const unsigned char mapped[V4_AT] = {[10] = 0xff, [11] = 0xff};
    static const unsigned char zeros[WIRE_IMPI_HOST_OCTETS - 1] = {0};
    struct in_addr in;
    struct in6_addr in6;

    /* With 15 octets of zero it is IPv6's own loopback address, or none at all. */
    if (memcmp(host, mapped, V4_AT) == 0 ||
        (memcmp(host, zeros, V4_AT) == 0 && memcmp(host, zeros, sizeof zeros) != 0)) {
        memcpy(&in, host + V4_AT, sizeof in);
        return of_v4(in, port);
    }
    memcpy(in6.s6_addr, host, WIRE_IMPI_HOST_OCTETS);
    return of_v6(in6, port);
}

int address_listen(struct address *address)
{
    int yes = 1;
    int fd = socket(address->storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct address got;

    if (fd < 0) {
        return -1;
    }
    /* A port that was in use a moment ago, by nobody who still listens, can be taken again. */
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, (const struct sockaddr *)&address->storage, address->len) != 0 || listen(fd, BACKLOG) != 0 ||
        !address_local(fd, &got)) {
        int error = errno;

        close(fd);
        errno = error;
        return -1;
    }
    address_set_port(address, address_port(&got));
    return fd;
}

/* Starts to connect, and waits for the outcome. 0, or the errno of the failure. */
static int connect_wait(int fd, const struct address *to, int patience_ms)
{
    struct pollfd wait = {fd, POLLOUT, 0};
    int error = 0;
    socklen_t len = sizeof error;

    if (connect(fd, (const struct sockaddr *)&to->storage, to->len) == 0) {
        return 0;
    }
    if (errno != EINPROGRESS) {
        return errno;
    }
    if (poll(&wait, 1, patience_ms) <= 0) {
        return ETIMEDOUT;
    }
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) == 0 ? error : errno;
}

int address_connect(const struct address *to, const struct address *from, int patience_ms, int *connected)
{
    int fd = socket(to->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0) {
        return errno;
    }
    if (from && from->storage.ss_family == to->storage.ss_family) {
        (void)bind(fd, (const struct sockaddr *)&from->storage, from->len);
    }
    int error = connect_wait(fd, to, patience_ms);
    if (error != 0) {
        close(fd);
        return error;
    }
    address_ready(fd);
    *connected = fd;
    return 0;
}

void address_ready(int fd)
{
    int yes = 1;

    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}
