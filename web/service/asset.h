/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Files that are part of the program: the pages' assets, the schema, the catalogues, the API's description and the
 * interpreter's tarball. embed.sh puts them into the object file at build time, so that assayd is one file.
 */
#ifndef WEB_SERVICE_ASSET_H
#define WEB_SERVICE_ASSET_H

#include <stddef.h>
#include <stdint.h>

/* struct asset is one file; all of it lives as long as the program. The layout is written by embed.sh. */
struct asset {
    const char *name; /* the file's name without its folder */
    const uint8_t *octets;
    uint64_t len;
};

/* asset_find gives the file of that name, or NULL. */
const struct asset *asset_find(const char *name);

/* asset_type gives the content type that the name's ending stands for. */
const char *asset_type(const char *name);

/* asset_tag gives a text that changes when any of the files changes, for ETag; it is static. */
const char *asset_tag(void);

#endif
