/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A process of Wireshark's sharkd that has one capture open, confined (confine.h). It is asked one thing at a time,
 * in a
 * line of JSON (JSON-RPC 2.0), and answers in one. What it answers is not trusted: only what has the shape that was
 * asked for is handed on, copied.
 */
#ifndef WEB_DECODE_SHARKD_H
#define WEB_DECODE_SHARKD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    SHARKD_MEMORY_MIB = 768,
    SHARKD_PROCESSOR_S = 60,
    SHARKD_LOAD_MS = 60000,              /* in which it must have started and loaded the capture */
    SHARKD_ANSWER_MS = 20000,            /* in which it must have answered */
    SHARKD_ANSWER_MAX = 8 * 1024 * 1024, /* octets of one answer */
};

enum sharkd_status {
    SHARKD_OK,
    SHARKD_NONE,   /* there is no such packet */
    SHARKD_BROKEN, /* no answer in time, too long a one, or none that makes sense: it is good for nothing more */
};

struct sharkd;

/* sharkd_start starts the program at `path`, which is to load the `len` octets of a capture. plugins: where Wireshark
 * looks for plugins, "" for its own folder. NULL: no memory, or no process. */
struct sharkd *sharkd_start(const char *path, const char *plugins, const void *capture, size_t len);

/* sharkd_load has it load them, before anything else. Blocks for seconds; SHARKD_NONE: they are no capture. */
enum sharkd_status sharkd_load(struct sharkd *sharkd);

/* sharkd_frames gives the `count` packets behind the first `skip`, or those that there are, as decoded_frames has them;
 * sharkd_frame gives all fields of one packet, as decoded_tree has them. Both block. */
enum sharkd_status sharkd_frames(struct sharkd *sharkd, unsigned skip, unsigned count, json_t **frames);
enum sharkd_status sharkd_frame(struct sharkd *sharkd, unsigned number, json_t **tree);

/* sharkd_kill makes whoever waits for an answer wait no longer; from any thread, before sharkd_close. */
void sharkd_kill(struct sharkd *sharkd);

/* sharkd_close ends the process and frees it; NULL is allowed. */
void sharkd_close(struct sharkd *sharkd);

#endif
