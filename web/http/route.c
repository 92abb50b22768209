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

void route_print(const struct route_table *table)
{
    static const char *const who[] = {[WHO_ANYONE] = "anyone",
                                      [WHO_RUN] = "anyone",
                                      [WHO_ACCOUNT] = "account",
                                      [WHO_COSTLY] = "account",
                                      [WHO_PAGE] = "page"};

    for (size_t i = 0; i < table->count; i++) {
        printf("%s %s %s %zu\n", table->rows[i].method, table->rows[i].pattern, who[table->rows[i].who],
               table->rows[i].body_limit);
    }
}
