/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The audit log is written where requests are dispatched: no handler can forget it.
 */
#include "web/http/audit.h"

#include "web/http/route.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

void audit_address(const struct sockaddr_storage *client, char text[static AUDIT_ADDRESS_SIZE])
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)client;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)client;
    const void *octets = client->ss_family == AF_INET ? (const void *)&v4->sin_addr : (const void *)&v6->sin6_addr;

    if ((client->ss_family != AF_INET && client->ss_family != AF_INET6) ||
        !inet_ntop(client->ss_family, octets, text, AUDIT_ADDRESS_SIZE)) {
        snprintf(text, AUDIT_ADDRESS_SIZE, "unknown");
    }
}

static enum database_status insert(struct request *request, const char *action, const char *address)
{
    struct query query;

    query_open(&query, request->service->database,
               "INSERT INTO audit (account, member, action, path, about, status, address) "
               "VALUES (:account, :member, :action, :path, :about, :status, :address)");
    query_number(&query, ":account", request->who.account);
    query_text(&query, ":member", request->who.member_name);
    query_text(&query, ":action", action);
    query_text(&query, ":path", request->path);
    query_text(&query, ":about", request->about);
    query_number(&query, ":status", request->status);
    query_text(&query, ":address", address);
    return query_run(&query);
}

void audit_note(struct request *request)
{
    struct database *database = request->service->database;
    char action[160], address[AUDIT_ADDRESS_SIZE];

    if (request->noted || request->who.account == 0 || !request->route || strcmp(request->method, "GET") == 0 ||
        strcmp(request->method, "HEAD") == 0) {
        return;
    }
    request->noted = true;
    snprintf(action, sizeof action, "%s %s", request->method, request->route->pattern);
    audit_address(&request->from.client, address);
    if (database_begin_loose(database) == DATABASE_OK) {
        database_end(database, insert(request, action, address));
    }
}

void audit_forget(struct database *database)
{
    struct query query;
    char age[32];

    snprintf(age, sizeof age, "-%d days", AUDIT_DAYS);
    query_open(&query, database,
               "DELETE FROM audit WHERE at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', :age) OR id <= (SELECT a.id FROM "
               "audit a WHERE a.account = audit.account ORDER BY a.id DESC LIMIT 1 OFFSET 10000)");
    query_text(&query, ":age", age);
    query_run(&query);
}
