/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where a request ends. A proxy and the service must find the same end: what one takes for a body and the other for
 * the next request lets a client put words into the mouth of another (RFC 9112, sections 3.2, 5.1, 6.1 and 6.3).
 */
#ifndef WEB_HTTP_FRAMING_H
#define WEB_HTTP_FRAMING_H

#include <microhttpd.h>

/* framing_problem says what makes the headers of a request of that version of HTTP ambiguous, as a sentence; NULL:
 * nothing does. */
const char *framing_problem(struct MHD_Connection *connection, const char *version);

#endif
