/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Scripted peers against each other and against a socket that misbehaves: connecting, cutting into messages, every way
 * to end.
 */
#include "tester/base/clock.h"
#include "tester/peers/peer.h"
#include "tester/peers/port.h"
#include "tests/unit/tap.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000 };

struct pair {
    struct loop *loop;
    struct streams streams;
    struct peers peers;
    struct peer *one, *two;
    struct stream *out, *in; /* opened by one, accepted by two */
};

static void pair_open(struct pair *pair)
{
    char message[128];

    pair->loop = loop_new();
    stream_open_all(&pair->streams, pair->loop, NULL);
    peer_open_all(&pair->peers, &pair->streams);
    pair->one = peer_new(&pair->peers, "127.0.0.1", message, sizeof message);
    pair->two = peer_new(&pair->peers, "127.0.0.1", message, sizeof message);
    if (!pair->one || !pair->two) {
        abort();
    }
    pair->out = peer_connect(pair->one, pair->two->id.nid, pair->two->id.pid);
    pair->in = NULL;
    for (int64_t late = clock_now_ms() + PATIENCE_MS; (!pair->in || pair->out->connecting) && clock_now_ms() < late;) {
        loop_turn(pair->loop, 100);
        pair->in = pair->in ? pair->in : port_accepted(pair->two->port);
    }
    if (!pair->in) {
        abort();
    }
}

static void pair_close(struct pair *pair)
{
    stream_close_all(&pair->streams);
    port_close_all(&pair->streams);
    peer_close_all(&pair->peers);
    loop_free(pair->loop);
}

/* What is at the front of `in`, once it is more than nothing. */
static enum stream_result next(struct pair *pair, struct wire_portals_header *header, size_t *data)
{
    enum stream_result result = STREAM_NOTHING;
    size_t header_octets;

    for (int64_t late = clock_now_ms() + PATIENCE_MS; result == STREAM_NOTHING && clock_now_ms() < late;) {
        result = peer_next(pair->in, header, &header_octets, data);
        if (result == STREAM_NOTHING) {
            loop_turn(pair->loop, 100);
        }
    }
    if (result == STREAM_MESSAGE) {
        stream_take(pair->in, header_octets + *data);
    }
    return result;
}

static size_t make_put(unsigned char *octets, uint64_t length)
{
    struct wire_portals_header header = {.operation = WIRE_PORTALS_PUT, .portal = 7, .rlength = length};
    size_t len = 0;

    if (wire_portals_encode(&header, octets, WIRE_PORTALS_HEADER_MAX, &len) != WIRE_OK) {
        abort();
    }
    return len;
}

static void messages(void)
{
    unsigned char octets[256] = {0};
    struct wire_portals_header header;
    size_t data = 0, header_octets, len = make_put(octets, 5);
    struct pair pair;

    pair_open(&pair);
    CHECK(stream_send(pair.out, octets, 40), "half a header");
    loop_turn(pair.loop, 100);
    CHECK(peer_next(pair.in, &header, &header_octets, &data) == STREAM_NOTHING, "is no message");
    stream_send(pair.out, octets + 40, len - 40 + 4);
    loop_turn(pair.loop, 100);
    CHECK(peer_next(pair.in, &header, &header_octets, &data) == STREAM_NOTHING, "nor is one without its last octet");
    stream_send(pair.out, octets, 1);
    CHECK(next(&pair, &header, &data) == STREAM_MESSAGE && header.portal == 7 && data == 5, "now it is complete");
    stream_finish(pair.out);
    CHECK(!stream_send(pair.out, octets, 1), "nothing is sent behind FIN");
    CHECK(next(&pair, &header, &data) == STREAM_CLOSED, "closed between messages");
    pair_close(&pair);
}

static void ends(void)
{
    unsigned char octets[256] = {0};
    struct wire_portals_header header;
    size_t data = 0, len = make_put(octets, 5);
    struct pair pair;

    pair_open(&pair);
    stream_send(pair.out, octets, len + 4);
    stream_finish(pair.out);
    CHECK(next(&pair, &header, &data) == STREAM_MALFORMED, "the end inside a message");
    pair_close(&pair);

    pair_open(&pair);
    stream_close(pair.out, true);
    CHECK(next(&pair, &header, &data) == STREAM_RESET, "a reset");
    pair_close(&pair);

    pair_open(&pair);
    stream_send(pair.out, "\0\0\0\x63 what", 9);
    CHECK(next(&pair, &header, &data) == STREAM_MALFORMED, "an operation that is none");
    pair_close(&pair);

    pair_open(&pair);
    stream_send(pair.out, octets, make_put(octets, (uint64_t)1 << 39));
    CHECK(next(&pair, &header, &data) == STREAM_MALFORMED, "a length that no case takes is not waited for");
    pair_close(&pair);
}

/* FIN behind more than the other side reads: what it has not taken is dropped, and that is no reset by it. */
static void finished_early(void)
{
    enum { MORE = 32 << 20 };
    unsigned char *octets = calloc(1, MORE);
    struct pair pair;

    pair_open(&pair);
    stream_hold(pair.in, true);
    CHECK(stream_send(pair.out, octets, MORE) && pair.out->out.len, "more than the network takes");
    stream_finish(pair.out);
    stream_hold(pair.in, false);
    for (int64_t late = clock_now_ms() + PATIENCE_MS; !pair.in->ended && clock_now_ms() < late;) {
        loop_turn(pair.loop, 100);
    }
    CHECK(pair.in->ended && !pair.in->reset && pair.in->in.len, "an orderly end behind what was taken");
    loop_turn(pair.loop, 0);
    CHECK(!pair.out->reset && !pair.out->ended, "nobody has reset it");
    pair_close(&pair);
    free(octets);
}

static void refused(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct pair pair;
    char message[128];

    CHECK(bind(fd, (struct sockaddr *)&address, len) == 0, "a port at which nobody listens");
    getsockname(fd, (struct sockaddr *)&address, &len);
    pair_open(&pair);
    struct stream *stream = peer_connect(pair.one, INADDR_LOOPBACK, ntohs(address.sin_port));
    for (int64_t late = clock_now_ms() + PATIENCE_MS; stream->connecting && clock_now_ms() < late;) {
        loop_turn(pair.loop, 100);
    }
    CHECK(!stream->connecting && stream->ended, "is refused");
    CHECK(peer_connect(pair.one, INADDR_LOOPBACK, 65536) == NULL, "a process id that is no port");
    CHECK(peer_new(&pair.peers, "nowhere", message, sizeof message) == NULL, "an address that is none: %s", message);
    for (unsigned i = 2; i < PEERS_MAX; i++) {
        peer_new(&pair.peers, "127.0.0.1", message, sizeof message);
    }
    CHECK(peer_new(&pair.peers, "127.0.0.1", message, sizeof message) == NULL, "one peer too many: %s", message);
    pair_close(&pair);
    close(fd);
}

static void described(void)
{
    unsigned char octets[WIRE_PORTALS_HEADER_MAX];
    size_t len = make_put(octets, 5);
    char text[1024], small[16];

    peer_describe(octets, len, text, sizeof text);
    CHECK(strncmp(text, "put initiator.nid=0.0.0.0 ", 26) == 0 && strstr(text, " portal=7 ") &&
              strstr(text, " match_bits=0x0 ") && strstr(text, " rlength=5"),
          "%s", text);
    peer_describe(octets, len, small, sizeof small);
    CHECK(strlen(small) < sizeof small, "a small room is kept: %s", small);
    peer_describe(octets, 3, text, sizeof text);
    CHECK_STR(text, "3 octets that are no message", "octets");
}

int main(void)
{
    TAP_RUN(messages);
    TAP_RUN(ends);
    TAP_RUN(finished_early);
    TAP_RUN(refused);
    TAP_RUN(described);
    return tap_done();
}
