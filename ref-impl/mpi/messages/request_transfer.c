/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The way of a message between the program and a device: see request_transfer.h. Here messages become octets and octets
 * become messages; which device moves them is decided here and nowhere else:
 *
 *      send to a process of the client              local device, native form
 *      send to another process                      wide device, external32
 *      receive from a process of the client         local device
 *      receive from another process                 wide device
 *      receive from anybody, all in the client      local device
 *      receive from anybody else                    both, and whichever has a message first takes it from the other
 *
 * Chapters 3.2 to 3.8 of MPI; 1.2.2 and 3.5 of IMPI.
 */
#include "ref-impl/mpi/messages/request_transfer.h"

#include <stdlib.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/messages/bsend.h"
#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/types/type.h"

/* Makes the octets of a message: those in the user's buffer, where they lie as they are sent, or a packed copy. */
static int pack(struct request *request, enum type_form form)
{
    const struct p2p_message *message = &request->message;
    size_t count = (size_t)message->count;
    ptrdiff_t offset;
    int code;

    request->length = type_octets(message->type, count, form);
    if (request->mode == P2P_BUFFERED) {
        request->attached = bsend_take(request->length);
        if (!request->attached) {
            return MPI_ERR_BUFFER;
        }
        request->octets = request->attached;
    } else if (request->length == 0 || type_as_is(message->type, count, form, &offset)) {
        request->octets = request->length ? (unsigned char *)message->buffer + offset : NULL;
        return MPI_SUCCESS;
    } else {
        request->staging = malloc(request->length);
        if (!request->staging) {
            return MPI_ERR_OTHER;
        }
        request->octets = request->staging;
    }
    code = type_pack(message->type, count, form, message->buffer, request->octets, request->length);
    if (code != MPI_SUCCESS) {
        bsend_give_back(request->attached);
        request->attached = NULL;
        free(request->staging);
        request->staging = NULL;
    }
    return code;
}

/* Makes room for a message of the local device, in either form where the communicator has both. */
//= PUMA-078
static int make_room(struct request *request)
{
    const struct p2p_message *message = &request->message;
    size_t count = (size_t)message->count;
    size_t external = message->comm->native ? 0 : type_octets(message->type, count, TYPE_EXTERNAL);
    ptrdiff_t offset;

    request->length = type_octets(message->type, count, TYPE_NATIVE);
    if (request->length < external) {
        request->length = external;
    }
    if (request->length == 0) {
        request->octets = NULL;
    } else if (type_as_is(message->type, count, message->comm->native ? TYPE_NATIVE : TYPE_EXTERNAL, &offset)) {
        request->octets = (unsigned char *)message->buffer + offset;
    } else {
        request->staging = malloc(request->length);
        request->octets = request->staging;
        return request->staging ? MPI_SUCCESS : MPI_ERR_OTHER;
    }
    return MPI_SUCCESS;
}

/* On a communicator of several clients MPI_Pack makes external32, and what is packed may be received as what it is made
 * of, or the other way round. Hence all messages there are in that form, those within a client too; but these may have
 * numbers for which it has no room, and then stay as they are. */
static int pack_as_due(struct request *request, bool local)
{
    int code;

    request->external = !local || !request->message.comm->native;
    code = pack(request, request->external ? TYPE_EXTERNAL : TYPE_NATIVE);
    if (code == MPI_ERR_TYPE && local && request->external) {
        request->external = false;
        code = pack(request, TYPE_NATIVE);
    }
    return code;
}

static int begin_send(struct request *request)
{
    bool native = world_is_native(request->match.peer);
    int code = pack_as_due(request, native);

    if (code != MPI_SUCCESS) {
        return code;
    }
    request->phase = REQUEST_ACTIVE;
    if (native) {
        device_at(DEVICE_LOCAL)->send(request);
    } else {
        device_at(DEVICE_WIDE)->send(request);
    }
    return MPI_SUCCESS;
}

bool request_send_now(const struct p2p_message *message)
{
    size_t count = (size_t)message->count;
    struct request_match match;
    ptrdiff_t offset;
    size_t length;
    bool sent;

    if (message->peer < 0 || !message->comm->native || !type_as_is(message->type, count, TYPE_NATIVE, &offset)) {
        return false;
    }
    match = request_describe(message);
    length = type_octets(message->type, count, TYPE_NATIVE);
    engine_lock();
    sent = device_at(DEVICE_LOCAL)->send_now(&match, length ? (const char *)message->buffer + offset : NULL, length);
    engine_unlock();
    return sent;
}

static int begin_receive(struct request *request)
{
    bool any = request->match.peer == REQUEST_ANY;
    bool local = any || world_is_native(request->match.peer);
    bool wide = any ? !request->message.comm->native : !local;
    int code = local ? make_room(request) : MPI_SUCCESS;

    if (code != MPI_SUCCESS) {
        return code;
    }
    request->phase = REQUEST_ACTIVE;
    if (local) {
        device_at(DEVICE_LOCAL)->receive(request);
    }
    /* Unless the local device has found one, a message may come from either side. */
    if (wide && request->phase == REQUEST_ACTIVE && request->local.place != LOCAL_MOVING) {
        device_at(DEVICE_WIDE)->receive(request);
    }
    return MPI_SUCCESS;
}

int request_begin(struct request *request)
{
    request->outcome = (struct request_outcome){.source = MPI_PROC_NULL, .lsrank = -1, .tag = MPI_ANY_TAG};
    request->local.place = LOCAL_NOWHERE;
    request->local.is_short = false;
    request->wide.place = WIDE_NOWHERE;
    request->wide.in_place = false;
    if (request->message.peer == MPI_PROC_NULL) {
        request->phase = REQUEST_DONE;
        return MPI_SUCCESS;
    }
    request->match = request_describe(&request->message);
    return request->kind == REQUEST_SEND ? begin_send(request) : begin_receive(request);
}

/* How many octets of its message a receive can take. */
static size_t room(const struct request *request)
{
    const struct p2p_message *message = &request->message;

    return type_octets(message->type, (size_t)message->count, request->outcome.external ? TYPE_EXTERNAL : TYPE_NATIVE);
}

/* Brings what was received to where the user wants it. */
static int unpack(struct request *request)
{
    const struct p2p_message *message = &request->message;
    const struct request_outcome *outcome = &request->outcome;
    size_t count = (size_t)message->count;
    size_t len = outcome->msglen < room(request) ? (size_t)outcome->msglen : room(request);
    const void *landed = request->wide.landed ? request->wide.landed : request->staging;
    enum type_form form = outcome->external ? TYPE_EXTERNAL : TYPE_NATIVE;
    int code = MPI_SUCCESS;

    if (landed && !request->wide.in_place) {
        code = type_unpack(message->type, count, form, landed, len, message->buffer);
    }
    return outcome->msglen > room(request) ? MPI_ERR_TRUNCATE : code; //= IMPI-157
}

int request_retire(struct request *request, MPI_Status *status)
{
    struct request_outcome *outcome = &request->outcome;
    bool received = request->kind == REQUEST_RECEIVE && outcome->source != MPI_PROC_NULL && !outcome->cancelled;
    int code = outcome->error;

    if (received && code == MPI_SUCCESS) {
        code = unpack(request);
    }
    if (status) {
        request_status(outcome, &request->message, status);
        status->assay_octets = outcome->msglen < room(request) ? outcome->msglen : room(request);
    }
    device_at(DEVICE_WIDE)->release(request);
    if (request->local.twin) {
        device_at(DEVICE_LOCAL)->release(request);
    }
    request_let_go(request);
    free(request->staging);
    request->staging = NULL;
    request->phase = REQUEST_IDLE;
    request->started = false;
    return code;
}
