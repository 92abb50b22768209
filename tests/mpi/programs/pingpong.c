/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages of growing length between ranks 0 and 1, forth and back, in each mode of sending. What comes back must be
 * what went out; how long it took is printed with -t only, because it is never the same.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 20, TIMES = 4 };

static int receive(void *buffer, int length, int from)
{
    MPI_Status status;
    int count;

    MPI_Recv(buffer, LONGEST, MPI_BYTE, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    return count == length && status.MPI_SOURCE == from && status.MPI_TAG == length % 1000;
}

/* Sends in one of the modes: 0 standard, 1 synchronous, 2 buffered. */
static void send_in(int mode, void *buffer, int length, int to)
{
    int tag = length % 1000;

    if (mode == 0) {
        MPI_Send(buffer, length, MPI_BYTE, to, tag, MPI_COMM_WORLD);
    } else if (mode == 1) {
        MPI_Ssend(buffer, length, MPI_BYTE, to, tag, MPI_COMM_WORLD);
    } else {
        MPI_Bsend(buffer, length, MPI_BYTE, to, tag, MPI_COMM_WORLD);
    }
}

static int forth_and_back(int rank, int mode, unsigned char *out, unsigned char *in, int length)
{
    int good = 1;

    for (int time = 0; time < TIMES; time++) {
        if (rank == 0) {
            memset(out, 'a' + time, (size_t)length);
            memset(in, 0, (size_t)length);
            send_in(mode, out, length, 1);
            good &= receive(in, length, 1) && memcmp(in, out, (size_t)length) == 0;
        } else if (rank == 1) {
            good &= receive(in, length, 0);
            send_in(mode, in, length, 0);
        }
    }
    return good;
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {"standard", "synchronous", "buffered"};
    unsigned char *out = malloc(LONGEST), *in = malloc(LONGEST);
    int room = LONGEST + MPI_BSEND_OVERHEAD, rank, timed;
    void *attached = malloc((size_t)room);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    timed = argc > 1 && strcmp(argv[1], "-t") == 0;
    MPI_Buffer_attach(attached, room);
    for (int mode = 0; mode < 3; mode++) {
        for (int length = 0; length <= LONGEST; length = length ? length * 8 : 1) {
            double start = MPI_Wtime();
            int good = forth_and_back(rank, mode, out, in, length);

            if (rank == 0) {
                printf("%s, %d octets: %s", modes[mode], length, good ? "right" : "WRONG");
                if (timed) {
                    printf(", %.1f us", (MPI_Wtime() - start) / (2 * TIMES) * 1e6);
                }
                printf("\n");
            }
        }
    }
    MPI_Buffer_detach(&attached, &room);
    MPI_Finalize();
    free(attached);
    free(out);
    free(in);
    return 0;
}
