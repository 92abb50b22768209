/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The floor of a message between two clients of IMPI: a chain of four processes, of which the two in the middle pass on
 * what they read and do nothing else, as host agents have to.
 *
 *      rank --- relay --- relay --- rank        each line a TCP stream on loopback, each process blocks in read
 *
 * It prints, in the form of rows_mpi.c: `trip`, half of the round trip of a packet's header with 8 octets, us;
 * `mib_gb`, 1 MiB after 1 MiB, 10^9 octets a second.
 *
 * With the argument `tree` the ranks at the ends are the masters of three others each, which they reach by Unix
 * streams, and all eight do what a collective operation has to, us: `barrier`, `allreduce` (all to the masters, one
 * master to the other and back, and down again), `bcast` (of each in turn).
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SMALL = 136, LARGE = 1 << 20, BURST = 16, BURSTS = 4, BATCH = 50, BATCHES = 40, HOPS = 3, PIECE = 1 << 17 };
enum { LEAVES = 3, SIDE = LEAVES + 1, ROUNDS = BATCH * BATCHES / 2 };

static void demand(bool good, const char *what)
{
    if (!good) {
        perror(what);
        exit(1);
    }
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* A TCP stream between two descriptors of this process. */
static void stream(int ends[2])
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof at;
    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);

    demand(listener >= 0 && bind(listener, (struct sockaddr *)&at, len) == 0 && listen(listener, 1) == 0, "listen");
    demand(getsockname(listener, (struct sockaddr *)&at, &len) == 0, "getsockname");
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    demand(connect(ends[0], (struct sockaddr *)&at, len) == 0, "connect");
    ends[1] = accept(listener, NULL, NULL);
    demand(ends[1] >= 0, "accept");
    for (int i = 0; i < 2; i++) {
        demand(setsockopt(ends[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0, "TCP_NODELAY");
    }
    close(listener);
}

static bool put(int fd, const unsigned char *octets, size_t len)
{
    for (size_t said = 0; said < len;) {
        ssize_t some = send(fd, octets + said, len - said, MSG_NOSIGNAL);

        if (some <= 0) {
            return false;
        }
        said += (size_t)some;
    }
    return true;
}

/* Passes on what comes until the stream ends. */
static void pass(int from, int to)
{
    static unsigned char octets[PIECE];
    ssize_t got;

    while ((got = read(from, octets, sizeof octets)) > 0 && put(to, octets, (size_t)got)) {
    }
    shutdown(to, SHUT_WR);
}

/* A relay: one process for each direction, so that neither has to ask which side has something. */
static void relay(int one, int other)
{
    pid_t back = fork();

    demand(back >= 0, "fork");
    if (back == 0) {
        pass(other, one);
        exit(0);
    }
    pass(one, other);
    waitpid(back, NULL, 0);
}

static unsigned char octets[LARGE];

static void hear(int fd, size_t len)
{
    demand(recv(fd, octets, len, MSG_WAITALL) == (ssize_t)len, "recv");
}

static void say(int fd, size_t len)
{
    demand(put(fd, octets, len), "send");
}

/* Half of a round trip: that of the quickest batch. */
static double trip(int fd, bool first)
{
    double least = 1e9;

    for (int b = 0; b < BATCHES; b++) {
        double begun = now_us(), taken;

        for (int i = 0; i < BATCH; i++) {
            if (first) {
                say(fd, SMALL);
            }
            hear(fd, SMALL);
            if (!first) {
                say(fd, SMALL);
            }
        }
        taken = (now_us() - begun) / BATCH / 2;
        least = taken < least ? taken : least;
    }
    return least;
}

static double bandwidth(int fd, bool first)
{
    double begun = now_us();

    for (int b = 0; b < BURSTS; b++) {
        for (int i = 0; i < BURST; i++) {
            if (first) {
                say(fd, LARGE);
            } else {
                hear(fd, LARGE);
            }
        }
        if (first) {
            hear(fd, SMALL);
        } else {
            say(fd, SMALL);
        }
    }
    return (double)BURSTS * BURST * LARGE / (now_us() - begun) / 1e3;
}

/* A rank at the end of the chain. */
static void talk(int fd, bool first)
{
    double half = trip(fd, first), rate = bandwidth(fd, first);

    if (first) {
        printf("trip %.4f\nmib_gb %.4f\n", half, rate);
    }
}

/* ---- eight processes --------------------------------------------------------------------------------------------- */

/* A process of the tree: a leaf has its master, a master its leaves and the other one. */
struct place {
    int number; /* 0 to 7; each fourth is a master */
    int leaves[LEAVES], other, master;
};

static bool is_master(const struct place *p)
{
    return p->number % SIDE == 0;
}

static void meet(const struct place *p, int round)
{
    (void)round;
    if (!is_master(p)) {
        say(p->master, SMALL);
        hear(p->master, SMALL);
        return;
    }
    for (int i = 0; i < LEAVES; i++) {
        hear(p->leaves[i], SMALL);
    }
    if (p->number > 0) {
        say(p->other, SMALL);
    }
    hear(p->other, SMALL);
    if (p->number == 0) {
        say(p->other, SMALL);
    }
    for (int i = 0; i < LEAVES; i++) {
        say(p->leaves[i], SMALL);
    }
}

static void spread(const struct place *p, int round)
{
    int root = round % (2 * SIDE), leaf = root % SIDE - 1;
    bool ours = root / SIDE == p->number / SIDE;

    if (!is_master(p)) {
        (root == p->number ? say : hear)(p->master, SMALL);
        return;
    }
    if (ours && leaf >= 0) {
        hear(p->leaves[leaf], SMALL);
    }
    (ours ? say : hear)(p->other, SMALL);
    for (int i = 0; i < LEAVES; i++) {
        if (!ours || i != leaf) {
            say(p->leaves[i], SMALL);
        }
    }
}

/* What one takes of the quickest batch. */
static void collective(const struct place *p, const char *name, void (*one)(const struct place *, int))
{
    double least = 1e9, begun = now_us();

    for (int i = 0; i < ROUNDS; i++) {
        one(p, i);
        if (i % BATCH == BATCH - 1) {
            double now = now_us(), taken = (now - begun) / BATCH;

            least = taken < least ? taken : least;
            begun = now;
        }
    }
    if (p->number == 0) {
        printf("%s %.4f\n", name, least);
    }
}

/* A master at the end of the chain, and its leaves, which are processes of their own. */
static void tree(int other, bool first)
{
    struct place place = {.number = first ? 0 : SIDE, .other = other};
    bool leaf = false;

    for (int i = 0; i < LEAVES && !leaf; i++) {
        int ends[2];
        pid_t child;

        demand(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && (child = fork()) >= 0, "fork");
        leaf = child == 0;
        place.number += leaf ? i + 1 : 0;
        place.leaves[i] = ends[0];
        place.master = ends[1];
        close(ends[leaf ? 0 : 1]);
    }
    collective(&place, "barrier", meet);
    collective(&place, "allreduce", meet);
    collective(&place, "bcast", spread);
    if (leaf) {
        exit(0);
    }
    for (int i = 0; i < LEAVES; i++) {
        int status = 0;

        demand(wait(&status) > 0 && status == 0, "a leaf");
    }
}

int main(int argc, char **argv)
{
    void (*act)(int, bool) = argc > 1 && strcmp(argv[1], "tree") == 0 ? tree : talk;
    int hop[HOPS][2], status = 0;

    for (int i = 0; i < HOPS; i++) {
        stream(hop[i]);
    }
    for (int i = 0; i < HOPS; i++) {
        pid_t child = fork();

        demand(child >= 0, "fork");
        if (child > 0) {
            continue;
        }
        for (int h = 0; h < HOPS; h++) { /* what is another's would keep its stream open */
            for (int end = 0; end < 2; end++) {
                if (!(h == i && end == 1) && !(h == i + 1 && end == 0)) {
                    close(hop[h][end]);
                }
            }
        }
        if (i < HOPS - 1) {
            relay(hop[i][1], hop[i + 1][0]);
        } else {
            act(hop[i][1], false);
        }
        exit(0);
    }
    for (int h = 0; h < HOPS; h++) {
        close(hop[h][1]);
        if (h > 0) {
            close(hop[h][0]);
        }
    }
    act(hop[0][0], true);
    fflush(stdout);
    close(hop[0][0]);
    for (int i = 0; i < HOPS; i++) {
        int one = 0;

        wait(&one);
        status |= one;
    }
    return status ? 1 : 0;
}
