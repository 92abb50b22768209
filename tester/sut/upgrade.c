/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The upgrade request (upgrade.h): request line, three headers, a token. Anything else is refused with the status that
 * specs/interpreter.md names.
 */
#include "tester/sut/upgrade.h"

#include "tester/sut/registry.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { VALUE_ROOM = 512 };

static const char token_characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/* Copies the value of the header of that name; empty when there is none or it is too long. */
static void find_header(const char *request, size_t len, const char *name, char value[VALUE_ROOM])
{
    size_t name_len = strlen(name);
    const char *end = request + len;

    value[0] = 0;
    for (const char *line = request; line < end;) {
        const char *stop = memchr(line, '\r', (size_t)(end - line));
        stop = stop ? stop : end;
        if ((size_t)(stop - line) > name_len && strncasecmp(line, name, name_len) == 0 && line[name_len] == ':') {
            const char *from = line + name_len + 1;
            while (from < stop && (*from == ' ' || *from == '\t')) {
                from++;
            }
            if (stop - from < VALUE_ROOM) {
                snprintf(value, VALUE_ROOM, "%.*s", (int)(stop - from), from);
            }
            return;
        }
        line = stop + 2; /* CR and LF */
    }
}

/* Whether the list of words, separated by commas, has this one, whatever its case. */
static int has_word(const char *list, const char *word)
{
    size_t len = strlen(word);

    for (const char *at = list; *at; at++) {
        int starts = at == list || at[-1] == ',' || at[-1] == ' ';
        if (starts && strncasecmp(at, word, len) == 0 && !isgraph((unsigned char)(at[len] == ',' ? ' ' : at[len]))) {
            return 1;
        }
    }
    return 0;
}

struct upgrade_answer upgrade_judge(const char *request, size_t len, char token[UPGRADE_TOKEN_ROOM])
{
    char connection[VALUE_ROOM], upgrade[VALUE_ROOM], authorization[VALUE_ROOM];

    if (strlen(request) < len || strncmp(request, "GET /connect HTTP/1.1\r\n", 23) != 0) {
        return (struct upgrade_answer){400, "Bad Request", "the only request here is GET /connect HTTP/1.1"};
    }
    find_header(request, len, "Connection", connection);
    find_header(request, len, "Upgrade", upgrade);
    find_header(request, len, "Authorization", authorization);
    if (!has_word(connection, "upgrade") || !upgrade[0]) {
        return (struct upgrade_answer){400, "Bad Request",
                                       "the headers Connection: Upgrade and Upgrade: assay/1 are missing"};
    }
    if (!has_word(upgrade, "assay/1")) {
        return (struct upgrade_answer){426, "Upgrade Required", "this manager speaks assay/1 only"};
    }
    const char *given = authorization + 7;
    if (strncasecmp(authorization, "Bearer ", 7) != 0 || strspn(given, token_characters) != strlen(given) ||
        strlen(given) < 16 || strlen(given) > 128) {
        return (struct upgrade_answer){401, "Unauthorized",
                                       "Authorization: Bearer TOKEN with a token of 16 to 128 characters is missing"};
    }
    snprintf(token, UPGRADE_TOKEN_ROOM, "%.128s", given);
    switch (registry_check(token)) {
    case ENGINE_OK:
        return (struct upgrade_answer){101, "Switching Protocols", ""};
    case ENGINE_USED_TOKEN:
        return (struct upgrade_answer){409, "Conflict", "the token has been used"};
    case ENGINE_OVER_TOKEN:
        return (struct upgrade_answer){410, "Gone", "the token's run or job is over"};
    default:
        return (struct upgrade_answer){401, "Unauthorized", "the token is not known"};
    }
}
