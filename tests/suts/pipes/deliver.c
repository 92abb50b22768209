/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Data movement: section 3.10 and chapter 4 of the document. Messages to this process itself are delivered at once.
 */
#include "tests/suts/pipes/library.h"

#include <string.h>

static void send(const struct message *message, const void *data)
{
    if (message->to == library.rank) {
        deliver(message, data);
    } else {
        pipes_send(message, data);
    }
}

static void drop(const struct message *message)
{
    if (message->interface < INTERFACES) {
        library.drops[message->interface]++;
    }
}

/* Whether the queue, if there is one, has room for another event. */
static bool queue_has_room(const struct md *md)
{
    const struct eq *eq = object_find(KIND_EQ, VALUE(md->value.eventq));

    return VALUE(md->value.eventq) == VALUE(PTL_EQ_NONE) || (eq && eq->count < eq->size);
}

/* Whether the descriptor serves this request; then *offset is where and *moved how much. */
static bool serves(const struct md *md, const struct message *message, uint64_t *offset, uint64_t *moved)
{
    const ptl_md_t *value = &md->value;
    unsigned wanted = message->operation == OPERATION_PUT ? PTL_MD_OP_PUT : PTL_MD_OP_GET;

    *offset = value->options & PTL_MD_MANAGE_REMOTE ? message->offset : md->offset;
    if (!(value->options & wanted) || value->threshold == 0 || *offset > value->length || !queue_has_room(md)) {
        return false;
    }
    *moved = value->length - *offset;
    if (message->wanted <= *moved) {
        *moved = message->wanted;
        return true;
    }
    return value->options & PTL_MD_TRUNCATE;
}

static struct md *find(const struct ni *ni, const struct message *message, uint64_t *offset, uint64_t *moved)
{
    for (struct me *me = ni->lists[message->portal]; me; me = me->next) {
        bool matches = identity_fits(&me->id, message->from) && !((me->bits ^ message->bits) & ~me->ignored);
        if (matches && me->descriptors && serves(me->descriptors, message, offset, moved)) {
            return me->descriptors;
        }
    }
    return NULL;
}

static bool is_admitted(const struct ni *ni, const struct message *message)
{
    if (message->portal >= ni->portals || message->cookie >= ni->entries) {
        return false;
    }
    const struct access *access = &ni->access[message->cookie];
    return access->open && identity_fits(&access->id, message->from) &&
           (access->portal == PTL_PT_INDEX_ANY || access->portal == message->portal);
}

/* Moves the data and answers. */
static void perform(const struct md *md, const struct message *message, uint64_t offset, uint64_t moved,
                    const void *data)
{
    struct message answer = *message;
    char *at = (char *)md->value.start + offset;
    bool is_get = message->operation == OPERATION_GET;

    answer.from = library.rank;
    answer.to = message->from;
    answer.moved = moved;
    answer.octets = is_get ? moved : 0;
    answer.operation = is_get ? OPERATION_REPLY : OPERATION_ACK;
    if (!is_get && moved > 0) {
        memmove(at, data, (size_t)moved);
    }
    if (is_get || (message->descriptor != VALUE(PTL_MD_NONE) && !(md->value.options & PTL_MD_ACK_DISABLE))) {
        send(&answer, at);
    }
}

static void serve(struct ni *ni, const struct message *message, const void *data)
{
    uint64_t offset = 0, moved = 0;
    struct md *md = is_admitted(ni, message) ? find(ni, message, &offset, &moved) : NULL;
    struct message done = *message;

    if (!md) {
        drop(message);
        return;
    }
    perform(md, message, offset, moved, data);
    md->offset += md->value.options & PTL_MD_MANAGE_REMOTE ? 0 : (ptl_size_t)moved;
    md->value.threshold -= md->value.threshold != PTL_MD_THRESH_INF;
    done.offset = offset;
    done.moved = moved;
    struct md copy = *md; /* it may be gone before its event is logged */
    if (md->value.threshold == 0 && md->unlink == PTL_UNLINK) {
        descriptor_end(md, true);
    }
    log_event(&copy, message->operation == OPERATION_PUT ? PTL_EVENT_PUT : PTL_EVENT_GET, &done, message->from);
}

static void take_answer(const struct ni *ni, const struct message *message, const void *data)
{
    struct md *md = object_find(KIND_MD, message->descriptor);
    struct message done = *message;
    bool is_reply = message->operation == OPERATION_REPLY;

    if (!md || md->head.ni != ni || !queue_has_room(md) ||
        (!is_reply && VALUE(md->value.eventq) == VALUE(PTL_EQ_NONE))) {
        drop(message);
        return;
    }
    if (is_reply) {
        done.moved = message->moved < md->value.length ? message->moved : md->value.length;
        done.offset = 0;
    }
    if (is_reply && done.moved > 0) {
        memmove(md->value.start, data, (size_t)done.moved);
    }
    log_event(md, is_reply ? PTL_EVENT_REPLY : PTL_EVENT_ACK, &done, library.rank);
}

/* The barrier: all tell rank 0, which tells all. */
static void take_barrier(const struct message *message)
{
    struct message over = {.operation = OPERATION_LEAVE, .interface = message->interface, .from = library.rank};

    if (message->operation == OPERATION_LEAVE) {
        library.left[message->interface]++;
        wake();
    } else if (++library.entered[message->interface] % library.size == 0) {
        for (over.to = 0; over.to < library.size; over.to++) {
            pipes_send(&over, NULL);
        }
    }
}

void deliver(const struct message *message, const void *data)
{
    struct ni *ni = message->interface < INTERFACES ? library.interfaces[message->interface] : NULL;

    if (message->operation == OPERATION_ENTER || message->operation == OPERATION_LEAVE) {
        take_barrier(message);
    } else if (!ni) {
        drop(message);
    } else if (message->operation == OPERATION_PUT || message->operation == OPERATION_GET) {
        serve(ni, message, data);
    } else {
        take_answer(ni, message, data);
    }
}

/* Fills in what puts and gets have in common. */
static int begin(ptl_handle_md_t handle, const ptl_process_id_t *target, struct md **md, struct message *message)
{
    int rank = identity_rank(target);

    *md = object_find(KIND_MD, VALUE(handle));
    if (!library.up) {
        return PTL_NOINIT;
    }
    if (!*md || rank < 0) {
        return *md ? PTL_INV_PROC : PTL_INV_MD;
    }
    message->interface = (*md)->head.ni->number;
    message->from = library.rank;
    message->to = (uint32_t)rank;
    message->descriptor = (*md)->head.value;
    message->wanted = (*md)->value.length;
    return PTL_OK;
}

int PtlPut(ptl_handle_md_t mem_desc, ptl_ack_req_t ack_req, ptl_process_id_t target, ptl_pt_index_t portal,
           ptl_ac_index_t cookie, ptl_match_bits_t match_bits, ptl_size_t offset)
{
    struct message message = {
        .operation = OPERATION_PUT, .portal = portal, .cookie = cookie, .bits = match_bits, .offset = offset};
    struct md *md;

    enter();
    int code = begin(mem_desc, &target, &md, &message);
    if (code == PTL_OK) {
        struct md copy = *md; /* what it puts to itself may end it */
        if (ack_req != PTL_ACK_REQ || VALUE(md->value.eventq) == VALUE(PTL_EQ_NONE)) {
            message.descriptor = VALUE(PTL_MD_NONE);
        }
        message.octets = message.wanted;
        message.moved = message.wanted;
        send(&message, md->value.start);
        log_event(&copy, PTL_EVENT_SENT, &message, library.rank);
    }
    return leave(code);
}

int PtlGet(ptl_handle_md_t mem_desc, ptl_process_id_t target, ptl_pt_index_t portal, ptl_ac_index_t cookie,
           ptl_match_bits_t match_bits, ptl_size_t offset)
{
    struct message message = {
        .operation = OPERATION_GET, .portal = portal, .cookie = cookie, .bits = match_bits, .offset = offset};
    struct md *md;

    enter();
    int code = begin(mem_desc, &target, &md, &message);
    if (code == PTL_OK) {
        send(&message, NULL);
    }
    return leave(code);
}
