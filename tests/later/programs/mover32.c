/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the network of a cluster file system did with Portals 3.2: a client offers memory for bulk data and for a
 * reply, and puts a request; the server, all of it in a handler of its queue, fetches what is written or puts what is
 * read, and then replies. What is bound for one operation goes with it. Requests come into two buffers that take each
 * other's place. mover32 FOLDER CLIENTS: whoever comes first is the server, and leaves its process id in the folder, as
 * configurations had it.
 */
#include <fcntl.h>
#include <portals/p30.h>
#include <semaphore.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "tests/later/programs/must.h"

enum { REQUESTS = 5, REPLIES, BULK, BUFFERS = 2, CALLS = 60, LARGEST = 50000, STORE = 1 << 17, EVENTS = 2048 };
enum { WRITE = 1, READ, BYE };

struct request {
    uint64_t number;
    uint32_t what, length, place, unused;
};

struct reply {
    uint64_t number;
    uint32_t moved, unused;
};

/* What the server has of a request until its reply has gone. */
struct service {
    struct request request;
    struct reply reply;
    ptl_process_id_t client;
    ptl_handle_md_t bulk;
    int replying;
};

static const ptl_process_id_t any = {PTL_NID_ANY, PTL_PID_ANY};
static ptl_handle_ni_t ni;
static ptl_handle_eq_t eq;
static struct request buffers[BUFFERS][5];
static char store[STORE];
static sem_t gone;

static ptl_md_t region(void *start, ptl_size_t length, int threshold, unsigned options, void *user)
{
    ptl_md_t md;

    memset(&md, 0, sizeof md);
    md.start = start;
    md.length = length;
    md.threshold = threshold;
    md.max_offset = (unsigned)length;
    md.options = options;
    md.user_ptr = user;
    md.eventq = eq;
    return md;
}

static void post_buffer(struct request *buffer)
{
    ptl_handle_me_t me;

    OK(PtlMEAttach(ni, REQUESTS, any, 0, ~(ptl_match_bits_t)0, PTL_UNLINK, PTL_INS_AFTER, &me));
    OK(PtlMDAttach(me, region(buffer, sizeof buffers[0], PTL_MD_THRESH_INF, PTL_MD_OP_PUT, NULL), PTL_UNLINK,
                   PTL_UNLINK, NULL));
}

static void reply(struct service *service)
{
    ptl_handle_md_t md;

    service->reply.number = service->request.number;
    service->reply.moved = service->request.what == BYE ? 0 : service->request.length;
    service->replying = 1;
    OK(PtlMDBind(ni, region(&service->reply, sizeof service->reply, 1, 0, service), &md));
    OK(PtlPut(md, PTL_NOACK_REQ, service->client, REPLIES, 0, service->request.number, 0, service->request.number));
}

static void serve(const ptl_event_t *event)
{
    struct service *service = calloc(1, sizeof *service);
    char *place;

    MUST(service != NULL && event->mlength == sizeof service->request);
    memcpy(&service->request, (char *)event->mem_desc.start + event->offset, sizeof service->request);
    MUST(event->hdr_data == service->request.number && service->request.length <= LARGEST);
    service->client = event->initiator;
    place = store + service->request.place;
    if (service->request.what == BYE) {
        reply(service);
    } else if (service->request.what == WRITE) {
        OK(PtlMDBind(ni, region(place, service->request.length, 1, 0, service), &service->bulk));
        OK(PtlGet(service->bulk, service->client, BULK, 0, service->request.number, 0));
    } else {
        OK(PtlMDBind(ni, region(place, service->request.length, 2, 0, service), &service->bulk));
        OK(PtlPut(service->bulk, PTL_ACK_REQ, service->client, BULK, 0, service->request.number, 0, 0));
    }
}

static void finish(struct service *service)
{
    if (service->request.what == BYE) {
        sem_post(&gone);
    }
    free(service);
}

/* Runs in a thread of the library, for one event after the other. */
static void handle(ptl_event_t *event)
{
    struct service *service = event->mem_desc.user_ptr;

    MUST(event->ni_fail_type == PTL_NI_OK);
    switch (event->type) {
    case PTL_EVENT_PUT_END:
        serve(event);
        break;
    case PTL_EVENT_UNLINK:
        if (!service) { /* not one that was bound */
            post_buffer(event->mem_desc.start);
        }
        break;
    case PTL_EVENT_REPLY_END:
    case PTL_EVENT_ACK:
        MUST(event->mlength == service->request.length);
        reply(service);
        break;
    case PTL_EVENT_SEND_END:
        if (service->replying) {
            finish(service);
        }
        break;
    default:
        break;
    }
}

/* One call of the server. */
static void call(ptl_process_id_t server, struct request *request, char *bulk)
{
    struct reply answer = {0};
    ptl_handle_md_t out;
    ptl_handle_me_t me;
    ptl_event_t event;
    int replied = 0, moved = request->what == BYE, sent = 0;

    OK(PtlMEAttach(ni, REPLIES, server, request->number, 0, PTL_UNLINK, PTL_INS_AFTER, &me));
    OK(PtlMDAttach(me, region(&answer, sizeof answer, 1, PTL_MD_OP_PUT, &answer), PTL_UNLINK, PTL_RETAIN, NULL));
    if (!moved) {
        OK(PtlMEAttach(ni, BULK, server, request->number, 0, PTL_UNLINK, PTL_INS_AFTER, &me));
        OK(PtlMDAttach(me,
                       region(bulk, request->length, 1, request->what == WRITE ? PTL_MD_OP_GET : PTL_MD_OP_PUT, bulk),
                       PTL_UNLINK, PTL_RETAIN, NULL));
    }
    OK(PtlMDBind(ni, region(request, sizeof *request, 1, 0, request), &out));
    OK(PtlPut(out, PTL_NOACK_REQ, server, REQUESTS, 0, 0, 0, request->number));
    while (!replied || !moved || !sent) {
        OK(PtlEQWait(eq, &event));
        MUST(event.ni_fail_type == PTL_NI_OK);
        if (event.type == PTL_EVENT_UNLINK) {
            replied |= event.mem_desc.user_ptr == &answer;
            moved |= bulk && event.mem_desc.user_ptr == bulk;
        }
        sent |= event.type == PTL_EVENT_SEND_END;
    }
    MUST(answer.number == request->number);
    MUST(answer.moved == (request->what == BYE ? 0 : request->length));
}

static void be_client(ptl_process_id_t server)
{
    static char out[LARGEST], in[LARGEST];
    ptl_process_id_t self;
    struct request request = {0};

    OK(PtlGetId(ni, &self));
    request.number = (uint64_t)self.pid << 32;
    for (unsigned i = 0; i < CALLS; i++) {
        request.length = i % 7 == 0 ? 0 : i * 797 % LARGEST + 1;
        request.place = i % 2 ? STORE - request.length : 0; /* clients write over each other's */
        memset(out, (int)(i + 1), sizeof out);
        request.what = WRITE;
        request.number++;
        call(server, &request, out);
        request.what = READ;
        request.number++;
        memset(in, 0, sizeof in);
        call(server, &request, in);
        for (unsigned k = 0; k < request.length; k++) {
            MUST(in[k] != 0);
        }
        MUST(request.length == LARGEST || in[request.length] == 0);
    }
    request.what = BYE;
    request.number++;
    call(server, &request, NULL);
}

static void be_server(int file, int clients)
{
    ptl_process_id_t self;

    for (int i = 0; i < BUFFERS; i++) {
        post_buffer(buffers[i]);
    }
    OK(PtlGetId(ni, &self));
    MUST(write(file, &self, sizeof self) == (ssize_t)sizeof self);
    while (clients-- > 0) {
        MUST(sem_wait(&gone) == 0);
    }
    printf("right\n");
}

/* The server's id, as soon as it is there. */
static ptl_process_id_t server_of(const char *name)
{
    ptl_process_id_t server;
    int file = open(name, O_RDONLY);

    MUST(file >= 0);
    while (pread(file, &server, sizeof server, 0) != (ssize_t)sizeof server) {
        (void)usleep(1000);
    }
    (void)close(file);
    return server;
}

int main(int argc, char **argv)
{
    ptl_ni_limits_t desired, actual;
    char name[4096];
    int file;

    MUST(argc == 3);
    (void)snprintf(name, sizeof name, "%s/server", argv[1]);
    MUST(sem_init(&gone, 0, 0) == 0);
    memset(&desired, 0, sizeof desired);
    desired.max_match_entries = 64;
    desired.max_mem_descriptors = 256;
    desired.max_event_queues = 4;
    desired.max_ptable_index = BULK;
    OK(PtlInit(NULL));
    OK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, &desired, &actual, &ni));
    file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
    OK(PtlEQAlloc(ni, EVENTS, file >= 0 ? handle : NULL, &eq));
    if (file >= 0) {
        be_server(file, atoi(argv[2]));
    } else {
        be_client(server_of(name));
    }
    PtlFini();
    return 0;
}
