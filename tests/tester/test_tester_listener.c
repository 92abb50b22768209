/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The small door: as many visitors as it has room for say nothing, and others are heard all the same; and there is no
 * descriptor for one.
 */
#include "tester/base/clock.h"
#include "tester/sut/listener.h"
#include "tests/unit/tap.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { IDLE = 64, PATIENCE_MS = 5000, LIMIT_MS = 60000, OFTEN = 5 };

static int visit(const char *where)
{
    const char *colon = strchr(where, ':');
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    address.sin_port = htons((uint16_t)atoi(colon + 1));
    CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0, "a connection");
    return fd;
}

/* Turns the loop until octets or an end have come; how many octets. */
static ssize_t hear(struct loop *loop, int fd, char *octets, size_t room)
{
    int64_t until = clock_now_ms() + LIMIT_MS;
    ssize_t got = -1;

    while (got < 0 && clock_now_ms() < until) {
        loop_turn(loop, 10);
        got = recv(fd, octets, room, MSG_DONTWAIT);
    }
    return got;
}

static void leave(struct loop *loop, const int idle[IDLE])
{
    for (int i = 0; i < IDLE; i++) {
        close(idle[i]);
        loop_turn(loop, 0);
    }
}

/* Lets so many visitors in who say nothing, and one more. False, and nobody is left, when this has taken so long that
 * the first may have been sent away meanwhile: then nothing can be said. */
static bool fill(struct loop *loop, const char *where, int idle[IDLE])
{
    int64_t begun = clock_now_ms();
    char octets[400];

    for (int i = 0; i < IDLE; i++) {
        idle[i] = visit(where);
        loop_turn(loop, 100);
    }
    int other = visit(where);
    ssize_t got = hear(loop, other, octets, sizeof octets);
    close(other);
    if (clock_now_ms() - begun >= PATIENCE_MS) {
        leave(loop, idle);
        return false;
    }
    CHECK_EQ(got, 0, "there is no room for one more");
    return true;
}

static void silent_visitors(void)
{
    struct loop *loop = loop_new();
    char message[200], octets[400] = "";
    struct listener *listener = listener_open(loop, "127.0.0.1:0", message, sizeof message);
    int idle[IDLE], other;
    bool full = false;

    if (!CHECK(listener, "the door is open: %s", message)) {
        return;
    }
    for (int i = 0; i < OFTEN && !full; i++) {
        full = fill(loop, listener_address(listener), idle);
    }
    if (!CHECK(full, "as many as there is room for came quickly")) {
        return;
    }
    for (int64_t until = clock_now_ms() + PATIENCE_MS + 100; clock_now_ms() < until;) {
        loop_turn(loop, 100);
    }
    other = visit(listener_address(listener));
    CHECK_EQ(write(other, "GET / HTTP/1.1\r\n\r\n", 18), 18, "later one comes with a request");
    CHECK(hear(loop, other, octets, sizeof octets - 1) > 12 && strncmp(octets, "HTTP/1.1 4", 10) == 0,
          "and is answered: %s", octets);
    memset(octets, 0, sizeof octets);
    CHECK(hear(loop, idle[0], octets, sizeof octets - 1) > 12 && strncmp(octets, "HTTP/1.1 408", 12) == 0,
          "those who said nothing are told so: %s", octets);
    close(other);
    leave(loop, idle);
    listener_close(listener);
    loop_free(loop);
}

/* Without a descriptor for a visitor the door is not looked at again and again: a turn of the loop takes its time. */
static void no_descriptor(void)
{
    enum { TURNS = 10, TURN_MS = 100 };
    struct loop *loop = loop_new();
    char message[200], octets[400] = "";
    struct listener *listener = listener_open(loop, "127.0.0.1:0", message, sizeof message);
    struct rlimit limit, tight;
    int visitor;
    int64_t begun;

    if (!CHECK(listener, "the door is open: %s", message)) {
        return;
    }
    visitor = visit(listener_address(listener));
    getrlimit(RLIMIT_NOFILE, &limit);
    tight = limit;
    tight.rlim_cur = 3; /* lower than what is in use: not one more is to be had */
    setrlimit(RLIMIT_NOFILE, &tight);
    begun = clock_now_ms();
    for (int i = 0; i < TURNS; i++) {
        loop_turn(loop, TURN_MS);
    }
    CHECK(clock_now_ms() - begun >= TURNS * TURN_MS / 2, "ten turns take %d ms", (int)(clock_now_ms() - begun));
    setrlimit(RLIMIT_NOFILE, &limit);
    CHECK_EQ(write(visitor, "GET / HTTP/1.1\r\n\r\n", 18), 18, "the visitor asks");
    CHECK(hear(loop, visitor, octets, sizeof octets - 1) > 12 && strncmp(octets, "HTTP/1.1 4", 10) == 0,
          "and is answered when there is a descriptor: %s", octets);
    close(visitor);
    listener_close(listener);
    loop_free(loop);
}

int main(void)
{
    TAP_RUN(no_descriptor);
    TAP_RUN(silent_visitors);
    return tap_done();
}
