/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A key out of a file; see secure_key.h. What is asked of the file is asked of the open one, so that nobody can put
 * another in its place meanwhile.
 */
#include "ref-impl/impi/common/secure_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the file is one that only its owner may read and write. */
static bool file_is_private(int fd, char *error, size_t cap)
{
    struct stat about;

    if (fstat(fd, &about) != 0) {
        snprintf(error, cap, "%s", strerror(errno));
        return false;
    }
    if (!S_ISREG(about.st_mode)) {
        snprintf(error, cap, "is no file");
        return false;
    }
    if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        snprintf(error, cap, "others than its owner may use it (mode %03o): chmod 600",
                 (unsigned)(about.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO)));
        return false;
    }
    return true;
}

/* All octets of the file, `cap` at most; -1 with errno. */
static ssize_t octets_read(int fd, unsigned char *octets, size_t cap)
{
    size_t len = 0;

    while (len < cap) {
        ssize_t got = read(fd, octets + len, cap - len);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got < 0 ? -1 : (ssize_t)len;
        }
        len += (size_t)got;
    }
    return (ssize_t)len;
}

bool secure_key_read(const char *path, struct secure_key *key, char *error, size_t cap)
{
    unsigned char octets[SECURE_KEY_MAX + 2]; /* one line end, and one too many */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0) {
        snprintf(error, cap, "%s", strerror(errno));
        return false;
    }
    bool good = file_is_private(fd, error, cap);
    ssize_t got = good ? octets_read(fd, octets, sizeof octets) : 0;
    if (got < 0) {
        snprintf(error, cap, "%s", strerror(errno));
        good = false;
    }
    close(fd);
    size_t len = good ? (size_t)got : 0;
    len -= len > 0 && octets[len - 1] == '\n';
    if (good && (len < SECURE_KEY_MIN || len > SECURE_KEY_MAX)) {
        snprintf(error, cap, "%s; a key has %d to %d octets, such as those of openssl rand -hex 32",
                 len < SECURE_KEY_MIN ? "too short" : "too long", SECURE_KEY_MIN, SECURE_KEY_MAX);
        good = false;
    }
    if (good) {
        memcpy(key->octets, octets, len);
        key->len = len;
    }
    return good;
}
