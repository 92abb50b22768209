/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A table of fixed size whose places are found by the secret's hash: nobody can choose that.
 */
#include "web/http/known.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLACES = 1024, KEPT_S = 10 };

struct place {
    unsigned char hash[SECRET_HASH_OCTETS];
    struct requester who; /* account 0: the place is free */
    uint64_t moment;
    time_t until;
};

struct known {
    pthread_mutex_t lock; /* guards everything below */
    uint64_t moment;
    struct place places[PLACES];
};

static time_t now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

struct known *known_new(void)
{
    struct known *known = calloc(1, sizeof *known);

    if (known) {
        pthread_mutex_init(&known->lock, NULL);
    }
    return known;
}

void known_free(struct known *known)
{
    if (known) {
        pthread_mutex_destroy(&known->lock);
        sodium_memzero(known, sizeof *known);
        free(known);
    }
}

static struct place *place_of(struct known *known, const unsigned char *hash)
{
    uint32_t number;

    memcpy(&number, hash, sizeof number);
    return &known->places[number % PLACES];
}

bool known_find(struct known *known, const unsigned char hash[static SECRET_HASH_OCTETS], bool by_cookie,
                struct requester *who)
{
    struct place *place = place_of(known, hash);
    time_t now = now_s();
    bool found;

    pthread_mutex_lock(&known->lock);
    found = place->who.account != 0 && place->who.by_cookie == by_cookie && place->moment == known->moment &&
            place->until > now && sodium_memcmp(place->hash, hash, SECRET_HASH_OCTETS) == 0;
    if (found) {
        *who = place->who;
    }
    pthread_mutex_unlock(&known->lock);
    return found;
}

uint64_t known_moment(struct known *known)
{
    uint64_t moment;

    pthread_mutex_lock(&known->lock);
    moment = known->moment;
    pthread_mutex_unlock(&known->lock);
    return moment;
}

void known_put(struct known *known, const unsigned char hash[static SECRET_HASH_OCTETS], const struct requester *who,
               uint64_t moment)
{
    struct place *place = place_of(known, hash);
    time_t until = now_s() + KEPT_S;

    pthread_mutex_lock(&known->lock);
    if (moment == known->moment) {
        *place = (struct place){.who = *who, .moment = moment, .until = until};
        memcpy(place->hash, hash, SECRET_HASH_OCTETS);
    }
    pthread_mutex_unlock(&known->lock);
}

void known_forget(struct known *known)
{
    pthread_mutex_lock(&known->lock);
    known->moment++;
    pthread_mutex_unlock(&known->lock);
}
