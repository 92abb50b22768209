/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The engine's two public doors for connections (engine.h). They may be used on any thread.
 */
#include "tester/engine.h"

#include "tester/memory.h"
#include "tester/registry.h"

#include <stdlib.h>
#include <string.h>

enum engine_status engine_token_check(const char *token)
{
    return registry_check(token);
}

enum engine_status engine_attach(const char *token, int fd, const void *extra, size_t extra_octets,
                                 void (*close_cb)(void *close_context), void *close_context)
{
    struct registry_link link = {.fd = fd, .close_cb = close_cb, .close_context = close_context};

    if (extra_octets) {
        link.extra = memory_zero(extra_octets);
        link.extra_octets = extra_octets;
        memcpy(link.extra, extra, extra_octets);
    }
    enum engine_status status = registry_offer(token, &link);
    if (status != ENGINE_OK) {
        free(link.extra);
    }
    return status;
}
