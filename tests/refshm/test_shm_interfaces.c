/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Interfaces of the shared memory network: what comes before they open, closing and opening again, who is reached and
 * who is not.
 */
#include "ref-impl/nal/shm/net.h"
#include "tests/refshm/node.h"
#include "tests/unit/tap.h"

#include <stdlib.h>

static struct node a, b;

static void prepared(void)
{
    node_prepare(&a, 0);
    node_prepare(&b, 1);
    node_join(&a, 2);
    node_join(&b, 2);
}

static void what_comes_early_is_counted(void)
{
    struct wire_portals_header barrier = {
        .operation = WIRE_PORTALS_BARRIER, .initiator = node_id(0), .target = node_id(1), .sequence = 1};

    prepared();
    node_open(&a, 0);
    (void)node_send(&a, &b, 1, NULL, 0, NULL);
    (void)nal_send(a.nal, &barrier, NULL, 0, NULL);
    (void)node_send(&a, &b, 2, NULL, 0, NULL);
    /* Whatever of it comes before the opening, and whatever after: nothing is lost without being counted. */
    node_open(&b, 0);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 1), "a barrier waits for the interface to open");
    unsigned long told = 0;
    for (int tries = 0; tries < 1000 && told < 3; tries++) {
        nal_close(b.nal);
        node_open(&b, 0);
        told = recorder_calls(&b.core, RECORDER_ARRIVE) + recorder_calls(&b.core, RECORDER_DROPPED);
    }
    CHECK_EQ(told, 3, "everything else is counted, or arrives");
    node_end(&a);
    node_end(&b);
}

static void interfaces_are_independent(void)
{
    struct recorder second;
    struct nal_config config = {1, node_id(0), 2};
    struct nal *nal = NULL;
    struct wire_portals_header put;

    prepared();
    node_open(&a, 0);
    node_open(&b, 0);
    put = node_put(&a, &b, 1, 0);
    recorder_begin(&second);
    CHECK_EQ(shm_net_open(a.net, &config, &recorder_upcalls, &second, &nal), NAL_OK, "a second interface opens");
    struct nal *again = NULL;
    CHECK_EQ(shm_net_open(a.net, &config, &recorder_upcalls, &second, &again), NAL_NO_DEVICE, "but only once");
    config.interface = SHM_INTERFACES;
    CHECK_EQ(shm_net_open(a.net, &config, &recorder_upcalls, &second, &again), NAL_NO_DEVICE,
             "one with too high a number does not");
    CHECK(again == NULL, "and leaves the output alone");
    (void)nal_send(nal, &put, NULL, 0, NULL);
    (void)nal_send(nal, &put, NULL, 0, NULL);
    (void)nal_send(a.nal, &put, NULL, 0, NULL);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 1), "the message of interface 0 arrives");
    nal_close(nal);
    CHECK(drops_await(&b.net->arrivals, 1, 2), "what comes for a closed interface is discarded");
    config = (struct nal_config){1, node_id(1), 2};
    (void)shm_net_open(b.net, &config, &recorder_upcalls, &second, &nal);
    nal_close(nal);
    CHECK_EQ(recorder_calls(&second, RECORDER_DROPPED), 2, "what came before the interface opened is counted for it");
    CHECK_EQ(recorder_calls(&b.core, RECORDER_DROPPED), 0, "and not for the other one");
    CHECK_EQ(recorder_calls(&b.core, RECORDER_ARRIVE), 1, "where nothing else arrived");
    node_end(&a);
    node_end(&b);
}

static void closing_flushes_what_is_queued(void)
{
    enum { LENGTH = 16 << 20 };
    unsigned char *data = malloc(LENGTH);
    unsigned char *room = calloc(1, LENGTH);

    node_pair(&a, &b);
    memset(data, 0xa5, LENGTH);
    recorder_sink(&b.core, room, LENGTH, &b);
    (void)node_send(&a, &b, 1, data, LENGTH, &a);
    (void)node_send(&a, &b, 2, data, LENGTH, &a);
    node_end(&a);
    memset(data, 0, LENGTH); /* the memory is ours again once the interface is closed */
    CHECK_EQ(recorder_calls(&a.core, RECORDER_SENT), 2, "the sendings were reported before the close returned");
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_SENT), 0, "as complete");
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 2), "what was sent just before the end arrives");
    CHECK_EQ(recorder_incomplete(&b.core, RECORDER_LANDED), 0, "whole");
    CHECK(room[0] == 0xa5 && room[LENGTH / 2] == 0xa5 && room[LENGTH - 1] == 0xa5, "with the data that was sent");
    node_end(&b);
    free(data);
    free(room);
}

static void closing_ends_landings(void)
{
    enum { LENGTH = 64 << 20 };
    unsigned char *data = calloc(1, LENGTH);
    unsigned char *room = malloc(LENGTH);

    node_prepare(&a, 0);
    node_prepare(&b, 1);
    node_deny(&a);
    node_join(&a, 2);
    node_join(&b, 2);
    node_open(&a, 0);
    node_open(&b, 0);
    recorder_sink(&b.core, room, LENGTH, &b);
    (void)node_send(&a, &b, 1, data, LENGTH, &a);
    CHECK(recorder_await(&b.core, RECORDER_ARRIVE, 1), "a long message begins to arrive");
    nal_close(b.nal);
    unsigned long landed = recorder_calls(&b.core, RECORDER_LANDED);
    memset(room, 1, LENGTH);
    CHECK_EQ(landed, 1, "its end is reported before the interface is closed");
    CHECK(recorder_await(&a.core, RECORDER_SENT, 1), "the sender gets rid of the rest");
    CHECK(memchr(room, 0, LENGTH) == NULL, "and nothing of it is stored");
    node_open(&b, 0);
    recorder_sink(&b.core, room, LENGTH, &b);
    (void)node_send(&a, &b, 2, data, 100, &a);
    CHECK(recorder_await(&b.core, RECORDER_LANDED, 2), "the interface opens again, and the next message lands");
    node_end(&a);
    node_end(&b);
    free(data);
    free(room);
}

static void outsiders_are_not_reached(void)
{
    struct wire_portals_header put;

    node_pair(&a, &b);
    put = node_put(&a, &b, 1, 0);
    put.target.pid = 1;
    CHECK_EQ(nal_send(a.nal, &put, NULL, 0, NULL), NAL_NO_ROUTE, "a process that is not of the job");
    put.target = node_id(1);
    put.target.nid++;
    CHECK_EQ(nal_send(a.nal, &put, NULL, 0, NULL), NAL_NO_ROUTE, "one of another node");
    CHECK(nal_distance(a.nal, &a.self) == 0.0, "the distance to oneself is none");
    CHECK(nal_distance(a.nal, &b.self) == 1.0, "one inside the node");
    CHECK(nal_distance(a.nal, &put.target) == 2.0, "two to another node");
    put.target = node_id(1);
    put.target.rid = 3;
    (void)nal_send(a.nal, &put, NULL, 0, NULL);
    CHECK(recorder_await(&b.core, RECORDER_DROPPED, 1), "one for another rank there is discarded and counted");
    put = node_put(&b, &b, 1, 0);
    (void)nal_send(a.nal, &put, NULL, 0, NULL);
    CHECK(recorder_await(&b.core, RECORDER_DROPPED, 2), "so is one whose initiator is somebody else");
    CHECK_EQ(recorder_calls(&b.core, RECORDER_ARRIVE), 0, "neither arrives");
    node_end(&a);
    node_end(&b);
}

int main(void)
{
    TAP_RUN(what_comes_early_is_counted);
    TAP_RUN(interfaces_are_independent);
    TAP_RUN(closing_flushes_what_is_queued);
    TAP_RUN(closing_ends_landings);
    TAP_RUN(outsiders_are_not_reached);
    return tap_done();
}
