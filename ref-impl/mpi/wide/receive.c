/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving in the wide-area device: how packets become messages (IMPI 3.5, 3.7.1, 3.7.2). A message takes part in
 * matching with its first packet; a message that no receive wants waits, with the data of that packet, in order of
 * arrival. The rest of a long one comes only after it has matched, and says by pk_drqid where it belongs.
 *
 * Nothing that a packet says is taken for granted: the room for a message is what the receive has, however long the
 * message says it is, and data that has no place there is dropped.
 */
#include "ref-impl/mpi/wide/receive.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/messages/device.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/types/type.h"
#include "ref-impl/mpi/wide/channel.h"

enum { KNOWN_LISTS = 256 };

/* Octets that messages which nobody receives may take. Flow control does not bound them (3.6). */
#define UNEXPECTED_OCTETS_MAX ((size_t)1 << 30)

/* A message that waits for its receive. */
struct message {
    struct request_match match;
    bool wants_ack; /* its first packet is DATASYNC */
    int lsrank;
    uint64_t srqid, msglen;
    unsigned char *octets; /* of the first packet */
    size_t len;
    TAILQ_ENTRY(message) link;
};

static TAILQ_HEAD(message_list, message) unexpected; /* oldest first */
static size_t unexpected_octets;
static struct request_list posted;                /* oldest first */
static LIST_HEAD(, request) filling[KNOWN_LISTS]; /* by pk_drqid */
static uint64_t last_drqid;

void wide_receive_open(void)
{
    TAILQ_INIT(&unexpected);
    TAILQ_INIT(&posted);
    for (size_t i = 0; i < KNOWN_LISTS; i++) {
        LIST_INIT(&filling[i]);
    }
    unexpected_octets = 0;
    last_drqid = 0;
}

/* Takes a message out of the list. Its octets stay. */
static void forget(struct message *message)
{
    TAILQ_REMOVE(&unexpected, message, link);
    unexpected_octets -= message->len + sizeof(*message);
    free(message);
}

void wide_receive_close(void)
{
    struct message *message;

    while ((message = TAILQ_FIRST(&unexpected))) { //= IMPI-179
        // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what is freed has left the list, by its back pointer
        free(message->octets);
        forget(message);
    }
}

/* ---- messages and receives -------------------------------------------------------------------------------------- */

static void acknowledge(const struct message *message, uint64_t drqid)
{
    struct wire_impi_packet ack = wide_packet_to(message->match.peer, WIRE_IMPI_SYNCACK);

    ack.srqid = message->srqid; //= IMPI-146 IMPI-153
    ack.drqid = drqid;
    wide_reply(message->match.peer, &ack);
}

/* Makes room for a long message: in the user's buffer, if it would be copied there as it is. */
static void make_room(struct request *request, uint64_t msglen)
{
    struct wide_request *w = &request->wide;
    const struct p2p_message *asked = &request->message;
    size_t room = type_octets(asked->type, (size_t)asked->count, TYPE_EXTERNAL);
    ptrdiff_t offset = 0;

    w->room = msglen < room ? (size_t)msglen : room; //= IMPI-257
    w->in_place = w->room > 0 && type_as_is(asked->type, (size_t)asked->count, TYPE_EXTERNAL, &offset);
    w->landed = w->in_place ? (unsigned char *)asked->buffer + offset : malloc(w->room ? w->room : 1);
    if (!w->landed) {
        world_abort(1, "there is no memory for a message from another client");
    }
}

/* Begins to take in a long message, of which the first packet is here. */
static void begin_filling(struct request *request, const struct message *message)
{
    struct wide_request *w = &request->wide;

    make_room(request, message->msglen);
    w->offset = message->len;
    if (message->len > 0 && w->room > 0) {
        memcpy(w->landed, message->octets, message->len < w->room ? message->len : w->room);
    }
    free(message->octets);
    w->srqid = message->srqid;
    w->drqid = ++last_drqid;
    w->place = WIDE_FILLING;
    LIST_INSERT_HEAD(&filling[w->drqid % KNOWN_LISTS], request, wide.known);
    acknowledge(message, w->drqid);
}

/* Gives a message to its receive, which no device has. The message's octets are the receive's then. */
static void deliver(const struct message *message, struct request *request)
{
    struct wide_request *w = &request->wide;

    request->outcome = (struct request_outcome){
        .source = message->match.peer,
        .lsrank = message->lsrank,
        .tag = message->match.tag,
        .msglen = message->msglen,
        .external = true,
    };
    request->match.peer = message->match.peer;
    if (message->len < message->msglen) {
        begin_filling(request, message);
        return;
    }
    w->landed = message->octets;
    w->in_place = false;
    w->place = WIDE_NOWHERE;
    if (message->wants_ack) {
        acknowledge(message, 0); //= IMPI-145
    }
    request_finish(request);
}

static struct message *find(const struct request_match *match)
{
    struct message *at;

    TAILQ_FOREACH(at, &unexpected, link)
    {
        if (request_fits(&at->match, match)) { //= IMPI-105
            return at;
        }
    }
    return NULL;
}

void wide_receive(struct request *request)
{
    struct message *message = find(&request->match); //= IMPI-156

    /* A receive from anybody may have been posted in the other device, and have got a message there meanwhile. */
    if (message && device_at(DEVICE_LOCAL)->withdraw(request)) {
        struct message taken = *message;

        forget(message);
        deliver(&taken, request);
    } else if (request->local.place != LOCAL_MOVING && request->phase == REQUEST_ACTIVE && !message) {
        request->wide.place = WIDE_POSTED;
        TAILQ_INSERT_TAIL(&posted, request, wide.queue);
    }
}

bool wide_withdraw(struct request *request)
{
    if (request->wide.place == WIDE_POSTED) {
        TAILQ_REMOVE(&posted, request, wide.queue);
        request->wide.place = WIDE_NOWHERE;
    }
    return request->wide.place == WIDE_NOWHERE;
}

bool wide_probe(const struct request_match *match, struct request_outcome *outcome)
{
    struct message *message = find(match); //= IMPI-158 IMPI-161

    if (message) {
        *outcome = (struct request_outcome){
            .source = message->match.peer,
            .lsrank = message->lsrank,
            .tag = message->match.tag,
            .msglen = message->msglen, //= IMPI-160
            .external = true,
        };
    }
    return message;
}

bool wide_receive_forget(int rank, uint64_t srqid)
{
    struct message *at;

    TAILQ_FOREACH_REVERSE(at, &unexpected, message_list, link)
    {                                                       //= IMPI-172
        if (at->match.peer == rank && at->srqid == srqid) { //= IMPI-173
            free(at->octets);
            forget(at);
            return true;
        }
    }
    return false;
}

/* ---- packets ---------------------------------------------------------------------------------------------------- */

/* The oldest receive that a message fits and that the local device does not have a message for; it is taken out of both
 * devices. NULL when there is none. */
static struct request *receive_for(const struct message *message)
{
    struct request *at, *next;

    for (at = TAILQ_FIRST(&posted); at; at = next) {
        next = TAILQ_NEXT(at, wide.queue);
        if (!request_fits(&message->match, &at->match)) {
            continue;
        }
        wide_withdraw(at);
        if (device_at(DEVICE_LOCAL)->withdraw(at)) {
            return at;
        }
    }
    return NULL;
}

/* Keeps a message that nobody has asked for. */
static void keep(const struct message *message)
{
    struct message *kept = malloc(sizeof(*kept));

    unexpected_octets += message->len + sizeof(*message);
    if (!kept || unexpected_octets > UNEXPECTED_OCTETS_MAX) { //= IMPI-260
        world_abort(1, "there is no room for one more message that nobody receives");
    }
    *kept = *message;
    TAILQ_INSERT_TAIL(&unexpected, kept, link); //= IMPI-106 IMPI-159
    engine_wake();
}

static enum request_origin origin_of(const struct wire_impi_packet *packet)
{
    return packet->dtype == WIDE_OF_CALL        ? REQUEST_OF_CALL
           : packet->dtype == WIDE_OF_AGREEMENT ? REQUEST_OF_AGREEMENT
                                                : REQUEST_OF_UNKNOWN;
}

/* The first packet of a message. */
static void arrive(const struct wire_impi_packet *packet, int rank, unsigned char *octets)
{
    struct message message = {
        .match = {.cid = packet->cid, .peer = rank, .tag = packet->tag},
        .wants_ack = packet->type == WIRE_IMPI_DATASYNC,
        .lsrank = packet->lsrank,
        .srqid = packet->srqid,
        .msglen = packet->msglen,
        .octets = octets,
        .len = packet->len,
    };

    message.match.origin = origin_of(packet);
    struct request *request = receive_for(&message);

    if (request) {
        deliver(&message, request);
    } else {
        keep(&message);
    }
}

/* The receive whose message this packet goes on with, or NULL. */
static struct request *filling_for(const struct wire_impi_packet *packet, int rank)
{
    struct request *at;

    //= IMPI-154
    LIST_FOREACH(at, &filling[packet->drqid % KNOWN_LISTS], wide.known)
    {
        if (at->wide.drqid == packet->drqid && at->match.peer == rank && at->wide.srqid == packet->srqid) {
            return at;
        }
    }
    return NULL;
}

unsigned char *wide_receive_place(const struct wire_impi_packet *packet, int rank)
{
    const struct request *request = packet->type == WIRE_IMPI_DATA ? filling_for(packet, rank) : NULL;
    const struct wide_request *w = request ? &request->wide : NULL;

    return w && w->offset < w->room && packet->len <= w->room - w->offset ? w->landed + w->offset : NULL;
}

/* A later packet of a long message. Its octets may have been read to where they belong. */
static void fill(struct request *request, const struct wire_impi_packet *packet, const unsigned char *octets,
                 bool in_place)
{
    struct wide_request *w = &request->wide;
    uint64_t missing = request->outcome.msglen - w->offset;
    size_t len = packet->len < missing ? packet->len : (size_t)missing;
    size_t room = w->offset < w->room ? w->room - (size_t)w->offset : 0;

    if (packet->len > missing) {
        wide_complain(packet, "it has data beyond the end of its message"); //= IMPI-257
    }
    if (len && room && !in_place) {
        memcpy(w->landed + w->offset, octets, len < room ? len : room);
    }
    w->offset += len;
    if (w->offset == request->outcome.msglen) {
        LIST_REMOVE(request, wide.known);
        w->place = WIDE_NOWHERE;
        request_finish(request);
    }
}

void wide_receive_data(const struct wire_impi_packet *packet, int rank, unsigned char *octets)
{
    struct request *request = packet->type == WIRE_IMPI_DATA ? filling_for(packet, rank) : NULL;
    bool in_place = octets && octets == wide_receive_place(packet, rank);

    if (request) {
        fill(request, packet, octets, in_place); //= IMPI-155
        if (!in_place) {
            free(octets);
        }
    } else if (packet->len == packet->msglen || (packet->type == WIRE_IMPI_DATASYNC && packet->len < packet->msglen)) {
        arrive(packet, rank, octets);
    } else {
        wide_complain(packet, packet->len > packet->msglen ? "it has data beyond the end of its message"
                                                           : "it goes on with a message that was not begun");
        free(octets);
    }
}
