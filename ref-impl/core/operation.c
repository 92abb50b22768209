/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Operations under way: see operation.h.
 */
#include "ref-impl/core/operation.h"

#include <assert.h>
#include <stdlib.h>

#include "ref-impl/core/md_object.h"
#include "ref-impl/core/ni_object.h"

void operation_spare_make(struct ni *ni)
{
    ni->spare = malloc(sizeof(*ni->spare));
}

void operation_spare_free(struct ni *ni)
{
    free(ni->spare);
    ni->spare = NULL;
}

static struct operation *memory_take(struct ni *ni)
{
    struct operation *spare = ni->spare;

    ni->spare = NULL;
    return spare ? spare : malloc(sizeof(*spare));
}

static void memory_give(struct operation *operation)
{
    struct ni *ni = operation->ni;

    if (ni->spare) {
        free(operation);
    } else {
        ni->spare = operation;
    }
}

static struct operation_request request_keep(enum operation_kind kind, const struct wire_portals_header *request)
{
    return (struct operation_request){
        .initiator = kind == OPERATION_PUT_SENT ? request->target : request->initiator,
        .portal = request->portal,
        .match_bits = request->match_bits,
        .offset = request->offset,
        .md = request->md,
        .rlength = request->rlength,
        .hdr_data = request->hdr_data,
        .local_offset = request->local_offset,
        .uid = request->uid,
        .tagged = request->tagged,
    };
}

struct operation *operation_new(struct ni *ni, enum operation_kind kind, struct md *md,
                                const struct wire_portals_header *request)
{
    struct operation *operation = memory_take(ni);

    if (!operation) {
        return NULL;
    }
    *operation = (struct operation){
        .kind = kind,
        .request = request_keep(kind, request),
        .ni = ni,
        .references = 1,
        .md = md,
        .value = md->value,
    };
    md_hold(md);
    list_insert_before(&ni->operations, &operation->link);
    list_init(&operation->writing);
    return operation;
}

struct operation *operation_pass(struct ni *ni, struct md *md, const struct wire_portals_header *request)
{
    struct operation *operation = memory_take(ni);

    if (!operation) {
        return NULL;
    }
    operation->passes = true;
    operation->kind = OPERATION_PUT_SERVED;
    operation->queue = NULL;
    operation->request = request_keep(OPERATION_PUT_SERVED, request);
    operation->ni = ni;
    operation->failed = false;
    operation->md = md;
    operation->bounce = NULL;
    operation->number = 0;
    md_hold(md);
    return operation;
}

static void release(struct operation *operation)
{
    if (--operation->references == 0) {
        free(operation->kept);
        free(operation->bounce);
        memory_give(operation);
    }
}

void operation_end(struct ni *ni, struct operation *operation)
{
    assert(!operation->queue);
    if (operation->passes) {
        md_release(ni, operation->md);
        free(operation->bounce);
        memory_give(operation);
        return;
    }
    operation_stop_writing(operation);
    list_remove(&operation->link);
    md_release(ni, operation->md);
    operation->md = NULL;
    release(operation);
}

void operation_start_writing(struct operation *operation)
{
    if (!operation->passes) {
        list_insert_before(&operation->md->writing, &operation->writing);
    }
}

void operation_stop_writing(struct operation *operation)
{
    /* A revoked one is in the list of the thread that revokes it; that thread takes it out. */
    if (!operation->passes && !operation->revoked) {
        list_remove(&operation->writing);
    }
}

void operation_mark_revoked(struct md *md, struct list *revoked)
{
    struct list *link;

    while ((link = list_take(&md->writing))) {
        struct operation *operation = LIST_OWNER(link, struct operation, writing);

        list_insert_before(revoked, link);
        operation->revoked = true;
        operation->references++; /* so that the token stays this operation's until it is revoked */
    }
}

void operation_revoke(struct ni *ni, struct list *revoked)
{
    struct list *link;

    while ((link = list_take(revoked))) {
        struct operation *operation = LIST_OWNER(link, struct operation, writing);

        lock_give(&ni->lock);
        nal_revoke(ni->nal, operation);
        lock_take(&ni->lock);
        release(operation);
    }
}

/* What the kind of operation says about its event: which event, and who began the operation. */
static enum core_event_kind kind_of_event(enum operation_kind kind)
{
    switch (kind) {
    case OPERATION_PUT_SERVED:
        return CORE_EVENT_PUT; //= P30-216
    case OPERATION_GET_SERVED:
        return CORE_EVENT_GET; //= P30-214
    case OPERATION_REPLY_TAKEN:
        return CORE_EVENT_REPLY;
    case OPERATION_EXCHANGE_SERVED:
        return CORE_EVENT_EXCHANGE;
    case OPERATION_PUT_SENT:
    case OPERATION_EXCHANGE_SENT:
        break;
    }
    return CORE_EVENT_SENT;
}

static bool is_served(const struct operation *operation)
{
    return operation->kind == OPERATION_PUT_SERVED || operation->kind == OPERATION_GET_SERVED ||
           operation->kind == OPERATION_EXCHANGE_SERVED;
}

void operation_describe(const struct ni *ni, const struct operation *operation, struct core_event *event)
{
    bool served = is_served(operation);

    *event = (struct core_event){
        .kind = kind_of_event(operation->kind), //= P30-226
        .begins = false,
        .failed = operation->failed,
        //= P30-227
        .initiator = served ? operation->request.initiator : ni->config.self,
        .portal = operation->request.portal,         //= P30-228
        .match_bits = operation->request.match_bits, //= P30-229 GASN-155
        .rlength = operation->request.rlength,       //= P30-230
        .mlength = operation->mlength,               //= P30-231
        .offset = operation->offset,                 //= P30-233 GASN-156
        .hdr_data = operation->request.hdr_data,
        .link = operation->number,
        .sequence = 0, /* the queue gives it */
        .descriptor = operation->md->handle,
        .uid = served ? operation->request.uid : ni->config.uid,
        /* A request changes its descriptor when it is accepted; the others do not change it at all. */
        .md = served ? operation->value : operation->md->value, //= P30-234 P30-235
    };
}

bool operation_begin_event(const struct ni *ni, const struct operation *operation, struct core_event *event)
{
    if (!ni->config.policy->logs_both_ends || (operation->value.options & CORE_NO_START) ||
        operation->kind == OPERATION_EXCHANGE_SENT) {
        return false;
    }
    operation_describe(ni, operation, event);
    event->begins = true;
    return true;
}

bool operation_ends_logged(const struct core_md *value)
{
    return value->eventq != CORE_NONE && !(value->options & CORE_NO_END);
}

bool operation_from_peer(const struct operation *operation, const struct wire_portals_id *peer)
{
    return operation->request.initiator.nid == peer->nid && operation->request.initiator.pid == peer->pid;
}

bool operation_same_peer(const struct operation *a, const struct operation *b)
{
    return operation_from_peer(a, &b->request.initiator);
}
