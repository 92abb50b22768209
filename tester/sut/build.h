/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a run has judged, as the launch agents have measured it: the files of code of its jobs, with their digests. All
 * lanes of a run share one; every function takes its lock.
 */
#ifndef TESTER_SUT_BUILD_H
#define TESTER_SUT_BUILD_H

#include <jansson.h>
#include <stdbool.h>

enum { BUILD_FILES = 4096 }; /* that are kept */

struct build;

/* build_open begins with no file. build_close frees it. */
struct build *build_open(void);
void build_close(struct build *build);

/* build_add takes an agent's notice, `build file=PATH sha256=HEX octets=N`. False: the same path had another content
 * before, so that the run has met two systems; `path` of BUILD_PATH characters then has it. A line that is none is
 * left out. */
enum { BUILD_PATH = 4096 };
bool build_add(struct build *build, const char *words, char path[static BUILD_PATH]);

/* build_restore takes files that build_news has given. */
void build_restore(struct build *build, const json_t *files);

/* build_news gives the files that have come since the last call, [{"file","sha256","octets"}], or NULL for none. */
json_t *build_news(struct build *build);

/* build_json gives {"sha256","files":[..],"left_out"}, the files by name; NULL where nothing was measured. The digest
 * is that of what `sha256sum` prints of them, each under its name without folder, sorted: it does not depend on where
 * they are. A file that could not be read has "" for its digest. left_out is there where files came beyond BUILD_FILES,
 * with how often one did: the digest is then not of all. */
json_t *build_json(struct build *build);

#endif
