/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whose turn it is. Launch agents that are here, and whose runs cannot be executed yet because as many are as may be,
 * ask again and again; a run's place is kept for some time after each.
 *
 * Turns are fair between accounts: whose account has the fewest runs, those before it in the queue included, is first;
 * of those who are equal, whose account has had no turn for the longest time, and then who has waited longest. An
 * account's hundred runs let another account's one pass.
 *
 *     executed: A A          queue, as they came: A1 A2 A3 B1 B2 C1          turns: B1 C1 B2 A1 A2 A3
 *
 * Knows neither clock nor database, and has no lock of its own.
 */
#ifndef WEB_RUNS_QUEUE_H
#define WEB_RUNS_QUEUE_H

#include "web/service/secret.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUEUE_MOST = 256, QUEUE_KEPT_S = 40 };

struct queue_place {
    char run[SECRET_ID_SIZE];
    int64_t account;
    uint64_t asked_us;
};

/* When an account had its last turn: the how manieth of all turns that was. */
struct queue_served {
    int64_t account;
    uint64_t turn;
};

/* struct queue begins as all zeros. */
struct queue {
    struct queue_place places[QUEUE_MOST]; /* as they came */
    size_t count;
    struct queue_served served[QUEUE_MOST]; /* those that had one last */
    uint64_t turns;
};

/* struct queue_load is what is executed now, the account of each, and how many there may be: in all, of an account. */
struct queue_load {
    const int64_t *accounts;
    size_t count, most, account_most;
};

/* struct queue_answer is what a run hears that asks for its turn. */
struct queue_answer {
    bool turn;     /* it may be executed; its place is kept until queue_serve or queue_leave */
    bool is_new;   /* it had no place before */
    bool at_limit; /* it waits for other runs of its own account */
    bool full;     /* so many wait that it has no place */
    size_t before; /* how many are to come before it */
};

/* queue_ask asks for the turn of a run at the time `now_us` of a clock that never goes back. */
struct queue_answer queue_ask(struct queue *queue, const struct queue_load *load, const char *run, int64_t account,
                              uint64_t now_us);

/* queue_serve says that the run has its turn now: its place is given up, and its account has had a turn. */
void queue_serve(struct queue *queue, const char *run, int64_t account);

/* queue_leave gives up the place of a run, if it has one. */
void queue_leave(struct queue *queue, const char *run);

#endif
