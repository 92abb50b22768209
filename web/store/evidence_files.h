/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The folder of evidence: transcripts, captures, ladders and reports as files, each packed (gzip) under the SHA-256 of
 * what is in it (evidence/ab/cdef...gz), so that equal files are stored once and none is ever changed. Earlier versions
 * have left files that are not packed, without the ending. What belongs to cases of a run that is over is gathered in
 * bundles (evidence_bundle.h), files likewise (..zst). Which run has which file stands in the database
 * (evidence_rows.h).
 */
#ifndef WEB_STORE_EVIDENCE_FILES_H
#define WEB_STORE_EVIDENCE_FILES_H

#include "web/store/database.h"
#include "web/store/evidence_place.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct evidence_files;

/* evidence_files_open makes the folder below the data folder where it is missing. NULL: one line in message. */
struct evidence_files *evidence_files_open(const char *data, char *message, size_t message_octets);

/* evidence_files_close frees it; NULL is allowed. */
void evidence_files_close(struct evidence_files *files);

/* evidence_files_hold keeps all files from being removed until evidence_files_release, by any process: from before a
 * file is added until the row that names it is committed. Several threads may hold at once. Taken before the database's
 * lock. */
void evidence_files_hold(struct evidence_files *files);
void evidence_files_release(struct evidence_files *files);

/* evidence_files_add puts a finished file into the folder under `sha256`, its digest. The file at `path` stays. When
 * this returns DATABASE_OK what was in it will outlive a crash. DATABASE_FULL: no room. Blocks for the disk. */
enum database_status evidence_files_add(struct evidence_files *files, const char *path, const char *sha256);

/* evidence_files_write does the same with octets in memory, and gives their size and digest. */
enum database_status evidence_files_write(struct evidence_files *files, const void *octets, size_t len,
                                          struct evidence_file *file);

/* evidence_files_bundle does so with octets of many pieces, at most EVIDENCE_BUNDLE_OCTETS, packed as a bundle. */
enum database_status evidence_files_bundle(struct evidence_files *files, const void *octets, size_t len,
                                           struct evidence_file *file);

/* evidence_files_read opens a file that is no bundle for reading: a descriptor, which the caller closes, or -1 when it
 * is not there. *packed is the size of what it holds in packed form (gzip), 0 where that is not packed. */
int evidence_files_read(const struct evidence_files *files, const char *sha256, uint64_t *packed);

/* evidence_files_open_any opens the file of a digest, whatever it is, as it lies there; *ending is that of its name. */
int evidence_files_open_any(const struct evidence_files *files, const char *sha256, const char **ending);

/* evidence_files_load gives all of a piece of evidence, unpacked and ended by a zero; the caller frees it. NULL: it is
 * not there, or not whole, or there is no memory. */
char *evidence_files_load(const struct evidence_files *files, const struct evidence_place *place);

/* evidence_files_sweep removes each file of which `is_used` says no, and gives how many; none while another process
 * adds some. `is_used` is called while nobody can add one. Whatever else lies in the folder is left alone but for what
 * a crash left half written. */
unsigned evidence_files_sweep(struct evidence_files *files, bool (*is_used)(void *context, const char *sha256),
                              void *context);

/* evidence_files_remove removes one file, under the same condition; false: another process adds some now. */
bool evidence_files_remove(struct evidence_files *files, const char *sha256,
                           bool (*is_used)(void *context, const char *sha256), void *context);

#endif
