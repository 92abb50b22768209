/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A request: one message that is being sent or received, from the call that begins it until the program knows that it
 * is done. Chapter 3.7 of MPI.
 *
 *            request_begin            a device: request_finish           the program: request_retire
 *      IDLE ---------------> ACTIVE --------------------------> DONE ---------------------------------> IDLE, or freed
 *
 * A request that the program gives up while it is ACTIVE is `abandoned`: it goes when it is done. What a device reports
 * may come from another thread; packing, unpacking and freeing is for the thread that calls MPI.
 */
#ifndef REF_IMPL_MPI_MESSAGES_REQUEST_H
#define REF_IMPL_MPI_MESSAGES_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "ref-impl/include/mpi.h"
#include "ref-impl/mpi/messages/device_parts.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "ref-impl/mpi/messages/fiber.h"
#include "ref-impl/mpi/messages/message.h"

struct request_own;

enum request_kind {
    REQUEST_SEND,
    REQUEST_RECEIVE,
    REQUEST_OPERATION, /* no device has it: of all processes (nonblocking/operation.h), or the program's `own` */
};

enum request_phase {
    REQUEST_IDLE,   /* not begun, or a persistent one between two messages */
    REQUEST_ACTIVE, /* begun, and a device has it */
    REQUEST_DONE,   /* no device has it any more */
};

enum { REQUEST_ANY = -1 }; /* as peer or tag of a receive: whichever */

/* Who sends a message, or receives one: a few messages by which two groups agree go under the context of the program's
 * (IMPI 4.6 to 4.9), whose receives for any tag must not take them. Others than this library do not say. */
enum request_origin { REQUEST_OF_CALL, REQUEST_OF_AGREEMENT, REQUEST_OF_UNKNOWN };

/* What is to be matched: a message has all of it, a receive may leave peer and tag open. */
struct request_match {
    uint64_t cid;
    uint32_t slot; /* what stands for the cid in the local device */
    int peer;      /* rank in the world of the process on the other side, or REQUEST_ANY */
    int tag;
    enum request_origin origin;
};

/* What was received. */
struct request_outcome {
    int source; /* rank in the world */
    int lsrank; /* rank that the sender says it has in the communicator, or -1: look it up */
    int tag;
    uint64_t msglen; /* octets of the message, packed */
    bool external;   /* in external32 */
    bool cancelled;
    int error; /* an error class */
};

/* All but `message` and the handle is guarded by the engine's lock while a device has the request. */
struct request {
    enum request_kind kind;
    enum request_phase phase;
    bool persistent, abandoned;
    bool started; /* not IDLE; for the program's thread, which knows that without the lock */
    enum p2p_mode mode;
    struct p2p_message message;
    MPI_Request handle; /* MPI_REQUEST_NULL: the library's own */
    struct request_match match;
    unsigned char *octets;   /* the packed message: in the user's buffer, in `staging`, or in the attached buffer */
    size_t length;           /* send: octets of the message; receive: room for so many, in the form that takes more */
    bool external;           /* send: they are in external32 */
    void *staging;           /* to be freed, or NULL */
    void *attached;          /* place in the attached buffer, or NULL */
    struct request_own *own; /* one that the program completes (api/requests/grequest.c); else NULL */
    struct request *carrier; /* of a buffered send: what goes in its place, until this one is retired; else NULL */
    struct request *carried; /* of a carrier: the request whose message it is; NULL: that has been retired */
    struct request_outcome outcome;
    struct local_request local;
    struct wide_request wide;
    TAILQ_ENTRY(request) finished; /* among the abandoned ones */
};

TAILQ_HEAD(request_list, request);

/* request_init - makes memory of the caller a request for this call, IDLE, which holds nothing: for one that is through
 * before the call returns. It needs no request_free. */
void request_init(struct request *request, enum request_kind kind, enum p2p_mode mode,
                  const struct p2p_message *message);

/* request_new - a request for this call, IDLE, which holds communicator and type. NULL: memory is used up. */
struct request *request_new(enum request_kind kind, enum p2p_mode mode, const struct p2p_message *message);

/* request_close - frees the memory of all requests; nobody has any. */
void request_close(void);

/* request_free - releases what the request holds, and frees it. No device has it; its handle is freed too. */
void request_free(struct request *request);

/* request_finish - a device is done with the request, whose outcome is written; lock held, any thread. */
void request_finish(struct request *request);

/* request_abandon - nobody will ask for this request any more: it is to be freed when it is done. The program's thread,
 * lock held. */
void request_abandon(struct request *request);

/* request_let_go - the carrier of a buffered send, if there is one, goes on alone. The program's thread, lock held. */
void request_let_go(struct request *request);

/* request_abandoned_done - takes out an abandoned request that is done.
 * request_abandoned_any - one that is done or not. Both: NULL when there is none; the caller frees it. Lock held, or no
 * device open.
 * request_abandon_none - begins anew. */
struct request *request_abandoned_done(void);
struct request *request_abandoned_any(void);
void request_abandon_none(void);

/* request_finishes - how many requests have got done so far, of whatever kind. Lock held. */
unsigned long request_finishes(void);

/* request_awaits - what the program waits for that waits for this ACTIVE request; while there are fibers, whose
 * requests may be posted, this one gets posted too. Lock held. */
static inline enum engine_wait request_awaits(const struct request *request)
{
    return request->local.place == LOCAL_LISTED && !fiber_any() ? ENGINE_ARRIVAL : ENGINE_COMPLETION;
}

/* request_fits - whether a message fits a receive. */
static inline bool request_fits(const struct request_match *message, const struct request_match *receive)
{
    return message->cid == receive->cid && (receive->peer == REQUEST_ANY || receive->peer == message->peer) &&
           (message->origin == receive->origin || message->origin == REQUEST_OF_UNKNOWN) &&
           (receive->tag == REQUEST_ANY || receive->tag == message->tag);
}

/* request_describe - what `message` is matched by: ranks of the communicator become those of the world. */
struct request_match request_describe(const struct p2p_message *message);

/* request_status - writes what MPI shows of a message that came, or that waits to be received. MPI_ERROR stays as it
 * is: that is for functions with several statuses alone (3.2.5 of MPI). */
void request_status(const struct request_outcome *outcome, const struct p2p_message *message, MPI_Status *status);

/* request_status_empty - the status of nothing: of MPI_REQUEST_NULL, of what is inactive; `source` MPI_PROC_NULL for
 * messages from there, else MPI_ANY_SOURCE. */
void request_status_empty(MPI_Status *status, int source);

#endif
