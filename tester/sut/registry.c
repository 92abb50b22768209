/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Tokens and mailboxes (registry.h). A token that is over stays known for a while, so that its owner is told "over" and
 * not "unknown".
 */
#include "tester/sut/registry.h"

#include "tester/base/memory.h"

#include <pthread.h>
#include <sodium/utils.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { REMEMBERED = 1024, TOKEN_OCTETS = 129 };

struct entry {
    struct entry *next;
    struct registry_box *box; /* NULL: over */
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
    struct letter *first, **last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries; /* newest first */

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

struct registry_box *registry_box_new(void)
{
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

    if (fd < 0) {
        return NULL;
    }
    struct registry_box *box = memory_zero(sizeof *box);
    box->fd = fd;
    box->last = &box->first;
    return box;
}

void registry_box_free(struct registry_box *box)
{
    pthread_mutex_lock(&lock);
    for (struct entry *entry = entries; entry; entry = entry->next) {
        if (entry->box == box) {
            entry->box = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
    for (struct letter *letter = box->first, *next; letter; letter = next) {
        next = letter->next;
        registry_link_close(&letter->link);
        free(letter);
    }
    close(box->fd);
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
    pthread_mutex_lock(&lock);
    struct letter *letter = box->first;
    if (letter) {
        box->first = letter->next;
        if (!box->first) {
            box->last = &box->first;
        }
    }
    pthread_mutex_unlock(&lock);
    if (!letter) {
        return false;
    }
    *tag = letter->tag;
    *link = letter->link;
    free(letter);
    return true;
}

/* Forgets the oldest tokens that are over. Called with the lock held. */
static void registry_trim(void)
{
    size_t over = 0;

    for (struct entry **at = &entries; *at;) {
        struct entry *entry = *at;
        if (!entry->box && ++over > REMEMBERED) {
            *at = entry->next;
            free(entry);
        } else {
            at = &entry->next;
        }
    }
}

void registry_add(struct registry_box *box, const char *token, unsigned tag, unsigned capacity)
{
    struct entry *entry = memory_zero(sizeof *entry);

    *entry = (struct entry){.box = box, .tag = tag, .capacity = capacity};
    strncpy(entry->token, token, sizeof entry->token - 1);
    pthread_mutex_lock(&lock);
    entry->next = entries;
    entries = entry;
    registry_trim();
    pthread_mutex_unlock(&lock);
}

/* Called with the lock held. All entries are compared in constant time: how long it takes must not tell how much of a
 * token was guessed. */
static struct entry *registry_find(const char *token)
{
    char padded[TOKEN_OCTETS] = {0};
    struct entry *found = NULL;

    if (strlen(token) >= sizeof padded) {
        return NULL;
    }
    memcpy(padded, token, strlen(token));
    for (struct entry *entry = entries; entry; entry = entry->next) {
        if (sodium_memcmp(entry->token, padded, sizeof padded) == 0) {
            found = found ? found : entry;
        }
    }
    return found;
}

void registry_retire(const char *token)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = registry_find(token);
    if (entry) {
        entry->box = NULL;
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

/* Puts the link into the box that waits for the token. On failure it stays the caller's. */
static enum engine_status registry_offer(const char *token, const struct registry_link *link)
{
    struct letter *letter = memory_zero(sizeof *letter);

    letter->link = *link;
    pthread_mutex_lock(&lock);
    struct entry *entry = registry_find(token);
    enum engine_status status = entry_status(entry);
    if (status == ENGINE_OK) {
        entry->capacity--;
        letter->tag = entry->tag;
        *entry->box->last = letter;
        entry->box->last = &letter->next;
        registry_box_wake(entry->box);
    }
    pthread_mutex_unlock(&lock);
    if (status != ENGINE_OK) {
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
