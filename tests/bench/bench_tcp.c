/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a Portals message over TCP costs beside TCP itself: the half round trip of 8 octets, and how fast 1 MiB messages
 * flow. `make bench-tcp` starts the two ranks; tests/bench/pair.h is what they do. The raw peer uses blocking calls on
 * a stream of its own, without threads.
 */
#include "tests/bench/pair.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int raw_fd;

static void raw_say(size_t length)
{
    const unsigned char *from = pair_out(length);

    for (size_t said = 0; said < length;) {
        ssize_t put = send(raw_fd, from + said, length - said, MSG_NOSIGNAL);
        pair_demand(put > 0, "send");
        said += (size_t)put;
    }
}

static void raw_hear(size_t length)
{
    pair_demand(recv(raw_fd, pair_in(length), length, MSG_WAITALL) == (ssize_t)length, "recv");
}

/* The raw stream: rank 1 listens, and puts its port to rank 0. */
static void raw_open(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    pair_demand(fd >= 0, "socket");
    if (pair_rank() == 1) {
        pair_demand(bind(fd, (struct sockaddr *)&address, len) == 0 && listen(fd, 1) == 0 &&
                        getsockname(fd, (struct sockaddr *)&address, &len) == 0,
                    "listen");
        memcpy(pair_out(PAIR_SMALL), &address.sin_port, sizeof address.sin_port);
        pair_portals_say(PAIR_SMALL);
        raw_fd = accept(fd, NULL, NULL);
        close(fd);
    } else {
        pair_portals_hear(PAIR_SMALL);
        memcpy(&address.sin_port, pair_in(PAIR_SMALL), sizeof address.sin_port);
        raw_fd = connect(fd, (struct sockaddr *)&address, len) == 0 ? fd : -1;
    }
    pair_demand(raw_fd >= 0, "connecting the raw stream");
    (void)setsockopt(raw_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void raw_close(void)
{
    close(raw_fd);
}

int main(void)
{
    static const struct pair_way raw = {
        .name = "raw tcp", .open = raw_open, .say = raw_say, .hear = raw_hear, .close = raw_close};

    return pair_run(&raw);
}
