/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One connection to a database, whichever engine keeps that: SQLite (sqlite.c), a file of this machine, or PostgreSQL
 * (postgresql.c), a server of its own. A connection belongs to one thread at a time: who that is,
 * database.h says.
 *
 * Statements are written once, in what both engines understand: SQLite's SQL, of which dialect.c changes a few words
 * for PostgreSQL.
 */
#ifndef WEB_STORE_CONNECTION_H
#define WEB_STORE_CONNECTION_H

#include "web/store/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind { VALUE_NULL, VALUE_NUMBER, VALUE_TEXT, VALUE_OCTETS };

/* What is bound to a parameter. The octets of a text end with a zero that `len` does not count. */
struct value {
    enum value_kind kind;
    int64_t number;
    const void *octets;
    size_t len;
};

/* An engine's connections and statements begin with these. */
struct connection {
    const struct engine *engine;
};
struct statement {
    const struct engine *engine;
};

/* Who hears what is told: `told` is called with each text, and with "" when some may have been missed; until there is
 * something to be read at `end`. */
struct hearing {
    void (*told)(void *context, const char *what);
    void *context;
    int end;
};

/* What an engine can do. Whatever fails for a reason that nobody expects writes one line to stderr. */
struct engine {
    const char *schema;   /* the asset that makes the tables in an empty database, */
    int schema_version;   /* the version of the schema that it makes, */
    const char *version;  /* the statement that asks for the version, 0 in an empty database, */
    const char *set_next; /* and the statements that set it, with one %d, */
    const char *tell;     /* and the one that tells who listens of :what, when it is committed; NULL: nobody can */

    /* open makes a connection to `where`: the name of a file, which one that writes makes when it is missing, or a
     * URL. NULL: one line in message. close ends it; NULL is allowed; no statement may be in use. */
    struct connection *(*open)(const char *where, bool writes, char *message, size_t message_octets);
    void (*close)(struct connection *connection);

    /* execute runs statements that have neither parameters nor rows. begin starts a transaction that nobody else who
     * writes may interleave with; a loose one may be lost when the machine stops; end commits when `status` is
     * DATABASE_OK, else rolls back, and returns the first failure. */
    enum database_status (*execute)(struct connection *connection, const char *sql);
    enum database_status (*begin)(struct connection *connection, bool loose);
    enum database_status (*end)(struct connection *connection, enum database_status status);

    /* message gives the text of the connection's last failure; it lives until the connection's next call. */
    const char *(*message)(struct connection *connection);

    /* listen hears what is told until the end, or the connection is lost. NULL where `tell` is. */
    void (*listen)(struct connection *connection, const struct hearing *hearing);

    /* take gives a statement, prepared now or kept from an earlier time, or NULL and why not in *status. give takes it
     * back, its parameters and rows forgotten; NULL is allowed. */
    struct statement *(*take)(struct connection *connection, const char *sql, enum database_status *status);
    void (*give)(struct connection *connection, struct statement *statement);

    /* bind sets the parameter `name`, with its colon, to a value that lives until give; false: there is no such
     * parameter. step goes on to the next row; false: there is none, or *status says why. */
    bool (*bind)(struct statement *statement, const char *name, const struct value *value);
    bool (*step)(struct connection *connection, struct statement *statement, enum database_status *status);

    /* The columns of the row. A number is 0 and a text "" where there is none; pointers live until step or give. */
    int (*columns)(struct statement *statement);
    const char *(*name)(struct statement *statement, int column);
    enum value_kind (*kind)(struct statement *statement, int column);
    int64_t (*number)(struct statement *statement, int column);
    const char *(*text)(struct statement *statement, int column);
    const void *(*octets)(struct statement *statement, int column, size_t *len);
};

extern const struct engine sqlite_engine, postgresql_engine;

#endif
