/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A ZIP archive (APPNOTE 6.3.3, without its 64-bit extension) that is made while it is sent. Where evidence is a file
 * of its own, that is packed as the archive wants it: a gzip file is a header, deflated data, and a CRC with the
 * length; the data goes into the archive as it is. What lies in a bundle is packed on the way. No more than a piece of
 * a file, or one piece of a bundle, is in memory.
 */
#ifndef WEB_API_ARCHIVE_H
#define WEB_API_ARCHIVE_H

#include "web/http/request.h"

#include <stdbool.h>
#include <stdint.h>

struct archive;

/* archive_new makes an empty archive of the run, whose files begin with `folder`/. NULL: no memory. archive_free frees
 * it. */
struct archive *archive_new(const struct service *service, const char *run, const char *folder);
void archive_free(struct archive *archive);

/* archive_add_text adds a file of that text, which it takes over (NULL: nothing is added); archive_add_evidence one of
 * that evidence of the run, of that size. False: no memory, or the archive would be longer than 4 GiB. */
bool archive_add_text(struct archive *archive, const char *name, char *text);
bool archive_add_evidence(struct archive *archive, const char *name, const char *case_id, const char *kind,
                          uint64_t octets);

/* archive_reply answers with the archive, which it takes over, as a download of that name. */
void archive_reply(struct request *request, struct archive *archive, const char *download);

#endif
