/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The decoders (decoders.h). A decoder is made by the first who asks for its capture; its thread frees it:
 *
 *     idle --asked--> busy --answered--> idle --a minute, or another needs the place, or the end--> leaving --> freed
 *
 * One that leaves is found by nobody any more, and its process still counts until it is gone.
 */
#include "web/decode/decoders.h"

#include "web/decode/confine.h"
#include "web/decode/sharkd.h"
#include "web/service/limits.h"
#include "web/service/service.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WAITING_MAX = 8, IDLE_S = 60, LIFE_S = 600, RETRY_S = 2 };

struct decoder {
    struct decoders *all;
    struct decoder *next;
    int64_t account;
    struct evidence_place place; /* of the capture */
    time_t opened;               /* of the process; the thread's own */
    struct sharkd *sharkd;       /* what follows is guarded by all->lock; only the thread changes this one */
    bool busy, leaving;
    time_t used;
    pthread_cond_t news;
    unsigned count;
    struct request *waiting[WAITING_MAX]; /* in the order of their coming */
};

struct decoders {
    const char *plugins;
    const struct evidence_files *evidence;
    unsigned most, account_most;
    char program[PATH_MAX];
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t fewer; /* processes, or decoders */
    bool ending;
    unsigned processes;
    struct decoder *first;
};

static time_t now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* ---- the thread of a decoder ------------------------------------------------------------------------------------- */

/* Gives the process up. Without the lock. */
static void end_process(struct decoder *decoder)
{
    struct decoders *all = decoder->all;
    struct sharkd *sharkd;

    pthread_mutex_lock(&all->lock);
    sharkd = decoder->sharkd;
    decoder->sharkd = NULL;
    pthread_mutex_unlock(&all->lock);
    if (sharkd) {
        sharkd_close(sharkd);
        pthread_mutex_lock(&all->lock);
        all->processes--;
        pthread_cond_broadcast(&all->fewer);
        pthread_mutex_unlock(&all->lock);
    }
}

/* Waits until there is room for a process, which it counts. False: the service ends. */
static bool take_place(struct decoders *all)
{
    bool taken;

    pthread_mutex_lock(&all->lock);
    while (!all->ending && all->processes >= all->most) {
        pthread_cond_wait(&all->fewer, &all->lock);
    }
    taken = !all->ending;
    all->processes += taken;
    pthread_mutex_unlock(&all->lock);
    return taken;
}

/* From here on decoders_stop can have it end. */
static void note_process(struct decoder *decoder, struct sharkd *sharkd)
{
    struct decoders *all = decoder->all;

    decoder->opened = now_s();
    pthread_mutex_lock(&all->lock);
    decoder->sharkd = sharkd;
    if (!sharkd) {
        all->processes--;
        pthread_cond_broadcast(&all->fewer);
    } else if (all->ending) {
        sharkd_kill(sharkd);
    }
    pthread_mutex_unlock(&all->lock);
}

static bool begin_process(struct decoder *decoder)
{
    struct decoders *all = decoder->all;
    char *capture;

    if (!take_place(all)) {
        return false;
    }
    capture = evidence_files_load(all->evidence, &decoder->place);
    note_process(decoder, capture ? sharkd_start(all->program, all->plugins, capture, decoder->place.octets) : NULL);
    free(capture);
    if (decoder->sharkd && sharkd_load(decoder->sharkd) != SHARKD_OK) {
        end_process(decoder);
    }
    return decoder->sharkd != NULL;
}

/* Leaves the work without an answer where there is none, as when the service ends. */
static void answer(struct decoder *decoder, struct decode_work *work)
{
    enum sharkd_status status;

    if (decoder->sharkd && now_s() - decoder->opened >= LIFE_S) {
        end_process(decoder);
    }
    if (!decoder->sharkd && !begin_process(decoder)) {
        return;
    }
    status = work->frame > 0 ? sharkd_frame(decoder->sharkd, work->frame, &work->answer)
                             : sharkd_frames(decoder->sharkd, work->skip, work->count, &work->answer);
    work->none = status == SHARKD_NONE;
    if (status == SHARKD_BROKEN) {
        end_process(decoder);
    }
}

/* The next who waits; NULL when the decoder has to leave. With the lock. */
static struct request *await(struct decoder *decoder)
{
    struct request *request;

    while (decoder->count == 0) {
        struct timespec until = {.tv_sec = decoder->used + IDLE_S + 1};

        if (decoder->leaving || decoder->all->ending || now_s() >= decoder->used + IDLE_S) {
            return NULL;
        }
        pthread_cond_timedwait(&decoder->news, &decoder->all->lock, &until);
    }
    request = decoder->waiting[0];
    memmove(decoder->waiting, decoder->waiting + 1, --decoder->count * sizeof decoder->waiting[0]);
    decoder->busy = true;
    return request;
}

/* The last that a decoder does. */
static void leave(struct decoder *decoder)
{
    struct decoders *all = decoder->all;
    struct decoder **at = &all->first;

    end_process(decoder);
    pthread_mutex_lock(&all->lock);
    while (*at != decoder) {
        at = &(*at)->next;
    }
    *at = decoder->next;
    pthread_cond_broadcast(&all->fewer);
    pthread_mutex_unlock(&all->lock);
    pthread_cond_destroy(&decoder->news);
    free(decoder);
}

static void *run(void *context)
{
    struct decoder *decoder = context;
    struct decoders *all = decoder->all;
    struct request *request;

    pthread_mutex_lock(&all->lock);
    while ((request = await(decoder))) {
        pthread_mutex_unlock(&all->lock);
        answer(decoder, &request->decode);
        pthread_mutex_lock(&all->lock);
        request->decode.left = all->ending && !request->decode.answer;
        decoder->busy = false;
        decoder->used = now_s();
        MHD_resume_connection(request->connection);
    }
    decoder->leaving = true;
    pthread_mutex_unlock(&all->lock);
    leave(decoder);
    return NULL;
}

/* ---- who asks ---------------------------------------------------------------------------------------------------- */

/* How many there are, of the account where it is not 0. */
static unsigned count(const struct decoders *all, int64_t account)
{
    unsigned found = 0;

    for (const struct decoder *at = all->first; at; at = at->next) {
        found += !at->leaving && (account == 0 || at->account == account);
    }
    return found;
}

/* Has the one leave at which nobody has looked for the longest time. False: all are busy. */
static bool make_way(struct decoders *all, int64_t account)
{
    struct decoder *found = NULL;

    for (struct decoder *at = all->first; at; at = at->next) {
        if (!at->leaving && !at->busy && at->count == 0 && (account == 0 || at->account == account) &&
            (!found || at->used < found->used)) {
            found = at;
        }
    }
    if (found) {
        found->leaving = true;
        pthread_cond_signal(&found->news);
    }
    return found != NULL;
}

static struct decoder *find(const struct decoders *all, int64_t account, const char *sha256)
{
    struct decoder *at = all->first;

    while (at && (at->leaving || at->account != account || strcmp(at->place.sha256, sha256) != 0)) {
        at = at->next;
    }
    return at;
}

static struct decoder *make(struct decoders *all, int64_t account, const struct evidence_place *place)
{
    struct decoder *decoder = calloc(1, sizeof *decoder);
    pthread_condattr_t monotonic;
    pthread_t thread;

    if (!decoder) {
        return NULL;
    }
    *decoder = (struct decoder){.all = all, .next = all->first, .account = account, .place = *place, .used = now_s()};
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&decoder->news, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&thread, NULL, run, decoder) != 0) {
        pthread_cond_destroy(&decoder->news);
        free(decoder);
        return NULL;
    }
    pthread_detach(thread);
    all->first = decoder;
    return decoder;
}

enum refusal { REFUSAL_NONE, REFUSAL_ACCOUNT, REFUSAL_BUSY };

/* Has a decoder take the request. With the lock. */
static enum refusal enter(struct decoders *all, struct request *request)
{
    int64_t account = request->who.account;
    struct decoder *decoder = find(all, account, request->decode.place.sha256);

    if (all->ending) {
        return REFUSAL_BUSY;
    }
    if (!decoder) {
        if (count(all, account) >= all->account_most && !make_way(all, account)) {
            return REFUSAL_ACCOUNT;
        }
        if (count(all, 0) >= all->most && !make_way(all, 0)) {
            return REFUSAL_BUSY;
        }
        decoder = make(all, account, &request->decode.place);
    }
    if (!decoder || decoder->count == WAITING_MAX) {
        return REFUSAL_BUSY;
    }
    /* It sleeps before the thread can know of it, and cannot wake before. */
    request_sleep(request);
    decoder->waiting[decoder->count++] = request;
    pthread_cond_signal(&decoder->news);
    return REFUSAL_NONE;
}

static void refuse(struct request *request, enum refusal refusal)
{
    request->retry_seconds = RETRY_S;
    if (refusal == REFUSAL_ACCOUNT) {
        request_reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too_many_decoders",
                            "Your account has %u captures decoded at once (limit %s): try again in a moment.",
                            request->service->limits.of[LIMIT_ACCOUNT_DECODERS], limits_name(LIMIT_ACCOUNT_DECODERS));
    } else {
        request_reply_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "busy",
                            "Too many captures are being decoded now, or the service is being stopped: try again.");
    }
}

/* What the server calls when the connection has woken up. */
static void wake(struct request *request)
{
    if (request->decode.left) {
        refuse(request, REFUSAL_BUSY);
    } else {
        request->decode.then(request);
    }
}

void decoders_begin(struct request *request, void (*then)(struct request *request))
{
    struct decoders *all = request->service->decoders;
    enum refusal refusal;

    request->decode.then = then;
    request->then = wake;
    pthread_mutex_lock(&all->lock);
    refusal = enter(all, request);
    pthread_mutex_unlock(&all->lock);
    if (refusal != REFUSAL_NONE) {
        request->then = NULL;
        refuse(request, refusal);
    }
}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

/* The sharkd of PATH; false when there is none. */
static bool find_program(char *program, size_t program_octets)
{
    const char *path = getenv("PATH");

    for (const char *at = path ? path : ""; *at; at += strspn(at, ":")) {
        size_t len = strcspn(at, ":");
        int written = snprintf(program, program_octets, "%.*s/sharkd", (int)len, at);

        if (at[0] == '/' && written > 0 && (size_t)written < program_octets && access(program, X_OK) == 0) {
            return true;
        }
        at += len;
    }
    return false;
}

/* NULL: no memory. */
static struct decoders *prepare(const struct decoders_order *order, const char *program)
{
    struct decoders *all = calloc(1, sizeof *all);
    const char *plugins = getenv("WIRESHARK_PLUGIN_DIR");

    if (all) {
        *all = (struct decoders){.plugins = plugins ? plugins : "",
                                 .evidence = order->evidence,
                                 .most = order->most,
                                 .account_most = order->account_most};
        snprintf(all->program, sizeof all->program, "%s", program);
        pthread_mutex_init(&all->lock, NULL);
        pthread_cond_init(&all->fewer, NULL);
    }
    return all;
}

bool decoders_new(const struct decoders_order *order, struct decoders **decoders, char *message, size_t message_octets)
{
    char program[PATH_MAX];
    bool found = order->program ? realpath(order->program, program) && access(program, X_OK) == 0
                                : find_program(program, sizeof program);

    *decoders = NULL;
    if (found && confine_possible()) {
        *decoders = prepare(order, program);
        snprintf(message, message_octets, "out of memory");
        return *decoders != NULL;
    }
    snprintf(message, message_octets,
             found ? "--sharkd: this system cannot confine it (Landlock is missing): %s"
                   : "--sharkd: there is no such program: %s",
             order->program ? order->program : "");
    return !order->program;
}

void decoders_stop(struct decoders *all)
{
    if (!all) {
        return;
    }
    pthread_mutex_lock(&all->lock);
    all->ending = true;
    pthread_cond_broadcast(&all->fewer);
    for (struct decoder *at = all->first; at; at = at->next) {
        if (at->sharkd) {
            sharkd_kill(at->sharkd);
        }
        pthread_cond_signal(&at->news);
    }
    while (all->first) {
        pthread_cond_wait(&all->fewer, &all->lock);
    }
    pthread_mutex_unlock(&all->lock);
}

void decoders_free(struct decoders *all)
{
    if (all) {
        decoders_stop(all);
        pthread_cond_destroy(&all->fewer);
        pthread_mutex_destroy(&all->lock);
        free(all);
    }
}
