/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A Portals program for tests/scenario/test_job_driving.py: on each of two interfaces one thread waits for events, one
 * polls for them and one computes, without calling the library until what it needs has come, while two others send.
 * Between the rounds the second interface goes and comes. It uses the public interface only.
 *
 *   drive-probe ROUNDS MESSAGES
 */
#include "ref-impl/include/portals.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { INTERFACES = 2, QUEUE = 1 << 16, DEADLINE_S = 150, LARGE = 100000 };
enum way { WAITS, POLLS, COMPUTES, WAYS };

/* struct end is what one thread receives on an interface. */
struct end {
    ptl_handle_eq_t eq;
    unsigned char *room;
};

struct face {
    ptl_handle_ni_t ni;
    ptl_handle_md_t source[2]; /* of short messages, of long ones */
    struct end end[WAYS];
};

static ptl_process_id_t self;
static ptl_id_t size;
static unsigned messages;
static struct face faces[INTERFACES];
static unsigned char payload[LARGE];

static void demand(int code, int wanted, const char *call)
{
    if (code != wanted) {
        fprintf(stderr, "drive-probe: rank %u: %s returned %d, not %d\n", (unsigned)self.rid, call, code, wanted);
        _exit(99);
    }
}

static void face_open(ptl_interface_t number)
{
    ptl_process_id_t anybody = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};
    struct face *face = &faces[number];

    demand(PtlNIInit(number, WAYS, 2, &face->ni), PTL_OK, "PtlNIInit");
    for (int way = 0; way < WAYS; way++) {
        struct end *end = &face->end[way];
        ptl_handle_me_t me;
        ptl_handle_md_t md;

        end->room = calloc(1, LARGE);
        demand(end->room == NULL, 0, "calloc");
        demand(PtlEQAlloc(face->ni, QUEUE, &end->eq), PTL_OK, "PtlEQAlloc");
        ptl_md_t value = {.start = end->room,
                          .length = LARGE,
                          .threshold = PTL_MD_THRESH_INF,
                          .options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE,
                          .eventq = end->eq};
        demand(PtlMEAttach(face->ni, (ptl_pt_index_t)way, anybody, 0, 0, PTL_RETAIN, &me), PTL_OK, "PtlMEAttach");
        demand(PtlMDAttach(me, value, PTL_RETAIN, &md), PTL_OK, "PtlMDAttach");
    }
    for (int i = 0; i < 2; i++) {
        ptl_md_t value = {
            .start = payload, .length = i == 0 ? 8 : LARGE, .threshold = PTL_MD_THRESH_INF, .eventq = PTL_EQ_NONE};

        demand(PtlMDBind(face->ni, value, &face->source[i]), PTL_OK, "PtlMDBind");
    }
    demand(PtlNIBarrier(face->ni), PTL_OK, "PtlNIBarrier");
}

static void face_close(ptl_interface_t number)
{
    demand(PtlNIBarrier(faces[number].ni), PTL_OK, "PtlNIBarrier");
    demand(PtlNIFini(faces[number].ni), PTL_OK, "PtlNIFini");
    for (int way = 0; way < WAYS; way++) {
        free(faces[number].end[way].room);
    }
}

static void judge(const ptl_event_t *event)
{
    demand((int)event->type, PTL_EVENT_PUT, "the event's type");
    demand(event->mlength == event->rlength, 1, "the whole message");
}

static void *waits(void *context)
{
    struct face *face = context;
    ptl_event_t event;

    for (unsigned i = 0; i < messages; i++) {
        demand(PtlEQWait(face->end[WAITS].eq, &event), PTL_OK, "PtlEQWait");
        judge(&event);
    }
    return NULL;
}

static void *polls(void *context)
{
    struct face *face = context;
    ptl_event_t event;

    for (unsigned i = 0; i < messages;) {
        int code = PtlEQGet(face->end[POLLS].eq, &event);

        if (code == PTL_OK) {
            judge(&event);
            i++;
        } else {
            demand(code, PTL_EQ_EMPTY, "PtlEQGet");
        }
    }
    return NULL;
}

/* A look at memory that the network may be writing to, which is what is tried here. */
__attribute__((no_sanitize("thread"))) static bool is_there(const volatile unsigned char *octet)
{
    return *octet != 0;
}

/* Looks at the memory alone: what it waits for must come although it calls nothing (application bypass). */
static void *computes(void *context)
{
    struct end *end = &((struct face *)context)->end[COMPUTES];
    const volatile unsigned char *last = end->room + LARGE - 1;
    time_t until = time(NULL) + DEADLINE_S;
    struct timespec moment = {0, 1000000};
    ptl_event_t event;

    while (!is_there(last)) {
        nanosleep(&moment, NULL);
        demand(time(NULL) < until, 1, "the arrival of a message while the program computes, in time,");
    }
    for (unsigned i = 0; i < messages; i++) {
        demand(PtlEQWait(end->eq, &event), PTL_OK, "PtlEQWait after computing");
        judge(&event);
    }
    return NULL;
}

/* Each of a rank's threads gets as many messages as `messages` says; every eighth and the last one is long. */
static void *sends(void *context)
{
    struct face *face = context;
    ptl_process_id_t next = {.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = (self.rid + 1) % size};

    for (unsigned i = 0; i < messages; i++) {
        bool is_long = i % 8 == 7 || i + 1 == messages;

        for (ptl_pt_index_t way = 0; way < WAYS; way++) {
            demand(PtlPut(face->source[is_long], PTL_NOACK_REQ, next, way, 0, 0, 0), PTL_OK, "PtlPut");
        }
    }
    return NULL;
}

static void round_run(void)
{
    static void *(*const roles[])(void *) = {waits, polls, computes, sends};
    enum { ROLES = sizeof roles / sizeof roles[0] };
    pthread_t threads[INTERFACES][ROLES];

    for (int i = 0; i < INTERFACES; i++) {
        faces[i].end[COMPUTES].room[LARGE - 1] = 0;
        demand(PtlNIBarrier(faces[i].ni), PTL_OK, "PtlNIBarrier");
    }
    for (int i = 0; i < INTERFACES; i++) {
        for (int role = 0; role < ROLES; role++) {
            demand(pthread_create(&threads[i][role], NULL, roles[role], &faces[i]), 0, "pthread_create");
        }
    }
    for (int i = 0; i < INTERFACES; i++) {
        for (int role = 0; role < ROLES; role++) {
            pthread_join(threads[i][role], NULL);
        }
    }
}

int main(int argc, char **argv)
{
    int rounds = argc == 3 ? atoi(argv[1]) : 0;
    ptl_sr_value_t dropped = 0;

    messages = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
    if (rounds < 1 || messages < 1) {
        fputs("usage: drive-probe ROUNDS MESSAGES\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof payload; i++) {
        payload[i] = 0xa5;
    }
    demand(PtlInit(), PTL_OK, "PtlInit");
    demand(PtlGetId(&self, &size), PTL_OK, "PtlGetId");
    face_open(0);
    for (int i = 0; i < rounds; i++) {
        face_open(1);
        round_run();
        demand(PtlNIStatus(faces[1].ni, PTL_SR_DROP_COUNT, &dropped), PTL_OK, "PtlNIStatus");
        demand(dropped == 0, 1, "that no message was dropped");
        face_close(1);
    }
    face_close(0);
    PtlFini();
    printf("rank %u: all came\n", (unsigned)self.rid);
    return 0;
}
