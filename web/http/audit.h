/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The audit log: every request that was to change something, by whom, and what came of it.
 */
#ifndef WEB_HTTP_AUDIT_H
#define WEB_HTTP_AUDIT_H

#include "web/http/request.h"

#include <netinet/in.h>
#include <sys/socket.h>

enum { AUDIT_DAYS = 400, AUDIT_ADDRESS_SIZE = INET6_ADDRSTRLEN };

/* audit_address writes a client's address as people read it. */
void audit_address(const struct sockaddr_storage *client, char text[static AUDIT_ADDRESS_SIZE]);

/* audit_note writes a request that has been answered into the log, if somebody is known to have made it and it was to
 * change something. What cannot be written is lost, and so is, with the machine's power, what came last: no answer
 * waits for the disk because of it. */
void audit_note(struct request *request);

/* audit_forget removes what is older than AUDIT_DAYS, and of each account all but the latest 10,000 entries. */
void audit_forget(struct database *database);

#endif
