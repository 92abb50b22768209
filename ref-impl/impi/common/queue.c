/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One block of memory with octets in it; see queue.h. What was taken leaves a hole in front, which is closed when room
 * is needed and the hole is larger than what would be moved, so each octet moves once on average. Used by the IMPI
 * server, the client and the host agents, none of which may wait for anybody.
 */
#include "ref-impl/impi/common/queue.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { QUEUE_FIRST = 4096, QUEUE_KEEP = 1 << 20 /* an empty queue keeps no more memory than this */ };

unsigned char *queue_space(struct queue *queue, size_t len)
{
    size_t held = queue_len(queue);

    if (queue->octets && queue->cap - queue->end >= len) {
        return queue->octets + queue->end;
    }
    if (queue->octets && queue->begin >= held && queue->cap - held >= len) {
        memmove(queue->octets, queue->octets + queue->begin, held);
    } else {
        size_t cap = queue->cap ? queue->cap : QUEUE_FIRST;

        while (cap - held < len) {
            if (cap > SIZE_MAX / 2) {
                errno = ENOMEM;
                return NULL;
            }
            cap *= 2;
        }
        unsigned char *octets = malloc(cap);
        if (!octets) {
            return NULL;
        }
        if (held > 0) {
            memcpy(octets, queue->octets + queue->begin, held);
        }
        free(queue->octets);
        queue->octets = octets;
        queue->cap = cap;
    }
    queue->begin = 0;
    queue->end = held;
    return queue->octets + held;
}

void queue_filled(struct queue *queue, size_t len)
{
    queue->end += len;
}

bool queue_put(struct queue *queue, const void *octets, size_t len)
{
    unsigned char *space = queue_space(queue, len);

    if (!space) {
        return false;
    }
    if (len > 0) {
        memcpy(space, octets, len);
    }
    queue->end += len;
    return true;
}

void queue_take(struct queue *queue, size_t len)
{
    queue->begin += len;
    if (queue->begin < queue->end) {
        return;
    }
    queue->begin = queue->end = 0;
    if (queue->cap > QUEUE_KEEP) {
        queue_free(queue);
    }
}

void queue_free(struct queue *queue)
{
    free(queue->octets);
    *queue = (struct queue){0};
}

enum queue_moved queue_receive(struct queue *queue, int fd, size_t max)
{
    unsigned char *space = queue_space(queue, max);

    if (!space) {
        return QUEUE_BROKEN;
    }
    for (;;) {
        ssize_t got = recv(fd, space, max, MSG_DONTWAIT);

        if (got > 0) {
            queue->end += (size_t)got;
            return QUEUE_MOVED;
        }
        if (got == 0) {
            return QUEUE_ENDED;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return QUEUE_MOVED;
        }
        if (errno != EINTR) {
            return QUEUE_BROKEN;
        }
    }
}

enum queue_moved queue_send(struct queue *queue, int fd)
{
    while (queue_len(queue) > 0) {
        ssize_t put = send(fd, queue_front(queue), queue_len(queue), MSG_DONTWAIT | MSG_NOSIGNAL);

        if (put >= 0) {
            queue_take(queue, (size_t)put);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return QUEUE_MOVED;
        } else if (errno != EINTR) {
            return QUEUE_BROKEN;
        }
    }
    return QUEUE_MOVED;
}

bool queue_pass(struct queue *queue, int fd, const void *octets, size_t len)
{
    ssize_t put = queue_len(queue) > 0 ? 0 : send(fd, octets, len, MSG_DONTWAIT | MSG_NOSIGNAL);
    size_t gone = put > 0 ? (size_t)put : 0;

    return gone == len || queue_put(queue, (const unsigned char *)octets + gone, len - gone);
}
