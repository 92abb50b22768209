/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * MPI_Init of a client that comes to life in there: the processes are started by nobody who knows of IMPI, and the
 * first of them, once in MPI_Init, starts what connects to the server. Everything else comes from the reference's
 * library, by MPI's profiling interface. What it is started for then gives its place in the job to the process that
 * waits here (place.c), and stays until that ends.
 *
 * SITE, RANK and IN_INIT_CLIENT come from the launcher: a folder, the rank, the command that connects.
 */
#include "tests/suts/in_init/handover.h"

#include <mpi.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int PMPI_Init(int *argc, char ***argv);

enum { LOOK_MS = 20 };

static int place = -1; /* the connection with what stands in the job for us; it closes when we end */

static int listen_for_place(int rank)
{
    struct sockaddr_un address;
    int door = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

    handover_address(&address, rank);
    if (door < 0 || bind(door, (struct sockaddr *)&address, sizeof address) != 0 || listen(door, 1) != 0) {
        handover_fail(address.sun_path);
    }
    return door;
}

static pid_t start_client(void)
{
    const char *command = getenv("IN_INIT_CLIENT");
    pid_t client = fork();

    if (client == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    return client;
}

/* Waits for what stands for us in the job; a client (0: another process has it) that ends before takes us with it. */
static int accept_place(int door, pid_t client)
{
    struct pollfd one = {.fd = door, .events = POLLIN};

    while (poll(&one, 1, LOOK_MS) <= 0) {
        if (client && waitpid(client, NULL, WNOHANG) == client) {
            exit(1);
        }
    }
    return accept4(door, NULL, NULL, SOCK_CLOEXEC);
}

/* Says how this process ends: whoever hears nothing takes it for lost. */
static void say_end(void)
{
    handover_give(place, "", 1, -1);
}

/* Takes over an environment, and the descriptor that a variable of it names by a number of the other process. */
static void take_place(int door, pid_t client)
{
    static char texts[HANDOVER_OCTETS];
    char number[16];
    int fd;

    place = accept_place(door, client);
    close(door);
    size_t len = handover_take(place, texts, &fd);
    for (char *at = texts; at < texts + len; at += strlen(at) + 1) {
        char *value = strchr(at, '=');
        if (value) {
            *value++ = '\0';
            setenv(at, value, 1);
            at = value;
        }
    }
    snprintf(number, sizeof number, "%d", fd);
    setenv("ASSAY_IMPI_LINK", number, 1);
    atexit(say_end);
}

int MPI_Init(int *argc, char ***argv)
{
    if (place < 0) {
        int rank = handover_rank("RANK");
        int door = listen_for_place(rank);
        take_place(door, rank == 0 ? start_client() : 0);
    }
    return PMPI_Init(argc, argv);
}
