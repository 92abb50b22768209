/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Several captures as one (merge.h): the next packet of each file is at hand, and the earliest is given.
 */
#include "tester/capture/merge.h"

#include "tester/base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { DAMAGE_ROOM = 512 };

struct source {
    struct capture *capture;
    const char *path;
    struct capture_packet packet; /* the next one, if `waits` */
    bool waits, spoke;            /* spoke: it has had one */
};

struct merge {
    struct source *sources;
    size_t count;
    uint64_t packets;         /* given so far */
    struct source *last;      /* whose packet was given last: the next one takes its place */
    char damage[DAMAGE_ROOM]; /* of the first file that is damaged; "": none is */
};

/* Reads the next packet of a file. */
static void advance(struct merge *merge, struct source *source)
{
    char message[DAMAGE_ROOM / 2];
    enum capture_result result = capture_next(source->capture, &source->packet, message, sizeof message);

    source->waits = result == CAPTURE_PACKET;
    source->spoke = source->spoke || source->waits;
    if (result == CAPTURE_BROKEN && !merge->damage[0]) {
        snprintf(merge->damage, sizeof merge->damage, "%s: %s", source->path, message);
    }
}

struct merge *merge_open(char *const *paths, size_t count, char *message, size_t message_octets)
{
    struct merge *merge = memory_zero(sizeof *merge);
    char reason[256];

    merge->sources = memory_zero(count * sizeof *merge->sources);
    for (; merge->count < count; merge->count++) {
        struct source *source = &merge->sources[merge->count];

        source->path = paths[merge->count];
        source->capture = capture_open(source->path, reason, sizeof reason);
        if (!source->capture) {
            snprintf(message, message_octets, "%s: %s", source->path, reason);
            merge_close(merge);
            return NULL;
        }
    }
    for (size_t i = 0; i < count; i++) {
        advance(merge, &merge->sources[i]);
    }
    return merge;
}

void merge_close(struct merge *merge)
{
    for (size_t i = 0; i < merge->count; i++) {
        capture_close(merge->sources[i].capture);
    }
    free(merge->sources);
    free(merge);
}

const char *merge_silent(const struct merge *merge)
{
    for (size_t i = 0; i < merge->count; i++) {
        if (!merge->sources[i].spoke) {
            return merge->sources[i].path;
        }
    }
    return NULL;
}

enum capture_result merge_next(struct merge *merge, struct capture_packet *packet, char *message, size_t message_octets)
{
    struct source *earliest = NULL;

    if (merge->last) {
        advance(merge, merge->last);
    }
    for (size_t i = 0; i < merge->count; i++) {
        struct source *source = &merge->sources[i];

        if (source->waits && (!earliest || source->packet.when_ns < earliest->packet.when_ns)) {
            earliest = source;
        }
    }
    merge->last = earliest;
    if (earliest) {
        *packet = earliest->packet;
        packet->number = merge->count == 1 ? packet->number : ++merge->packets;
        return CAPTURE_PACKET;
    }
    snprintf(message, message_octets, "%s", merge->damage);
    return merge->damage[0] ? CAPTURE_BROKEN : CAPTURE_END;
}
