/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One process of the parallel file server: chapter 5.1 of the specification. The servers are a job, hence a group, of
 * their own; the file is striped over them; a client talks to any one of them and notices nothing of the others but
 * that its memory is filled by several at once.
 *
 *      portalsrun -np 4 file_server FOLDER CLIENTS
 *
 * It keeps the stripes in FOLDER, prints how each server is addressed (file_client wants that), and ends when so many
 * clients have closed.
 *
 * Who may do what: entry 0 of the access control table admits the servers' own group (the specification wants it so),
 * and only they forward requests, for they name the client. The entry for clients admits anybody, to one portal.
 *
 * No request is lost for want of room: a client has one operation under way at a time, and an operation is over only
 * when every server that has a part in it has begun with it. So there are at most an operation and the end of the
 * connection of every client: SLOTS of them.
 */
#include <string.h>
#include <time.h>

#include "ref-impl/examples/file_protocol.h"
#include "ref-impl/examples/file_store.h"
#include "ref-impl/examples/must.h"

enum { SLOTS = 4 * FILE_CLIENTS_MAX, TRANSFER_SECONDS = 10 };

/* Room for one request. The entry stays, its descriptor serves one request and goes. */
struct slot {
    ptl_handle_me_t entry;
    struct file_request request;
};

/* A client that has opened. */
struct connection {
    bool open;
    ptl_process_id_t client;
    ptl_pt_index_t portal;
    ptl_ac_index_t cookie;
};

static ptl_process_id_t self;
static ptl_id_t servers;
static ptl_handle_ni_t ni;
static ptl_handle_eq_t requests;  /* what arrives in the slots */
static ptl_handle_eq_t transfers; /* what becomes of what this server sends and fetches */
static struct slot slots[2][SLOTS];
static struct connection connections[FILE_CLIENTS_MAX];
static char stripe[FILE_STRIPE];

static void slot_arm(struct slot *slot)
{
    ptl_md_t md = {
        .start = &slot->request,
        .length = sizeof(slot->request),
        .threshold = 1,
        .options = PTL_MD_OP_PUT,
        .user_ptr = slot,
        .eventq = requests,
    };

    MUST(PtlMDAttach(slot->entry, md, PTL_UNLINK, NULL));
}

/* Makes the list of a portal: one entry for each slot, all for everybody. The first that is armed takes a request. */
static void slots_open(struct slot *of_portal, ptl_pt_index_t portal)
{
    for (int i = 0; i < SLOTS; i++) {
        if (i == 0) {
            MUST(PtlMEAttach(ni, portal, must_anybody(), 0, ~(ptl_match_bits_t)0, PTL_RETAIN, &of_portal[i].entry));
        } else {
            MUST(PtlMEInsert(must_anybody(), 0, ~(ptl_match_bits_t)0, PTL_RETAIN, PTL_INS_AFTER, of_portal[i - 1].entry,
                             &of_portal[i].entry));
        }
        slot_arm(&of_portal[i]);
    }
}

/* The connection of a client; NULL when it has none. */
static struct connection *connection_of(const ptl_process_id_t *client)
{
    for (int i = 0; i < FILE_CLIENTS_MAX; i++) {
        struct connection *c = &connections[i];

        if (c->open && c->client.nid == client->nid && c->client.pid == client->pid) {
            return c;
        }
    }
    return NULL;
}

static void connection_open(const struct file_request *request)
{
    for (int i = 0; i < FILE_CLIENTS_MAX; i++) {
        if (!connections[i].open) {
            connections[i] = (struct connection){true, request->client, request->portal, request->cookie};
            return;
        }
    }
    fprintf(stderr, "file_server: more than %d clients at a time; one is not served\n", (int)FILE_CLIENTS_MAX);
}

/* Waits for the event of the transfer that carries `mark`; false when it does not come, because the client is gone or
 * its memory is not what it said. Events of transfers that were given up are passed over. */
static bool transfer_await(ptl_event_kind_t kind, const void *mark)
{
    const struct timespec pause = {.tv_nsec = 20000};
    time_t end = time(NULL) + TRANSFER_SECONDS;
    ptl_event_t event;

    while (time(NULL) <= end) {
        int code = PtlEQGet(transfers, &event);

        if (code == PTL_EQ_EMPTY) {
            nanosleep(&pause, NULL);
        } else if (code != PTL_OK) {
            must_succeed(code, "PtlEQGet");
        } else if (event.type == kind && event.mem_desc.user_ptr == mark) {
            return event.mlength == event.mem_desc.length;
        }
    }
    return false;
}

/* Moves one piece between the store and the place at which it belongs in the client's memory. */
static bool transfer(const struct file_request *request, const struct connection *c, const struct file_piece *piece,
                     ptl_size_t position)
{
    static uintptr_t count; /* marks the transfer in its events */
    ptl_md_t md = {
        .start = stripe,
        .length = piece->length,
        .threshold = PTL_MD_THRESH_INF,
        .user_ptr = (void *)++count,
        .eventq = transfers,
    };
    ptl_handle_md_t handle;
    bool good;

    MUST(PtlMDBind(ni, md, &handle));
    if (request->kind == FILE_READ) {
        good = file_store_read(stripe, piece->length, piece->place) &&
               PtlPut(handle, PTL_NOACK_REQ, c->client, c->portal, c->cookie, request->operation, position) == PTL_OK &&
               transfer_await(PTL_EVENT_SENT, md.user_ptr);
    } else {
        good = PtlGet(handle, c->client, c->portal, c->cookie, request->operation, position) == PTL_OK &&
               transfer_await(PTL_EVENT_REPLY, md.user_ptr) && file_store_write(stripe, piece->length, piece->place);
    }
    MUST(PtlMDUnlink(handle));
    return good;
}

/* Does this server's part of a read or write. */
static void serve(const struct file_request *request)
{
    const struct connection *c = connection_of(&request->client);
    ptl_size_t position = 0;

    if (!c || request->offset > FILE_LENGTH_MAX || request->length > FILE_LENGTH_MAX - request->offset) {
        fprintf(stderr, "file_server: rank %u of group %u asks for what it may not have\n",
                (unsigned)request->client.rid, (unsigned)request->client.gid);
        return;
    }
    while (position < request->length) {
        struct file_piece piece = file_piece_at(request->offset + position, request->length - position, servers);

        if (piece.server == self.rid && !transfer(request, c, &piece, position)) {
            fprintf(stderr, "file_server: rank %u of group %u: a transfer failed\n", (unsigned)request->client.rid,
                    (unsigned)request->client.gid);
            return;
        }
        position += piece.length;
    }
}

/* Whether a server has a part in a request. */
static bool concerns(const struct file_request *request, uint32_t server)
{
    ptl_size_t first = request->offset / FILE_STRIPE;

    if (request->kind == FILE_OPEN || request->kind == FILE_CLOSE) {
        return true;
    }
    for (ptl_size_t i = 0; i < servers; i++) {
        if ((first + i) * FILE_STRIPE < request->offset + request->length && (first + i) % servers == server) {
            return true;
        }
    }
    return false;
}

/* Tells the other servers that have a part in a client's request, with the client's id, which it cannot forge. */
static void forward(struct file_request *request)
{
    ptl_md_t md = {
        .start = request,
        .length = sizeof(*request),
        .threshold = PTL_MD_THRESH_INF,
        .user_ptr = request,
        .eventq = transfers,
    };
    ptl_process_id_t other = {.addr_kind = PTL_ADDR_GID, .gid = self.gid};
    ptl_handle_md_t handle;

    MUST(PtlMDBind(ni, md, &handle));
    for (other.rid = 0; other.rid < servers; other.rid++) {
        if (other.rid != self.rid && concerns(request, other.rid)) {
            MUST(PtlPut(handle, PTL_NOACK_REQ, other, FILE_PORTAL_FORWARDED, 0, 0, 0));
            must_hold(transfer_await(PTL_EVENT_SENT, request), "file_server: a server does not hear the others");
        }
    }
    MUST(PtlMDUnlink(handle));
}

/* Does what a request asks for; true when it was the end of a connection. */
static bool handle(struct file_request *request)
{
    struct connection *c;

    switch (request->kind) {
    case FILE_OPEN:
        connection_open(request);
        return false;
    case FILE_READ:
    case FILE_WRITE:
        serve(request);
        return false;
    case FILE_CLOSE:
        c = connection_of(&request->client);
        if (c) {
            c->open = false;
        }
        return c;
    default:
        fprintf(stderr, "file_server: request %u is none\n", (unsigned)request->kind);
        return false;
    }
}

static void run(unsigned clients)
{
    unsigned served = 0;
    ptl_sr_value_t refused;

    while (clients > 0) {
        ptl_event_t event = must_event(requests);
        struct slot *slot = event.mem_desc.user_ptr;

        if (event.mlength == sizeof(slot->request)) {
            if (event.portal == FILE_PORTAL_REQUESTS) {
                slot->request.client = event.initiator;
                forward(&slot->request);
                served++;
            }
            clients -= handle(&slot->request);
        }
        slot_arm(slot);
    }
    MUST(PtlNIStatus(ni, PTL_SR_DROP_COUNT, &refused));
    printf("server %u: %u requests from clients, %lld messages refused\n", (unsigned)self.rid, served,
           (long long)refused);
}

int main(int argc, char **argv)
{
    int clients = argc == 3 ? atoi(argv[2]) : 0;

    if (clients < 1) {
        fprintf(stderr, "file_server: call it as portalsrun -np N file_server FOLDER CLIENTS\n");
        return 2;
    }
    MUST(PtlInit());
    MUST(PtlGetId(&self, &servers));
    must_hold(file_store_open(argv[1], self.rid), "file_server: no store");
    MUST(PtlNIInit(PTL_IFACE_DEFAULT, FILE_PORTALS, FILE_COOKIES, &ni));
    MUST(PtlACEntry(ni, FILE_COOKIE_CLIENTS, must_anybody(), FILE_PORTAL_REQUESTS));
    MUST(PtlEQAlloc(ni, 2 * SLOTS, &requests));
    MUST(PtlEQAlloc(ni, SLOTS, &transfers));
    slots_open(slots[0], FILE_PORTAL_REQUESTS);
    slots_open(slots[1], FILE_PORTAL_FORWARDED);
    MUST(PtlNIBarrier(ni)); /* all are ready before one is known */
    printf("server %u: %u:%u:%u\n", (unsigned)self.rid, (unsigned)self.nid, (unsigned)self.pid, (unsigned)self.gid);
    fflush(stdout);
    run((unsigned)clients);
    MUST(PtlNIBarrier(ni)); /* what was forwarded has been heard */
    MUST(PtlNIFini(ni));
    PtlFini();
    file_store_close();
    return 0;
}
