/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One connection to the IMPI server: socket, conversation, what waits to be sent, and whose it is. The server's loop
 * (server.c) owns all guests.
 */
#ifndef REF_IMPL_IMPI_SERVER_GUEST_H
#define REF_IMPL_IMPI_SERVER_GUEST_H

#include "ref-impl/impi/common/address.h"
#include "ref-impl/impi/common/queue.h"
#include "ref-impl/impi/server/session.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct guest - `rank` is -1 until the server has accepted it as a client of the job. */
struct guest {
    struct guest *next;
    int fd;
    int32_t rank;
    unsigned notes; /* how many have been told */
    short watched;  /* what the loop polls for */
    struct session session;
    struct queue in, out;
    char place[ADDRESS_TEXT_OCTETS];
};

/* guest_begin - a guest for a connected socket, which it owns from now on. NULL: no memory, the socket is closed.
 * guest_end - closes the connection and frees the guest; what waits is sent as far as that goes at once, and what the
 * other side had said meanwhile is thrown away, so that it sees an end and no reset. */
struct guest *guest_begin(int fd, const struct auth *auth);
void guest_end(struct guest *guest);

/* guest_report - one line on stderr about this guest: "impirun: client 1 (ADDRESS) " or "impirun: connection from
 * ADDRESS ", and the text. */
__attribute__((format(printf, 2, 3))) void guest_report(const struct guest *guest, const char *fmt, ...);

/* guest_note - as guest_report, but no more than a few times for one guest. */
void guest_note(struct guest *guest, const char *text);

/* guest_say - puts a message in the queue. False: no memory. */
bool guest_say(struct guest *guest, const void *octets, size_t len);

#endif
