/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a message of MPI costs beside TCP: half the round trip of 8 octets, and how fast messages of 1 MiB flow. An
 * ordinary MPI program, so that it can be compiled with any MPI; bench_mpi.py runs it with several. Rank 0 and the last
 * rank do both in turn, by MPI and by a stream of their own, round after round, so that both meet the same machine;
 * what counts is the medians.
 */
#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROUNDS = 15, TRIPS = 300, SMALL = 8, LARGE = 1 << 20, BURST = 32 };

static int rank, other, fd = -1;
static char *octets;

static void demand(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "bench_mpi: rank %d: %s failed\n", rank, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* ---- the two ways ----------------------------------------------------------------------------------------------- */

static void mpi_say(size_t len)
{
    MPI_Send(octets, (int)len, MPI_BYTE, other, 0, MPI_COMM_WORLD);
}

static void mpi_hear(size_t len)
{
    MPI_Status status;

    MPI_Recv(octets, (int)len, MPI_BYTE, other, 0, MPI_COMM_WORLD, &status);
}

static void tcp_say(size_t len)
{
    for (size_t said = 0; said < len;) {
        ssize_t put = send(fd, octets + said, len - said, MSG_NOSIGNAL);

        demand(put > 0, "send");
        said += (size_t)put;
    }
}

static void tcp_hear(size_t len)
{
    demand(recv(fd, octets, len, MSG_WAITALL) == (ssize_t)len, "recv");
}

struct way {
    const char *name;
    void (*say)(size_t len);
    void (*hear)(size_t len);
    double trip_us[ROUNDS], rate[ROUNDS]; /* of half a round trip; megabytes a second */
};

static void measure(struct way *way, int round)
{
    double begin = MPI_Wtime();

    for (int i = 0; i < TRIPS; i++) {
        if (rank == 0) {
            way->say(SMALL);
        }
        way->hear(SMALL);
        if (rank != 0) {
            way->say(SMALL);
        }
    }
    way->trip_us[round] = (MPI_Wtime() - begin) / TRIPS / 2 * 1e6;
    begin = MPI_Wtime();
    for (int i = 0; i < BURST; i++) {
        if (rank == 0) {
            way->say(LARGE);
        } else {
            way->hear(LARGE);
        }
    }
    if (rank == 0) {
        way->hear(SMALL); /* all of it is there */
    } else {
        way->say(SMALL);
    }
    way->rate[round] = (double)BURST * LARGE / (MPI_Wtime() - begin) / 1e6;
}

/* ---- the stream ------------------------------------------------------------------------------------------------- */

static void tcp_open(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof(at);
    int one = 1, port = 0, end = socket(AF_INET, SOCK_STREAM, 0);
    MPI_Status status;

    if (rank == 0) {
        demand(bind(end, (struct sockaddr *)&at, len) == 0 && listen(end, 1) == 0, "listen");
        getsockname(end, (struct sockaddr *)&at, &len);
        port = ntohs(at.sin_port);
        MPI_Send(&port, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
        fd = accept(end, NULL, NULL);
        close(end);
    } else {
        MPI_Recv(&port, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &status);
        at.sin_port = htons((unsigned short)port);
        demand(connect(end, (struct sockaddr *)&at, len) == 0, "connect");
        fd = end;
    }
    demand(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) == 0, "TCP_NODELAY");
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof(*values), compare);
    return values[ROUNDS / 2];
}

int main(int argc, char **argv)
{
    static struct way ways[2] = {{.name = "mpi", .say = mpi_say, .hear = mpi_hear},
                                 {.name = "tcp", .say = tcp_say, .hear = tcp_hear}};
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    demand(size > 1, "starting two ranks");
    octets = calloc(1, LARGE);
    other = rank == 0 ? size - 1 : 0;
    if (rank == 0 || rank == size - 1) {
        tcp_open();
        for (int round = 0; round < ROUNDS; round++) {
            measure(&ways[0], round);
            measure(&ways[1], round);
        }
        for (int i = 0; rank == 0 && i < 2; i++) {
            printf("%s %.2f %.0f\n", ways[i].name, median(ways[i].trip_us), median(ways[i].rate));
        }
        close(fd);
    }
    free(octets);
    MPI_Finalize();
    return 0;
}
