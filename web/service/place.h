/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where the service's data are.
 */
#ifndef WEB_SERVICE_PLACE_H
#define WEB_SERVICE_PLACE_H

struct place {
    const char *folder;
    const char *url;      /* of a PostgreSQL database; NULL: an SQLite file in the folder */
    const char *instance; /* the name of one of several services that share both; NULL: it is alone */
};

#endif
