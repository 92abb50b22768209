/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who issues the certificates of this service.
 */
#ifndef WEB_SERVICE_ISSUER_H
#define WEB_SERVICE_ISSUER_H

enum { ISSUER_TEXT_MAX = 300 };

struct issuer {
    const char *name;    /* NULL: the service names none */
    const char *address; /* for people, or NULL */
};

#endif
