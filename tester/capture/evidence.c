/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A case's evidence files (evidence.h). A full disk must not stop a run: what fails is remembered and told at the end.
 */
#include "tester/capture/evidence.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/base/utf8.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LINE_SHOWN = 2000, LINES_MAX = 100000, TRANSCRIPT_MAX = 16 << 20, ARROWS_MAX = 5000 };

struct evidence_private {
    FILE *transcript;
    json_t *ladder;
    char *folder;
    char *transcript_path, *capture_path, *ladder_path; /* relative to the folder; "" when not made */
    int64_t begin_us;
    unsigned lines;
    size_t octets; /* of the transcript's lines */
    int error;     /* errno of the first failure, 0 when none */
};

static void evidence_failed(struct evidence *evidence)
{
    if (!evidence->own->error) {
        evidence->own->error = errno ? errno : EIO;
    }
}

struct evidence *evidence_open(const char *folder, const char *id, const char *heading, uint64_t octets_max)
{
    struct evidence *evidence = memory_zero(sizeof *evidence);
    char *cases = memory_format("%s/cases", folder);

    evidence->own = memory_zero(sizeof *evidence->own);
    evidence->own->folder = memory_text(folder);
    evidence->own->ladder = json_array();
    evidence->own->begin_us = clock_now_us();
    evidence->own->transcript_path = memory_format("cases/%s.txt", id);
    evidence->own->capture_path = memory_format("cases/%s.pcapng", id);
    evidence->own->ladder_path = memory_format("cases/%s.ladder.json", id);
    mkdir(cases, 0777); /* it is there after the first case; a failure shows in the next line */

    char *path = memory_format("%s/%s", folder, evidence->own->transcript_path);
    evidence->own->transcript = fopen(path, "we");
    if (!evidence->own->transcript) {
        evidence_failed(evidence);
        evidence->own->transcript_path[0] = 0;
    } else {
        fprintf(evidence->own->transcript, "%s\n\n", heading);
    }
    free(path);
    path = memory_format("%s/%s", folder, evidence->own->capture_path);
    evidence->capture = pcapng_open(path, heading);
    if (!evidence->capture) {
        evidence_failed(evidence);
        evidence->own->capture_path[0] = 0;
    }
    if (octets_max > 0) {
        pcapng_limit(evidence->capture, octets_max);
    }
    free(path);
    free(cases);
    return evidence;
}

static double ms_at(const struct evidence *evidence, int64_t at_us)
{
    return (double)(at_us - evidence->own->begin_us) / 1000.0;
}

static double evidence_ms(const struct evidence *evidence)
{
    return ms_at(evidence, clock_now_us());
}

/* Adds a line as it is. */
static void put_line(struct evidence *evidence, const char *mark, const char *text)
{
    size_t len = strlen(text);

    if (!evidence->own->transcript) {
        return;
    }
    evidence->own->octets += len < LINE_SHOWN ? len : LINE_SHOWN;
    if (len > LINE_SHOWN) {
        fprintf(evidence->own->transcript, "%10.3f  %s  %.*s ... (%zu characters)\n", evidence_ms(evidence), mark,
                LINE_SHOWN, text, len);
    } else {
        fprintf(evidence->own->transcript, "%10.3f  %s  %s\n", evidence_ms(evidence), mark, text);
    }
}

void evidence_say(struct evidence *evidence, const char *mark, const char *text)
{
    struct evidence_private *own = evidence->own;

    if (!own->transcript || own->lines == LINES_MAX) {
        return;
    }
    if (++own->lines == LINES_MAX || own->octets > TRANSCRIPT_MAX) {
        put_line(evidence, "cut", "the transcript is too long and ends here");
        own->lines = LINES_MAX;
        evidence->cut = true;
    } else {
        put_line(evidence, mark, text);
    }
}

/* An arrow of the ladder; texts that are too long are cut. */
static json_t *make_arrow(double ms, const char *const words[static 5])
{
    char *detail = utf8_repair(memory_format("%.*s", LINE_SHOWN, words[4]));
    char *label = utf8_repair(memory_text(words[3]));
    json_t *arrow = json_pack("{s:f, s:s, s:s, s:s, s:s, s:s}", "time", ms, "kind", words[0], "from", words[1], "to",
                              words[2], "label", label, "detail", detail);

    free(label);
    free(detail);
    return arrow;
}

void evidence_arrow(struct evidence *evidence, const char *kind, const char *from, const char *to, const char *label,
                    const char *detail)
{
    if (json_array_size(evidence->own->ladder) >= ARROWS_MAX) {
        return;
    }
    json_array_append_new(evidence->own->ladder,
                          make_arrow(evidence_ms(evidence), (const char *const[]){kind, from, to, label, detail}));
}

void evidence_judged(struct evidence *evidence, int64_t at_us, const char *requirement, const char *verdict,
                     const char *text)
{
    json_t *ladder = evidence->own->ladder;
    size_t place = json_array_size(ladder);
    double ms = at_us > evidence->own->begin_us ? ms_at(evidence, at_us) : 0;
    char *detail = memory_format("%s: %s", verdict, text);

    while (place > 0 && json_number_value(json_object_get(json_array_get(ladder, place - 1), "time")) > ms) {
        place--;
    }
    json_array_insert_new(ladder, place,
                          make_arrow(ms, (const char *const[]){"judged", "manager", "manager", requirement, detail}));
    free(detail);
}

/* Adds a file that was written to what there is. */
static void add_file(struct evidence *evidence, const char *kind, const char *path)
{
    struct evidence_file file = {.kind = kind, .path = path};

    if (!*path) {
        return;
    }
    if (!evidence_file_measure(evidence->own->folder, &file)) {
        evidence_failed(evidence);
        return;
    }
    evidence->files[evidence->file_count++] = file;
    evidence->octets += file.octets;
}

static void write_ladder(struct evidence *evidence)
{
    struct evidence_private *own = evidence->own;
    char *path = memory_format("%s/%s", own->folder, own->ladder_path);

    errno = 0;
    if (json_dump_file(own->ladder, path, JSON_COMPACT | JSON_REAL_PRECISION(9)) < 0) {
        evidence_failed(evidence);
        own->ladder_path[0] = 0;
    }
    free(path);
}

bool evidence_close(struct evidence *evidence, char *message, size_t message_octets)
{
    struct evidence_private *own = evidence->own;

    write_ladder(evidence);
    if (pcapng_cut(evidence->capture)) {
        put_line(evidence, "cut", "there was more traffic than a capture may hold: it ends before the case does");
        evidence->cut = true;
    }
    if (own->transcript && (ferror(own->transcript) | fclose(own->transcript))) {
        evidence_failed(evidence);
    }
    own->transcript = NULL;
    if (!pcapng_close(evidence->capture)) {
        evidence_failed(evidence);
    }
    evidence->capture = NULL;
    add_file(evidence, "transcript", own->transcript_path);
    add_file(evidence, "capture", own->capture_path);
    add_file(evidence, "ladder", own->ladder_path);
    if (own->error) {
        snprintf(message, message_octets, "evidence in %s/cases is incomplete: %s", own->folder, strerror(own->error));
    }
    return own->error == 0;
}

const char *evidence_path(const struct evidence_file *files, size_t count, const char *kind)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(files[i].kind, kind) == 0) {
            return files[i].path;
        }
    }
    return NULL;
}

void evidence_free(struct evidence *evidence)
{
    if (!evidence) {
        return;
    }
    json_decref(evidence->own->ladder);
    free(evidence->own->folder);
    free(evidence->own->transcript_path);
    free(evidence->own->capture_path);
    free(evidence->own->ladder_path);
    free(evidence->own);
    free(evidence);
}
