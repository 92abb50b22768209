/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Matches a path against the table of routes.
 */
#include "web/http/route.h"

#include <stdio.h>
#include <string.h>

/* Compares a path with a pattern, segment by segment. What a brace stands for is not empty and fits its place. */
static bool matches(const char *pattern, const char *path,
                    char parameters[REQUEST_PARAMETERS_MAX][REQUEST_PARAMETER_SIZE])
{
    size_t found = 0;

    while (*pattern && *path) {
        if (*pattern == '{') {
            size_t len = strcspn(path, "/");

            if (len == 0 || len >= REQUEST_PARAMETER_SIZE || found == REQUEST_PARAMETERS_MAX) {
                return false;
            }
            memcpy(parameters[found], path, len);
            parameters[found++][len] = '\0';
            path += len;
            pattern += strcspn(pattern, "}") + 1;
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *pattern == '\0' && *path == '\0';
}

const struct route *route_find(const struct route_table *table, const char *method, const char *path,
                               char parameters[REQUEST_PARAMETERS_MAX][REQUEST_PARAMETER_SIZE], bool *known_path)
{
    const char *wanted = strcmp(method, "HEAD") == 0 ? "GET" : method;

    *known_path = false;
    for (size_t i = 0; i < table->count; i++) {
        if (matches(table->rows[i].pattern, path, parameters)) {
            *known_path = true;
            if (strcmp(table->rows[i].method, wanted) == 0) {
                return &table->rows[i];
            }
        }
    }
    return NULL;
}

void route_allowed(const struct route_table *table, const char *path, char *allowed, size_t allowed_octets)
{
    char parameters[REQUEST_PARAMETERS_MAX][REQUEST_PARAMETER_SIZE];
    size_t len = 0;

    allowed[0] = '\0';
    for (size_t i = 0; i < table->count && len < allowed_octets; i++) {
        if (matches(table->rows[i].pattern, path, parameters) && !strstr(allowed, table->rows[i].method)) {
            len += (size_t)snprintf(allowed + len, allowed_octets - len, "%s%s%s", len ? ", " : "",
                                    table->rows[i].method, strcmp(table->rows[i].method, "GET") == 0 ? ", HEAD" : "");
        }
    }
}

/* What the table says of who may ask, for people and for the document of the API; and the least role. */
static const struct {
    const char *name;
    enum role role;
} whos[] = {
    [WHO_ANYONE] = {"anyone", ROLE_VIEWER},
    [WHO_RUN] = {"anyone", ROLE_VIEWER},
    [WHO_ACCOUNT] = {"account", ROLE_VIEWER},
    [WHO_TESTER] = {"tester", ROLE_TESTER},
    [WHO_COSTLY] = {"tester", ROLE_TESTER},
    [WHO_CERTIFIER] = {"certifier", ROLE_CERTIFIER},
    [WHO_ADMINISTRATOR] = {"administrator", ROLE_ADMINISTRATOR},
    [WHO_PAGE] = {"page", ROLE_VIEWER},
};

enum role route_role(const struct route *route)
{
    return whos[route->who].role;
}

void route_print(const struct route_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        printf("%s %s %s %zu\n", table->rows[i].method, table->rows[i].pattern, whos[table->rows[i].who].name,
               table->rows[i].body_limit);
    }
}
