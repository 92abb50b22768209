/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The core API: starting, asking for limits, polling, locks. Active messages are in request.c and reply.c, the end in
 * leave.c.
 */
#include <gasnet.h>
#include <stdbool.h>
#include <stdlib.h>

#include "ref-impl/gasnet/barrier.h"
#include "ref-impl/gasnet/base/chunks.h"
#include "ref-impl/gasnet/base/exchange.h"
#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/poll.h"
#include "ref-impl/gasnet/base/segment.h"
#include "ref-impl/gasnet/base/settings.h"
#include "ref-impl/gasnet/base/system.h"
#include "ref-impl/gasnet/base/tickets.h"
#include "ref-impl/gasnet/fill.h"
#include "ref-impl/gasnet/leave.h"
#include "ref-impl/gasnet/messages/arrive.h"
#include "ref-impl/gasnet/messages/credits.h"
#include "ref-impl/gasnet/messages/invoke.h"
#include "ref-impl/gasnet/messages/receive.h"
#include "ref-impl/gasnet/messages/reply.h"
#include "ref-impl/gasnet/transfers/transfer.h"

enum { SPARE = 16 };

static bool has_begun, is_attached;

/* ---- starting ---------------------------------------------------------------------------------------------------- */

/* Queues that hold all that can be under way, so that no event is lost. */
static void open_queues(const struct credits_plan *plan) //= GASN-077 GASN-078
{
    const struct settings *settings = settings_get();

    poll_open(QUEUE_SYSTEM, (ptl_size_t)nodes_count() * SYSTEM_KINDS + SPARE);
    poll_open(QUEUE_SAFE, 2 * settings->messages + 2 * settings->request_chunks + settings->reply_chunks + SPARE);
    poll_open(QUEUE_AM, plan->total + RECEIVE_BUFFERS + SPARE);
}

static void open_modules(const struct credits_plan *plan)
{
    open_queues(plan);
    system_open();
    credits_open(plan);
    leave_open();
    transfer_open(arrive_messages());
    reply_open();
    receive_open((unsigned)plan->chunks_in_buffer, arrive_request);
    barrier_open();
    fill_open();
}

static void learn_limits(const struct credits_plan *plan)
{
    exchange_open();
    exchange_tell(ROUND_LIMITS, (struct exchange_told){
                                    settings_get()->segment_octets / GASNET_PAGESIZE * GASNET_PAGESIZE, plan->each});
    for (uint32_t i = 0; i < nodes_count(); i++) {
        credits_lent_by(i, exchange_of(ROUND_LIMITS, i).second);
    }
}

int gasnet_init(int *argc, char ***argv)
{
    struct credits_plan plan;

    (void)argc;
    (void)argv;
    if (has_begun) {
        return GASNET_ERR_NOT_INIT;
    }
    if (!settings_read()) {
        return GASNET_ERR_BAD_ARG;
    }
    if (!nodes_open() || !chunks_open(STORE_REQUESTS, (uint32_t)settings_get()->request_chunks) ||
        !chunks_open(STORE_REPLIES, (uint32_t)settings_get()->reply_chunks)) {
        return GASNET_ERR_RESOURCE;
    }
    if (!credits_plan(nodes_count(), &plan)) {
        return GASNET_ERR_BAD_ARG;
    }
    tickets_open(TICKET_MESSAGE, (uint32_t)settings_get()->messages);
    tickets_open(TICKET_TEMPORARY, (uint32_t)settings_get()->temporaries);
    open_modules(&plan);
    learn_limits(&plan);
    has_begun = true;
    return GASNET_OK;
}

/* Those with a number of their own first, so that what the library chooses does not take it. */
static int register_all(gasnet_handlerentry_t *table, int entries, bool chosen)
{
    for (int i = 0; i < entries; i++) {
        unsigned number = table[i].index;

        if ((number == 0) != chosen) {
            continue;
        }
        number = chosen ? invoke_free_number() : number;
        if (number < HANDLERS_OWN || !table[i].fnptr || !invoke_register(number, table[i].fnptr)) {
            return GASNET_ERR_BAD_ARG;
        }
        table[i].index = (gasnet_handler_t)number;
    }
    return GASNET_OK;
}

int gasnet_attach(gasnet_handlerentry_t *table, int entries, uintptr_t segment_size, uintptr_t min_heap_offset)
{
    int code;

    (void)min_heap_offset; /* the segment is nowhere near the heap */
    if (!has_begun || is_attached) {
        return GASNET_ERR_NOT_INIT;
    }
    if (segment_size % GASNET_PAGESIZE || segment_size > gasnet_getMaxLocalSegmentSize() || entries < 0 ||
        (entries > 0 && !table)) {
        return GASNET_ERR_BAD_ARG;
    }
    code = register_all(table, entries, false);
    if (code == GASNET_OK) {
        code = register_all(table, entries, true);
    }
    if (code == GASNET_OK && !segment_attach(segment_size, arrive_request_data(), transfer_sink(arrive_reply_data()))) {
        code = GASNET_ERR_RESOURCE;
    }
    is_attached = code == GASNET_OK;
    return code;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

gasnet_node_t gasnet_mynode(void)
{
    return nodes_self();
}

gasnet_node_t gasnet_nodes(void)
{
    return nodes_count();
}

uintptr_t gasnet_getMaxLocalSegmentSize(void)
{
    return exchange_of(ROUND_LIMITS, nodes_self()).first;
}

uintptr_t gasnet_getMaxGlobalSegmentSize(void)
{
    uintptr_t least = UINTPTR_MAX;

    for (uint32_t i = 0; i < nodes_count(); i++) {
        const struct exchange_told told = exchange_of(ROUND_LIMITS, i);

        least = told.first < least ? told.first : least;
    }
    return least;
}

int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int entries)
{
    if (!is_attached) {
        return GASNET_ERR_NOT_INIT;
    }
    if (entries < 0 || (entries > 0 && !table)) {
        return GASNET_ERR_BAD_ARG;
    }
    for (uint32_t i = 0; i < (uint32_t)entries && i < nodes_count(); i++) {
        segment_of(i, &table[i].addr, &table[i].size);
    }
    return GASNET_OK;
}

char *gasnet_getenv(const char *name)
{
    return getenv(name);
}

size_t gasnet_AMMaxArgs(void)
{
    return ARGUMENTS_MOST;
}

size_t gasnet_AMMaxMedium(void)
{
    return MEDIUM_MOST;
}

size_t gasnet_AMMaxLongRequest(void)
{
    return LONG_MOST;
}

size_t gasnet_AMMaxLongReply(void)
{
    return LONG_MOST;
}

int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *node)
{
    if (!token || !node) {
        return GASNET_ERR_BAD_ARG;
    }
    *node = token->message->node;
    return GASNET_OK;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

int gasnet_set_waitmode(int mode)
{
    if (mode < GASNET_WAIT_SPIN || mode > GASNET_WAIT_SPINBLOCK) {
        return GASNET_ERR_BAD_ARG;
    }
    poll_spins(mode == GASNET_WAIT_SPIN);
    return GASNET_OK;
}

int gasnet_AMPoll(void)
{
    if (!is_attached || invoke_running()) {
        return GASNET_ERR_NOT_INIT;
    }
    barrier_advance();
    (void)poll_once();
    return GASNET_OK;
}

void gasnetc_wait_poll(void)
{
    if (invoke_running()) {
        fatal_end("a handler waits: it may only reply");
    }
    barrier_advance();
    poll_wait();
}

/* ---- locks ------------------------------------------------------------------------------------------------------- */

void gasnet_hsl_init(gasnet_hsl_t *lock)
{
    (void)pthread_mutex_init(&lock->mutex, NULL);
}

void gasnet_hsl_destroy(gasnet_hsl_t *lock)
{
    (void)pthread_mutex_destroy(&lock->mutex);
}

void gasnet_hsl_lock(gasnet_hsl_t *lock)
{
    (void)pthread_mutex_lock(&lock->mutex);
}

void gasnet_hsl_unlock(gasnet_hsl_t *lock)
{
    (void)pthread_mutex_unlock(&lock->mutex);
}

int gasnet_hsl_trylock(gasnet_hsl_t *lock)
{
    return pthread_mutex_trylock(&lock->mutex) == 0 ? GASNET_OK : GASNET_ERR_NOT_READY;
}
