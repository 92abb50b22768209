/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A hash table of answers, all of which are also in a list in the order of their use. A response of the library may be
 * queued any number of times: to answer from here costs neither a query nor a copy.
 */
#include "web/http/kept.h"

#include "web/service/secret.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096, MOMENTS = 1024, TAG_SIZE = 72 };

struct entry {
    struct entry *next;          /* of its bucket */
    struct entry *newer, *older; /* in the order of use */
    struct MHD_Response *whole, *same;
    int64_t account;
    bool gzip;
    char run[SECRET_ID_SIZE], tag[TAG_SIZE];
    uint64_t body; /* octets of the answer alone */
    uint64_t octets, moment;
    size_t bucket;
    char name[];
};

struct kept {
    uint64_t octets_max;
    unsigned char key[crypto_shorthash_KEYBYTES];
    pthread_mutex_t lock; /* guards everything below */
    uint64_t octets;
    struct entry *newest, *oldest;
    struct entry *buckets[BUCKETS];
    uint64_t moments[MOMENTS]; /* of accounts; some share one */
};

struct kept *kept_new(uint64_t octets_max)
{
    struct kept *kept = calloc(1, sizeof *kept);

    if (kept) {
        kept->octets_max = octets_max;
        crypto_shorthash_keygen(kept->key);
        pthread_mutex_init(&kept->lock, NULL);
    }
    return kept;
}

static size_t bucket_of(const struct kept *kept, const char *name)
{
    unsigned char hash[crypto_shorthash_BYTES];
    uint64_t number;

    crypto_shorthash(hash, (const unsigned char *)name, strlen(name), kept->key);
    memcpy(&number, hash, sizeof number);
    return number % BUCKETS;
}

static uint64_t *moment_of(struct kept *kept, int64_t account)
{
    return &kept->moments[(uint64_t)account % MOMENTS];
}

/* ---- under the lock ---------------------------------------------------------------------------------------------- */

static void unlink_use(struct kept *kept, struct entry *entry)
{
    *(entry->newer ? &entry->newer->older : &kept->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &kept->oldest) = entry->newer;
}

static void link_newest(struct kept *kept, struct entry *entry)
{
    entry->newer = NULL;
    entry->older = kept->newest;
    *(kept->newest ? &kept->newest->newer : &kept->oldest) = entry;
    kept->newest = entry;
}

static void drop(struct kept *kept, struct entry *entry)
{
    struct entry **at = &kept->buckets[entry->bucket];

    while (*at != entry) {
        at = &(*at)->next;
    }
    *at = entry->next;
    unlink_use(kept, entry);
    kept->octets -= entry->octets;
    MHD_destroy_response(entry->whole);
    MHD_destroy_response(entry->same);
    free(entry);
}

/* What is about all runs of the account is no longer good when one of them has changed. */
static bool is_good(struct kept *kept, const struct entry *entry)
{
    return entry->run[0] || entry->account == 0 || entry->moment == *moment_of(kept, entry->account);
}

static struct entry *find(struct kept *kept, const struct kept_key *key, size_t bucket)
{
    struct entry *entry = kept->buckets[bucket];

    while (entry &&
           (entry->account != key->account || entry->gzip != key->gzip || strcmp(entry->name, key->name) != 0)) {
        entry = entry->next;
    }
    if (entry && !is_good(kept, entry)) {
        drop(kept, entry);
        entry = NULL;
    }
    return entry;
}

/* ---- for all ----------------------------------------------------------------------------------------------------- */

void kept_free(struct kept *kept)
{
    if (kept) {
        while (kept->oldest) {
            drop(kept, kept->oldest);
        }
        pthread_mutex_destroy(&kept->lock);
        free(kept);
    }
}

bool kept_reply(struct kept *kept, const struct kept_key *key, struct MHD_Connection *connection, const char *known,
                struct kept_sent *sent)
{
    size_t bucket = bucket_of(kept, key->name);
    struct entry *entry;
    bool found;

    pthread_mutex_lock(&kept->lock);
    entry = find(kept, key, bucket);
    found = entry != NULL;
    if (entry) {
        bool same = known && strstr(known, entry->tag);

        unlink_use(kept, entry);
        link_newest(kept, entry);
        sent->status = same ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK;
        sent->octets = same ? 0 : entry->body;
        sent->answered = MHD_queue_response(connection, sent->status, same ? entry->same : entry->whole);
    }
    pthread_mutex_unlock(&kept->lock);
    return found;
}

bool kept_has(struct kept *kept, const struct kept_key *key)
{
    size_t bucket = bucket_of(kept, key->name);
    bool found;

    pthread_mutex_lock(&kept->lock);
    found = find(kept, key, bucket) != NULL;
    pthread_mutex_unlock(&kept->lock);
    return found;
}

uint64_t kept_moment(struct kept *kept, int64_t account)
{
    uint64_t moment;

    pthread_mutex_lock(&kept->lock);
    moment = *moment_of(kept, account);
    pthread_mutex_unlock(&kept->lock);
    return moment;
}

static struct entry *new_entry(const struct kept_key *key, const struct kept_answer *answer)
{
    size_t room = strlen(key->name) + 1;
    struct entry *entry = calloc(1, sizeof *entry + room);

    if (entry) {
        entry->whole = answer->whole;
        entry->same = answer->same;
        entry->account = key->account;
        entry->gzip = key->gzip;
        entry->body = answer->octets;
        entry->octets = answer->octets + sizeof *entry + room;
        memcpy(entry->name, key->name, room);
        strncpy(entry->run, answer->run, sizeof entry->run - 1);
        strncpy(entry->tag, answer->tag, sizeof entry->tag - 1);
    }
    return entry;
}

/* Whether it was put there. Under the lock. */
static bool put(struct kept *kept, const struct kept_key *key, struct entry *entry, uint64_t moment)
{
    size_t bucket = bucket_of(kept, key->name);

    if (moment != *moment_of(kept, key->account) || entry->octets > kept->octets_max / 2 || find(kept, key, bucket)) {
        return false;
    }
    while (kept->oldest && kept->octets + entry->octets > kept->octets_max) {
        drop(kept, kept->oldest);
    }
    entry->bucket = bucket;
    entry->moment = moment;
    entry->next = kept->buckets[bucket];
    kept->buckets[bucket] = entry;
    kept->octets += entry->octets;
    link_newest(kept, entry);
    return true;
}

void kept_put(struct kept *kept, const struct kept_key *key, const struct kept_answer *answer, uint64_t moment)
{
    struct entry *entry = new_entry(key, answer);
    bool good = false;

    if (entry) {
        pthread_mutex_lock(&kept->lock);
        good = put(kept, key, entry, moment);
        pthread_mutex_unlock(&kept->lock);
    }
    if (!good) {
        MHD_destroy_response(answer->whole);
        MHD_destroy_response(answer->same);
        free(entry);
    }
}

void kept_change(struct kept *kept, int64_t account)
{
    pthread_mutex_lock(&kept->lock);
    ++*moment_of(kept, account);
    pthread_mutex_unlock(&kept->lock);
}

void kept_forget(struct kept *kept, int64_t account, const char *run)
{
    pthread_mutex_lock(&kept->lock);
    ++*moment_of(kept, account);
    for (struct entry *entry = kept->newest, *older; entry; entry = older) {
        older = entry->older;
        if (entry->account == account && (!run || strcmp(entry->run, run) == 0)) {
            drop(kept, entry);
        }
    }
    pthread_mutex_unlock(&kept->lock);
}
