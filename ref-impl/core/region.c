/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Scattered regions: see region.h. Portals 3.3, PTL_MD_IOVEC.
 */
#include "ref-impl/core/region.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/core/limits.h"

struct region {
    uint64_t octets;
    struct core_piece pieces[];
};

/* struct place is where one is in a region that is walked through. */
struct place {
    const struct core_piece *piece;
    uint64_t offset; /* in that piece */
};

/* Whether all pieces can be; then *octets is how long they are together. */
static bool are_legal(const struct core_piece *pieces, uint64_t count, uint64_t *octets)
{
    *octets = 0;
    for (uint64_t i = 0; i < count; i++) {
        uintptr_t start = (uintptr_t)pieces[i].start;

        if ((!start && pieces[i].length > 0) || pieces[i].length > UINTPTR_MAX - start ||
            pieces[i].length > WIRE_PORTALS_LENGTH_MAX - *octets) {
            return false;
        }
        *octets += pieces[i].length;
    }
    return true;
}

enum core_status region_make(struct core_md *value, uint32_t most, struct region **made)
{
    uint64_t count = value->length;
    struct region *region;

    *made = NULL;
    if (!(value->options & CORE_SCATTERED)) {
        return CORE_OK;
    }
    if (count > most) {
        return CORE_ILLEGAL; //= P33-381
    }
    region = malloc(sizeof(*region) + count * sizeof(region->pieces[0]));
    if (!region) {
        return CORE_NO_SPACE;
    }
    if (count > 0) {
        memcpy(region->pieces, value->start,
               count * sizeof(region->pieces[0])); /* of another type, laid out the same */
    }
    if (!are_legal(region->pieces, count, &region->octets)) {
        free(region);
        return CORE_ILLEGAL;
    }
    value->pieces = (uint32_t)count;
    value->length = region->octets;
    *made = region;
    return CORE_OK;
}

/* Where the octet at `offset` is, which is in the region. */
static struct place find(const struct region *region, uint64_t offset)
{
    struct place place = {region->pieces, offset};

    while (place.offset >= place.piece->length) {
        place.offset -= place.piece->length;
        place.piece++;
    }
    return place;
}

/* The next octets that lie together, `left` at most; moves on behind them. */
static char *next(struct place *place, uint64_t left, uint64_t *length)
{
    char *start;
    uint64_t here;

    while (place->offset == place->piece->length) {
        place->piece++;
        place->offset = 0;
    }
    start = (char *)place->piece->start + place->offset;
    here = place->piece->length - place->offset;
    *length = here < left ? here : left;
    place->offset += *length;
    return start;
}

bool region_room(const struct region *region, uint64_t offset, uint64_t length, void **start, void **bounce)
{
    struct place place;

    *bounce = NULL;
    *start = NULL;
    if (length == 0) {
        return true;
    }
    place = find(region, offset);
    if (length <= place.piece->length - place.offset) {
        *start = (char *)place.piece->start + place.offset;
        return true;
    }
    *start = *bounce = malloc(length);
    return *bounce;
}

bool region_gather(const struct region *region, uint64_t offset, uint64_t length, const void **start, void **bounce)
{
    void *room;

    if (!region_room(region, offset, length, &room, bounce)) {
        return false;
    }
    *start = room;
    if (*bounce) {
        region_read(region, offset, *bounce, length);
    }
    return true;
}

void region_read(const struct region *region, uint64_t offset, void *to, uint64_t length)
{
    struct place place;
    char *at = to;

    if (length == 0) {
        return;
    }
    place = find(region, offset);
    for (uint64_t left = length, here; left > 0; left -= here, at += here) {
        const char *from = next(&place, left, &here);

        memcpy(at, from, here);
    }
}

void region_write(const struct region *region, uint64_t offset, const void *from, uint64_t length)
{
    const char *at = from;
    struct place place;

    if (length == 0) {
        return;
    }
    place = find(region, offset);
    for (uint64_t left = length, here; left > 0; left -= here, at += here) {
        char *to = next(&place, left, &here);

        memcpy(to, at, here);
    }
}
