/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A lock that favours the thread which uses it: lock.h. What it guards here is a plain number, which tsan watches.
 */
#include "ref-impl/lock.h"

#include <sched.h>

#include "tests/unit/tap.h"

enum { ALONE = 1000, MEETINGS = 300, GUESTS = 2, CALLS = 20000, TURNS = 3000, ROUNDS = 20 };

static struct lock lock;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int number;
static _Atomic bool met;

/* As often as that somebody adds to the number, with nobody in between. */
static void add(int times)
{
    for (int i = 0; i < times; i++) {
        lock_take(&lock);
        number++;
        lock_give(&lock);
    }
}

static void begin(void)
{
    lock_init(&lock);
    number = 0;
}

static void *guest(void *times)
{
    add(*(const int *)times);
    return NULL;
}

static void run_guest(int times)
{
    pthread_t thread;

    pthread_create(&thread, NULL, guest, &times);
    pthread_join(thread, NULL);
}

static void who_is_alone_is_favoured(void)
{
    begin();
    CHECK(!lock.favours, "nobody at first");
    add(ALONE);
    CHECK(lock.favours && lock_is_favoured(&lock) && !lock.inside, "who has been alone for long");
    lock_take(&lock);
    CHECK(lock.inside, "goes in without the mutex");
    lock_give(&lock);
    run_guest(1);
    CHECK(!lock.favours && lock_is_favoured(&lock), "until another comes");
    add(1);
    CHECK(!lock.favours, "and then for a while not");
    add(ALONE);
    CHECK(lock.favours, "but later again");
    run_guest(ALONE);
    CHECK(!lock.favours && lock_is_favoured(&lock), "another is not favoured in its place");
    CHECK_EQ(number, 3 * ALONE + 2, "all have added");
    lock_destroy(&lock);
}

/* One comes at any time, who looks whether the favoured one is inside. */
static void nobody_is_inside_with_another(void)
{
    pthread_t guests[GUESTS];
    int times = CALLS;

    begin();
    add(ALONE);
    for (int i = 0; i < GUESTS; i++) {
        pthread_create(&guests[i], NULL, guest, &times);
    }
    add(CALLS);
    for (int i = 0; i < GUESTS; i++) {
        pthread_join(guests[i], NULL);
    }
    CHECK_EQ(number, ALONE + (GUESTS + 1) * CALLS, "three at once");
    lock_destroy(&lock);
}

static void *meet(void *nothing)
{
    for (int i = 0; i < MEETINGS; i++) {
        while (!atomic_load(&lock.favours)) {
            sched_yield();
        }
        add(1);
    }
    atomic_store(&met, true);
    return nothing;
}

/* If the two could be inside at once, they would at times both write the number that they have read. */
static void favour_comes_and_goes(void)
{
    int added = 0;
    pthread_t thread;

    begin();
    add(ALONE);
    pthread_create(&thread, NULL, meet, NULL);
    while (!atomic_load(&met)) {
        add(ALONE);
        added += ALONE;
    }
    pthread_join(thread, NULL);
    CHECK_EQ(number, ALONE + added + MEETINGS, "one who is favoured most of the time, and one who comes now and then");
    lock_destroy(&lock);
}

/* The other one's turn is when the number is odd. */
static void turns(int mine)
{
    for (int i = 0; i < TURNS; i++) {
        lock_take(&lock);
        while (number % 2 != mine) {
            lock_wait(&lock, &changed);
        }
        number++;
        pthread_cond_signal(&changed);
        lock_give(&lock);
    }
}

static void *odd(void *nothing)
{
    turns(1);
    return nothing;
}

static void who_waits_is_told(void)
{
    pthread_t thread;

    begin();
    add(2 * ALONE);
    pthread_create(&thread, NULL, odd, NULL);
    turns(0);
    pthread_join(thread, NULL);
    CHECK_EQ(number, 2 * ALONE + 2 * TURNS, "each after the other");
    lock_destroy(&lock);
}

/* One sleeps while the other becomes favoured, and wakes while that one goes in and out. */
static void *sleeper(void *nothing)
{
    lock_take(&lock);
    while (number < ALONE) {
        lock_wait(&lock, &changed);
    }
    number += CALLS;
    lock_give(&lock);
    return nothing;
}

static void who_wakes_ends_the_favour(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_t thread;

        begin();
        pthread_create(&thread, NULL, sleeper, NULL);
        add(ALONE);
        pthread_cond_signal(&changed);
        add(CALLS);
        pthread_join(thread, NULL);
        CHECK_EQ(number, ALONE + 2 * CALLS, "one who wakes while another is favoured");
        lock_destroy(&lock);
    }
}

int main(void)
{
    TAP_RUN(who_is_alone_is_favoured);
    TAP_RUN(nobody_is_inside_with_another);
    TAP_RUN(favour_comes_and_goes);
    TAP_RUN(who_waits_is_told);
    TAP_RUN(who_wakes_ends_the_favour);
    return tap_done();
}
