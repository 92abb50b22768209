/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Files as the engine needs them: a folder's files by name, a whole file as text, and names as they are shown to
 * people.
 */
#ifndef TESTER_BASE_FILES_H
#define TESTER_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* struct files is a list of paths (or of names), in the order of strcmp. */
struct files {
    char **paths;
    size_t count;
};

/* files_list gives the paths of the files whose names end so, in `folder` and in the folders below it (four deep);
 * false and a message when one cannot be read (the list is empty then). files_folders gives the names of the folders in
 * it. Free with files_free either way. */
bool files_list(const char *folder, const char *ending, struct files *files, char *message, size_t message_octets);
bool files_folders(const char *folder, struct files *files, char *message, size_t message_octets);
void files_free(struct files *files);

/* files_read gives the whole text, NUL-terminated, at most 4 MiB; NULL and a message when it cannot be read. The caller
 * frees. */
char *files_read(const char *path, size_t *len, char *message, size_t message_octets);

/* files_shown is the part of `path` behind the current folder when it lies there, else the path. */
const char *files_shown(const char *path);

#endif
