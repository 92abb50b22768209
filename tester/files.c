/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Folders and whole files (files.h).
 */
#include "tester/files.h"

#include "tester/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 4 << 20 };

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool wanted(DIR *directory, const char *name, const char *ending)
{
    struct stat facts;
    size_t len = strlen(name), end = ending ? strlen(ending) : 0;

    if (name[0] == '.' || len < end || fstatat(dirfd(directory), name, &facts, 0) < 0) {
        return false;
    }
    return ending ? S_ISREG(facts.st_mode) && strcmp(name + len - end, ending) == 0 : S_ISDIR(facts.st_mode);
}

/* With an ending: paths of files. Without: names of folders. */
static bool files_scan(const char *folder, const char *ending, struct files *files, char *message,
                       size_t message_octets)
{
    DIR *directory = opendir(folder);

    *files = (struct files){0};
    if (!directory) {
        snprintf(message, message_octets, "%s: %s", files_shown(folder), strerror(errno));
        return false;
    }
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (wanted(directory, entry->d_name, ending)) {
            files->paths = memory_grow(files->paths, (files->count + 1) * sizeof(char *));
            files->paths[files->count++] =
                ending ? memory_format("%s/%s", folder, entry->d_name) : memory_text(entry->d_name);
        }
    }
    closedir(directory);
    if (files->count) {
        qsort(files->paths, files->count, sizeof(char *), by_name);
    }
    return true;
}

bool files_list(const char *folder, const char *ending, struct files *files, char *message, size_t message_octets)
{
    return files_scan(folder, ending, files, message, message_octets);
}

bool files_folders(const char *folder, struct files *files, char *message, size_t message_octets)
{
    return files_scan(folder, NULL, files, message, message_octets);
}

void files_free(struct files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->paths[i]);
    }
    free(files->paths);
    *files = (struct files){0};
}

char *files_read(const char *path, size_t *len, char *message, size_t message_octets)
{
    struct stat facts;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text = NULL;

    if (fd < 0 || fstat(fd, &facts) < 0) {
        snprintf(message, message_octets, "%s: %s", files_shown(path), strerror(errno));
        goto close_file;
    }
    if (facts.st_size > FILE_MAX) {
        snprintf(message, message_octets, "%s: larger than 4 MiB", files_shown(path));
        goto close_file;
    }
    text = memory_zero((size_t)facts.st_size + 1);
    *len = 0;
    for (ssize_t got = 1; got > 0 && *len < (size_t)facts.st_size; *len += (size_t)got) {
        got = read(fd, text + *len, (size_t)facts.st_size - *len);
        if (got < 0) {
            snprintf(message, message_octets, "%s: %s", files_shown(path), strerror(errno));
            free(text);
            text = NULL;
            break;
        }
    }
close_file:
    if (fd >= 0) {
        close(fd);
    }
    return text;
}

const char *files_shown(const char *path)
{
    char here[4096];
    size_t len;

    if (!getcwd(here, sizeof here)) {
        return path;
    }
    len = strlen(here);
    return strncmp(path, here, len) == 0 && path[len] == '/' ? path + len + 1 : path;
}
