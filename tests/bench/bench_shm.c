/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a Portals message through shared memory costs beside shared memory itself: the half round trip of 8 octets, and
 * how fast 1 MiB messages flow. `make bench-shm` starts the two ranks; tests/bench/pair.h is what they do.
 *
 * The raw way uses two buffers in a piece of shared memory of its own, one in each direction, copies once on each side,
 * and sleeps on a futex after looking for a moment, as a program must that shares its processors. No thread of its own
 * serves it: unlike Portals it moves nothing while the program computes.
 */
#include "tests/bench/pair.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* struct channel is one direction of the raw ways: one message at a time. `turn` counts half turns: odd, it is full. */
struct channel {
    _Alignas(64) _Atomic uint32_t turn;
    _Atomic uint32_t sleepers;
    _Alignas(64) unsigned char octets[PAIR_LARGE];
};

static struct channel *channels; /* the n-th is written by rank n */
static int channels_fd;

/* How often the raw way looks before it sleeps. */
enum { LOOKS = 2048 };

/* Waits until the channel is full, or empty. */
static void raw_await(struct channel *channel, bool full)
{
    for (unsigned looks = 0;; looks++) {
        uint32_t turn = atomic_load_explicit(&channel->turn, memory_order_acquire);

        if ((turn & 1) == full) {
            return;
        }
        if (looks >= LOOKS) {
            atomic_fetch_add(&channel->sleepers, 1);
            (void)syscall(SYS_futex, &channel->turn, FUTEX_WAIT, turn, NULL, NULL, 0);
            atomic_fetch_sub(&channel->sleepers, 1);
        }
    }
}

static void raw_turn(struct channel *channel)
{
    atomic_fetch_add(&channel->turn, 1);
    if (atomic_load(&channel->sleepers) > 0) {
        (void)syscall(SYS_futex, &channel->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
}

static void raw_say(size_t length)
{
    struct channel *channel = &channels[pair_rank()];

    raw_await(channel, false);
    memcpy(channel->octets, pair_out(length), length);
    raw_turn(channel);
}

static void raw_hear(size_t length)
{
    struct channel *channel = &channels[1 - pair_rank()];

    raw_await(channel, true);
    memcpy(pair_in(length), channel->octets, length);
    raw_turn(channel);
}

/* The raw memory: rank 1 makes it, and puts its process and descriptor to rank 0, which opens it by those. */
static void raw_open(void)
{
    char path[64];
    uint32_t place[2] = {0, 0};

    if (pair_rank() == 1) {
        channels_fd = memfd_create("bench_shm", MFD_CLOEXEC);
        pair_demand(channels_fd >= 0 && ftruncate(channels_fd, 2 * sizeof *channels) == 0, "memfd_create");
        place[0] = (uint32_t)getpid();
        place[1] = (uint32_t)channels_fd;
        memcpy(pair_out(PAIR_SMALL), place, sizeof place);
        pair_portals_say(PAIR_SMALL);
    } else {
        pair_portals_hear(PAIR_SMALL);
        memcpy(place, pair_in(PAIR_SMALL), sizeof place);
        snprintf(path, sizeof path, "/proc/%u/fd/%u", (unsigned)place[0], (unsigned)place[1]);
        channels_fd = open(path, O_RDWR | O_CLOEXEC);
    }
    channels = mmap(NULL, 2 * sizeof *channels, PROT_READ | PROT_WRITE, MAP_SHARED, channels_fd, 0);
    pair_demand(channels_fd >= 0 && channels != MAP_FAILED, "mapping the raw memory");
}

static void raw_close(void)
{
    munmap(channels, 2 * sizeof *channels);
    close(channels_fd);
}

int main(void)
{
    static const struct pair_way raw = {
        .name = "raw memory", .open = raw_open, .say = raw_say, .hear = raw_hear, .close = raw_close};

    return pair_run(&raw);
}
