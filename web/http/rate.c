/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The table of requests (rate.h). Of everybody one number is kept: the time until which what they have asked for would
 * keep them busy if they asked evenly. It may be a minute ahead; where it is past, nothing need be known of them.
 *
 * The table has a fixed size, and its places are found by a keyed hash, so that nobody can choose with whom to share.
 */
#include "web/http/rate.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SETS = 2048, WAYS = 4 };

static const uint64_t minute_us = 60000000;

struct place {
    uint64_t who;
    uint64_t busy_us; /* until then; in the past: the place is free */
};

struct rate {
    uint64_t share_us; /* of the minute, for one request */
    unsigned char key[crypto_shorthash_KEYBYTES];
    pthread_mutex_t lock; /* guards the places */
    struct place places[SETS][WAYS];
};

struct rate *rate_new(unsigned per_minute)
{
    struct rate *rate = calloc(1, sizeof *rate);

    if (rate) {
        rate->share_us = minute_us / per_minute;
        crypto_shorthash_keygen(rate->key);
        pthread_mutex_init(&rate->lock, NULL);
    }
    return rate;
}

void rate_free(struct rate *rate)
{
    if (rate) {
        pthread_mutex_destroy(&rate->lock);
        free(rate);
    }
}

/* The place of somebody; of somebody unknown, the one whose owner would be idle first. */
static struct place *place_of(struct rate *rate, uint64_t who)
{
    unsigned char hash[crypto_shorthash_BYTES];
    struct place *set, *found;
    uint64_t number;

    crypto_shorthash(hash, (const unsigned char *)&who, sizeof who, rate->key);
    memcpy(&number, hash, sizeof number);
    set = rate->places[number % SETS];
    found = set;
    for (size_t i = 0; i < WAYS; i++) {
        if (set[i].who == who) {
            return &set[i];
        }
        found = set[i].busy_us < found->busy_us ? &set[i] : found;
    }
    *found = (struct place){.who = who};
    return found;
}

uint64_t rate_take(struct rate *rate, uint64_t who, uint64_t now_us)
{
    uint64_t latest = now_us + minute_us, wait_us = 0;
    struct place *place;
    uint64_t until;

    pthread_mutex_lock(&rate->lock);
    place = place_of(rate, who);
    until = (place->busy_us > now_us ? place->busy_us : now_us) + rate->share_us;
    if (until > latest) {
        wait_us = until - latest;
    } else {
        place->busy_us = until;
    }
    pthread_mutex_unlock(&rate->lock);
    return wait_us;
}

uint64_t rate_who_account(int64_t account)
{
    return (uint64_t)account << 8 | 1;
}

uint64_t rate_who_address(const struct sockaddr *address)
{
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)address;
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)address;
    uint64_t network;

    if (address && address->sa_family == AF_INET) {
        return (uint64_t)ntohl(v4->sin_addr.s_addr) << 8 | 4;
    }
    if (address && address->sa_family == AF_INET6) {
        memcpy(&network, v6->sin6_addr.s6_addr, sizeof network);
        return network ^ 6;
    }
    return 2;
}

uint64_t rate_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}
