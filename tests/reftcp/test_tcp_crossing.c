/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Two streams where both sides opened one (specs/portals-wire.md, 4.2): who has the greater address leaves its own.
 */
#include "ref-impl/nal/tcp/net.h"
#include "tests/reftcp/place.h"
#include "tests/unit/tap.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HELLO_OCTETS = 48, PUT_OCTETS = 76, ENOUGH = 2 * TCP_CROSSED_READS };

static struct place place;
static struct raw listener;    /* who waits for calls */
static struct raw called, own; /* its two streams with the place: the one that the place opened, and its own */

static void listener_begin(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;

    raw_socket(&listener, 1);
    CHECK(bind(listener.fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener.fd, 1) == 0 &&
              getsockname(listener.fd, (struct sockaddr *)&address, &len) == 0,
          "the peer listens");
    listener.self.pid = ntohs(address.sin_port);
}

/* A place whose port is greater than the listener's, or smaller: the system chooses until it is. */
static void place_begin_beside(bool greater)
{
    listener_begin();
    place_begin(&place, 0);
    while ((place.self.pid > listener.self.pid) != greater) {
        place_end(&place);
        raw_end(&listener);
        listener_begin();
        place_begin(&place, 0);
    }
    place_open(&place, 0);
}

static void place_puts(uint64_t match_bits)
{
    struct wire_portals_header put = place_header(WIRE_PORTALS_PUT, &place.self, &listener.self);

    put.match_bits = match_bits;
    CHECK_EQ(nal_send(place.nal, &put, NULL, 0, &place), NAL_OK, "the place sends");
}

/* Whether the next octets of a stream are a PUT with these match bits. */
static bool put_comes(const struct raw *raw, uint64_t match_bits)
{
    unsigned char put[PUT_OCTETS];
    struct octets bits = {.len = 0};

    octets_u64(&bits, match_bits);
    return raw_hear(raw, put, sizeof put) && memcmp(put + 44, bits.at, bits.len) == 0;
}

/* The place and the peer call each other, then the peer sends for a while. */
static void streams_cross(bool greater)
{
    unsigned char hello[HELLO_OCTETS];
    struct octets put = {.len = 0};

    place_begin_beside(greater);
    place_puts(1);
    called = listener;
    called.fd = accept(listener.fd, NULL, NULL);
    raw_socket(&own, 1);
    own.self = listener.self;
    raw_connect(&own, &place);
    CHECK(raw_greet(&own, &place, 0), "the place answers a call while it calls");
    raw_hello(&called, &place, 0);
    CHECK(raw_hear(&called, hello, sizeof hello) && put_comes(&called, 1), "it sends on the stream that it opened");
    octets_put(&put, WIRE_PORTALS_PUT, &listener.self, &place.self, UINT64_MAX, 0);
    for (unsigned i = 1; i <= ENOUGH; i++) {
        (void)raw_say(&own, put.at, put.len);
        (void)recorder_await(&place.core, RECORDER_ARRIVE, i);
    }
    CHECK_EQ(recorder_calls(&place.core, RECORDER_ARRIVE), ENOUGH, "and hears both");
}

static void streams_end(void)
{
    raw_end(&called);
    raw_end(&own);
    raw_end(&listener);
    place_end(&place);
}

static bool silent(const struct raw *raw)
{
    unsigned char octet;

    return recv(raw->fd, &octet, 1, MSG_DONTWAIT) < 0;
}

static void the_greater_leaves_its_own(void)
{
    streams_cross(true);
    CHECK(raw_closed(&called), "the place ends its direction of the stream that it opened");
    place_puts(2);
    place_puts(3);
    CHECK(silent(&own), "what it sends waits until the peer has closed that one: nothing may be overtaken");
    raw_end(&called);
    CHECK(put_comes(&own, 2) && put_comes(&own, 3), "then it goes on the peer's stream, in order");
    place_puts(4);
    CHECK(put_comes(&own, 4), "as does all that follows");
    raw_socket(&called, 1);
    streams_end();
}

static void the_smaller_stays(void)
{
    streams_cross(false);
    place_puts(2);
    CHECK(put_comes(&called, 2), "the place goes on sending on its own stream");
    CHECK(silent(&own), "and not on the peer's");
    streams_end();
}

static void a_peer_that_does_not_close_is_not_waited_for_for_ever(void)
{
    streams_cross(true);
    CHECK(raw_closed(&called), "the place ends its direction");
    place_puts(2);
    CHECK(put_comes(&own, 2), "and sends on the other one though the peer keeps the first open");
    streams_end();
}

static void a_peer_that_dies_meanwhile(void)
{
    streams_cross(true);
    CHECK(raw_closed(&called), "the place ends its direction");
    place_puts(2);
    raw_end(&own);
    raw_end(&called);
    CHECK(recorder_await(&place.core, RECORDER_SENT, 2), "what waited is told of");
    raw_socket(&called, 1);
    raw_socket(&own, 1);
    streams_end();
}

int main(void)
{
    TAP_RUN(the_greater_leaves_its_own);
    TAP_RUN(the_smaller_stays);
    TAP_RUN(a_peer_that_does_not_close_is_not_waited_for_for_ever);
    TAP_RUN(a_peer_that_dies_meanwhile);
    return tap_done();
}
