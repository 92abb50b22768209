/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of a getput, from both ends (Portals 3.3); each name is a function message_... here or in get.h.
 *
 *          initiator                                             target
 *      exchange_start  ------ GETPUT, length, data ----------->  exchange_arrive: translate, accept
 *                                                                exchange_landed: exchange under the lock, reply
 *      reply_arrive    <----- REPLY, length, old data ---------
 *      reply_landed: REPLY event                                 get_answered: GETPUT event
 *
 * What came waits in memory of the operation's own, so that no other operation sees the region half exchanged.
 */
#include "ref-impl/core/messages/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/core/eq.h"
#include "ref-impl/core/limits.h"
#include "ref-impl/core/matching/translate.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/operation.h"
#include "ref-impl/core/region.h"

/* Whether the two descriptors may be used for one exchange. */
static enum core_status check(const struct ni *ni, const struct md *get, const struct md *put)
{
    if (!put || !message_may_use(ni, get) || !message_may_use(ni, put)) {
        return CORE_BAD_DESCRIPTOR;
    }
    return get->value.length == put->value.length && get->value.length <= ni->config.exchange ? CORE_OK : CORE_ILLEGAL;
}

/* Begins the operation that sends the octets of the region, in whose value no event shows `start`: it becomes where
 * they are together. NULL: no memory. */
static struct operation *begin(struct ni *ni, struct md *put, const struct wire_portals_header *header)
{
    struct operation *operation = operation_new(ni, OPERATION_EXCHANGE_SENT, put, header);
    unsigned char *together;

    if (operation && put->region && header->rlength > 0) {
        together = malloc(header->rlength);
        operation->value.start = operation->bounce = together;
        if (!together) {
            operation_end(ni, operation);
            return NULL;
        }
        region_read(put->region, 0, together, header->rlength);
    }
    return operation;
}

enum core_status message_exchange_start(uint64_t get_handle, uint64_t put_handle, const struct message_address *address)
{
    struct wire_portals_header header;
    struct operation *operation = NULL;
    enum core_status status;
    enum nal_status sent;
    struct ni *ni;
    struct md *get = md_enter(get_handle, &ni);
    struct md *put;

    if (!get) {
        return CORE_BAD_DESCRIPTOR;
    }
    put = md_find(ni, put_handle);
    status = check(ni, get, put);
    if (status == CORE_OK) {
        message_begin_request(ni, WIRE_PORTALS_GETPUT, address, &header);
        header.rlength = get->value.length;
        header.md = get_handle;
        operation = begin(ni, put, &header);
        status = operation ? CORE_OK : CORE_NO_SPACE;
    }
    if (status != CORE_OK) {
        ni_leave(ni);
        return status;
    }
    lock_give(&ni->lock);
    sent = nal_send(ni->nal, &header, operation->value.start, header.rlength, operation);
    lock_take(&ni->lock);
    if (sent != NAL_OK) {
        operation_end(ni, operation);
        status = sent == NAL_NO_MEMORY ? CORE_NO_SPACE : CORE_BAD_PROCESS;
    }
    eq_log_unlinked(ni);
    ni_leave(ni);
    return status;
}

bool message_exchange_arrive(struct ni *ni, const struct wire_portals_header *request, struct nal_sink *sink)
{
    struct accept_part part;
    unsigned char *exchanged;
    struct operation *operation = NULL;
    struct md *md;

    if (request->rlength > ni->config.exchange) {
        return false;
    }
    md = translate_request(ni, request, &part);
    exchanged = md ? malloc((size_t)2 * LIMIT_EXCHANGE) : NULL;
    if (exchanged) {
        operation = message_accept(ni, md, request, &part);
    }
    if (!operation) {
        free(exchanged);
        return false;
    }
    operation->kept = exchanged;
    operation_start_writing(operation);
    sink->start = exchanged;
    sink->length = part.length;
    sink->token = operation;
    return true;
}

void message_exchange_landed(struct ni *ni, struct operation *operation)
{
    unsigned char *came = operation->kept, *was = came + LIMIT_EXCHANGE;
    size_t length = (size_t)operation->mlength;
    struct wire_portals_header reply;
    enum nal_status status;

    if (operation->md->region) {
        region_read(operation->md->region, operation->offset, was, length);
        region_write(operation->md->region, operation->offset, came, length);
    } else if (length > 0) {
        char *region = (char *)operation->value.start + operation->offset;

        memcpy(was, region, length);
        memcpy(region, came, length);
    }
    message_begin_answer(ni, &operation->request, WIRE_PORTALS_REPLY, length, &reply);
    lock_give(&ni->lock);
    status = nal_send(ni->nal, &reply, was, length, operation);
    lock_take(&ni->lock);
    if (status != NAL_OK) {
        /* The octets are exchanged; that the initiator cannot be told does not change it. */
        eq_settle(ni, operation, true);
    }
}
