/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reads the lists that proxies add to, from the right to the left: as long as the hop that has added an element is
 * trusted, the element tells the hop before it.
 */
#include "web/http/forwarded.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LIST_SIZE = 4096, VALUE_SIZE = 300 };

/* All values of a header, in their order, with commas between. What does not fit makes the list unusable: it is "". */
struct list {
    const char *name;
    char text[LIST_SIZE + 2]; /* room for take_last */
    size_t len;
    bool found;
};

static enum MHD_Result add_value(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct list *list = context;
    size_t room = LIST_SIZE - list->len;

    (void)kind;
    if (strcasecmp(name, list->name) == 0 && value) {
        int written = snprintf(list->text + list->len, room, "%s%s", list->found ? "," : "", value);

        list->found = true;
        if (written < 0 || (size_t)written >= room) {
            list->text[0] = '\0';
            return MHD_NO;
        }
        list->len += (size_t)written;
    }
    return MHD_YES;
}

static void read_list(struct MHD_Connection *connection, const char *name, struct list *list)
{
    *list = (struct list){.name = name};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, add_value, list);
}

/* Cuts the last element off the list and gives it without the blanks around it; NULL: the list is empty. */
static char *take_last(struct list *list)
{
    char *comma, *element, *end;

    if (!list->text[0]) {
        return NULL;
    }
    comma = strrchr(list->text, ',');
    element = comma ? comma + 1 : list->text;
    element += strspn(element, " \t");
    end = element + strlen(element);
    while (end > element && strchr(" \t", end[-1])) {
        *--end = '\0';
    }
    if (comma) {
        *comma = '\0';
        return element;
    }
    memmove(list->text + 1, element, (size_t)(end - element) + 1);
    list->text[0] = '\0';
    return list->text + 1;
}

/* The value of a pair of an element of Forwarded, without quotes; false when it has none. */
static bool find_pair(const char *element, const char *name, char value[VALUE_SIZE])
{
    size_t name_len = strlen(name);

    while (*element) {
        size_t len;

        element += strspn(element, "; \t");
        len = strcspn(element, ";");
        if (strncasecmp(element, name, name_len) == 0 && element[name_len] == '=') {
            const char *begin = element + name_len + 1;
            size_t quoted = *begin == '"';

            len -= name_len + 1;
            len -= quoted && len > 1 && begin[len - 1] == '"';
            snprintf(value, VALUE_SIZE, "%.*s", (int)(len - quoted), begin + quoted);
            return true;
        }
        element += len;
    }
    return false;
}

static void set_host(struct forwarded *forwarded, const char *host)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.:-[]";
    bool good = *host && !host[strspn(host, letters)] && strlen(host) < sizeof forwarded->host;

    snprintf(forwarded->host, sizeof forwarded->host, "%s", good ? host : "");
}

static bool is_trusted(const struct proxies *proxies, const struct forwarded *forwarded)
{
    return proxies_has(proxies, (const struct sockaddr *)&forwarded->client);
}

/* What one hop says of the one before it, in Forwarded. */
static void take_pairs(const char *element, struct forwarded *forwarded)
{
    char value[VALUE_SIZE];

    if (!find_pair(element, "for", value) || !proxies_read_address(value, &forwarded->client)) {
        forwarded->client.ss_family = 0; /* "unknown", or a name that hides it */
    }
    if (find_pair(element, "proto", value)) {
        forwarded->tls = strcasecmp(value, "https") == 0;
    }
    if (find_pair(element, "host", value)) {
        set_host(forwarded, value);
    }
}

static void read_forwarded(struct list *list, const struct proxies *proxies, struct forwarded *forwarded)
{
    const char *element;

    while (is_trusted(proxies, forwarded) && (element = take_last(list)) != NULL) {
        take_pairs(element, forwarded);
    }
}

/* The older headers: a list of addresses; of scheme and name the last value counts, which the proxy has set. */
static void read_older(struct MHD_Connection *connection, const struct proxies *proxies, struct forwarded *forwarded)
{
    struct list list;
    const char *element;

    read_list(connection, "X-Forwarded-Proto", &list);
    element = take_last(&list);
    if (element) {
        forwarded->tls = strcasecmp(element, "https") == 0;
    }
    read_list(connection, "X-Forwarded-Host", &list);
    element = take_last(&list);
    if (element) {
        set_host(forwarded, element);
    }
    read_list(connection, "X-Forwarded-For", &list);
    while (is_trusted(proxies, forwarded) && (element = take_last(&list)) != NULL) {
        if (!proxies_read_address(element, &forwarded->client)) {
            forwarded->client.ss_family = 0;
        }
    }
}

void forwarded_read(struct MHD_Connection *connection, const struct proxies *proxies, bool tls,
                    struct forwarded *forwarded)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    struct list list;

    *forwarded = (struct forwarded){.tls = tls};
    if (info && info->client_addr) {
        memcpy(&forwarded->client, info->client_addr,
               info->client_addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
    }
    set_host(forwarded, host ? host : "");
    if (!is_trusted(proxies, forwarded)) {
        return;
    }
    read_list(connection, "Forwarded", &list);
    if (list.found) {
        read_forwarded(&list, proxies, forwarded);
    } else {
        read_older(connection, proxies, forwarded);
    }
}
