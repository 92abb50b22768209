/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The job directory (specs/portals-wire.md, "Joining a job"): collects the addresses of a job's processes, gives all of
 * them to each when the last has joined, and afterwards knows of each whether it has left in order.
 */
#ifndef REF_IMPL_LAUNCH_DIRECTORY_H
#define REF_IMPL_LAUNCH_DIRECTORY_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

struct directory;

/* DIRECTORY_UNIDENTIFIED_MAX is how many connections that do not join are borne, besides those that processes may still
 * make; the one that has kept silent for longest is ended where there are more. */
enum { DIRECTORY_UNIDENTIFIED_MAX = 64 };

enum directory_state {
    DIRECTORY_AWAITED, /* has not joined yet */
    DIRECTORY_JOINED,  /* has joined, the connection stands */
    DIRECTORY_LEFT,    /* said LEAVE */
    DIRECTORY_LOST,    /* the connection ended without LEAVE */
};

/* directory_open - starts listening at `address` for the `size` processes of group `gid` that know `key` (text, kept by
 * the caller). NULL with errno set on failure.
 * directory_close - ends all connections and frees it. */
struct directory *directory_open(struct in_addr address, const char *key, uint32_t gid, uint32_t size);
void directory_close(struct directory *directory);

/* directory_port - the port it listens on, host order.
 * directory_fd - a descriptor that is readable when directory_handle has something to do.
 * directory_handle - does it; never blocks. */
uint16_t directory_port(const struct directory *directory);
int directory_fd(const struct directory *directory);
void directory_handle(struct directory *directory);

/* directory_refuse - tells everybody who still waits for the job to be complete that it will not be. */
void directory_refuse(struct directory *directory, const char *reason);

/* directory_state - of one rank below `size`.
 * directory_joined - how many have ever joined. */
enum directory_state directory_state(const struct directory *directory, uint32_t rank);
uint32_t directory_joined(const struct directory *directory);

#endif
