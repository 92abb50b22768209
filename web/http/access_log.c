/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The access log (access_log.h). Each line is one write to a file that is opened for adding: lines of several threads,
 * and of several services, do not mix, and a program that cuts the file off may do so at any time.
 */
#include "web/http/access_log.h"

#include "web/http/audit.h"
#include "web/http/request.h"
#include "web/http/route.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct access_log {
    char *path;         /* NULL: stderr */
    int fd;             /* stays the same number: another file takes its place */
    atomic_bool failed; /* it was told */
};

static int open_file(const char *path)
{
    return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

struct access_log *access_log_open(const char *path, char *message, size_t message_octets)
{
    struct access_log *log = calloc(1, sizeof *log);

    bool to_file = strcmp(path, "-") != 0;

    if (log && to_file) {
        log->path = strdup(path);
    }
    if (!log || (to_file && !log->path)) {
        snprintf(message, message_octets, "out of memory");
        free(log);
        return NULL;
    }
    log->fd = to_file ? open_file(path) : STDERR_FILENO;
    if (log->fd < 0) {
        snprintf(message, message_octets, "--access-log: %.400s: %s", path, strerror(errno));
        free(log->path);
        free(log);
        return NULL;
    }
    return log;
}

void access_log_close(struct access_log *log)
{
    if (log && log->fd != STDERR_FILENO) {
        close(log->fd);
    }
    if (log) {
        free(log->path);
    }
    free(log);
}

void access_log_reopen(struct access_log *log)
{
    int fd = log && log->path ? open_file(log->path) : -1;

    if (log && log->path && (fd < 0 || dup3(fd, log->fd, O_CLOEXEC) < 0)) {
        fprintf(stderr, "assayd: --access-log: %.400s: %s; lines go on to where they went before\n", log->path,
                strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
}

uint64_t access_log_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void write_time(char *text, size_t text_octets)
{
    struct timespec now;
    struct tm utc;
    char seconds[32];

    clock_gettime(CLOCK_REALTIME, &now);
    strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", gmtime_r(&now.tv_sec, &utc));
    snprintf(text, text_octets, "%s.%03ldZ", seconds, now.tv_nsec / 1000000);
}

static json_t *line_of(const struct request *request, bool complete)
{
    char at[48], address[AUDIT_ADDRESS_SIZE];
    double duration_ms = (double)(access_log_now_us() - request->began_us) / 1000.0;

    write_time(at, sizeof at);
    audit_address(&request->from.client, address);
    return json_pack("{s:s,s:s,s:s?,s:i,s:o,s:f,s:o,s:s,s:b}", "time", at, "method", request->method, "route",
                     request->route ? request->route->pattern : NULL, "status", (int)request->status, "octets",
                     request->octets < 0 ? json_null() : json_integer(request->octets), "duration_ms", duration_ms,
                     "account", request->who.account ? json_integer(request->who.account) : json_null(), "address",
                     address, "complete", complete);
}

static bool write_line(int fd, char *text, size_t len)
{
    text[len] = '\n'; /* in the place of the zero */
    return write(fd, text, len + 1) == (ssize_t)(len + 1);
}

void access_log_note(struct access_log *log, const struct request *request, bool complete)
{
    json_t *line = log ? line_of(request, complete) : NULL;
    char *text = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(6) | JSON_ENSURE_ASCII) : NULL;

    if (log && (!text || !write_line(log->fd, text, strlen(text))) && !atomic_exchange(&log->failed, true)) {
        fputs("assayd: lines of the access log cannot be written (is the disk full?)\n", stderr);
    }
    free(text);
    json_decref(line);
}
