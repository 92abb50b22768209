/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handing connections over to the engine (engine.h). They may be used on any thread.
 */
#include "tester/engine/engine.h"

#include "tester/sut/registry.h"

#include <stddef.h>

enum engine_status engine_token_check(const char *token)
{
    return registry_check(token);
}

enum engine_status engine_attach(const char *token, int fd, const void *extra, size_t extra_octets,
                                 void (*close_cb)(void *close_context), void *close_context)
{
    return registry_attach(token, fd, extra, extra_octets, close_cb, close_context);
}
