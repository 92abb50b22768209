/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Captures that gzip has packed, as rings of files often are: read as if they were not.
 */
#ifndef TESTER_CAPTURE_GUNZIP_H
#define TESTER_CAPTURE_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* gunzip_is - whether a file that begins with these octets is one of gzip's. */
bool gunzip_is(const unsigned char *head, size_t len);

/* gunzip_open - a stream of what is packed in `file`, of which `head` (at most 16 octets) has been read; fclose closes
 * both. Where the file is damaged or cut off, reading fails with the errno GUNZIP_DAMAGED. NULL, with errno: no memory;
 * `file` stays open. */
#define GUNZIP_DAMAGED EBADMSG
FILE *gunzip_open(FILE *file, const unsigned char *head, size_t len);

#endif
