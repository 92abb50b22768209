/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Folders and whole files (files.h).
 */
#include "tester/base/files.h"

#include "tester/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 4 << 20, DEPTH_MAX = 4 /* folders in folders */ };

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_path(struct files *files, char *path)
{
    files->paths = memory_grow(files->paths, (files->count + 1) * sizeof(char *));
    files->paths[files->count++] = path;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t len = strlen(name), end = strlen(ending);

    return len >= end && strcmp(name + len - end, ending) == 0;
}

/* What stands under a name that is not hidden: S_IFREG, S_IFDIR or something else. */
static mode_t kind_of(DIR *directory, const char *name)
{
    struct stat facts;

    return name[0] == '.' || fstatat(dirfd(directory), name, &facts, 0) < 0 ? 0 : facts.st_mode & S_IFMT;
}

static DIR *open_folder(const char *folder, char *message, size_t message_octets)
{
    DIR *directory = opendir(folder);

    if (!directory) {
        snprintf(message, message_octets, "%s: %s", files_shown(folder), strerror(errno));
    }
    return directory;
}

/* Adds the paths of the files in a folder and, as deep as `depth` says, in those below it. */
static bool add_files(const char *folder, const char *ending, unsigned depth, struct files *files, char *message,
                      size_t message_octets)
{
    DIR *directory = open_folder(folder, message, message_octets);
    bool good = directory;

    for (struct dirent *entry; good && (entry = readdir(directory));) {
        mode_t kind = kind_of(directory, entry->d_name);
        char *path = memory_format("%s/%s", folder, entry->d_name);
        if (kind == S_IFREG && ends_with(path, ending)) {
            add_path(files, path);
            continue;
        }
        if (kind == S_IFDIR && depth > 0) {
            good = add_files(path, ending, depth - 1, files, message, message_octets);
        }
        free(path);
    }
    if (directory) {
        closedir(directory);
    }
    return good;
}

static void sort(struct files *files)
{
    if (files->count) {
        qsort(files->paths, files->count, sizeof(char *), by_name);
    }
}

bool files_list(const char *folder, const char *ending, struct files *files, char *message, size_t message_octets)
{
    *files = (struct files){0};
    bool good = add_files(folder, ending, DEPTH_MAX, files, message, message_octets);

    if (!good) {
        files_free(files);
    }
    sort(files);
    return good;
}

bool files_folders(const char *folder, struct files *files, char *message, size_t message_octets)
{
    DIR *directory = open_folder(folder, message, message_octets);

    *files = (struct files){0};
    if (!directory) {
        return false;
    }
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (kind_of(directory, entry->d_name) == S_IFDIR) {
            add_path(files, memory_text(entry->d_name));
        }
    }
    closedir(directory);
    sort(files);
    return true;
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
