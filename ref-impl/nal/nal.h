/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The Network Abstraction Layer: everything that the core asks of a network, and nothing else.
 *
 * One `struct nal` serves one initialised network interface of this process. The core (ref-impl/core) turns API calls
 * into message headers and gives them to nal_send; the NAL turns arriving octets back into headers and asks the core
 * where the data goes. Portals semantics (matching, thresholds, events, access control) never appear below this line;
 * sockets, threads and byte order never appear above it.
 *
 * Threads. nal_send, nal_revoke and nal_distance may be called by any thread at any time between open and close, also
 * from inside an upcall. Upcalls come from the NAL's own progress thread, or, for a NAL that delivers at once
 * (loop), from inside nal_send, or from inside nal_drive. The NAL holds no lock of its own during an upcall, and the
 * core holds no lock of its own while it calls into the NAL, but where struct nal_driving allows it. Upcalls of
 * messages from one peer come one after the other, in the order in which the peer sent them.
 *
 * Wrappers (wrap/) are NALs that hold another one: their ops forward, their upcalls are interposed. Several NALs make
 * one (mixed.h): each peer is reached over one of them.
 */
#ifndef REF_IMPL_NAL_NAL_H
#define REF_IMPL_NAL_NAL_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/portals/messages.h"

struct nal;

enum nal_status {
    NAL_OK,
    NAL_NO_ROUTE,  /* the target's nid and pid do not name anything that can be reached over this network */
    NAL_NO_MEMORY, /* nothing was queued */
    NAL_NO_DEVICE, /* open only: the network does not exist or refuses; the reason stands in nal_open's text */
    NAL_NOT_NOW,   /* nal_send_now only: nothing was done, the message has to go through nal_send */
};

/* struct nal_sink says where the payload of an arriving message goes. The core fills it in `arrive`. The first `length`
 * payload octets are stored from `start` on; whatever the message carries beyond that is consumed and thrown away.
 * `token` is the core's own and comes back in `landed`, once, also when `length` is 0; a NULL token means that the core
 * does not want `landed`. */
struct nal_sink {
    void *start;
    uint64_t length;
    void *token;
};

/* struct nal_upcalls is the core as the NAL sees it. `core` is the pointer given to nal_open.
 *
 * arrive   a whole header came in. The header is valid during the call. The core decides at once (it never waits) and
 *          fills *sink, which the NAL has zeroed before.
 * landed   all payload of the message whose sink carried `token` is stored (complete) or never will be, because the
 *          connection broke or the sink was revoked (not complete).
 * whole    a whole message came in, and its payload is here in one piece: the core does all that it does in `arrive`,
 *          stores the payload, and does what it does in `landed`. Header and payload are valid during the call. NULL:
 *          the core, or who stands between, wants the other two.
 * sent     the message that nal_send took with `cookie` no longer needs its payload: it is on its way (complete) or
 *          could not be sent (not complete). Exactly once for every nal_send that returned NAL_OK with a cookie that is
 *          not NULL; it may come before nal_send returns.
 * dropped  the NAL discarded an arriving message on its own, because its header broke a rule of the binding. */
struct nal_upcalls {
    void (*arrive)(void *core, const struct wire_portals_header *header, struct nal_sink *sink);
    void (*landed)(void *core, void *token, bool complete);
    void (*whole)(void *core, const struct wire_portals_header *header, const void *payload, uint64_t length);
    void (*sent)(void *core, void *cookie, bool complete);
    void (*dropped)(void *core);
};

/* struct nal_config names the interface and the process it belongs to; see job/job.h for where both come from. */
struct nal_config {
    uint32_t interface; /* number of the interface, 0 is the default; travels in HELLO */
    struct wire_portals_id self;
    uint32_t group_size;
};

/* struct nal_driving is what a NAL offers whose work callers can do instead of its progress thread (drive.h).
 *
 * take   makes the caller the one who drives; false: another caller is. Never blocks for longer than a message takes
 * claim  makes the caller the one who drives in the place of another that sleeps while it does; that one's `run`
 *        returns. False: it did not give way soon, or there is none. No lock may be held that upcalls take
 * rely   says that a caller that did not become the one who drives is about to sleep: whoever drives does so for it
 * due    whether `run` would find anything; true where only looking tells. Whoever looks counts as one who drives, and
 *        needs no turn for it. Any lock may be held
 * run    does what has come, with upcalls as from the progress thread. Where nothing has, and `wait` is set, waits
 *        until something has come or `wake` is called; may return without either
 * give   ends that; from then on the progress thread drives again
 * wake   makes `run` return, or the next one not wait. Any thread. It and `take`, `rely` and `give` may be called with
 *        any lock held */
struct nal_driving {
    bool (*take)(struct nal *nal);
    bool (*claim)(struct nal *nal);
    void (*rely)(struct nal *nal);
    bool (*due)(struct nal *nal);
    void (*run)(struct nal *nal, bool wait);
    void (*give)(struct nal *nal);
    void (*wake)(struct nal *nal);
};

/* struct nal_ops is what a NAL implements.
 *
 * end      ends all traffic of this interface and returns when no upcall is running and none will come; queued messages
 *          that cannot be flushed within a bounded time are given up. Afterwards `send` says NAL_NO_ROUTE. NULL where
 *          the NAL is never one of several
 * send_now NULL where no message can leave inside the call
 * driving  NULL where only the NAL's own thread drives it
 * close    frees the NAL, and ends it before where `end` has not done so */
struct nal_ops {
    const char *name;
    enum nal_status (*send)(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                            uint64_t length, void *cookie);
    enum nal_status (*send_now)(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                uint64_t length);
    void (*revoke)(struct nal *nal, void *token);
    double (*distance)(struct nal *nal, const struct wire_portals_id *peer);
    void (*close)(struct nal *nal);
    void (*end)(struct nal *nal);
    const struct nal_driving *driving;
};

/* Every implementation's struct begins with this. */
struct nal {
    const struct nal_ops *ops;
};

/* nal_open opens interface `config->interface` on the networks that the process is on (presence.h), wrapped by trace
 * (ASSAY_TRACE=DIRECTORY), reliable (ASSAY_RELIABLE=1) and fault (ASSAY_FAULT=SPEC) where these are set. Upcalls may
 * come before it returns.
 *
 * What came for this interface before it was open was discarded: `dropped` is called once for each message. But not for
 * BARRIER: a member of the group that is quicker with PtlNIInit may enter its first barrier already, and says so only
 * once. The NAL keeps, from the start of the process on and between two openings, the last BARRIER of each round, and
 * gives them to `arrive` before nal_open returns. On failure *nal is untouched and a line on stderr says why. */
enum nal_status nal_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                         struct nal **nal);

/* nal_send takes a message: header, and `length` octets at `payload`, which stay the caller's and must not change until
 * `sent` comes with `cookie`. Never blocks on the network. Messages to one target leave in the order of the calls.
 * NAL_NO_ROUTE: nothing was done. Of a target that is one of several networks' peers it comes always, or never. */
static inline enum nal_status nal_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                       uint64_t length, void *cookie)
{
    return nal->ops->send(nal, header, payload, length, cookie);
}

/* nal_send_now takes a message whose payload it needs no longer when it returns: there is no cookie and no `sent`.
 * Makes no upcall and waits for nobody, so any lock may be held. NAL_NOT_NOW where that is not possible, such as for a
 * long message, or behind others that wait; NAL_NO_ROUTE as nal_send. */
static inline enum nal_status nal_send_now(struct nal *nal, const struct wire_portals_header *header,
                                           const void *payload, uint64_t length)
{
    return nal->ops->send_now ? nal->ops->send_now(nal, header, payload, length) : NAL_NOT_NOW;
}

/* nal_revoke takes back the sink with this token: when it returns, no further octet is written to its memory; the rest
 * of the payload is consumed and thrown away, and `landed` comes with complete = false unless it already came or is
 * running now. A token that the NAL does not know (any more) is no error. A token is revoked at any time after the core
 * has made it, also before the `arrive` that makes it has returned: the NAL waits for that `arrive` and then revokes.
 */
static inline void nal_revoke(struct nal *nal, void *token)
{
    nal->ops->revoke(nal, token);
}

/* nal_distance is a static, finite, non-negative measure: 0 for the process itself. */
static inline double nal_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    return nal->ops->distance(nal, peer);
}

/* nal_can_be_driven - whether callers can do its work; where not, of the following only those may be called that say
 * so. */
static inline bool nal_can_be_driven(const struct nal *nal)
{
    return nal->ops->driving != NULL;
}

/* nal_drive_take - the member of struct nal_driving; where the NAL has none, nobody can take the turn. */
static inline bool nal_drive_take(struct nal *nal)
{
    return nal->ops->driving && nal->ops->driving->take(nal);
}

/* nal_drive_claim - its `claim`; where the NAL has none, nobody can. */
static inline bool nal_drive_claim(struct nal *nal)
{
    return nal->ops->driving && nal->ops->driving->claim(nal);
}

/* nal_drive_rely - its `rely`; where the NAL has none, its thread drives at all times. */
static inline void nal_drive_rely(struct nal *nal)
{
    if (nal->ops->driving) {
        nal->ops->driving->rely(nal);
    }
}

/* nal_drive_due - its `due`; where the NAL has none, nothing is. */
static inline bool nal_drive_due(struct nal *nal)
{
    return nal->ops->driving && nal->ops->driving->due(nal);
}

/* nal_drive - its `run`. */
static inline void nal_drive(struct nal *nal, bool wait)
{
    nal->ops->driving->run(nal, wait);
}

/* nal_drive_give - its `give`. */
static inline void nal_drive_give(struct nal *nal)
{
    nal->ops->driving->give(nal);
}

/* nal_drive_wake - its `wake`. */
static inline void nal_drive_wake(struct nal *nal)
{
    nal->ops->driving->wake(nal);
}

/* nal_end is the first half of nal_close: it ends the traffic of a NAL that is one of several, while nal_send may still
 * be called from inside upcalls of another one. Must not be called from inside an upcall of this one. */
static inline void nal_end(struct nal *nal)
{
    nal->ops->end(nal);
}

/* nal_close ends the interface and frees `nal`. Must not be called from inside an upcall. */
static inline void nal_close(struct nal *nal)
{
    nal->ops->close(nal);
}

#endif
