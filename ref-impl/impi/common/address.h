/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Addresses of machines: as text, as the system has them, and as the 16 octets of a host identifier (chapter 1.2.3). An
 * IPv4 address stands in the last four of these; before it stand twelve octets of zero, or ten and two of ff. We write
 * the second form and read both.
 */
#ifndef REF_IMPL_IMPI_COMMON_ADDRESS_H
#define REF_IMPL_IMPI_COMMON_ADDRESS_H

#include "wire/impi/packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { ADDRESS_TEXT_OCTETS = 64 }; /* of an address and a port as text, with the end */

/* struct address is an IPv4 or IPv6 address with a port. */
struct address {
    struct sockaddr_storage storage;
    socklen_t len;
};

/* address_resolve - the addresses of a name or of an address as text, at most `cap` of them; `port` may be 0. Says how
 * many; 0 with a reason, which belongs to the system, in *reason. May ask a name service, and wait for it. */
size_t address_resolve(const char *host, uint16_t port, struct address *addresses, size_t cap, const char **reason);

/* address_split - takes HOST:PORT, or [HOST]:PORT, apart; `host` has `cap` octets. False: it is not of that form. */
bool address_split(const char *text, char *host, size_t cap, uint16_t *port);

/* address_text - "192.0.2.7:5001" or "[2001:db8::7]:5001". */
void address_text(const struct address *address, char text[ADDRESS_TEXT_OCTETS]);

/* address_port, address_set_port - the port, host order. */
uint16_t address_port(const struct address *address);
void address_set_port(struct address *address, uint16_t port);

/* address_any - the address that stands for all IPv4 addresses of this machine.
 * address_towards - the address of this machine from which it reaches another; false: it does not.
 * address_outward - the first IPv4 address of this machine that is not a loopback one, or 127.0.0.1 without any. */
struct address address_any(uint16_t port);
bool address_towards(const struct address *to, struct address *own);
struct address address_outward(void);

/* address_local, address_peer - the two ends of a connected socket; false: it has none. */
bool address_local(int fd, struct address *address);
bool address_peer(int fd, struct address *address);

/* address_host_id - the host identifier.
 * address_of_host_id - the address that it stands for. */
void address_host_id(const struct address *address, unsigned char host[WIRE_IMPI_HOST_OCTETS]);
struct address address_of_host_id(const unsigned char host[WIRE_IMPI_HOST_OCTETS], uint16_t port);

/* address_listen - a listening socket that does not block, closed on exec; the port that it got stands in *address
 * afterwards. -1 with errno. */
int address_listen(struct address *address);

/* address_connect - a connected socket as address_ready leaves it, from `from` where that is not NULL and is an address
 * of this machine of the same kind. Waits no longer than `patience_ms`. 0, or the errno of the failure. */
int address_connect(const struct address *to, const struct address *from, int patience_ms, int *connected);

/* address_ready - what every connection of ours wants: no delay of small writes, no block, closed on exec, and a sign
 * of life where nothing is said. */
void address_ready(int fd);

#endif
