/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Tokens and mailboxes (registry.h). A token that is over stays known for a while, so that its owner is told "over" and
 * not "unknown". An entry is found by a hash of its token, under a key that nobody knows: how long it takes to look for
 * a token tells nothing of others.
 */
#include "tester/sut/registry.h"

#include "tester/base/memory.h"

#include <pthread.h>
#include <sodium/crypto_shorthash.h>
#include <sodium/randombytes.h>
#include <sodium/utils.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { REMEMBERED = 1024, CHAINS = 4096, TOKEN_OCTETS = 129 };

struct entry {
    struct entry *next;       /* of its chain, the next older */
    struct entry *other;      /* the next of its box, or the next younger of those that are over */
    struct registry_box *box; /* NULL: over */
    uint64_t hash;
    unsigned tag, capacity;
    char token[TOKEN_OCTETS];
};

struct letter {
    struct letter *next;
    unsigned tag;
    struct registry_link link;
};

struct registry_box {
    int fd;
    struct entry *entries; /* tokens that stand for it */
    unsigned givers;       /* who put a letter into it now */
    pthread_mutex_t lock;  /* guards what follows; never taken with the other one */
    struct letter *first, **last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows, and entries and givers of boxes */
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;  /* somebody has done so */
static struct entry *chains[CHAINS];                     /* newest first */
static struct entry *oldest_over, *newest_over;
static size_t over_count;
static unsigned char key[crypto_shorthash_KEYBYTES];

void registry_link_close(struct registry_link *link)
{
    free(link->extra);
    link->extra = NULL;
    if (link->close_cb) {
        link->close_cb(link->close_context);
    } else if (link->fd >= 0) {
        close(link->fd);
    }
    link->fd = -1;
    link->close_cb = NULL;
}

static void make_key(void)
{
    randombytes_buf(key, sizeof key);
}

/* The hash of a token, padded with zeros. */
static uint64_t registry_hash(const char token[static TOKEN_OCTETS])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    unsigned char octets[crypto_shorthash_BYTES];
    uint64_t hash;

    pthread_once(&once, make_key);
    crypto_shorthash(octets, (const unsigned char *)token, TOKEN_OCTETS, key);
    memcpy(&hash, octets, sizeof hash);
    return hash;
}

/* Forgets the token that has been over for longest. Called with the lock held. */
static void registry_forget(void)
{
    struct entry *entry = oldest_over, **at = &chains[entry->hash % CHAINS];

    oldest_over = entry->other;
    over_count--;
    while (*at != entry) {
        at = &(*at)->next;
    }
    *at = entry->next;
    free(entry);
}

/* The token is over from now on. Called with the lock held. */
static void registry_end(struct entry *entry)
{
    struct entry **at = &entry->box->entries;

    while (*at != entry) {
        at = &(*at)->other;
    }
    *at = entry->other;
    entry->box = NULL;
    entry->other = NULL;
    if (over_count++ > 0) {
        newest_over->other = entry;
    } else {
        oldest_over = entry;
    }
    newest_over = entry;
    if (over_count > REMEMBERED) {
        registry_forget();
    }
}

struct registry_box *registry_box_new(void)
{
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

    if (fd < 0) {
        return NULL;
    }
    struct registry_box *box = memory_zero(sizeof *box);
    box->fd = fd;
    box->last = &box->first;
    pthread_mutex_init(&box->lock, NULL);
    return box;
}

void registry_box_free(struct registry_box *box)
{
    pthread_mutex_lock(&lock);
    while (box->entries) {
        registry_end(box->entries);
    }
    while (box->givers > 0) {
        pthread_cond_wait(&given, &lock);
    }
    pthread_mutex_unlock(&lock);
    for (struct letter *letter = box->first, *next; letter; letter = next) {
        next = letter->next;
        registry_link_close(&letter->link);
        free(letter);
    }
    close(box->fd);
    pthread_mutex_destroy(&box->lock);
    free(box);
}

int registry_box_fd(const struct registry_box *box)
{
    return box->fd;
}

void registry_box_wake(struct registry_box *box)
{
    uint64_t one = 1;
    ssize_t done = write(box->fd, &one, sizeof one);

    (void)done; /* it fails only when the counter is full: then the box is awake already */
}

bool registry_box_take(struct registry_box *box, unsigned *tag, struct registry_link *link)
{
    uint64_t count;
    ssize_t done = read(box->fd, &count, sizeof count);

    (void)done; /* nothing to read is as good: the list is what counts */
    pthread_mutex_lock(&box->lock);
    struct letter *letter = box->first;
    if (letter) {
        box->first = letter->next;
        if (!box->first) {
            box->last = &box->first;
        }
    }
    pthread_mutex_unlock(&box->lock);
    if (!letter) {
        return false;
    }
    *tag = letter->tag;
    *link = letter->link;
    free(letter);
    return true;
}

void registry_add(struct registry_box *box, const char *token, unsigned tag, unsigned capacity)
{
    struct entry *entry = memory_zero(sizeof *entry);

    *entry = (struct entry){.box = box, .tag = tag, .capacity = capacity};
    strncpy(entry->token, token, sizeof entry->token - 1);
    entry->hash = registry_hash(entry->token);
    pthread_mutex_lock(&lock);
    entry->next = chains[entry->hash % CHAINS];
    chains[entry->hash % CHAINS] = entry;
    entry->other = box->entries;
    box->entries = entry;
    pthread_mutex_unlock(&lock);
}

/* Called with the lock held. */
static struct entry *registry_find(const char *token)
{
    char padded[TOKEN_OCTETS] = {0};

    if (strlen(token) >= sizeof padded) {
        return NULL;
    }
    memcpy(padded, token, strlen(token));
    uint64_t hash = registry_hash(padded);
    struct entry *entry = chains[hash % CHAINS];
    while (entry && (entry->hash != hash || sodium_memcmp(entry->token, padded, sizeof padded) != 0)) {
        entry = entry->next;
    }
    return entry;
}

void registry_retire(const char *token)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = registry_find(token);
    if (entry && entry->box) {
        registry_end(entry);
    }
    pthread_mutex_unlock(&lock);
}

void registry_narrow(const char *token, unsigned fewer)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = registry_find(token);
    if (entry && entry->box) {
        entry->capacity -= fewer < entry->capacity ? fewer : entry->capacity;
    }
    pthread_mutex_unlock(&lock);
}

static enum engine_status entry_status(const struct entry *entry)
{
    if (!entry) {
        return ENGINE_UNKNOWN_TOKEN;
    }
    if (!entry->box) {
        return ENGINE_OVER_TOKEN;
    }
    return entry->capacity ? ENGINE_OK : ENGINE_USED_TOKEN;
}

enum engine_status registry_check(const char *token)
{
    pthread_mutex_lock(&lock);
    enum engine_status status = entry_status(registry_find(token));
    pthread_mutex_unlock(&lock);
    return status;
}

/* The box stays while somebody puts a letter into it, and its owner is woken without a lock: who is woken may be served
 * before who wakes. */
static void registry_give(struct registry_box *box, struct letter *letter)
{
    pthread_mutex_lock(&box->lock);
    *box->last = letter;
    box->last = &letter->next;
    pthread_mutex_unlock(&box->lock);
    registry_box_wake(box);
    pthread_mutex_lock(&lock);
    if (--box->givers == 0) {
        pthread_cond_broadcast(&given);
    }
    pthread_mutex_unlock(&lock);
}

/* Puts the link into the box that waits for the token. On failure it stays the caller's. */
static enum engine_status registry_offer(const char *token, const struct registry_link *link)
{
    struct letter *letter = memory_zero(sizeof *letter);
    struct registry_box *box = NULL;

    letter->link = *link;
    pthread_mutex_lock(&lock);
    struct entry *entry = registry_find(token);
    enum engine_status status = entry_status(entry);
    if (status == ENGINE_OK) {
        entry->capacity--;
        letter->tag = entry->tag;
        box = entry->box;
        box->givers++;
    }
    pthread_mutex_unlock(&lock);
    if (box) {
        registry_give(box, letter);
    } else {
        free(letter);
    }
    return status;
}

enum engine_status registry_attach(const char *token, int fd, const void *extra, size_t extra_octets,
                                   void (*close_cb)(void *close_context), void *close_context)
{
    struct registry_link link = {.fd = fd, .close_cb = close_cb, .close_context = close_context};

    if (extra_octets) {
        link.extra = memory_zero(extra_octets);
        link.extra_octets = extra_octets;
        memcpy(link.extra, extra, extra_octets);
    }
    enum engine_status status = registry_offer(token, &link);
    if (status != ENGINE_OK) {
        free(link.extra);
    }
    return status;
}

void registry_pass(const char *token, struct registry_link *link)
{
    if (registry_offer(token, link) != ENGINE_OK) {
        registry_link_close(link);
    }
}
