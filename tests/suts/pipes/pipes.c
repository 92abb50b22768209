/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The network: every process reads one named pipe, SITE/RANK, into which all others write. What is written is cut into
 * pieces that the system keeps whole, each with its sender's number in front, and put together again behind the pipe.
 */
#include "tests/suts/pipes/library.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { START_TRIES = 3000, STEP_MS = 5, FLUSH_MS = 2000, PIECE = PIPE_BUF, PIECES = 64 };

struct piece {
    uint32_t from, octets;
    char data[PIECE - 8];
};

/* struct parcel is a message on its way, with its data behind it. */
struct parcel {
    struct parcel *next;
    size_t octets, done;
    struct message message;
    char data[];
};

static struct {
    int own, spare; /* spare: a writer, so that the pipe never ends */
    int to[RANKS_MAX];
    struct parcel *first[RANKS_MAX], **last[RANKS_MAX]; /* to send */
    struct parcel *coming[RANKS_MAX];
    struct message heads[RANKS_MAX];
    size_t head_octets[RANKS_MAX];
} pipes;

static void name_of(unsigned rank, char *name, size_t octets)
{
    const char *site = getenv("SITE");

    snprintf(name, octets, "%s/%u", site ? site : ".", rank);
}

static bool number_of(const char *variable, unsigned most, unsigned *number)
{
    const char *text = getenv(variable);

    *number = text ? (unsigned)strtoul(text, NULL, 10) : most + 1;
    return *number <= most;
}

/* Opens another's pipe, which may not be there yet. */
static int open_to(unsigned rank)
{
    const struct timespec pause = {0, 10000000};
    char name[PATH_MAX];

    name_of(rank, name, sizeof name);
    for (int i = 0; i < START_TRIES; i++) {
        int fd = open(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0) {
            return fd;
        }
        nanosleep(&pause, NULL);
    }
    return -1;
}

bool pipes_open(void)
{
    char name[PATH_MAX];

    if (!number_of("RANK", RANKS_MAX - 1, &library.rank) || !number_of("SIZE", RANKS_MAX, &library.size)) {
        fprintf(stderr, "pipes: start this program by the launcher: RANK, SIZE and SITE are not set\n");
        return false;
    }
    memset(&pipes, 0, sizeof pipes);
    signal(SIGPIPE, SIG_IGN);
    name_of(library.rank, name, sizeof name);
    if (mkfifo(name, 0600) != 0 && errno != EEXIST) {
        perror(name);
        return false;
    }
    pipes.own = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    pipes.spare = open(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    bool good = pipes.own >= 0 && pipes.spare >= 0;
    for (unsigned i = 0; i < library.size && good; i++) {
        pipes.last[i] = &pipes.first[i];
        pipes.to[i] = open_to(i);
        good = pipes.to[i] >= 0;
    }
    return good;
}

void pipes_close(void)
{
    for (unsigned i = 0; i < library.size; i++) {
        close(pipes.to[i]);
        free(pipes.coming[i]);
        for (struct parcel *one = pipes.first[i], *next; one; one = next) {
            next = one->next;
            free(one);
        }
    }
    close(pipes.own);
    close(pipes.spare);
}

static struct parcel *parcel_new(const struct message *message)
{
    struct parcel *parcel = malloc(sizeof *parcel + (size_t)message->octets);

    if (parcel) {
        parcel->next = NULL;
        parcel->octets = sizeof *message + (size_t)message->octets;
        parcel->done = 0;
        parcel->message = *message;
    }
    return parcel;
}

/* Writes one piece; false when the pipe is full. A process that is gone takes nothing any more. */
static bool write_piece(unsigned rank)
{
    struct parcel *parcel = pipes.first[rank];
    struct piece piece = {.from = library.rank};
    size_t left = parcel->octets - parcel->done;

    piece.octets = (uint32_t)(left < sizeof piece.data ? left : sizeof piece.data);
    memcpy(piece.data, (const char *)&parcel->message + parcel->done, piece.octets);
    ssize_t written = write(pipes.to[rank], &piece, sizeof piece);
    if (written < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    parcel->done = written < 0 ? parcel->octets : parcel->done + piece.octets;
    if (parcel->done == parcel->octets) {
        pipes.first[rank] = parcel->next;
        if (!parcel->next) {
            pipes.last[rank] = &pipes.first[rank];
        }
        free(parcel);
    }
    return true;
}

static bool write_all(void)
{
    bool moved = false;

    for (unsigned i = 0; i < library.size; i++) {
        while (pipes.first[i] && write_piece(i)) {
            moved = true;
        }
    }
    return moved;
}

void pipes_send(const struct message *message, const void *data)
{
    struct parcel *parcel = parcel_new(message);

    if (!parcel) {
        abort(); /* a network that loses messages is none */
    }
    if (message->octets > 0) {
        memcpy(parcel->data, data, (size_t)message->octets);
    }
    *pipes.last[message->to] = parcel;
    pipes.last[message->to] = &parcel->next;
    (void)write_all();
}

/* Adds what came from a process to what has come; whole messages are delivered. */
static void take_piece(const struct piece *piece)
{
    unsigned from = piece->from;
    size_t at = 0;

    while (at < piece->octets) {
        if (!pipes.coming[from]) {
            size_t lack = sizeof(struct message) - pipes.head_octets[from];
            size_t now = piece->octets - at < lack ? piece->octets - at : lack;
            memcpy((char *)&pipes.heads[from] + pipes.head_octets[from], piece->data + at, now);
            at += now;
            pipes.head_octets[from] += now;
            if (now < lack) {
                return;
            }
            pipes.head_octets[from] = 0;
            pipes.coming[from] = parcel_new(&pipes.heads[from]);
            pipes.coming[from]->done = sizeof(struct message);
        }
        struct parcel *parcel = pipes.coming[from];
        size_t lack = parcel->octets - parcel->done;
        size_t now = piece->octets - at < lack ? piece->octets - at : lack;
        memcpy((char *)&parcel->message + parcel->done, piece->data + at, now);
        at += now;
        parcel->done += now;
        if (parcel->done == parcel->octets) {
            pipes.coming[from] = NULL;
            deliver(&parcel->message, parcel->data);
            free(parcel);
        }
    }
}

bool pipes_step(void)
{
    struct piece piece;
    bool moved = write_all();

    for (int i = 0; i < PIECES && read(pipes.own, &piece, sizeof piece) == (ssize_t)sizeof piece; i++) {
        take_piece(&piece);
        moved = true;
    }
    return moved;
}

void pipes_wait(void)
{
    struct pollfd own = {.fd = pipes.own, .events = POLLIN};

    poll(&own, 1, STEP_MS);
}

void pipes_flush(void)
{
    const struct timespec pause = {0, 1000000};

    for (int i = 0; i < FLUSH_MS; i++) {
        bool left = false;
        (void)write_all();
        for (unsigned rank = 0; rank < library.size; rank++) {
            left = left || pipes.first[rank];
        }
        if (!left) {
            return;
        }
        nanosleep(&pause, NULL);
    }
}
