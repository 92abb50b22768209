/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whose turn it is (web/runs/queue.h): fair between accounts, in order within one, and not for those who are gone.
 */
#include "web/runs/queue.h"

#include "tests/unit/tap.h"

#include <stdio.h>
#include <string.h>

enum { ACCOUNT_A = 1, ACCOUNT_B, ACCOUNT_C };

static struct queue queue;
static const int64_t both_of_a[] = {ACCOUNT_A, ACCOUNT_A};

/* Asks for a run whose name begins with its account's. */
static struct queue_answer ask(const struct queue_load *load, const char *run, uint64_t now_us)
{
    return queue_ask(&queue, load, run, run[0] - 'a' + ACCOUNT_A, now_us);
}

static void order_is_fair(void)
{
    static const char *const came[] = {"a1", "a2", "a3", "b1", "b2", "c1"}, *const turns[] = {"b1", "c1", "b2", "a1"};
    const struct queue_load full = {.accounts = both_of_a, .count = 2, .most = 2, .account_most = 8};

    memset(&queue, 0, sizeof queue);
    for (size_t i = 0; i < 6; i++) {
        struct queue_answer answer = ask(&full, came[i], 1);

        CHECK(!answer.turn && answer.is_new && !answer.at_limit, "%s waits", came[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        CHECK(ask(&full, turns[i], 2).before == i, "%s has %zu before it", turns[i], i);
        CHECK(!ask(&full, turns[i], 2).is_new, "and its place");
    }
    for (size_t i = 0; i < 4; i++) { /* with two places free, the first two have their turn, whoever asks first */
        const struct queue_load two_free = {.accounts = both_of_a, .count = 2, .most = 4, .account_most = 8};

        CHECK(ask(&two_free, turns[3 - i], 3).turn == (3 - i < 2), "the first two have their turn");
    }
}

/* With one run at once nobody has any when it is over: then who had the last turn is behind. */
static void last_turns(void)
{
    const struct queue_load idle = {.count = 0, .most = 1, .account_most = 8};

    memset(&queue, 0, sizeof queue);
    CHECK(ask(&idle, "a1", 1).turn, "nobody else is there");
    ask(&idle, "a2", 1);
    ask(&idle, "b1", 1);
    queue_serve(&queue, "a1", ACCOUNT_A);
    CHECK(!ask(&idle, "a2", 2).turn && ask(&idle, "b1", 2).turn, "the other account's turn");
    queue_serve(&queue, "b1", ACCOUNT_B);
    ask(&idle, "b2", 2);
    ask(&idle, "c1", 2);
    CHECK(ask(&idle, "c1", 3).turn, "who never had a turn");
    CHECK_EQ(ask(&idle, "a2", 3).before, 1, "then who had it first");
    CHECK_EQ(ask(&idle, "b2", 3).before, 2, "then who had it last");
    for (int64_t account = 100; account < 100 + 2 * QUEUE_MOST; account++) {
        queue_serve(&queue, "nobody", account);
    }
    CHECK_EQ(ask(&idle, "a2", 4).before, 0, "turns of long ago are forgotten: who came first");
}

static void own_limit(void)
{
    const struct queue_load load = {.accounts = both_of_a, .count = 2, .most = 100, .account_most = 3};

    memset(&queue, 0, sizeof queue);
    CHECK(ask(&load, "a1", 1).turn, "the third of an account");
    CHECK(!ask(&load, "a2", 1).turn && ask(&load, "a2", 1).at_limit, "the fourth waits for its own");
    CHECK(ask(&load, "b1", 1).turn, "nobody waits for those who wait for their own");
    queue_leave(&queue, "a1"); /* it was cancelled, say */
    CHECK(ask(&load, "a2", 2).turn, "the third again");
    queue_leave(&queue, "nobody");
}

static void who_is_gone(void)
{
    const struct queue_load one_free = {.accounts = both_of_a, .count = 2, .most = 3, .account_most = 8};
    const uint64_t kept_us = QUEUE_KEPT_S * UINT64_C(1000000);

    memset(&queue, 0, sizeof queue);
    CHECK(ask(&one_free, "b1", 1).turn, "there is room");
    CHECK(!ask(&one_free, "c1", 1 + kept_us).turn, "who was given it may still come");
    CHECK(ask(&one_free, "c1", 2 + kept_us).turn, "and has not come");
    CHECK(ask(&one_free, "b1", 2 + kept_us).is_new, "its place is gone");
}

static void no_place_left(void)
{
    const struct queue_load load = {.accounts = both_of_a, .count = 2, .most = 2, .account_most = 8};
    char run[SECRET_ID_SIZE];

    memset(&queue, 0, sizeof queue);
    for (int i = 0; i < QUEUE_MOST; i++) {
        snprintf(run, sizeof run, "b%d", i);
        CHECK(!ask(&load, run, 1).full, "a place for %s", run);
    }
    CHECK(ask(&load, "c1", 1).full && !ask(&load, "c1", 1).turn, "no place left");
    CHECK_EQ(queue.count, QUEUE_MOST, "none was made");
    CHECK(!ask(&load, "b0", 2).full, "who has one keeps it");
    queue_leave(&queue, "b7");
    CHECK(ask(&load, "c1", 2).is_new, "there is one again");
    CHECK_EQ(ask(&load, "c1", 2).before, 1, "only the other account's first is before it");
}

int main(void)
{
    TAP_RUN(order_is_fair);
    TAP_RUN(last_turns);
    TAP_RUN(own_limit);
    TAP_RUN(who_is_gone);
    TAP_RUN(no_place_left);
    return tap_done();
}
