/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The queue (queue.h). It is short, so it is searched from one end to the other.
 */
#include "web/runs/queue.h"

#include <stdio.h>
#include <string.h>

static void remove_at(struct queue *queue, size_t at)
{
    queue->count--;
    memmove(&queue->places[at], &queue->places[at + 1], (queue->count - at) * sizeof queue->places[0]);
}

static void forget_absent(struct queue *queue, uint64_t now_us)
{
    for (size_t at = queue->count; at-- > 0;) {
        if (now_us > queue->places[at].asked_us + QUEUE_KEPT_S * UINT64_C(1000000)) {
            remove_at(queue, at);
        }
    }
}

/* The run's place, or `count`. */
static size_t find(const struct queue *queue, const char *run)
{
    size_t at = 0;

    while (at < queue->count && strcmp(queue->places[at].run, run) != 0) {
        at++;
    }
    return at;
}

/* How many runs of its account are executed, or came before it. */
static size_t runs_before(const struct queue *queue, const struct queue_load *load, size_t at)
{
    int64_t account = queue->places[at].account;
    size_t runs = 0;

    for (size_t i = 0; i < load->count; i++) {
        runs += load->accounts[i] == account;
    }
    for (size_t i = 0; i < at; i++) {
        runs += queue->places[i].account == account;
    }
    return runs;
}

static uint64_t last_turn(const struct queue *queue, int64_t account)
{
    for (size_t i = 0; i < QUEUE_MOST; i++) {
        if (queue->served[i].account == account) {
            return queue->served[i].turn;
        }
    }
    return 0;
}

/* What decides when it is the turn of a place. */
struct rank {
    size_t runs;
    uint64_t last;
    size_t at;
};

static struct rank rank_of(const struct queue *queue, const struct queue_load *load, size_t at)
{
    return (struct rank){
        .runs = runs_before(queue, load, at), .last = last_turn(queue, queue->places[at].account), .at = at};
}

static bool is_before(const struct rank *one, const struct rank *other)
{
    if (one->runs != other->runs) {
        return one->runs < other->runs;
    }
    return one->last != other->last ? one->last < other->last : one->at < other->at;
}

struct queue_answer queue_ask(struct queue *queue, const struct queue_load *load, const char *run, int64_t account,
                              uint64_t now_us)
{
    struct queue_answer answer = {0};
    struct rank own;
    size_t at;

    forget_absent(queue, now_us);
    at = find(queue, run);
    answer.is_new = at == queue->count;
    answer.full = at == QUEUE_MOST;
    if (answer.full) {
        return answer;
    }
    if (answer.is_new) {
        queue->places[at] = (struct queue_place){.account = account};
        snprintf(queue->places[at].run, sizeof queue->places[at].run, "%s", run);
        queue->count++;
    }
    queue->places[at].asked_us = now_us;
    own = rank_of(queue, load, at);
    for (size_t i = 0; i < queue->count; i++) {
        struct rank other = rank_of(queue, load, i);

        answer.before += is_before(&other, &own);
    }
    answer.at_limit = own.runs >= load->account_most;
    answer.turn = !answer.at_limit && load->count + answer.before < load->most;
    return answer;
}

/* The account's entry, or else that of the one whose turn is longest ago. */
void queue_serve(struct queue *queue, const char *run, int64_t account)
{
    struct queue_served *entry = queue->served;

    for (size_t i = 0; i < QUEUE_MOST && entry->account != account; i++) {
        if (queue->served[i].account == account || queue->served[i].turn < entry->turn) {
            entry = &queue->served[i];
        }
    }
    *entry = (struct queue_served){.account = account, .turn = ++queue->turns};
    queue_leave(queue, run);
}

void queue_leave(struct queue *queue, const char *run)
{
    size_t at = find(queue, run);

    if (at < queue->count) {
        remove_at(queue, at);
    }
}
