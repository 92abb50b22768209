/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets that wait for something: to be sent, or to be complete. Put in at the end, taken from the front; memory grows
 * with what is really there, never with what somebody announced.
 */
#ifndef REF_IMPL_IMPI_COMMON_QUEUE_H
#define REF_IMPL_IMPI_COMMON_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

/* struct queue holds octets[begin .. end-1]. All zeros is an empty queue. */
struct queue {
    unsigned char *octets;
    size_t begin, end, cap;
};

/* queue_len - how many octets wait. */
static inline size_t queue_len(const struct queue *queue)
{
    return queue->end - queue->begin;
}

/* queue_front - where they are, good until something is put in. */
static inline unsigned char *queue_front(const struct queue *queue)
{
    return queue->octets ? queue->octets + queue->begin : NULL;
}

/* queue_space - room for at least `len` octets behind the last; the caller fills some of it and says so by
 * queue_filled. NULL: no memory, the queue is as before. */
unsigned char *queue_space(struct queue *queue, size_t len);
void queue_filled(struct queue *queue, size_t len);

/* queue_put - copies octets to the end. False: no memory, nothing is put. */
bool queue_put(struct queue *queue, const void *octets, size_t len);

/* queue_take - forgets the first `len` octets, which must be there. */
void queue_take(struct queue *queue, size_t len);

/* queue_free - forgets all of it, and frees the memory. */
void queue_free(struct queue *queue);

/* Outcome of an attempt to move octets between a queue and a descriptor that does not block. */
enum queue_moved {
    QUEUE_MOVED, /* as much as went at once, perhaps nothing */
    QUEUE_ENDED, /* reading: the other side has ended in order */
    QUEUE_BROKEN /* errno says how; also out of memory */
};

/* queue_receive - reads at most `max` octets from the descriptor to the end of the queue. Never blocks.
 * queue_send - writes to a socket as much from the front as goes at once. Never blocks, raises no signal. */
enum queue_moved queue_receive(struct queue *queue, int fd, size_t max);
enum queue_moved queue_send(struct queue *queue, int fd);

/* queue_pass - writes to the socket what goes at once of octets from elsewhere, if none wait before them, and puts the
 * rest to the end of the queue. What is wrong with the socket, queue_send tells. False: no memory, some are lost. */
bool queue_pass(struct queue *queue, int fd, const void *octets, size_t len);

#endif
