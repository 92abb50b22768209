/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The relay of labels; see collect.h and chapter 2.3.5. Every client has a list of what it submitted, in ascending
 * order. The next label to come out is the lowest that stands first in any list, and it is complete when every client
 * has it first, or has something above it, or is done.
 *
 *      client 0:   1000  1100  1300              the next is 1100: client 2 has skipped it with its 1200,
 *      client 1:         1100                    so it comes out with the mask 011
 *      client 2:                1200 DONE
 */
#include "ref-impl/impi/server/collect.h"

#include "wire/impi/startup.h"

#include <stdlib.h>
#include <string.h>

/* What one client submitted for one label. */
struct values {
    struct values *next;
    int32_t label;
    size_t len;
    unsigned char octets[];
};

struct submitter {
    struct values *first, *last;
    size_t held;
    bool any;        /* has ever submitted: `highest` is meant */
    int32_t highest; /* label that came last */
    bool done;
};

struct collect {
    uint32_t clients;
    struct submitter all[WIRE_IMPI_CLIENTS_MAX];
};

struct collect *collect_create(uint32_t clients)
{
    struct collect *c = calloc(1, sizeof *c);

    if (c) {
        c->clients = clients;
    }
    return c;
}

static void first_drop(struct submitter *s)
{
    struct values *values = s->first;

    s->first = values->next;
    s->held -= sizeof *values + values->len;
    if (!s->first) {
        s->last = NULL;
    }
    free(values);
}

void collect_forget(struct collect *c, uint32_t rank)
{
    while (c->all[rank].first) {
        first_drop(&c->all[rank]);
    }
    c->all[rank] = (struct submitter){0};
}

void collect_free(struct collect *c)
{
    for (uint32_t rank = 0; c && rank < c->clients; rank++) {
        collect_forget(c, rank);
    }
    free(c);
}

//= IMPI-050
//= IMPI-051
enum collect_outcome collect_add(struct collect *c, uint32_t rank, int32_t label, const void *octets, size_t len)
{
    struct submitter *s = &c->all[rank];

    if (s->done) {
        return COLLECT_LATE;
    }
    if (s->any && label <= s->highest) {
        return label == s->highest ? COLLECT_REPEATED : COLLECT_OUT_OF_ORDER;
    }
    struct values *values = malloc(sizeof *values + len);
    if (!values) {
        return COLLECT_NO_MEMORY;
    }
    values->next = NULL;
    values->label = label;
    values->len = len;
    if (len > 0) {
        memcpy(values->octets, octets, len);
    }
    if (s->last) {
        s->last->next = values;
    } else {
        s->first = values;
    }
    s->last = values;
    s->held += sizeof *values + len;
    s->any = true;
    s->highest = label;
    return COLLECT_TAKEN;
}

bool collect_done(struct collect *c, uint32_t rank)
{
    bool was = c->all[rank].done;

    c->all[rank].done = true;
    return !was;
}

size_t collect_held(const struct collect *c, uint32_t rank)
{
    return c->all[rank].held;
}

/* The lowest label that waits anywhere; false: none does. */
static bool lowest_find(const struct collect *c, int32_t *label)
{
    bool found = false;

    for (uint32_t rank = 0; rank < c->clients; rank++) {
        const struct values *first = c->all[rank].first;

        if (first && (!found || first->label < *label)) {
            *label = first->label;
            found = true;
        }
    }
    return found;
}

/* Whether no client can still submit the label: each has, or is past it. */
static bool complete(const struct collect *c, int32_t label)
{
    for (uint32_t rank = 0; rank < c->clients; rank++) {
        const struct submitter *s = &c->all[rank];
        bool past = s->done || (s->any && s->highest >= label); //= IMPI-049

        if (!past) {
            return false;
        }
    }
    return true;
}

bool collect_next(struct collect *c, unsigned char **octets, size_t *len, bool *no_memory)
{
    struct wire_impi_command command = {.kind = WIRE_IMPI_SAYS_COLL, .cmd = WIRE_IMPI_CMD_COLL};
    size_t values_len = 0;
    size_t used = 0;

    *no_memory = false;
    if (!lowest_find(c, &command.label) || !complete(c, command.label)) {
        return false;
    }
    for (uint32_t rank = 0; rank < c->clients; rank++) {
        const struct values *first = c->all[rank].first;

        if (first && first->label == command.label) {
            command.client_mask |= 1U << rank; //= IMPI-046
            values_len += first->len;
        }
    }
    command.len = (int32_t)(values_len + 8); //= IMPI-044
    unsigned char *message = malloc(WIRE_IMPI_COMMAND_MAX + values_len);
    if (!message ||
        wire_impi_command_encode(WIRE_IMPI_FROM_SERVER, &command, message, WIRE_IMPI_COMMAND_MAX, &used) != WIRE_OK) {
        free(message);
        *no_memory = true;
        return false;
    }
    for (uint32_t rank = 0; rank < c->clients; rank++) {
        const struct values *first = c->all[rank].first;

        if (first && first->label == command.label) {
            memcpy(message + used, first->octets, first->len); //= IMPI-045
            used += first->len;
            first_drop(&c->all[rank]);
        }
    }
    *octets = message;
    *len = used;
    return true;
}

bool collect_finished(const struct collect *c)
{
    for (uint32_t rank = 0; rank < c->clients; rank++) {
        if (!c->all[rank].done || c->all[rank].first) {
            return false;
        }
    }
    return true;
}
