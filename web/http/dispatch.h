/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The two functions that libmicrohttpd calls for every request; their shapes are the library's.
 */
#ifndef WEB_HTTP_DISPATCH_H
#define WEB_HTTP_DISPATCH_H

#include <microhttpd.h>
#include <stddef.h>

/* dispatch_request is called when the headers are there, for every piece of the body, and at the end; context is the
 * struct service. It answers by the handler of the route, or refuses. */
enum MHD_Result dispatch_request(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                                 const char *version, const char *upload, size_t *upload_len, void **request_context);

/* dispatch_completed frees what belongs to a request. */
void dispatch_completed(void *context, struct MHD_Connection *connection, void **request_context,
                        enum MHD_RequestTerminationCode code);

#endif
