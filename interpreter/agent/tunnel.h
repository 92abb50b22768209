/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One connection through the relay: to the service by a command that carries octets between its standard streams and
 * the service, such as `openssl s_client`, or by TCP alone. So TLS needs no library here.
 */
#ifndef INTERPRETER_AGENT_TUNNEL_H
#define INTERPRETER_AGENT_TUNNEL_H

/* struct tunnel says where the service is; `address` is HOST:PORT. The strings must live on. */
struct tunnel {
    const char *host, *port, *address;
    char *const *command; /* {host} and {port} in it stand for these; NULL: TCP alone */
};

/* TUNNEL_TLS is the command for https where none was given: certificate and name of the service must be good. Being
 * quiet alone, openssl would not end with its input. TUNNEL_TLS_ADDRESS is that for a service that has an address and
 * no name; `[{host}]` is how openssl takes one of IPv6, and one of IPv4 too. */
#define TUNNEL_OPENSSL     "openssl s_client -quiet -no_ign_eof -nocommands -verify_quiet -verify_return_error "
#define TUNNEL_TLS         TUNNEL_OPENSSL "-verify_hostname {host} -servername {host} -connect {host}:{port}"
#define TUNNEL_TLS_ADDRESS TUNNEL_OPENSSL "-verify_ip {host} -noservername -connect [{host}]:{port}"

/* tunnel_carry reads the request by which an agent or interpreter wants to speak with the manager, hands it on with the
 * service's own name in it, and then carries octets both ways until one side ends. Whatever else is asked for is
 * refused: the relay opens no other way into the service. */
void tunnel_carry(const struct tunnel *tunnel, int client);

/* tunnel_refuse tells a client by a status of HTTP and a line why it is not served. Does not wait for it. */
void tunnel_refuse(int client, const char *status, const char *why);

#endif
