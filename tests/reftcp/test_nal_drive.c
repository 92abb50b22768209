/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who drives a network (ref-impl/nal/drive.h): the turn, and how one who waits claims it of one who sleeps with it.
 */
#include "ref-impl/nal/drive.h"
#include "tests/unit/tap.h"

#include <pthread.h>
#include <semaphore.h>

enum { ROUNDS = 200, CLAIMERS = 4 };

static struct drive drive;
static sem_t asleep, woken, given;

/* Has the turn and sleeps with it until it is woken; then gives it up, and wants it back at once. */
static void *sleeper(void *has)
{
    bool *again = has;

    *again = !drive_take(&drive);
    drive_sleeps(&drive, true);
    sem_post(&asleep);
    sem_wait(&woken);
    drive_sleeps(&drive, false);
    drive_give(&drive);
    *again = *again || drive_take(&drive);
    sem_post(&given);
    return NULL;
}

static void only_a_sleeper_gives_way(void)
{
    drive_init(&drive, 2);
    CHECK(!drive_claim_begin(&drive), "nobody has the turn: there is nothing to claim");
    CHECK(drive_thread_take(&drive) && !drive_claim_begin(&drive), "the progress thread's turn is not claimed");
    drive_thread_give(&drive);
    CHECK(drive_take(&drive) && !drive_take(&drive), "one caller has it, a second does not get it");
    CHECK(!drive_claim_begin(&drive), "who is awake keeps it");
    drive_sleeps(&drive, true);
    CHECK(drive_claim_begin(&drive), "who sleeps does not");
    CHECK(!drive_claim_begin(&drive), "one claims it at a time");
    drive_sleeps(&drive, false);
    drive_give(&drive);
    CHECK(!drive_take(&drive) && !drive_thread_take(&drive), "nobody else takes what is claimed");
    CHECK(drive_claim_end(&drive), "who claims it gets it");
    drive_give(&drive);
    CHECK(drive_take(&drive), "and then it is anybody's");
    drive_give(&drive);
}

static void a_claim_does_not_wait_for_ever(void)
{
    drive_init(&drive, 2);
    CHECK(drive_take(&drive), "one has the turn");
    drive_sleeps(&drive, true);
    CHECK(drive_claim_begin(&drive), "it is claimed");
    CHECK(!drive_claim_end(&drive), "but not given, and the claim ends");
    CHECK(drive_claim_begin(&drive), "it can be claimed again");
    drive_sleeps(&drive, false);
    drive_give(&drive);
    CHECK(drive_claim_end(&drive), "with success, once it is given");
}

/* What the sleeper finds is the same whether the claim is quick or slow; which, the machine decides. */
static void a_sleeper_is_relieved(void)
{
    unsigned claimed = 0, begun = 0, taken_back = 0;

    for (int i = 0; i < ROUNDS; i++) {
        bool again = false;
        pthread_t thread;

        drive_init(&drive, 2);
        pthread_create(&thread, NULL, sleeper, &again);
        sem_wait(&asleep);
        begun += drive_claim_begin(&drive);
        sem_post(&woken);
        if (i % 2 == 0) {
            sem_wait(&given); /* the sleeper has tried to have it back, while it was claimed */
            taken_back += again;
        }
        if (drive_claim_end(&drive)) {
            claimed++;
            drive_give(&drive);
        }
        pthread_join(thread, NULL);
        if (i % 2 != 0) {
            sem_wait(&given);
        }
    }
    CHECK_EQ(begun, ROUNDS, "a sleeper's turn is claimed each time");
    CHECK_EQ(taken_back, 0, "who gave way does not take it back");
    CHECK(claimed >= ROUNDS / 2, "who claims gets it");
}

/* Who finds the progress thread at work, or another caller who then leaves, must not sleep as long as that stands
 * aside. */
static void who_relies_on_the_thread_is_served(void)
{
    drive_init(&drive, 2);
    CHECK(drive_take(&drive), "a caller drives");
    CHECK(drive_thread_spared(&drive), "so the thread is spared");
    drive_rely(&drive);
    CHECK(drive_thread_spared(&drive), "also when another caller relies on that one");
    drive_give(&drive);
    CHECK(!drive_thread_spared(&drive), "but not when that one has left");
    drive_look(&drive);
    CHECK(drive_thread_spared(&drive), "until callers drive again");
    CHECK(drive_thread_take(&drive) && !drive_take(&drive), "a caller finds the thread at work");
    drive_rely(&drive);
    drive_thread_give(&drive);
    drive_look(&drive);
    CHECK(!drive_thread_spared(&drive), "which then goes on, although callers have looked");
}

static void *stand_aside(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        drive_look(&drive);
        if (drive_thread_spared(&drive)) {
            drive_thread_aside(&drive);
        }
    }
    return unused;
}

/* Whatever the thread is about, it is woken or wakes. */
static void the_thread_wakes_for_those_who_rely(void)
{
    pthread_t thread;

    drive_init(&drive, 2);
    pthread_create(&thread, NULL, stand_aside, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        drive_rely(&drive);
        if (drive_take(&drive)) {
            drive_sleeps(&drive, true);
            drive_sleeps(&drive, false);
            drive_give(&drive);
        }
    }
    pthread_join(thread, NULL);
    CHECK(drive_thread_take(&drive), "and the turn is free in the end");
}

static unsigned guarded; /* by the turn */
static _Atomic unsigned turns;

/* Takes the turn or claims it; whoever has it pretends to sleep for a moment, so that others claim. */
static void *crowd(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        bool mine = drive_take(&drive) || (drive_claim_begin(&drive) && drive_claim_end(&drive));

        if (mine) {
            drive_sleeps(&drive, true);
            guarded++;
            turns++;
            drive_sleeps(&drive, false);
            drive_give(&drive);
        }
    }
    return unused;
}

static void one_has_the_turn_at_a_time(void)
{
    pthread_t threads[CLAIMERS];

    drive_init(&drive, 2);
    for (int i = 0; i < CLAIMERS; i++) {
        pthread_create(&threads[i], NULL, crowd, NULL);
    }
    for (int i = 0; i < CLAIMERS; i++) {
        pthread_join(threads[i], NULL);
    }
    CHECK_EQ(guarded, turns, "however it was taken");
    CHECK(drive_take(&drive), "and it is free in the end");
}

int main(void)
{
    sem_init(&asleep, 0, 0);
    sem_init(&woken, 0, 0);
    sem_init(&given, 0, 0);
    TAP_RUN(only_a_sleeper_gives_way);
    TAP_RUN(a_claim_does_not_wait_for_ever);
    TAP_RUN(a_sleeper_is_relieved);
    TAP_RUN(who_relies_on_the_thread_is_served);
    TAP_RUN(the_thread_wakes_for_those_who_rely);
    TAP_RUN(one_has_the_turn_at_a_time);
    return tap_done();
}
