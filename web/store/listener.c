/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The thread that listens, and makes its connection again where it is lost.
 */
#include "web/store/listener.h"

#include "web/store/connection.h"
#include "web/store/database.h"
#include "web/store/query.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { AGAIN_MS = 1000 };

struct listener {
    struct database *database;
    struct hearing hearing;
    int ends[2]; /* a pipe: what is written into it ends the thread */
    pthread_t thread;
};

static void *listen_main(void *context)
{
    struct listener *listener = context;
    const struct engine *engine = database_engine(listener->database);
    struct pollfd end = {.fd = listener->ends[0], .events = POLLIN};

    do {
        char message[512];
        struct connection *connection =
            engine->open(database_where(listener->database), false, message, sizeof message);

        if (connection) {
            engine->listen(connection, &listener->hearing);
        } else {
            fprintf(stderr, "assayd: database: %s\n", message);
        }
        engine->close(connection);
    } while (poll(&end, 1, AGAIN_MS) == 0);
    return NULL;
}

enum database_status listener_tell(struct database *database, const char *what)
{
    const char *sql = database_engine(database)->tell;
    struct query query;

    if (!sql) {
        return DATABASE_OK;
    }
    query_open(&query, database, sql);
    query_text(&query, ":what", what);
    return query_run(&query);
}

struct listener *listener_start(struct database *database, void (*told)(void *context, const char *what), void *context)
{
    struct listener *listener = database_engine(database)->listen ? calloc(1, sizeof *listener) : NULL;

    if (!listener) {
        return NULL;
    }
    if (pipe(listener->ends) != 0) {
        free(listener);
        return NULL;
    }
    listener->database = database;
    listener->hearing = (struct hearing){.told = told, .context = context, .end = listener->ends[0]};
    if (pthread_create(&listener->thread, NULL, listen_main, listener) != 0) {
        close(listener->ends[0]);
        close(listener->ends[1]);
        free(listener);
        return NULL;
    }
    return listener;
}

void listener_stop(struct listener *listener)
{
    if (listener) {
        close(listener->ends[1]); /* the other end is readable now */
        pthread_join(listener->thread, NULL);
        close(listener->ends[0]);
        free(listener);
    }
}
