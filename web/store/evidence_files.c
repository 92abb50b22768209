/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Adds, finds and removes the files of the folder of evidence. A file gets its name there by a link, when it is whole
 * and on the disk: under a digest lies what the digest says, or nothing.
 */
#include "web/store/evidence_files.h"

#include "web/store/evidence_bundle.h"
#include "web/store/evidence_pack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 + 128, BUCKET_LEN = 2, BUCKETS = 256 };

#define HALF_WRITTEN "new."
#define PACKED       ".gz"
#define BUNDLE       ".zst"

struct evidence_files {
    char folder[4096];
    pthread_rwlock_t lock; /* read: files are added; write: files are removed */
    pthread_mutex_t count; /* guards what follows */
    unsigned holders;      /* in this process: while there are some, they share the lock of the folder, */
    int folder_lock;       /* by which the processes that use it know of each other */
    struct evidence_bundles *bundles;
};

/* Opens the file that is locked. */
static bool open_lock(struct evidence_files *files, const char *data)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "%s/lock.evidence", data);
    files->folder_lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return files->folder_lock >= 0;
}

/* Before files are removed: false where another process adds some. */
static bool begin_removal(struct evidence_files *files)
{
    pthread_rwlock_wrlock(&files->lock);
    if (flock(files->folder_lock, LOCK_EX | LOCK_NB) != 0) {
        pthread_rwlock_unlock(&files->lock);
        return false;
    }
    return true;
}

static void end_removal(struct evidence_files *files)
{
    flock(files->folder_lock, LOCK_UN);
    pthread_rwlock_unlock(&files->lock);
}

struct evidence_files *evidence_files_open(const char *data, char *message, size_t message_octets)
{
    struct evidence_files *files = calloc(1, sizeof *files);

    if (files) {
        files->bundles = evidence_bundles_new();
    }
    if (!files || !files->bundles ||
        snprintf(files->folder, sizeof files->folder, "%s/evidence", data) >= (int)sizeof files->folder) {
        snprintf(message, message_octets, "%s: no memory, or the name is too long", data);
    } else if (mkdir(files->folder, 0700) != 0 && errno != EEXIST) {
        snprintf(message, message_octets, "%s: cannot make the folder of evidence: %s", files->folder, strerror(errno));
    } else if (!open_lock(files, data)) {
        snprintf(message, message_octets, "%s: cannot write to the data folder: %s", data, strerror(errno));
    } else {
        pthread_rwlock_init(&files->lock, NULL);
        pthread_mutex_init(&files->count, NULL);
        return files;
    }
    if (files) {
        evidence_bundles_free(files->bundles);
        free(files);
    }
    return NULL;
}

void evidence_files_close(struct evidence_files *files)
{
    if (files) {
        close(files->folder_lock);
        evidence_bundles_free(files->bundles);
        pthread_mutex_destroy(&files->count);
        pthread_rwlock_destroy(&files->lock);
        free(files);
    }
}

void evidence_files_hold(struct evidence_files *files)
{
    pthread_rwlock_rdlock(&files->lock);
    pthread_mutex_lock(&files->count);
    if (files->holders++ == 0) {
        flock(files->folder_lock, LOCK_SH);
    }
    pthread_mutex_unlock(&files->count);
}

void evidence_files_release(struct evidence_files *files)
{
    pthread_mutex_lock(&files->count);
    if (--files->holders == 0) {
        flock(files->folder_lock, LOCK_UN);
    }
    pthread_mutex_unlock(&files->count);
    pthread_rwlock_unlock(&files->lock);
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

/* What errno says, with a line on stderr where it is not for want of room. */
static enum database_status failure(const char *path)
{
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) {
        return DATABASE_FULL;
    }
    fprintf(stderr, "assayd: evidence: %s: %s\n", path, strerror(errno));
    return DATABASE_BROKEN;
}

static bool sync_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;

    if (fd >= 0) {
        close(fd);
    }
    return good;
}

/* Makes the subfolder of a digest, for good, and gives its name. */
static bool make_bucket(const struct evidence_files *files, const char *sha256, char *path, size_t path_octets)
{
    snprintf(path, path_octets, "%s/%.*s", files->folder, BUCKET_LEN, sha256);
    if (mkdir(path, 0700) == 0) {
        return sync_folder(files->folder);
    }
    return errno == EEXIST;
}

/* Gives the file its name in the folder. Where a file system has no links the file moves. */
static bool place(const char *from, const char *to)
{
    return link(from, to) == 0 || errno == EEXIST || ((errno == EPERM || errno == EOPNOTSUPP) && rename(from, to) == 0);
}

/* The path of a digest, which has been checked to be one: what stands in the database is not trusted with paths. */
static bool path_of(const struct evidence_files *files, const char *sha256, const char *ending, char *path,
                    size_t path_octets)
{
    if (strlen(sha256) != EVIDENCE_FILE_DIGEST - 1 || sha256[strspn(sha256, "0123456789abcdef")]) {
        return false;
    }
    snprintf(path, path_octets, "%s/%.*s/%s%s", files->folder, BUCKET_LEN, sha256, sha256 + BUCKET_LEN, ending);
    return true;
}

/* What is to become a file: of a descriptor, or, where that is -1, octets in memory. */
struct source {
    int fd;
    const void *octets;
    size_t len;
    bool bundle;
};

static bool pack(const struct source *source, int to)
{
    if (source->fd >= 0) {
        return evidence_pack_file(source->fd, to);
    }
    return source->bundle ? evidence_bundle_pack(source->octets, source->len, to)
                          : evidence_pack_octets(source->octets, source->len, to);
}

/* Packs the source into a file of its own, and gives that its name when it is on the disk. */
static enum database_status add_packed(struct evidence_files *files, const struct source *source, const char *name)
{
    char half[PATH_SIZE];
    enum database_status status = DATABASE_OK;
    int fd;

    snprintf(half, sizeof half, "%s/" HALF_WRITTEN "XXXXXX", files->folder);
    fd = mkostemp(half, O_CLOEXEC);
    if (fd < 0) {
        return failure(half);
    }
    if (!pack(source, fd) || fsync(fd) != 0 || !place(half, name)) {
        status = failure(half);
    }
    close(fd);
    unlink(half);
    return status;
}

static enum database_status add(struct evidence_files *files, const struct source *source, const char *sha256)
{
    char bucket[PATH_SIZE], name[PATH_SIZE];
    enum database_status status = DATABASE_OK;

    if (!path_of(files, sha256, source->bundle ? BUNDLE : PACKED, name, sizeof name)) {
        return DATABASE_BROKEN;
    }
    if (!make_bucket(files, sha256, bucket, sizeof bucket)) {
        return failure(bucket);
    }
    if (access(name, F_OK) != 0) {
        status = add_packed(files, source, name);
    }
    return status || sync_folder(bucket) ? status : failure(bucket);
}

enum database_status evidence_files_add(struct evidence_files *files, const char *path, const char *sha256)
{
    struct source source = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    enum database_status status;

    if (source.fd < 0) {
        return failure(path);
    }
    status = add(files, &source, sha256);
    close(source.fd);
    return status;
}

static enum database_status write_octets(struct evidence_files *files, const struct source *source,
                                         struct evidence_file *file)
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, source->octets, source->len);
    sodium_bin2hex(file->sha256, sizeof file->sha256, hash, sizeof hash);
    file->octets = source->len;
    return add(files, source, file->sha256);
}

enum database_status evidence_files_write(struct evidence_files *files, const void *octets, size_t len,
                                          struct evidence_file *file)
{
    return write_octets(files, &(struct source){.fd = -1, .octets = octets, .len = len}, file);
}

enum database_status evidence_files_bundle(struct evidence_files *files, const void *octets, size_t len,
                                           struct evidence_file *file)
{
    return write_octets(files, &(struct source){.fd = -1, .octets = octets, .len = len, .bundle = true}, file);
}

/* ---- finding, removing ------------------------------------------------------------------------------------------- */

int evidence_files_read(const struct evidence_files *files, const char *sha256, uint64_t *packed)
{
    char path[PATH_SIZE];
    struct stat status;
    int fd = path_of(files, sha256, PACKED, path, sizeof path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;

    *packed = 0;
    if (fd >= 0) {
        *packed = fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
    } else if (path_of(files, sha256, "", path, sizeof path)) {
        fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    return fd;
}

/* The endings under which the file of a digest may lie. */
static const char *const endings[] = {PACKED, BUNDLE, ""};
enum { ENDINGS = sizeof endings / sizeof endings[0] };

int evidence_files_open_any(const struct evidence_files *files, const char *sha256, const char **ending)
{
    char path[PATH_SIZE];
    int fd = -1;

    for (size_t i = 0; fd < 0 && i < ENDINGS && path_of(files, sha256, endings[i], path, sizeof path); i++) {
        fd = open(path, O_RDONLY | O_CLOEXEC);
        *ending = endings[i];
    }
    return fd;
}

char *evidence_files_load(const struct evidence_files *files, const struct evidence_place *place)
{
    char path[PATH_SIZE];
    uint64_t packed;
    int fd;

    if (*place->bundle) {
        return path_of(files, place->bundle, BUNDLE, path, sizeof path)
                   ? evidence_bundles_piece(files->bundles, place, path)
                   : NULL;
    }
    fd = evidence_files_read(files, place->sha256, &packed);
    return fd >= 0 ? evidence_unpack(fd, place->octets) : NULL;
}

/* Under the lock for removing. */
static bool remove_unused(struct evidence_files *files, const char *sha256,
                          bool (*is_used)(void *context, const char *sha256), void *context)
{
    char path[PATH_SIZE];
    bool removed = false;

    if (!path_of(files, sha256, "", path, sizeof path) || is_used(context, sha256)) {
        return false;
    }
    for (size_t i = 0; i < ENDINGS; i++) {
        path_of(files, sha256, endings[i], path, sizeof path);
        removed = unlink(path) == 0 || removed;
    }
    return removed;
}

bool evidence_files_remove(struct evidence_files *files, const char *sha256,
                           bool (*is_used)(void *context, const char *sha256), void *context)
{
    if (!begin_removal(files)) {
        return false;
    }
    remove_unused(files, sha256, is_used, context);
    end_removal(files);
    return true;
}

static unsigned sweep_bucket(struct evidence_files *files, unsigned number,
                             bool (*is_used)(void *context, const char *sha256), void *context)
{
    char path[PATH_SIZE], digest[2 * EVIDENCE_FILE_DIGEST];
    struct dirent *entry;
    unsigned removed = 0;
    DIR *folder;

    snprintf(path, sizeof path, "%s/%02x", files->folder, number);
    folder = opendir(path);
    while (folder && (entry = readdir(folder)) != NULL) {
        int len = (int)strcspn(entry->d_name, ".");

        if (snprintf(digest, sizeof digest, "%02x%.*s", number, len, entry->d_name) < (int)sizeof digest) {
            removed += remove_unused(files, digest, is_used, context);
        }
    }
    if (folder) {
        closedir(folder);
    }
    return removed;
}

static void remove_half_written(const struct evidence_files *files)
{
    char path[PATH_SIZE + 256];
    struct dirent *entry;
    DIR *folder = opendir(files->folder);

    while (folder && (entry = readdir(folder)) != NULL) {
        if (strncmp(entry->d_name, HALF_WRITTEN, strlen(HALF_WRITTEN)) == 0) {
            snprintf(path, sizeof path, "%s/%s", files->folder, entry->d_name);
            unlink(path);
        }
    }
    if (folder) {
        closedir(folder);
    }
}

unsigned evidence_files_sweep(struct evidence_files *files, bool (*is_used)(void *context, const char *sha256),
                              void *context)
{
    unsigned removed = 0;

    if (!begin_removal(files)) {
        return 0;
    }
    remove_half_written(files);
    for (unsigned i = 0; i < BUCKETS; i++) {
        removed += sweep_bucket(files, i, is_used, context);
    }
    end_removal(files);
    return removed;
}
