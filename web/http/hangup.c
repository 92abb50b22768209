/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Watches the sockets of upgraded connections (hangup.h). What has come from a client that has hung up goes two ways
 * yet: out of its socket, and out of the library's pair. Only where both are empty, twice in a row, is the end told.
 */
#include "web/http/hangup.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOOK_MS = 20, EMPTY_LOOKS = 2, LOOKS_MAX = 250, EVENTS = 16 };

struct hangup {
    struct hangups *hangups; /* NULL: it is not watched */
    struct MHD_UpgradeResponseHandle *handle;
    int client, end;
    bool leaving;
    unsigned looks, empty; /* since it leaves */
    struct hangup *next;
};

struct hangups {
    pthread_t thread;
    int epoll, stop;
    atomic_bool ending;
    pthread_mutex_t lock; /* guards what follows, and that a socket in the list is open */
    struct hangup *list;
};

static bool has_hung_up(int fd)
{
    struct pollfd look = {.fd = fd, .events = POLLRDHUP};

    return poll(&look, 1, 0) > 0 && (look.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

static bool is_empty(int fd)
{
    int octets = 0;

    return ioctl(fd, FIONREAD, &octets) != 0 || octets == 0;
}

/* Under the lock. */
static void look_at(struct hangup *one)
{
    one->looks++;
    one->empty = is_empty(one->client) && is_empty(one->end) ? one->empty + 1 : 0;
    if (one->empty >= EMPTY_LOOKS || one->looks >= LOOKS_MAX) {
        shutdown(one->end, SHUT_RD);
        one->leaving = false;
    }
}

/* Whether some are leaving. */
static bool look_at_all(struct hangups *hangups)
{
    bool some = false;

    pthread_mutex_lock(&hangups->lock);
    for (struct hangup *one = hangups->list; one; one = one->next) {
        if (one->leaving) {
            look_at(one);
            some |= one->leaving;
        }
    }
    pthread_mutex_unlock(&hangups->lock);
    return some;
}

/* By the time its event is read a socket may have been closed, and its number be another connection's. */
static void note_leaving(struct hangups *hangups, int client)
{
    pthread_mutex_lock(&hangups->lock);
    for (struct hangup *one = hangups->list; one; one = one->next) {
        if (one->client == client && has_hung_up(client)) {
            one->leaving = true;
            one->looks = one->empty = 0;
        }
    }
    pthread_mutex_unlock(&hangups->lock);
}

static void *watch(void *context)
{
    struct hangups *hangups = context;
    struct epoll_event events[EVENTS];
    bool some = false;

    while (!hangups->ending) {
        int count = epoll_wait(hangups->epoll, events, EVENTS, some ? LOOK_MS : -1);

        for (int i = 0; i < count; i++) {
            if (events[i].data.fd != hangups->stop) {
                note_leaving(hangups, events[i].data.fd);
            }
        }
        some = look_at_all(hangups);
    }
    return NULL;
}

static void release(struct hangups *hangups)
{
    if (hangups->epoll >= 0) {
        close(hangups->epoll);
    }
    if (hangups->stop >= 0) {
        close(hangups->stop);
    }
    pthread_mutex_destroy(&hangups->lock);
    free(hangups);
}

struct hangups *hangups_new(void)
{
    struct hangups *hangups = calloc(1, sizeof *hangups);
    struct epoll_event event = {.events = EPOLLIN};

    if (!hangups) {
        return NULL;
    }
    pthread_mutex_init(&hangups->lock, NULL);
    hangups->epoll = epoll_create1(EPOLL_CLOEXEC);
    hangups->stop = event.data.fd = eventfd(0, EFD_CLOEXEC);
    if (hangups->epoll < 0 || hangups->stop < 0 ||
        epoll_ctl(hangups->epoll, EPOLL_CTL_ADD, hangups->stop, &event) != 0 ||
        pthread_create(&hangups->thread, NULL, watch, hangups) != 0) {
        release(hangups);
        return NULL;
    }
    return hangups;
}

void hangups_free(struct hangups *hangups)
{
    if (hangups) {
        hangups->ending = true;
        eventfd_write(hangups->stop, 1);
        pthread_join(hangups->thread, NULL);
        release(hangups);
    }
}

struct hangup *hangup_begin(struct hangups *hangups, struct MHD_Connection *connection, MHD_socket end,
                            struct MHD_UpgradeResponseHandle *handle)
{
    struct hangup *one = calloc(1, sizeof *one);
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT};

    if (!one) {
        return NULL;
    }
    one->hangups = hangups;
    one->handle = handle;
    one->end = end;
    if (hangups) {
        one->client = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        event.data.fd = one->client;
        pthread_mutex_lock(&hangups->lock);
        if (epoll_ctl(hangups->epoll, EPOLL_CTL_ADD, one->client, &event) == 0) {
            one->next = hangups->list;
            hangups->list = one;
        } else {
            free(one);
            one = NULL;
        }
        pthread_mutex_unlock(&hangups->lock);
    }
    return one;
}

void hangup_close(void *hangup)
{
    struct hangup *one = hangup, **at;

    if (one->hangups) {
        pthread_mutex_lock(&one->hangups->lock);
        for (at = &one->hangups->list; *at != one; at = &(*at)->next) {
        }
        *at = one->next;
        epoll_ctl(one->hangups->epoll, EPOLL_CTL_DEL, one->client, NULL);
        pthread_mutex_unlock(&one->hangups->lock);
    }
    MHD_upgrade_action(one->handle, MHD_UPGRADE_ACTION_CLOSE);
    free(one);
}
