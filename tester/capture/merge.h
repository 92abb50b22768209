/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Several captures read as one, by time: those of the nodes of a job.
 */
#ifndef TESTER_CAPTURE_MERGE_H
#define TESTER_CAPTURE_MERGE_H

#include "tester/capture/read.h"

#include <stddef.h>

struct merge;

/* merge_open opens the files; NULL, and a message that begins with the path, when one of them is no capture.
 * merge_close ends all. */
struct merge *merge_open(char *const *paths, size_t count, char *message, size_t message_octets);
void merge_close(struct merge *merge);

/* merge_next gives the earliest packet of those that come next in the files, of equal ones that of the first
 * file. Packets are numbered in this order, from 1: of one file as they stand there, of several as mergecap numbers
 * them. The packet is good until the next call. CAPTURE_BROKEN: there is none more, and one of the files is damaged or
 * cut off; the message says which and where. The others have been read to their ends. */
enum capture_result merge_next(struct merge *merge, struct capture_packet *packet, char *message,
                               size_t message_octets);

/* merge_silent gives the path of the first file that has come to its end without a packet; NULL: there is none. */
const char *merge_silent(const struct merge *merge);

#endif
