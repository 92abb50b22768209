/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Joining long messages with their data: see joins.h.
 */
#include "ref-impl/gasnet/messages/joins.h"

#include <pthread.h>
#include <stdlib.h>

#include "ref-impl/gasnet/base/fatal.h"

/* The half that came first. */
struct half {
    struct half *next;
    bool is_data;
    struct message message; /* of data only node, request and number */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct half *halves; /* few: credits bound them */

/* Takes the other half out of the list, or NULL. Lock held. */
static struct half *other_half(const struct message *message, bool is_data) //= GASN-147
{
    for (struct half **at = &halves; *at; at = &(*at)->next) {
        struct half *half = *at;

        if (half->is_data == is_data && half->message.node == message->node &&
            half->message.request == message->request && half->message.number == message->number) {
            *at = half->next;
            return half;
        }
    }
    return NULL;
}

static void keep(const struct message *message, bool is_data)
{
    struct half *half = malloc(sizeof(*half));

    if (!half) {
        fatal_end("no memory for a long message of node %u", message->node);
    }
    *half = (struct half){halves, is_data, *message};
    halves = half;
}

/* The half that waits for this one; keeps this one where there is none. */
static struct half *meet(const struct message *message, bool is_data)
{
    struct half *other;

    pthread_mutex_lock(&lock);
    other = other_half(message, !is_data);
    if (!other) {
        keep(message, is_data);
    }
    pthread_mutex_unlock(&lock);
    return other;
}

bool joins_message(const struct message *message)
{
    struct half *data = meet(message, false);

    free(data);
    return data != NULL;
}

bool joins_data(uint32_t node, bool request, uint32_t number, struct message *message)
{
    struct half *other = meet(&(struct message){.node = node, .request = request, .number = number}, true);

    if (!other) {
        return false;
    }
    *message = other->message;
    free(other);
    return true;
}
