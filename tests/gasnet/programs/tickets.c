/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Work that is handed out: node 0 keeps a stack of jobs under a handler-safe lock, which its own threads take from too.
 * A node asks by a short request and gets a job by a medium reply, or the word that there is none; what it has made of
 * the job goes back by a long request, to a place of its own, and is answered by a long reply with its sum, to the
 * place in the asking node's segment that the request names. tickets [JOBS]
 */
#define GASNET_PAR 1
#include <gasnet.h>
#include <pthread.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { ASK = 130, JOB, NONE, RESULT, RECEIPT };
enum { RESULT_OCTETS = 2000, MOST = 4000 };

/* What is read from a job: from where on, and how much is to be made. */
struct job {
    uint32_t number, seed;
};

static gasnet_seginfo_t *segment;
static gasnet_node_t me;
static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
static int left, jobs, came[MOST]; /* of node 0, under the lock */
static struct job job;             /* the one that was given out last, and whether it was */
static volatile int given, ended, receipts;

/* Pages of a segment: one for the results of each node, which node 0 needs; then two of the node's own. */
static void *own_page(size_t which)
{
    return (char *)segment[me].addr + (gasnet_nodes() + which) * GASNET_PAGESIZE;
}

/* Takes a job from the stack; false: there is none any more. */
static int take(struct job *taken)
{
    int got;

    gasnet_hsl_lock(&lock);
    got = left > 0;
    if (got) {
        left--;
        *taken = (struct job){(uint32_t)left, (uint32_t)left * 2654435761u};
    }
    gasnet_hsl_unlock(&lock);
    return got;
}

static void make(const struct job *which, unsigned char *result)
{
    for (uint32_t i = 0; i < RESULT_OCTETS; i++) {
        result[i] = (unsigned char)((which->seed >> i % 24) + i);
    }
}

static uint64_t sum_of(const unsigned char *result, size_t octets)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < octets; i++) {
        sum = sum * 31 + result[i];
    }
    return sum;
}

static void count(uint32_t number)
{
    gasnet_hsl_lock(&lock);
    came[number]++;
    gasnet_hsl_unlock(&lock);
}

static void ask(gasnet_token_t token)
{
    struct job taken;

    if (take(&taken)) {
        MUST(gasnet_AMReplyMedium0(token, JOB, &taken, sizeof taken));
    } else {
        MUST(gasnet_AMReplyShort0(token, NONE));
    }
}

static void get_job(gasnet_token_t token, void *data, size_t octets)
{
    (void)token;
    HOLDS(octets == sizeof job);
    memcpy(&job, data, sizeof job);
    given = 1;
}

static void get_none(gasnet_token_t token)
{
    (void)token;
    ended = 1;
}

/* The receipt goes where the arguments say, a pointer in two halves. */
static void result_comes(gasnet_token_t token, void *data, size_t octets, gasnet_handlerarg_t number,
                         gasnet_handlerarg_t high, gasnet_handlerarg_t low)
{
    uint64_t sum = sum_of(data, octets);
    struct job which = {(uint32_t)number, (uint32_t)number * 2654435761u};
    unsigned char expected[RESULT_OCTETS];

    make(&which, expected);
    HOLDS(octets == sizeof expected && !memcmp(data, expected, octets));
    count((uint32_t)number);
    MUST(gasnet_AMReplyLong1(token, RECEIPT, &sum, sizeof sum,
                             (void *)(uintptr_t)((uint64_t)(uint32_t)high << 32 | (uint32_t)low), number));
}

static void receipt_comes(gasnet_token_t token, void *data, size_t octets, gasnet_handlerarg_t number)
{
    (void)token;
    (void)number;
    HOLDS(octets == 8 && data == own_page(0));
    receipts++;
}

static void work(void)
{
    unsigned char *result = own_page(1);
    uint64_t place = (uint64_t)(uintptr_t)own_page(0);
    int sent = 0;

    while (1) {
        given = 0;
        MUST(gasnet_AMRequestShort0(0, ASK));
        GASNET_BLOCKUNTIL(given || ended);
        if (ended) {
            break;
        }
        make(&job, result);
        MUST(gasnet_AMRequestLong3(
            0, RESULT, result, RESULT_OCTETS, (char *)segment[0].addr + (size_t)me * GASNET_PAGESIZE,
            (gasnet_handlerarg_t)job.number, (gasnet_handlerarg_t)(place >> 32), (gasnet_handlerarg_t)place));
        sent++;
        GASNET_BLOCKUNTIL(receipts == sent);
        HOLDS(*(volatile uint64_t *)own_page(0) == sum_of(result, RESULT_OCTETS));
    }
}

/* A thread of node 0, which works without messages. */
static void *work_there(void *unused)
{
    struct job taken;

    while (take(&taken)) {
        count(taken.number);
        MUST(gasnet_AMPoll());
    }
    return unused;
}

int main(int argc, char **argv)
{
    gasnet_handlerentry_t table[] = {{ASK, (void (*)())ask},
                                     {JOB, (void (*)())get_job},
                                     {NONE, (void (*)())get_none},
                                     {RESULT, (void (*)())result_comes},
                                     {RECEIPT, (void (*)())receipt_comes}};
    pthread_t helpers[2];

    MUST(gasnet_init(&argc, &argv));
    me = gasnet_mynode();
    MUST(gasnet_attach(table, 5, (uintptr_t)(gasnet_nodes() + 2) * GASNET_PAGESIZE, 0));
    segment = segments();
    jobs = argc > 1 ? atoi(argv[1]) : 600;
    HOLDS(jobs <= MOST);
    left = me == 0 ? jobs : 0;
    barrier_all();
    if (me == 0) {
        for (int i = 0; i < 2; i++) {
            HOLDS(!pthread_create(&helpers[i], NULL, work_there, NULL));
        }
    }
    work();
    if (me == 0) {
        for (int i = 0; i < 2; i++) {
            pthread_join(helpers[i], NULL);
        }
    }
    barrier_all();
    for (int i = 0; i < jobs && me == 0; i++) {
        HOLDS(came[i] == 1);
    }
    if (me == 0) {
        puts("right");
        fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}
