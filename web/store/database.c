/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The connections: who has which, and transactions.
 */
#include "web/store/database.h"

#include "web/store/connection.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READERS_MAX = 8 };

struct database {
    const struct engine *engine;
    char where[4096];
    pthread_mutex_t writing; /* recursive: a query inside a transaction takes it again */
    struct connection *writer;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t given;
    struct connection *idle[READERS_MAX];
    size_t idle_count, reader_count; /* of reader_count connections these are not in use */
};

static bool is_url(const char *where)
{
    return strncmp(where, "postgresql://", strlen("postgresql://")) == 0;
}

struct database *database_open(const char *where, char *message, size_t message_octets)
{
    struct database *database = calloc(1, sizeof *database);
    pthread_mutexattr_t recursive;

    if (!database || strlen(where) >= sizeof database->where) {
        snprintf(message, message_octets, "%.400s: no memory, or the name is too long", where);
        free(database);
        return NULL;
    }
    strcpy(database->where, where);
    database->engine = is_url(where) ? &postgresql_engine : &sqlite_engine;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&database->writing, &recursive);
    pthread_mutexattr_destroy(&recursive);
    pthread_mutex_init(&database->lock, NULL);
    pthread_cond_init(&database->given, NULL);
    database->writer = database->engine->open(where, true, message, message_octets);
    if (!database->writer) {
        database_close(database);
        return NULL;
    }
    return database;
}

void database_close(struct database *database)
{
    if (!database) {
        return;
    }
    for (size_t i = 0; i < database->idle_count; i++) {
        database->engine->close(database->idle[i]);
    }
    database->engine->close(database->writer);
    pthread_cond_destroy(&database->given);
    pthread_mutex_destroy(&database->lock);
    pthread_mutex_destroy(&database->writing);
    free(database);
}

/* ---- who has which connection ------------------------------------------------------------------------------------ */

/* A new one that reads; NULL, and the place is free again, when it cannot be opened. Others do not wait meanwhile. */
static struct connection *open_reader(struct database *database)
{
    char message[512];
    struct connection *reader = database->engine->open(database->where, false, message, sizeof message);

    if (!reader) {
        fprintf(stderr, "assayd: database: %s\n", message);
        pthread_mutex_lock(&database->lock);
        database->reader_count--;
        pthread_cond_signal(&database->given);
        pthread_mutex_unlock(&database->lock);
    }
    return reader;
}

struct connection *database_take(struct database *database, bool reads)
{
    struct connection *reader = NULL;

    if (!reads) {
        pthread_mutex_lock(&database->writing);
        return database->writer;
    }
    pthread_mutex_lock(&database->lock);
    while (database->idle_count == 0 && database->reader_count == READERS_MAX) {
        pthread_cond_wait(&database->given, &database->lock);
    }
    if (database->idle_count > 0) {
        reader = database->idle[--database->idle_count];
    } else {
        database->reader_count++;
    }
    pthread_mutex_unlock(&database->lock);
    return reader ? reader : open_reader(database);
}

void database_give(struct database *database, struct connection *connection)
{
    if (connection == database->writer) {
        pthread_mutex_unlock(&database->writing);
        return;
    }
    pthread_mutex_lock(&database->lock);
    database->idle[database->idle_count++] = connection;
    pthread_cond_signal(&database->given);
    pthread_mutex_unlock(&database->lock);
}

/* ---- transactions ------------------------------------------------------------------------------------------------ */

static enum database_status begin(struct database *database, bool loose)
{
    enum database_status status;

    pthread_mutex_lock(&database->writing);
    status = database->engine->begin(database->writer, loose);
    if (status != DATABASE_OK) {
        pthread_mutex_unlock(&database->writing);
    }
    return status;
}

enum database_status database_begin(struct database *database)
{
    return begin(database, false);
}

enum database_status database_begin_loose(struct database *database)
{
    return begin(database, true);
}

enum database_status database_end(struct database *database, enum database_status status)
{
    status = database->engine->end(database->writer, status);
    pthread_mutex_unlock(&database->writing);
    return status;
}

enum database_status database_execute(struct database *database, const char *sql)
{
    enum database_status status;

    pthread_mutex_lock(&database->writing);
    status = database->engine->execute(database->writer, sql);
    pthread_mutex_unlock(&database->writing);
    return status;
}

const struct engine *database_engine(const struct database *database)
{
    return database->engine;
}

const char *database_where(const struct database *database)
{
    return database->where;
}

const char *database_message(struct database *database)
{
    return database->engine->message(database->writer);
}
