/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Room on the disk. A part of it is kept back by a file, DATA/reserve, and given up when the disk is full: so that what
 * is under way can be ended, written down and deleted then. The part is a sixteenth of the file system, at least 256
 * KiB and at most 16 MiB.
 */
#ifndef WEB_STORE_ROOM_H
#define WEB_STORE_ROOM_H

#include <stdbool.h>
#include <stdint.h>

struct room;

/* room_open makes the reserve in the data folder, where the disk has room for it. NULL: no memory. */
struct room *room_open(const char *data);

/* room_close frees it and leaves the file. NULL is allowed. */
void room_close(struct room *room);

/* room_yield gives the reserve up; whoever could not store something tries again then. Any thread. */
void room_yield(struct room *room);

/* room_tend makes the reserve again when the disk has room for twice as much. For housekeeping. */
void room_tend(struct room *room);

/* struct room_state is what there is: octets that are free, and that are kept back when all is well. is_short: less is
 * free than should be kept back, so nothing that takes room should begin. */
struct room_state {
    uint64_t free, reserve;
    bool is_short;
};

/* room_look asks the file system. */
struct room_state room_look(const struct room *room);

#endif
