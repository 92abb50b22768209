/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The database is copied first, in one piece (VACUUM INTO), then each file of evidence that the copy names: files never
 * change, and as long as the copying takes none is removed.
 */
#include "web/upkeep/backup.h"

#include "web/store/evidence_files.h"
#include "web/store/query.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, BUCKET_LEN = 2, PIECE = 1024 * 1024 };

/* One backup in the making. */
struct backup {
    const char *data, *into;
    char *message;
    size_t message_octets;
    unsigned files;
};

static bool fail(const struct backup *backup, const char *path, const char *what)
{
    snprintf(backup->message, backup->message_octets, "%.400s: %s", path, what);
    return false;
}

/* Copies what is read of `from`, which it closes, into a new file. */
static bool copy(const struct backup *backup, int from, const char *path)
{
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ssize_t got = -1;
    bool good;

    while (to >= 0 && (got = sendfile(to, from, NULL, PIECE)) > 0) {
    }
    good = (to < 0 || close(to) == 0) && got == 0;
    if (!good) {
        fail(backup, path, strerror(errno));
    }
    close(from);
    return good;
}

static bool copy_database(const struct backup *backup, struct database *database)
{
    char path[PATH_SIZE];
    struct query query;

    snprintf(path, sizeof path, "%s/assay.db", backup->into);
    query_open(&query, database, "VACUUM INTO :path");
    query_text(&query, ":path", path);
    return query_run(&query) == DATABASE_OK || fail(backup, path, database_message(database));
}

/* A folder that has never been started has no key, one whose key was never changed no chain. */
static bool copy_named(const struct backup *backup, const char *name)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    int fd;

    snprintf(from, sizeof from, "%s/%s", backup->data, name);
    snprintf(to, sizeof to, "%s/%s", backup->into, name);
    fd = open(from, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT || fail(backup, from, strerror(errno));
    }
    return copy(backup, fd, to);
}

static bool copy_file(struct backup *backup, const struct evidence_files *files, const char *digest)
{
    const char *ending;
    char path[PATH_SIZE];
    int fd = evidence_files_open_any(files, digest, &ending);

    if (fd < 0) {
        return fail(backup, digest, "this evidence is missing in the data folder");
    }
    snprintf(path, sizeof path, "%s/evidence/%.*s", backup->into, BUCKET_LEN, digest);
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        close(fd);
        return fail(backup, path, strerror(errno));
    }
    snprintf(path, sizeof path, "%s/evidence/%.*s/%s%s", backup->into, BUCKET_LEN, digest, digest + BUCKET_LEN, ending);
    backup->files++;
    return copy(backup, fd, path);
}

/* All evidence that the copy of the database names. */
static bool copy_evidence(struct backup *backup, const struct evidence_files *files)
{
    struct database *copied;
    struct query query;
    char path[PATH_SIZE];
    bool good = true;

    snprintf(path, sizeof path, "%s/assay.db", backup->into);
    copied = database_open(path, backup->message, backup->message_octets);
    snprintf(path, sizeof path, "%s/evidence", backup->into);
    if (!copied || mkdir(path, 0700) != 0) {
        database_close(copied);
        return copied ? fail(backup, path, strerror(errno)) : false;
    }
    query_open_read(&query, copied, "SELECT DISTINCT digest FROM evidence WHERE bundle IS NULL");
    while (good && query_next(&query)) {
        good = copy_file(backup, files, query_column_text(&query, 0));
    }
    if (query_close(&query) != DATABASE_OK && good) {
        good = fail(backup, backup->into, "the copied database cannot be read");
    }
    database_close(copied);
    return good;
}

static bool sync_all(const struct backup *backup)
{
    int fd = open(backup->into, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && syncfs(fd) == 0;

    if (fd >= 0) {
        close(fd);
    }
    return good || fail(backup, backup->into, strerror(errno));
}

bool backup_make(const char *data, const char *into, char *message, size_t message_octets)
{
    struct backup backup = {.data = data, .into = into, .message = message, .message_octets = message_octets};
    struct evidence_files *files = NULL;
    struct database *database;
    char path[PATH_SIZE];
    bool good;

    snprintf(path, sizeof path, "%s/assay.db", data);
    if (access(path, R_OK) != 0) {
        return fail(&backup, path, strerror(errno));
    }
    if (mkdir(into, 0700) != 0) {
        return fail(&backup, into, errno == EEXIST ? "is there already; name a folder to be made" : strerror(errno));
    }
    database = database_open(path, message, message_octets);
    files = database ? evidence_files_open(data, message, message_octets) : NULL;
    good = files != NULL;
    if (good) {
        evidence_files_hold(files);
        good = copy_database(&backup, database) && copy_named(&backup, "signing.key") &&
               copy_named(&backup, "keys.json") && copy_evidence(&backup, files) && sync_all(&backup);
        evidence_files_release(files);
    }
    evidence_files_close(files);
    database_close(database);
    if (good) {
        snprintf(message, message_octets, "%s: a copy with %u files of evidence", into, backup.files);
    }
    return good;
}
