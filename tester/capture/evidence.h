/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a case leaves behind, apart from its verdict: a transcript for people, a capture for Wireshark, a ladder for the
 * page that draws who said what to whom.
 */
#ifndef TESTER_CAPTURE_EVIDENCE_H
#define TESTER_CAPTURE_EVIDENCE_H

#include "tester/capture/evidence_file.h"
#include "tester/capture/pcapng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EVIDENCE_FILES_MAX = 3 };

struct evidence {
    struct pcapng *capture; /* for the flows; NULL when it could not be made */
    bool cut;               /* more happened than could be kept */
    /* after evidence_close: the files that there are, and how many octets they have together */
    struct evidence_file files[EVIDENCE_FILES_MAX];
    size_t file_count;
    uint64_t octets;
    struct evidence_private *own;
};

/* evidence_open makes FOLDER/cases/ID.{txt,pcapng}. `heading` is the transcript's and the capture's first text. The
 * capture ends before it has more than `octets_max`, 0 being 256 MiB; the transcript says so. What cannot be made is
 * left out. Never returns NULL. */
struct evidence *evidence_open(const char *folder, const char *id, const char *heading, uint64_t octets_max);

/* evidence_close completes the files, writes the ladder and takes size and digest of each file, which nobody changes
 * from then on; false, and a message, when something is missing. The evidence stays until evidence_free. */
bool evidence_close(struct evidence *evidence, char *message, size_t message_octets);
void evidence_free(struct evidence *evidence);

/* evidence_path gives the path of the file of that kind relative to the report folder, once the evidence is closed;
 * NULL when there is none. */
const char *evidence_path(const struct evidence_file *files, size_t count, const char *kind);

/* evidence_say adds a line to the transcript: time, a mark ("step", "> rank 0", ..), text. Long texts are shortened. */
void evidence_say(struct evidence *evidence, const char *mark, const char *text);

/* evidence_arrow adds an arrow to the ladder, which has a limited number of them. kind is "call", "reply", "wire",
 * "step" or "judged". */
void evidence_arrow(struct evidence *evidence, const char *kind, const char *from, const char *to, const char *label,
                    const char *detail);

/* evidence_judged adds to the ladder that something was judged by a requirement at that moment (clock.h), which may be
 * past: behind what had happened until then. Its kind is "judged", its label the requirement, its detail "VERDICT:
 * TEXT". */
void evidence_judged(struct evidence *evidence, int64_t at_us, const char *requirement, const char *verdict,
                     const char *text);

#endif
