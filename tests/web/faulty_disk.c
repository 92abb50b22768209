/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A disk that gets full, or loses its power, for a program that preloads this library. FAULTY_ROOT is the folder below
 * which it works.
 *
 * FAULTY_FULL_AT=N: from the N-th on, what would write there or make a file there fails for lack of room, until there
 * is a file of the name that FAULTY_FREE has.
 *
 * FAULTY_SHADOW=DIR: what a loss of power would leave is kept in DIR: of each file what was in it when it was last
 * synced (files/KEY), of each folder its names when it was last synced (folders/PATH with % for /, lines "KEY NAME").
 * What was never synced is not there. A file's key is its number with the time at which it was made.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, KEY_SIZE = 64 };

#define EXPORT __attribute__((visibility("default")))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* one copy at a time */
static atomic_ulong writes;

/* The next function of that name. */
#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

static bool is_below(const char *path)
{
    const char *root = getenv("FAULTY_ROOT");
    size_t len = root ? strlen(root) : 0;

    return len > 0 && strncmp(path, root, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

/* The path of a descriptor below the root; false where it is another. */
static bool path_of(int fd, char path[static PATH_SIZE])
{
    char link[64];
    ssize_t len;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    len = readlink(link, path, PATH_SIZE - 1);
    if (len < 0) {
        return false;
    }
    path[len] = '\0';
    return is_below(path);
}

/* ---- a full disk ------------------------------------------------------------------------------------------------- */

/* Whether this write, which counts, has no room. */
static bool is_full(void)
{
    const char *at = getenv("FAULTY_FULL_AT"), *given = getenv("FAULTY_FREE");

    if (!at) {
        return false;
    }
    return atomic_fetch_add(&writes, 1) + 1 >= strtoul(at, NULL, 10) && !(given && access(given, F_OK) == 0);
}

static bool refuses(int fd)
{
    char path[PATH_SIZE];
    int before = errno;
    bool full = getenv("FAULTY_FULL_AT") && path_of(fd, path) && is_full();

    errno = full ? ENOSPC : before;
    return full;
}

EXPORT ssize_t write(int fd, const void *octets, size_t len)
{
    return refuses(fd) ? -1 : REAL(write)(fd, octets, len);
}

EXPORT ssize_t pwrite(int fd, const void *octets, size_t len, off_t at)
{
    return refuses(fd) ? -1 : REAL(pwrite)(fd, octets, len, at);
}

EXPORT ssize_t pwrite64(int fd, const void *octets, size_t len, off_t at)
{
    return refuses(fd) ? -1 : REAL(pwrite)(fd, octets, len, at);
}

EXPORT int mkdir(const char *path, mode_t mode)
{
    if (is_below(path) && is_full()) {
        errno = ENOSPC;
        return -1;
    }
    return REAL(mkdir)(path, mode);
}

static int open_checked(const char *path, int flags, mode_t mode)
{
    if ((flags & O_CREAT) && is_below(path) && access(path, F_OK) != 0 && is_full()) {
        errno = ENOSPC;
        return -1;
    }
    return REAL(open)(path, flags, mode);
}

EXPORT int open(const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode;

    va_start(arguments, flags);
    mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_checked(path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode;

    va_start(arguments, flags);
    mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_checked(path, flags, mode);
}

/* ---- a loss of power --------------------------------------------------------------------------------------------- */

static bool key_of(int folder, const char *name, char key[static KEY_SIZE])
{
    struct statx about;

    if (statx(folder, name, name[0] ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &about) != 0) {
        return false;
    }
    snprintf(key, KEY_SIZE, "%llu-%lld-%u", (unsigned long long)about.stx_ino, (long long)about.stx_btime.tv_sec,
             about.stx_btime.tv_nsec);
    return true;
}

/* Where something is kept: under another name until it is whole. */
static int make_kept(const char *kind, const char *name, char fresh[static PATH_SIZE], char kept[static PATH_SIZE])
{
    const char *shadow = getenv("FAULTY_SHADOW");

    if (snprintf(kept, PATH_SIZE, "%s/%s/%s", shadow, kind, name) >= PATH_SIZE ||
        snprintf(fresh, PATH_SIZE, "%s/fresh", shadow) >= PATH_SIZE) {
        return -1;
    }
    return REAL(open)(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static void keep_file(int fd, off_t len)
{
    char fresh[PATH_SIZE], kept[PATH_SIZE], own[64], key[KEY_SIZE];
    int to = key_of(fd, "", key) ? make_kept("files", key, fresh, kept) : -1, from;
    off_t at = 0;

    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    from = REAL(open)(own, O_RDONLY | O_CLOEXEC);
    while (to >= 0 && from >= 0 && at < len && sendfile(to, from, &at, (size_t)(len - at)) > 0) {
    }
    if (from >= 0) {
        close(from);
    }
    if (to >= 0) {
        close(to);
        rename(fresh, kept);
    }
}

static void keep_folder(const char *path)
{
    char fresh[PATH_SIZE], kept[PATH_SIZE], name[PATH_SIZE], key[KEY_SIZE];
    DIR *folder = opendir(path);
    int to;

    snprintf(name, sizeof name, "%s", path);
    for (char *at = name; *at; at++) {
        *at = *at == '/' ? '%' : *at;
    }
    to = folder ? make_kept("folders", name, fresh, kept) : -1;
    for (struct dirent *entry; to >= 0 && (entry = readdir(folder));) {
        if (entry->d_name[0] != '.' && key_of(dirfd(folder), entry->d_name, key)) {
            dprintf(to, "%s %s\n", key, entry->d_name);
        }
    }
    if (folder) {
        closedir(folder);
    }
    if (to >= 0) {
        close(to);
        rename(fresh, kept);
    }
}

static int keep(int fd, int result)
{
    char path[PATH_SIZE];
    struct stat about;
    int before = errno;

    if (result == 0 && getenv("FAULTY_SHADOW") && path_of(fd, path) && fstat(fd, &about) == 0) {
        pthread_mutex_lock(&lock);
        if (S_ISDIR(about.st_mode)) {
            keep_folder(path);
        } else {
            keep_file(fd, about.st_size);
        }
        pthread_mutex_unlock(&lock);
    }
    errno = before;
    return result;
}

EXPORT int fsync(int fd)
{
    return keep(fd, REAL(fsync)(fd));
}

EXPORT int fdatasync(int fd)
{
    return keep(fd, REAL(fdatasync)(fd));
}
