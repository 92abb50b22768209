/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The file that keeps room back.
 */
#include "web/store/room.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { SHARE = 16 };

static const uint64_t reserve_least = 256 * 1024, reserve_most = 16 * 1024 * 1024;

struct room {
    char data[4096], path[4096 + 16];
    uint64_t reserve;     /* octets */
    pthread_mutex_t lock; /* guards the file */
};

/* The octets of the file system, all of them and those that are free; false when it does not say. */
static bool measure(const struct room *room, uint64_t *all, uint64_t *available)
{
    struct statvfs system;

    if (statvfs(room->data, &system) != 0) {
        return false;
    }
    *all = (uint64_t)system.f_blocks * system.f_frsize;
    *available = (uint64_t)system.f_bavail * system.f_frsize;
    return true;
}

static uint64_t reserve_of(uint64_t all)
{
    uint64_t share = all / SHARE;

    return share < reserve_least ? reserve_least : share > reserve_most ? reserve_most : share;
}

/* Makes the file whole, or not at all. Under the lock. */
static void fill(struct room *room)
{
    int fd = open(room->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0) {
        return;
    }
    if (posix_fallocate(fd, 0, (off_t)room->reserve) != 0) {
        unlink(room->path);
    }
    close(fd);
}

struct room *room_open(const char *data)
{
    struct room *room = calloc(1, sizeof *room);
    uint64_t all = 0, available = 0;

    if (!room) {
        return NULL;
    }
    snprintf(room->data, sizeof room->data, "%s", data);
    snprintf(room->path, sizeof room->path, "%s/reserve", room->data);
    pthread_mutex_init(&room->lock, NULL);
    room->reserve = measure(room, &all, &available) ? reserve_of(all) : reserve_least;
    room_tend(room);
    return room;
}

void room_close(struct room *room)
{
    if (room) {
        pthread_mutex_destroy(&room->lock);
        free(room);
    }
}

void room_yield(struct room *room)
{
    pthread_mutex_lock(&room->lock);
    unlink(room->path);
    pthread_mutex_unlock(&room->lock);
}

void room_tend(struct room *room)
{
    uint64_t all, available;

    pthread_mutex_lock(&room->lock);
    if (access(room->path, F_OK) != 0 && measure(room, &all, &available) && available >= 2 * room->reserve) {
        fill(room);
    }
    pthread_mutex_unlock(&room->lock);
}

struct room_state room_look(const struct room *room)
{
    struct room_state state = {.reserve = room->reserve};
    uint64_t all;

    /* A file system that does not say how much it has is taken to have enough: what does not fit is noticed later. */
    state.is_short = measure(room, &all, &state.free) && state.free < room->reserve;
    return state;
}
