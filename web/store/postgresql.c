/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * PostgreSQL by libpq. Statements are translated (dialect.h) and prepared at their first execution, when the types of
 * their parameters are known. A connection that was lost, since the server was started anew for instance, is made again
 * at the next begin of a transaction or statement outside of one.
 */
#include "web/store/connection.h"
#include "web/store/dialect.h"

#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MAX = 128, NAME_SIZE = 24, NUMBER_SIZE = 24 };
enum { OID_BOOL = 16, OID_BYTEA = 17, OID_INT8 = 20, OID_INT2 = 21, OID_INT4 = 23, OID_TEXT = 25, OID_NUMERIC = 1700 };

struct pg_statement {
    struct statement base;
    char *sql, *text; /* as it was written, as PostgreSQL has it */
    char name[NAME_SIZE];
    bool prepared;
    struct dialect_parameters parameters;
    Oid types[DIALECT_PARAMETERS_MAX];
    const char *values[DIALECT_PARAMETERS_MAX];
    int lens[DIALECT_PARAMETERS_MAX], formats[DIALECT_PARAMETERS_MAX];
    char numbers[DIALECT_PARAMETERS_MAX][NUMBER_SIZE];
    PGresult *result;
    int row;                /* the next one */
    unsigned char *decoded; /* the octets of the column that was asked for last */
};

struct pg_connection {
    struct connection base;
    PGconn *handle;
    bool writes, transaction;
    unsigned named;                      /* statements that were ever prepared */
    struct pg_statement *kept[KEPT_MAX]; /* not in use; the one that was used last stands last */
    size_t kept_count;
};

static struct pg_connection *of(struct connection *connection)
{
    return (struct pg_connection *)connection;
}

static struct pg_statement *own(struct statement *statement)
{
    return (struct pg_statement *)statement;
}

/* What a result means to us; `result` may be NULL. */
static enum database_status classify(struct pg_connection *connection, const PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    const char *code = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;

    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY) {
        return DATABASE_OK;
    }
    if (code && strncmp(code, "23", 2) == 0) { /* integrity constraint violation */
        return DATABASE_CONFLICT;
    }
    fprintf(stderr, "assayd: database: %s", PQerrorMessage(connection->handle));
    /* The server is being shut down, or is not up yet. What has no code libpq says by itself: where it cannot send any
     * more its status is still that of a connection, until it is told to read. */
    if (!code || PQstatus(connection->handle) != CONNECTION_OK || strncmp(code, "57P", 3) == 0) {
        return DATABASE_AWAY;
    }
    return strcmp(code, "53100") == 0 ? DATABASE_FULL : DATABASE_BROKEN; /* disk full */
}

static enum database_status run(struct pg_connection *connection, const char *sql)
{
    PGresult *result = PQexec(connection->handle, sql);
    enum database_status status = classify(connection, result);

    PQclear(result);
    return status;
}

/* ---- connections ------------------------------------------------------------------------------------------------- */

static void drop_statement(struct pg_statement *statement)
{
    free(statement->sql);
    free(statement->text);
    free(statement);
}

static void forget_statements(struct pg_connection *connection)
{
    for (size_t i = 0; i < connection->kept_count; i++) {
        drop_statement(connection->kept[i]);
    }
    connection->kept_count = 0;
}

static void pg_close(struct connection *connection)
{
    if (connection) {
        forget_statements(of(connection));
        PQfinish(of(connection)->handle);
        free(connection);
    }
}

/* What a new connection is told. */
static bool set_modes(struct pg_connection *connection)
{
    static const char modes[] = "SET client_min_messages = warning; SET TimeZone = 'UTC'; SET bytea_output = 'hex';"
                                "SET standard_conforming_strings = on;";
    static const char reads[] = "SET default_transaction_read_only = on";
    static const char writes[] = "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)";

    return PQsetClientEncoding(connection->handle, "UTF8") == 0 && run(connection, modes) == DATABASE_OK &&
           run(connection, connection->writes ? writes : reads) == DATABASE_OK;
}

/* The first line of what libpq says. */
static int first_line(const char *text)
{
    return (int)strcspn(text, "\n");
}

/* A server that has vanished is noticed within seconds, unless the URL says otherwise: whoever writes waits for it. */
static PGconn *connect_to(const char *url)
{
    static const char *const names[] = {"connect_timeout",
                                        "keepalives_idle",
                                        "keepalives_interval",
                                        "keepalives_count",
                                        "tcp_user_timeout",
                                        "fallback_application_name",
                                        "dbname",
                                        NULL};
    const char *const values[] = {"10", "10", "5", "3", "20000", "assayd", url, NULL};

    return PQconnectdbParams(names, values, 1);
}

static struct connection *pg_open(const char *url, bool writes, char *message, size_t message_octets)
{
    struct pg_connection *connection = calloc(1, sizeof *connection);

    if (!connection) {
        snprintf(message, message_octets, "PostgreSQL: no memory");
        return NULL;
    }
    connection->base.engine = &postgresql_engine;
    connection->writes = writes;
    connection->handle = connect_to(url);
    if (PQstatus(connection->handle) != CONNECTION_OK || !set_modes(connection)) {
        const char *said = PQerrorMessage(connection->handle);

        snprintf(message, message_octets, "PostgreSQL: %.*s", first_line(said), said);
        pg_close(&connection->base);
        return NULL;
    }
    return &connection->base;
}

/* Outside of a transaction: makes the connection again. */
static bool reconnect(struct pg_connection *connection)
{
    forget_statements(connection);
    PQreset(connection->handle);
    return PQstatus(connection->handle) == CONNECTION_OK && set_modes(connection);
}

/* Outside of a transaction: makes the connection again if it is known to be lost. */
static bool is_connected(struct pg_connection *connection)
{
    return PQstatus(connection->handle) == CONNECTION_OK || connection->transaction || reconnect(connection);
}

/* Several statements; words that only SQLite knows are allowed. */
static enum database_status pg_execute(struct connection *connection, const char *sql)
{
    struct dialect_parameters none;
    enum database_status status = DATABASE_BROKEN;
    char *text;

    if (!is_connected(of(connection))) {
        return DATABASE_AWAY;
    }
    text = dialect_translate(sql, &none);
    status = text ? run(of(connection), text) : DATABASE_BROKEN;
    free(text);
    return status;
}

/* Begins, on a new connection where the old one turns out to be lost. */
static enum database_status begin_connected(struct pg_connection *connection)
{
    enum database_status status = is_connected(connection) ? run(connection, "BEGIN") : DATABASE_AWAY;

    if (status == DATABASE_AWAY && !connection->transaction && reconnect(connection)) {
        status = run(connection, "BEGIN");
    }
    return status;
}

/* Whoever writes holds one lock of the database until the end, so that several services write one after the other. */
static enum database_status pg_begin(struct connection *connection, bool loose)
{
    enum database_status status = begin_connected(of(connection));

    if (status == DATABASE_OK) {
        of(connection)->transaction = true;
        status = run(of(connection), loose ? "SELECT pg_advisory_xact_lock(1634955641);"
                                             "SET LOCAL synchronous_commit = off"
                                           : "SELECT pg_advisory_xact_lock(1634955641)");
        if (status != DATABASE_OK) {
            connection->engine->end(connection, status);
        }
    }
    return status;
}

static enum database_status pg_end(struct connection *connection, enum database_status status)
{
    if (status == DATABASE_OK) {
        status = run(of(connection), "COMMIT");
    }
    if (PQtransactionStatus(of(connection)->handle) != PQTRANS_IDLE &&
        PQstatus(of(connection)->handle) == CONNECTION_OK) {
        run(of(connection), "ROLLBACK");
    }
    of(connection)->transaction = false;
    return status;
}

/* From LISTEN on the server keeps what is told for this connection: what was committed before is what may have been
 * missed. */
static void pg_listen(struct connection *connection, const struct hearing *hearing)
{
    PGconn *handle = of(connection)->handle;
    struct pollfd ready[] = {{.fd = PQsocket(handle), .events = POLLIN}, {.fd = hearing->end, .events = POLLIN}};
    PGnotify *told;

    if (run(of(connection), "LISTEN assay") != DATABASE_OK) {
        return;
    }
    hearing->told(hearing->context, "");
    do {
        while ((told = PQnotifies(handle)) != NULL) {
            hearing->told(hearing->context, told->extra);
            PQfreemem(told);
        }
    } while ((poll(ready, 2, -1) > 0 || errno == EINTR) && ready[1].revents == 0 && PQconsumeInput(handle) == 1);
}

static const char *pg_message(struct connection *connection)
{
    return PQerrorMessage(of(connection)->handle);
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

static struct pg_statement *remove_kept(struct pg_connection *connection, size_t index)
{
    struct pg_statement *statement = connection->kept[index];

    connection->kept_count--;
    memmove(&connection->kept[index], &connection->kept[index + 1],
            (connection->kept_count - index) * sizeof connection->kept[0]);
    return statement;
}

static struct pg_statement *make_statement(struct pg_connection *connection, const char *sql)
{
    struct pg_statement *statement = calloc(1, sizeof *statement);

    if (statement) {
        statement->base.engine = &postgresql_engine;
        statement->sql = strdup(sql);
        statement->text = dialect_translate(sql, &statement->parameters);
        snprintf(statement->name, sizeof statement->name, "s%u", ++connection->named);
    }
    if (statement && (!statement->sql || !statement->text)) {
        drop_statement(statement);
        return NULL;
    }
    return statement;
}

static struct statement *pg_take(struct connection *connection, const char *sql, enum database_status *status)
{
    struct pg_connection *self = of(connection);
    struct pg_statement *statement = NULL;

    *status = DATABASE_AWAY;
    if (!is_connected(self)) {
        fprintf(stderr, "assayd: database: %s", PQerrorMessage(self->handle));
        return NULL;
    }
    for (size_t i = self->kept_count; i > 0 && !statement; i--) {
        if (strcmp(self->kept[i - 1]->sql, sql) == 0) {
            statement = remove_kept(self, i - 1);
        }
    }
    statement = statement ? statement : make_statement(self, sql);
    *status = statement ? DATABASE_OK : DATABASE_BROKEN;
    return statement ? &statement->base : NULL;
}

static void forget_rows(struct pg_statement *statement)
{
    PQclear(statement->result);
    PQfreemem(statement->decoded);
    statement->result = NULL;
    statement->decoded = NULL;
    statement->row = 0;
}

static void pg_give(struct connection *connection, struct statement *statement)
{
    struct pg_connection *self = of(connection);

    if (!statement) {
        return;
    }
    forget_rows(own(statement));
    if (self->kept_count == KEPT_MAX) {
        struct pg_statement *oldest = remove_kept(self, 0);
        char sql[NAME_SIZE + 16];

        snprintf(sql, sizeof sql, "DEALLOCATE %s", oldest->name);
        if (oldest->prepared && PQtransactionStatus(self->handle) != PQTRANS_INERROR) {
            run(self, sql);
        }
        drop_statement(oldest);
    }
    self->kept[self->kept_count++] = own(statement);
}

static bool pg_bind(struct statement *statement, const char *name, const struct value *value)
{
    static const Oid types[] = {
        [VALUE_NULL] = OID_TEXT, [VALUE_NUMBER] = OID_INT8, [VALUE_TEXT] = OID_TEXT, [VALUE_OCTETS] = OID_BYTEA};
    struct pg_statement *self = own(statement);
    size_t i = 0;

    while (i < self->parameters.count && strcmp(self->parameters.names[i], name) != 0) {
        i++;
    }
    if (i == self->parameters.count) {
        return false;
    }
    self->types[i] = types[value->kind];
    self->formats[i] = value->kind == VALUE_OCTETS;
    self->lens[i] = (int)value->len;
    self->values[i] = value->kind == VALUE_NULL ? NULL : value->octets ? value->octets : "";
    if (value->kind == VALUE_NUMBER) {
        snprintf(self->numbers[i], sizeof self->numbers[i], "%lld", (long long)value->number);
        self->values[i] = self->numbers[i];
    }
    return true;
}

static enum database_status execute_statement(struct pg_connection *connection, struct pg_statement *statement)
{
    int count = (int)statement->parameters.count;
    enum database_status status;

    if (!statement->prepared) {
        PGresult *result = PQprepare(connection->handle, statement->name, statement->text, count, statement->types);

        status = classify(connection, result);
        PQclear(result);
        if (status != DATABASE_OK) {
            return status;
        }
        statement->prepared = true;
    }
    statement->result = PQexecPrepared(connection->handle, statement->name, count, statement->values, statement->lens,
                                       statement->formats, 0);
    return classify(connection, statement->result);
}

static bool pg_step(struct connection *connection, struct statement *statement, enum database_status *status)
{
    struct pg_statement *self = own(statement);

    if (!self->result) {
        *status = execute_statement(of(connection), self);
        if (*status == DATABASE_AWAY && !of(connection)->writes && reconnect(of(connection))) {
            forget_rows(self);
            self->prepared = false; /* the connection is a new one */
            *status = execute_statement(of(connection), self);
        }
    }
    return *status == DATABASE_OK && self->row++ < PQntuples(self->result);
}

static int pg_columns(struct statement *statement)
{
    return PQnfields(own(statement)->result);
}

static const char *pg_name(struct statement *statement, int column)
{
    return PQfname(own(statement)->result, column);
}

static enum value_kind pg_kind(struct statement *statement, int column)
{
    if (PQgetisnull(own(statement)->result, own(statement)->row - 1, column)) {
        return VALUE_NULL;
    }
    switch (PQftype(own(statement)->result, column)) {
    case OID_BOOL:
    case OID_INT2:
    case OID_INT4:
    case OID_INT8:
    case OID_NUMERIC:
        return VALUE_NUMBER;
    case OID_BYTEA:
        return VALUE_OCTETS;
    default:
        return VALUE_TEXT;
    }
}

static const char *pg_text(struct statement *statement, int column)
{
    return PQgetvalue(own(statement)->result, own(statement)->row - 1, column); /* "" for NULL */
}

static int64_t pg_number(struct statement *statement, int column)
{
    const char *text = pg_text(statement, column);

    return PQftype(own(statement)->result, column) == OID_BOOL ? text[0] == 't' : strtoll(text, NULL, 10);
}

static const void *pg_octets(struct statement *statement, int column, size_t *len)
{
    struct pg_statement *self = own(statement);

    PQfreemem(self->decoded);
    self->decoded = PQunescapeBytea((const unsigned char *)pg_text(statement, column), len);
    *len = self->decoded ? *len : 0;
    return self->decoded;
}

const struct engine postgresql_engine = {
    .schema = "postgresql.sql",
    .schema_version = 15,
    .version = "SELECT COALESCE(MAX(version), 0) FROM schema_version",
    .set_next = "DELETE FROM schema_version; INSERT INTO schema_version VALUES (%d)",
    .tell = "SELECT pg_notify('assay', :what)",
    .open = pg_open,
    .close = pg_close,
    .execute = pg_execute,
    .begin = pg_begin,
    .end = pg_end,
    .message = pg_message,
    .listen = pg_listen,
    .take = pg_take,
    .give = pg_give,
    .bind = pg_bind,
    .step = pg_step,
    .columns = pg_columns,
    .name = pg_name,
    .kind = pg_kind,
    .number = pg_number,
    .text = pg_text,
    .octets = pg_octets,
};
