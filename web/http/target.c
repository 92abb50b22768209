/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Bounds a request's target (target.h). libmicrohttpd 0.9.75 has no way to refuse one here, and where its memory for a
 * connection does not suffice for all arguments it waits until the connection is too old instead of answering. So the
 * arguments are cut off in its buffer, which it reads up to the zero, and the request is refused once its headers are
 * there.
 */
#include "web/http/target.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static char refused; /* its address is the context of a request that is to be refused */

static size_t arguments_of(const char *target)
{
    size_t count = 1;

    for (const char *at = target; (at = strchr(at, '&')) != NULL; at++) {
        count++;
    }
    return count;
}

void *target_check(void *context, const char *target, struct MHD_Connection *connection)
{
    const char *query = target ? strchr(target, '?') : NULL;

    (void)context;
    (void)connection;
    if (!target || (strlen(target) <= TARGET_OCTETS_MAX && (!query || arguments_of(query) <= TARGET_ARGUMENTS_MAX))) {
        return NULL;
    }
    if (query) {
        *(char *)(uintptr_t)(query + 1) = '\0';
    }
    return &refused;
}

bool target_is_refused(const void *request_context)
{
    return request_context == &refused;
}
