/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The conversation with sharkd (sharkd.h): fixed requests, each answered before the next.
 */
#include "web/decode/sharkd.h"

#include "web/decode/confine.h"
#include "web/decode/decoded.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_ROOM = 16 * 1024, REQUEST_SIZE = 256, READABLE_BY_ALL = 0444 };

struct sharkd {
    struct confined process;
    unsigned asked; /* requests until now: the number of the last */
    char *text;     /* of the answer */
    size_t len, room;
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static bool make_room(struct sharkd *sharkd)
{
    size_t room = sharkd->room == 0 ? FIRST_ROOM : 2 * sharkd->room;
    char *text;

    if (sharkd->len < sharkd->room) {
        return true;
    }
    text = room <= SHARKD_ANSWER_MAX ? realloc(sharkd->text, room) : NULL;
    if (text) {
        sharkd->text = text;
        sharkd->room = room;
    }
    return text != NULL;
}

/* Reads until a line has ended, with nothing behind it. */
static bool read_line(struct sharkd *sharkd, int64_t deadline_ms)
{
    sharkd->len = 0;
    while (sharkd->len == 0 || sharkd->text[sharkd->len - 1] != '\n') {
        struct pollfd from = {.fd = sharkd->process.from, .events = POLLIN};
        int64_t left_ms = deadline_ms - now_ms();
        ssize_t got;

        if (left_ms <= 0 || !make_room(sharkd)) {
            return false;
        }
        if (poll(&from, 1, (int)left_ms) <= 0) {
            continue;
        }
        got = read(from.fd, sharkd->text + sharkd->len, sharkd->room - sharkd->len);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        sharkd->len += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool write_line(struct sharkd *sharkd, const char *line, size_t len)
{
    return write(sharkd->process.to, line, len) == (ssize_t)len;
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

/* Asks; `parameters` is an object of JSON. What came of it is in *answer: the whole object, of which the caller looks
 * at "result". */
static enum sharkd_status ask(struct sharkd *sharkd, const char *method, const char *parameters, int within_ms,
                              json_t **answer)
{
    int64_t deadline_ms = now_ms() + within_ms;
    char line[REQUEST_SIZE];
    json_t *said;
    bool fits;
    int len = snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":%s}\n",
                       ++sharkd->asked, method, parameters);

    if (!write_line(sharkd, line, (size_t)len) || !read_line(sharkd, deadline_ms)) {
        return SHARKD_BROKEN;
    }
    said = json_loadb(sharkd->text, sharkd->len, JSON_REJECT_DUPLICATES, NULL);
    fits = json_is_object(said) && json_integer_value(json_object_get(said, "id")) == sharkd->asked;
    if (fits && json_object_get(said, "result")) {
        *answer = said;
        return SHARKD_OK;
    }
    fits = fits && json_is_object(json_object_get(said, "error"));
    json_decref(said);
    return fits ? SHARKD_NONE : SHARKD_BROKEN;
}

/* Copies what was asked for with `copy`. */
static enum sharkd_status take(json_t *answer, json_t *(*copy)(const json_t *result), json_t **copied)
{
    *copied = copy(json_object_get(answer, "result"));
    json_decref(answer);
    return *copied ? SHARKD_OK : SHARKD_BROKEN;
}

enum sharkd_status sharkd_frames(struct sharkd *sharkd, unsigned skip, unsigned count, json_t **frames)
{
    enum sharkd_status status;
    char parameters[64];
    json_t *answer;

    /* None to be skipped must not be said. */
    snprintf(parameters, sizeof parameters, skip > 0 ? "{\"limit\":%u,\"skip\":%u}" : "{\"limit\":%u}", count, skip);
    status = ask(sharkd, "frames", parameters, SHARKD_ANSWER_MS, &answer);
    return status == SHARKD_OK ? take(answer, decoded_frames, frames) : status;
}

enum sharkd_status sharkd_frame(struct sharkd *sharkd, unsigned number, json_t **tree)
{
    enum sharkd_status status;
    char parameters[64];
    json_t *answer;

    snprintf(parameters, sizeof parameters, "{\"frame\":%u,\"proto\":true}", number);
    status = ask(sharkd, "frame", parameters, SHARKD_ANSWER_MS, &answer);
    return status == SHARKD_OK ? take(answer, decoded_tree, tree) : status;
}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

/* The octets as a file without a name, which nobody can change any more. -1: no memory. */
static int make_file(const char *octets, size_t len)
{
    int fd = memfd_create("capture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    size_t done = 0;

    while (fd >= 0 && done < len) {
        ssize_t put = write(fd, octets + done, len - done);

        if (put <= 0) {
            break;
        }
        done += (size_t)put;
    }
    if (fd >= 0 && (done < len || fchmod(fd, READABLE_BY_ALL) != 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static bool execute(struct sharkd *sharkd, const char *path, const char *plugins, int file)
{
    char plugin_folder[512];
    char *arguments[] = {(char *)(uintptr_t)path, "-", NULL};
    char *environment[] = {"PATH=/usr/bin:/bin",
                           "HOME=/nonexistent",
                           "WIRESHARK_CONFIG_DIR=/nonexistent",
                           "LC_ALL=C.UTF-8",
                           plugins[0] ? plugin_folder : NULL,
                           NULL};

    snprintf(plugin_folder, sizeof plugin_folder, "WIRESHARK_PLUGIN_DIR=%s", plugins);
    return confine_start(&(struct confine_order){.program = path,
                                                 .arguments = arguments,
                                                 .environment = environment,
                                                 .readable = (const char *const[]){plugins, NULL},
                                                 .file = file,
                                                 .memory_mib = SHARKD_MEMORY_MIB,
                                                 .processor_s = SHARKD_PROCESSOR_S},
                         &sharkd->process);
}

struct sharkd *sharkd_start(const char *path, const char *plugins, const void *capture, size_t len)
{
    struct sharkd *sharkd = calloc(1, sizeof *sharkd);
    int file = sharkd ? make_file(capture, len) : -1;

    if (file < 0 || !execute(sharkd, path, plugins, file)) {
        free(sharkd);
        sharkd = NULL;
    }
    if (file >= 0) {
        close(file);
    }
    return sharkd;
}

enum sharkd_status sharkd_load(struct sharkd *sharkd)
{
    enum sharkd_status status;
    char parameters[64];
    json_t *answer = NULL;

    snprintf(parameters, sizeof parameters, "{\"file\":\"/proc/self/fd/%d\"}", CONFINE_FILE);
    status = ask(sharkd, "load", parameters, SHARKD_LOAD_MS, &answer);
    json_decref(answer);
    return status;
}

void sharkd_kill(struct sharkd *sharkd)
{
    kill(sharkd->process.pid, SIGKILL);
}

void sharkd_close(struct sharkd *sharkd)
{
    if (sharkd) {
        confine_end(&sharkd->process);
        free(sharkd->text);
        free(sharkd);
    }
}
