/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a request may ask for at most: the length of its target, and the arguments in it.
 */
#ifndef WEB_HTTP_TARGET_H
#define WEB_HTTP_TARGET_H

#include <microhttpd.h>
#include <stdbool.h>

enum { TARGET_OCTETS_MAX = 8 * 1024, TARGET_ARGUMENTS_MAX = 64 };

/* target_check is what the library calls with each target before it takes the arguments out (its
 * MHD_OPTION_URI_LOG_CALLBACK). A target that is too long loses its arguments; target_is_refused then says so of what
 * the library hands to its next call as the request's context. */
void *target_check(void *context, const char *target, struct MHD_Connection *connection);
bool target_is_refused(const void *request_context);

#endif
