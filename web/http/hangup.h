/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Upgraded connections, and that their clients have hung up. Over TLS libmicrohttpd carries their octets between the
 * client's socket and a pair of its own, and does not hand on that the client sends no more (0.9.75): who reads the
 * other end would wait for ever. So the clients' sockets are watched here.
 */
#ifndef WEB_HTTP_HANGUP_H
#define WEB_HTTP_HANGUP_H

#include <microhttpd.h>

struct hangup;
struct hangups;

/* hangups_new makes an empty set, and its thread. NULL: there is no memory, or no thread. */
struct hangups *hangups_new(void);

/* hangups_free ends the thread; when all connections have been closed. Takes NULL. */
void hangups_free(struct hangups *hangups);

/* hangup_begin takes an upgraded connection, whose octets are read from `end`; NULL: no memory, also of the system.
 * Where `hangups` is not NULL, `end` is at its end soon after the client has hung up, behind all that it had sent. */
struct hangup *hangup_begin(struct hangups *hangups, struct MHD_Connection *connection, MHD_socket end,
                            struct MHD_UpgradeResponseHandle *handle);

/* hangup_close (a struct hangup) closes the connection and frees. Any thread. */
void hangup_close(void *hangup);

#endif
