/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Frames of the Intercept network under their checker; see examine_intercept.h. A link is a pair of UDP ends; no port
 * is fixed, so the first frame of a link is known by its length and its CRC.
 */
#include "wire/follow/examine_intercept.h"

#include "wire/octets/keyed_hash.h"

#include <string.h>

enum { ENTRIES = 32768, LINKS = 4096, PLACES = 64 /* where a link may stand */ };

struct wire_examine_intercept {
    struct wire_examine *examine;
    uint64_t key[2];
    uint64_t *links; /* numbers of the links on which frames have been seen, by hash */
    void *memory;
    struct wire_intercept_check check;
};

struct wire_examine_intercept *wire_examine_intercept_open(struct wire_examine *examine, const uint64_t key[2])
{
    struct wire_examine_intercept *intercept = examine->memory.take(examine->memory.context, sizeof *intercept);

    intercept->examine = examine;
    intercept->key[0] = key[0];
    intercept->key[1] = key[1];
    return intercept;
}

void wire_examine_intercept_close(struct wire_examine_intercept *intercept)
{
    const struct wire_memory *memory = &intercept->examine->memory;

    if (intercept->links) {
        memory->give(memory->context, intercept->links);
        memory->give(memory->context, intercept->memory);
    }
    memory->give(memory->context, intercept);
}

/* One number for an end of a link. */
static uint64_t end_number(const struct wire_examine_intercept *intercept, const struct wire_end *end)
{
    uint64_t words[3] = {(uint64_t)end->family << 16 | end->port, 0, 0};

    memcpy(&words[1], end->address, sizeof end->address);
    return wire_keyed_hash(intercept->key, words, 3);
}

/* Whether frames have been seen on the link; `is_frame`: one is now. */
static bool is_link(struct wire_examine_intercept *intercept, uint64_t link, bool is_frame)
{
    const struct wire_memory *memory = &intercept->examine->memory;

    if (!intercept->links && is_frame) {
        intercept->links = memory->take(memory->context, LINKS * sizeof *intercept->links);
        intercept->memory = memory->take(memory->context, wire_intercept_check_octets(ENTRIES));
        intercept->check = wire_intercept_check_begin(intercept->memory, ENTRIES, intercept->key);
    }
    for (unsigned step = 0; intercept->links && step < PLACES; step++) {
        uint64_t *at = &intercept->links[(link + step) % LINKS];

        if (*at == link) {
            return true;
        }
        if (*at == 0) {
            if (is_frame) {
                *at = link;
                intercept->examine->intercept_links++;
            }
            return is_frame;
        }
    }
    return false;
}

static void tell(const struct wire_examine *examine, const struct wire_segment *datagram,
                 const struct wire_packet *packet, const struct wire_intercept_heard *heard)
{
    for (unsigned i = 0; i < heard->finding_count; i++) {
        const struct wire_intercept_finding *found = &heard->findings[i];
        struct wire_examine_violation violation = {
            .packet = packet->number,
            .when_ns = packet->when_ns,
            .from = datagram->from,
            .to = datagram->to,
            .message = wire_intercept_messages[heard->frame.message].name,
            .is_intercept = true,
            .intercept = found->violation,
            .basis = heard->basis,
            .finding = {.name = found->name, .requirement = found->requirement, .text = found->text},
        };

        if (examine->listener.violation) {
            examine->listener.violation(examine->listener.context, &violation);
        }
    }
}

bool wire_examine_intercept_lacks(const struct wire_examine_intercept *intercept)
{
    return wire_intercept_check_lacks(&intercept->check);
}

bool wire_examine_intercept_explains(struct wire_examine_intercept *intercept, enum wire_intercept_violation violation,
                                     const struct wire_intercept_basis *basis)
{
    return wire_intercept_check_explains(&intercept->check, violation, basis);
}

bool wire_examine_intercept_datagram(struct wire_examine_intercept *intercept, const struct wire_segment *datagram,
                                     const struct wire_packet *packet, struct wire_intercept_heard *heard)
{
    uint64_t from = end_number(intercept, &datagram->from);
    uint64_t to = end_number(intercept, &datagram->to);
    uint64_t words[2] = {from < to ? from : to, from < to ? to : from};
    uint64_t link = wire_keyed_hash(intercept->key, words, 2) | 1; /* not 0, which is no link */
    bool is_frame = datagram->missing == 0 && wire_intercept_check_looks(datagram->data, datagram->len);
    struct wire_intercept_heard here;

    if (!is_link(intercept, link, is_frame)) {
        return false;
    }
    if (datagram->missing) {
        wire_intercept_check_cut(&intercept->check, link, from < to ? 0 : 1);
        return false;
    }
    heard = heard ? heard : &here;
    wire_intercept_check_hear(&intercept->check, link, from < to ? 0 : 1, datagram->data, datagram->len, heard);
    intercept->examine->intercept_frames = intercept->check.frames;
    intercept->examine->intercept_messages = intercept->check.messages;
    intercept->examine->intercept_again = intercept->check.again;
    intercept->examine->intercept_corrupt = intercept->check.corrupt;
    tell(intercept->examine, datagram, packet, heard);
    return true;
}
