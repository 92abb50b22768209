/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The client's side of start-up (chapters 2.3.2 to 2.3.6), as a machine without input and output: what the server sends
 * goes in as it arrives, in any pieces; what is to be sent to it waits in `out`.
 *
 *       AUTH              method, IMPI (and key)        labels, DONE              conclusions
 *      ------> CHOOSING -----------------------> JOINING ------------> COLLECTING ------------> RUNNING
 *               choice from the server            job's size            broadcasts, DONE
 *
 * With auth_secure (common/secure.h) the choice ends the conversation in SECURING; another one begins in the secure
 * channel. In every state FAILED may come next, and `error` says why.
 */
#ifndef REF_IMPL_IMPI_CLIENT_STARTUP_H
#define REF_IMPL_IMPI_CLIENT_STARTUP_H

#include "ref-impl/impi/client/negotiate.h"
#include "ref-impl/impi/client/offer.h"
#include "ref-impl/impi/common/auth.h"
#include "ref-impl/impi/common/queue.h"
#include "wire/impi/startup.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum startup_state {
    STARTUP_CHOOSING,
    STARTUP_JOINING,
    STARTUP_COLLECTING,
    STARTUP_SECURING, /* instead of JOINING, with auth_secure: the handshake comes, then a new conversation begins */
    STARTUP_RUNNING,  /* `agreed` is filled; whatever the server says from now on is ignored */
    STARTUP_FAILED,
};

/* struct startup is one conversation. Initialise with startup_begin, end with startup_end. */
struct startup {
    enum startup_state state;
    const struct auth *auth;
    const struct offer *offer;
    uint32_t rank, clients;
    struct wire_impi_startup stream;
    struct queue out;
    struct queue values; /* of a broadcast that has not all arrived */
    bool key_told;
    struct negotiation negotiation;
    struct agreed agreed;
    char error[NEGOTIATE_ERROR_OCTETS];
};

/* startup_begin - a conversation for client `rank`, which opens with AUTH; `auth` and `offer` must outlive it.
 * startup_end - frees everything. */
void startup_begin(struct startup *startup, const struct auth *auth, uint32_t rank, const struct offer *offer);
void startup_end(struct startup *startup);

/* startup_hear - takes what the server has sent, and says in which state that leaves us. */
enum startup_state startup_hear(struct startup *startup, const void *octets, size_t len);

/* startup_lost - the connection has ended before RUNNING: fills `error` with what that means at this point. */
void startup_lost(struct startup *startup);

#endif
