/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One client's conversation with the server, as the server hears it (chapters 2.3.2 to 2.3.7): what a client may say
 * when, and what it means. Octets go in as they arrive, in any pieces; events come out one by one.
 *
 *          AUTH                  KEY, right                IMPI                DONE                FINI
 *      SILENT --(KEY chosen)--> KEY_DUE --> AUTHENTICATED --> JOINED ------------> DONE ------------> FINISHED
 *         '-----(NONE chosen)-------------------^
 *
 * Whatever else a client says ends in SESSION_BAD, but for commands that nobody knows: these are skipped anywhere
 * behind AUTH. No input, output or clock.
 */
#ifndef REF_IMPL_IMPI_SERVER_SESSION_H
#define REF_IMPL_IMPI_SERVER_SESSION_H

#include "ref-impl/impi/common/auth.h"
#include "ref-impl/impi/common/queue.h"
#include "wire/impi/startup.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most octets of values that a client may submit for one label: 2^18 processes of 16 octets each. */
#define SESSION_VALUES_MAX ((size_t)4 << 20)

enum session_state {
    SESSION_SILENT, /* nothing but AUTH is taken */
    SESSION_KEY_DUE,
    SESSION_AUTHENTICATED,
    SESSION_JOINED,
    SESSION_DONE,
    SESSION_FINISHED,
};

enum session_event_kind {
    SESSION_MORE,   /* all octets are used up */
    SESSION_CHOICE, /* `method` was chosen for it and must be told; with NONE it is authenticated now */
    SESSION_RANK,   /* wants to be client `rank`, any number: the caller accepts it by going on */
    SESSION_LABEL,  /* submits `len` octets of values for `label` */
    SESSION_NO_MORE_LABELS,
    SESSION_FINI,
    SESSION_NOTE, /* `text` is worth telling, and it goes on */
    SESSION_BAD,  /* `text` says what was wrong: the connection is to be ended, nothing more can be heard from it */
};

/* struct session_event - `octets` are good until the next call for this session. */
struct session_event {
    enum session_event_kind kind;
    int method;
    int32_t rank;
    int32_t label;
    const unsigned char *octets;
    size_t len;
    char text[160];
};

/* struct session is one conversation. Initialise with session_begin, end with session_end. */
struct session {
    enum session_state state;
    const struct auth *auth;
    struct wire_impi_startup stream;
    struct wire_impi_command command; /* whose payload is being read */
    struct queue values;              /* of a COLL whose payload has not all arrived */
    bool values_used;                 /* an event has given them out */
};

/* session_begin - a conversation in which nothing has been said; `auth` must outlive it.
 * session_end - frees. */
void session_begin(struct session *session, const struct auth *auth);
void session_end(struct session *session);

/* session_next - hears from the front of *octets, advancing it, up to the next event. */
void session_next(struct session *session, const unsigned char **octets, size_t *len, struct session_event *event);

/* session_state_text - the state as the end of "... before it ...": for the report of a lost connection. */
const char *session_state_text(const struct session *session);

/* session_in_message - whether a message has begun and is not complete. */
bool session_in_message(const struct session *session);

#endif
