/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The split barrier: see barrier.h.
 */
#include "ref-impl/gasnet/barrier.h"

#include <gasnet.h>
#include <pthread.h>
#include <stdbool.h>

#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/poll.h"
#include "ref-impl/gasnet/messages/invoke.h"

enum { STEPS_MOST = 32 };

/* What is known of the names: none yet (anonymous), one, or several. */
struct name {
    int id, flags;
};

/* Who is quick may be one barrier ahead: two sets of what has come. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool under_way, advancing;
    unsigned parity, step, steps;
    struct name said; /* by this node */
    struct name known;
    bool has_come[2][STEPS_MOST];
    struct name came[2][STEPS_MOST];
} barrier;

static struct name merged(struct name a, struct name b)
{
    const struct name mismatch = {0, GASNET_BARRIERFLAG_MISMATCH};

    if ((a.flags | b.flags) & GASNET_BARRIERFLAG_MISMATCH) {
        return mismatch;
    }
    if (a.flags & GASNET_BARRIERFLAG_ANONYMOUS) {
        return b;
    }
    return b.flags & GASNET_BARRIERFLAG_ANONYMOUS || a.id == b.id ? a : mismatch;
}

static void hear(gasnet_token_t token, gasnet_handlerarg_t parity_and_step, gasnet_handlerarg_t id,
                 gasnet_handlerarg_t flags)
{
    const unsigned parity = (unsigned)parity_and_step & 1, step = (unsigned)parity_and_step >> 1;

    (void)token;
    pthread_mutex_lock(&lock);
    if (step >= barrier.steps || barrier.has_come[parity][step]) {
        fatal_end("step %u of a barrier comes that nobody can have sent", step);
    }
    barrier.has_come[parity][step] = true;
    barrier.came[parity][step] = (struct name){id, flags};
    pthread_mutex_unlock(&lock);
}

void barrier_open(void)
{
    while (1u << barrier.steps < nodes_count()) {
        barrier.steps++;
    }
    (void)invoke_register(HANDLER_BARRIER, (void (*)())hear);
}

/* Tells the node of this step; the lock is given back meanwhile. */
static void tell(void)
{
    const struct name known = barrier.known;
    const unsigned step = barrier.step, parity = barrier.parity;
    const gasnet_node_t node = (gasnet_node_t)((nodes_self() + (1ull << step)) % nodes_count());

    pthread_mutex_unlock(&lock);
    if (gasnet_AMRequestShort3(node, HANDLER_BARRIER, (int)(parity | step << 1), known.id, known.flags) != GASNET_OK) {
        fatal_end("a barrier cannot be told to node %u", node);
    }
    pthread_mutex_lock(&lock);
}

void barrier_advance(void)
{
    pthread_mutex_lock(&lock);
    if (barrier.under_way && !barrier.advancing) {
        barrier.advancing = true; /* to tell may poll */
        while (barrier.step < barrier.steps && barrier.has_come[barrier.parity][barrier.step]) {
            barrier.known = merged(barrier.known, barrier.came[barrier.parity][barrier.step]);
            barrier.has_come[barrier.parity][barrier.step] = false;
            if (++barrier.step < barrier.steps) {
                tell();
            }
        }
        barrier.advancing = false;
    }
    pthread_mutex_unlock(&lock);
}

void gasnet_barrier_notify(int id, int flags)
{
    pthread_mutex_lock(&lock);
    if (barrier.under_way) {
        fatal_end("gasnet_barrier_notify is called twice without a wait between");
    }
    barrier.under_way = true;
    barrier.step = 0;
    barrier.said = barrier.known = (struct name){id, flags};
    if (barrier.steps > 0) {
        barrier.advancing = true;
        tell();
        barrier.advancing = false;
    }
    pthread_mutex_unlock(&lock);
    barrier_advance();
}

/* What the barrier that has ended says to one who waits with that name; the next one may begin. Lock held. */
static int end(int id, int flags)
{
    const bool other =
        flags != barrier.said.flags || (!(flags & GASNET_BARRIERFLAG_ANONYMOUS) && id != barrier.said.id);

    barrier.under_way = false;
    barrier.parity ^= 1;
    return other || barrier.known.flags & GASNET_BARRIERFLAG_MISMATCH ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK;
}

/* The result where the barrier has ended, else GASNET_ERR_NOT_READY. */
static int result(int id, int flags)
{
    int code = GASNET_ERR_NOT_READY;

    barrier_advance();
    pthread_mutex_lock(&lock);
    if (!barrier.under_way) {
        fatal_end("a barrier is waited for that was not notified");
    }
    if (barrier.step == barrier.steps && !barrier.advancing) {
        code = end(id, flags);
    }
    pthread_mutex_unlock(&lock);
    return code;
}

int gasnet_barrier_wait(int id, int flags)
{
    int code;

    while ((code = result(id, flags)) == GASNET_ERR_NOT_READY) {
        poll_wait();
    }
    return code;
}

int gasnet_barrier_try(int id, int flags)
{
    (void)poll_once();
    return result(id, flags);
}
