/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The TCP network under pressure: peers that stop in the middle, do not listen, or do not answer; too few descriptors.
 */
#include "tests/reftcp/place.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static struct place a;
static struct raw peer;

static void begin(void)
{
    place_begin(&a, 0);
    place_open(&a, 0);
    raw_call(&peer, &a, 1);
}

static void revoking_does_not_wait_for_a_stalled_peer(void)
{
    struct octets put = {.len = 0};
    char room[64];
    int token;

    begin();
    memset(room, '.', sizeof room);
    recorder_sink(&a.core, room, sizeof room, &token);
    CHECK(raw_greet(&peer, &a, 0), "greeting");
    octets_put(&put, WIRE_PORTALS_PUT, &peer.self, &a.self, UINT64_MAX, 64);
    (void)raw_say(&peer, put.at, put.len);
    (void)raw_say(&peer, "half", 4);
    CHECK(recorder_await(&a.core, RECORDER_ARRIVE, 1), "half a message is there");
    nal_revoke(a.nal, &token);
    memset(room, '#', sizeof room); /* from here on the memory is ours */
    CHECK(recorder_await(&a.core, RECORDER_LANDED, 1), "the landing ends though the peer says nothing");
    CHECK(!recorder_note(&a.core, RECORDER_LANDED, 0).complete, "as not complete");
    (void)raw_say(&peer, "the other sixty octets of it, which nobody wants any longer.", 60);
    put.len = 0;
    octets_put(&put, WIRE_PORTALS_PUT, &peer.self, &a.self, 77, 0);
    recorder_sink(&a.core, NULL, 0, NULL);
    (void)raw_say(&peer, put.at, put.len);
    CHECK(recorder_await(&a.core, RECORDER_ARRIVE, 2), "the next message arrives");
    CHECK_EQ(recorder_note(&a.core, RECORDER_ARRIVE, 1).header.md, 77, "and is understood");
    bool touched = false;
    for (size_t i = 0; i < sizeof room; i++) {
        touched = touched || room[i] != '#';
    }
    CHECK(!touched, "nothing was written to the memory after the revocation");
    CHECK_EQ(recorder_calls(&a.core, RECORDER_LANDED), 1, "landed came once");
    nal_revoke(a.nal, &token); /* not known any more: no error */
    raw_end(&peer);
    place_end(&a);
}

static void closing_does_not_wait_for_a_stalled_peer(void)
{
    enum { LENGTH = 64 << 20 };
    unsigned char *data = calloc(1, LENGTH);
    struct octets put = {.len = 0};
    char room[64];

    begin();
    recorder_sink(&a.core, room, sizeof room, &a);
    CHECK(raw_greet(&peer, &a, 0), "greeting");
    octets_put(&put, WIRE_PORTALS_PUT, &peer.self, &a.self, UINT64_MAX, 64);
    (void)raw_say(&peer, put.at, put.len);
    CHECK(recorder_await(&a.core, RECORDER_ARRIVE, 1), "a message is half there");
    struct wire_portals_header out = place_header(WIRE_PORTALS_PUT, &a.self, &peer.self);
    out.rlength = LENGTH;
    CHECK_EQ(nal_send(a.nal, &out, data, LENGTH, &put), NAL_OK, "a message to a peer that does not listen is taken");
    nal_close(a.nal); /* gives up after a second without progress */
    a.nal = NULL;
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_LANDED), 1, "the landing has ended when the close returns");
    CHECK_EQ(recorder_incomplete(&a.core, RECORDER_SENT), 1, "and so has the sending");
    free(data);
    raw_end(&peer);
    place_end(&a);
}

/* Sends requests until no more are taken; says how many octets were. */
static unsigned long flood(unsigned long most)
{
    static unsigned char block[76 * 800];
    struct octets get = {.len = 0};
    unsigned long said = 0;
    struct timeval patience = {3, 0};

    octets_put(&get, WIRE_PORTALS_GET, &peer.self, &a.self, 1, 8);
    for (size_t i = 0; i < sizeof block; i += 76) {
        memcpy(block + i, get.at, 76);
    }
    /* Taking nothing for three seconds is what "no more" means: the receiver pauses after one. */
    (void)setsockopt(peer.fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    while (said < most) {
        ssize_t put = send(peer.fd, block + said % 76, sizeof block - said % 76, MSG_NOSIGNAL);
        if (put <= 0) {
            break;
        }
        said += (unsigned long)put;
    }
    return said;
}

static void a_peer_that_does_not_listen_is_not_heard(void)
{
    const unsigned long most = 400UL << 20;
    unsigned char answers[8000];
    unsigned long heard = 0;

    begin();
    a.core.answers = true;
    CHECK(raw_greet(&peer, &a, 0), "greeting");
    unsigned long said = flood(most);
    CHECK(said < most, "requests are no longer taken after %lu octets while answers are not", said);
    unsigned long requests = said / 76;
    unsigned long before = recorder_calls(&a.core, RECORDER_ARRIVE);
    CHECK(before < requests, "%lu of %lu requests were handled", before, requests);
    /* Now it listens: everything must be answered. */
    while (heard < requests * 80) {
        ssize_t got = recv(peer.fd, answers, sizeof answers, 0);
        if (got <= 0) {
            break;
        }
        heard += (unsigned long)got;
    }
    CHECK_EQ(heard, requests * 80, "once it listens, every whole request is answered");
    raw_end(&peer);
    place_end(&a);
}

static void too_few_descriptors_are_survived(void)
{
    enum { MORE = 8 };
    struct rlimit limit, tight;
    struct raw more[MORE];
    unsigned char answer[48];

    begin();
    CHECK(raw_greet(&peer, &a, 0), "greeting");
    for (int i = 0; i < MORE; i++) {
        raw_socket(&more[i], 2 + (uint32_t)i % 2);
    }
    getrlimit(RLIMIT_NOFILE, &limit);
    tight = limit;
    tight.rlim_cur = 3; /* lower than what is in use: not one more is to be had */
    setrlimit(RLIMIT_NOFILE, &tight);
    for (int i = 0; i < MORE; i++) {
        raw_connect(&more[i], &a);
        raw_hello(&more[i], &a, 0);
    }
    struct wire_portals_header out = place_header(WIRE_PORTALS_PUT, &a.self, &peer.self);
    out.target.pid = 59999;
    CHECK_EQ(nal_send(a.nal, &out, NULL, 0, NULL), NAL_NO_MEMORY, "a stream that needs a descriptor cannot be opened");
    struct octets put = {.len = 0};
    octets_put(&put, WIRE_PORTALS_PUT, &peer.self, &a.self, UINT64_MAX, 0);
    (void)raw_say(&peer, put.at, put.len);
    CHECK(recorder_await(&a.core, RECORDER_ARRIVE, 1), "the streams that are there go on");
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < MORE; i++) {
        CHECK(raw_hear(&more[i], answer, sizeof answer), "connection %d is taken when there are descriptors again", i);
        raw_end(&more[i]);
    }
    raw_end(&peer);
    place_end(&a);
}

static void silence_is_not_waited_for_for_ever(void)
{
    begin();
    (void)raw_say(&peer, "PTL", 3);
    CHECK(raw_closed(&peer), "a stream without a whole HELLO is closed");
    raw_end(&peer);
    place_end(&a);
}

int main(void)
{
    TAP_RUN(revoking_does_not_wait_for_a_stalled_peer);
    TAP_RUN(closing_does_not_wait_for_a_stalled_peer);
    TAP_RUN(a_peer_that_does_not_listen_is_not_heard);
    TAP_RUN(too_few_descriptors_are_survived);
    TAP_RUN(silence_is_not_waited_for_for_ever);
    return tap_done();
}
