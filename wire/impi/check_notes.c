/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Notes about the packets of a channel (wire/impi/check_notes.h). None of them is a proof, so each asks for evidence:
 *
 *     pk_srqid 0         twice from one process to another: a count may begin with 0
 *     a collective tag   on a context for point-to-point messages, when what the two processes said to each other just
 *                        before was of a collective operation in the context that belongs to it, and when nobody on the
 *                        channel has used the tag in such a context
 *     no barrier         at the FINI of hosts between which any barrier of the world would have gone
 *     an unused field    with octets that are neither all zero nor all ones: nobody fills it with those on purpose
 *     octets in reverse  EVIDENCE_MIN messages of which some are different, and not a single one that says otherwise
 *
 * Judges sections 1.2.2, 3.5 and 3.7 and what is known of chapter 4 of the IMPI 0.0 document.
 */
#include "wire/impi/check_notes.h"

enum {
    CID_WORLD_COLLECTIVE = 1,
    TAG_BARRIER = 110,
    EVIDENCE_MIN = 8, /* messages */
    VALUES_MIN = 4,   /* different values among them */
    SMALL_MAX = 65535,
    PROCESSES_END = 56, /* behind pk_len, which has a note of its own, and the two processes, which a FINI may name */
    /* of an IEEE number: exponents from 2^-20 to 2^30 are those of everyday numbers */
    EXPONENT_LOW = -20,
    EXPONENT_HIGH = 30,
};

/* The groups of collective operations, by the requirement that gives the tag. */
enum { REDUCING, MOVING, OTHERS };

/* The tags of collective contexts. */
static const struct {
    int32_t tag;
    int group;
} tags[] = {
    {TAG_BARRIER, OTHERS}, {120, OTHERS}, {130, MOVING}, {140, MOVING},   {150, MOVING},
    {160, MOVING},         {170, MOVING}, {180, MOVING}, {190, REDUCING}, {200, OTHERS},
};

enum { TAGS = sizeof tags / sizeof tags[0] };

static const enum wire_impi_violation misplaced[WIRE_IMPI_COLLECTIVES] = {
    [REDUCING] = WIRE_IMPI_NOTE_REDUCE_CONTEXT,
    [MOVING] = WIRE_IMPI_NOTE_MOVE_CONTEXT,
    [OTHERS] = WIRE_IMPI_NOTE_COLLECTIVE_CONTEXT,
};

static void note_pair(struct wire_impi_channel *channel, const struct wire_impi_pair *pair,
                      enum wire_impi_violation violation, struct wire_impi_tally *tally)
{
    struct wire_impi_finding *finding = wire_impi_note(&channel->notes, violation, tally);

    if (finding) {
        finding->paired = true;
        finding->pids[0] = pair->src.pid;
        finding->pids[1] = pair->dest.pid;
    }
}

/* ---- contexts and tags ---- */

/* The place of the tag among those of collective contexts, or TAGS. */
static int place_of(int32_t tag)
{
    int place = 0;

    while (place < TAGS && tags[place].tag != tag) {
        place++;
    }
    return place;
}

static bool is_collective(uint64_t cid)
{
    return cid % 2 == 1;
}

static bool note_context(struct wire_impi_channel *channel, struct wire_impi_pair *pair, struct wire_impi_pair *back,
                         const struct wire_impi_packet *packet)
{
    int place = place_of(packet->tag);
    bool known = place < TAGS;

    //= IMPI-223
    //= IMPI-239
    if (known && !is_collective(packet->cid) && pair->notes.collective == packet->cid + 1 &&
        !(channel->collective_tags >> place & 1)) {
        int group = tags[place].group;
        note_pair(channel, pair, misplaced[group], &pair->notes.misplaced[group]);
        return true; /* and what comes next may be another one */
    }
    pair->notes.collective = is_collective(packet->cid) ? packet->cid : 0;
    if (back) {
        back->notes.collective = pair->notes.collective;
    }
    //= IMPI-238
    if (is_collective(packet->cid) && !known) {
        (void)wire_impi_note(&channel->notes, WIRE_IMPI_NOTE_COLLECTIVE_TAG, &channel->collective_tag);
    } else if (is_collective(packet->cid)) {
        channel->collective_tags |= UINT32_C(1) << place;
    }
    return false;
}

/* Whether a barrier of the world goes over this channel: from host 0, where the master of the first client is, to the
 * first host of another client, when each master says so to the first one. In a tree others may be between them. */
static bool carries_barrier(const struct wire_impi_channel *channel)
{
    const struct wire_impi_job *job = channel->job;
    int64_t host = channel->hosts[WIRE_IMPI_CONNECTOR];
    const struct wire_impi_job_host *hosts = job ? job->tables.hosts : NULL;

    if (!job || !job->whole || channel->hosts[WIRE_IMPI_ACCEPTOR] != 0 || host < 1 || host >= (int64_t)job->hosts) {
        return false;
    }
    return hosts[host].client != hosts[0].client && hosts[host].client != hosts[host - 1].client &&
           (job->size == 2 || job->size < job->maxlinear);
}

/* ---- the order of octets ---- */

/* The octets as a number, from the first to the last or in reverse. */
static uint64_t number_of(const struct wire_impi_head *head, bool reverse)
{
    uint64_t number = 0;

    for (size_t i = 0; i < head->len; i++) {
        number = number << 8 | head->octets[reverse ? head->len - 1 - i : i];
    }
    return number;
}

/* Whether it is an everyday integer: small. With a lowest octet of zero it may be one of 2 octets beside another. */
static bool is_small(uint64_t number)
{
    return number > 0 && number <= SMALL_MAX && number % 256 != 0;
}

/* Whether it is an everyday IEEE number of `len` octets. */
static bool is_everyday(uint64_t number, size_t len)
{
    int exponent = len == 4 ? (int)(number >> 23 & 0xff) - 127 : (int)(number >> 52 & 0x7ff) - 1023;

    return exponent >= EXPONENT_LOW && exponent <= EXPONENT_HIGH;
}

static bool makes_sense(const struct wire_impi_head *head, bool reverse)
{
    uint64_t number = number_of(head, reverse);

    return is_small(number) || is_everyday(number, head->len);
}

static void note_order(struct wire_impi_channel *channel, struct wire_impi_pair *pair,
                       const struct wire_impi_packet *packet)
{
    const struct wire_impi_head *head = &channel->head[pair->side];
    struct wire_impi_pair_notes *notes = &pair->notes;
    unsigned different = 0;

    if ((packet->msglen != 4 && packet->msglen != 8) || packet->len != packet->msglen || head->len != packet->len) {
        return;
    }
    bool as_is = makes_sense(head, false), reversed = makes_sense(head, true);
    notes->big += as_is && !reversed;
    if (as_is || !reversed) {
        return;
    }
    notes->little++;
    notes->little_values |= UINT64_C(1) << number_of(head, true) % 64;
    for (uint64_t rest = notes->little_values; rest; rest &= rest - 1) {
        different++;
    }
    //= IMPI-002
    if (notes->big == 0 && notes->little >= EVIDENCE_MIN && different >= VALUES_MIN) {
        notes->native.times = notes->little - 1; /* those before count too */
        note_pair(channel, pair, WIRE_IMPI_NOTE_NATIVE_ORDER, &notes->native);
    }
}

/* ---- fields that a type does not use ---- */

static const enum wire_impi_violation unused[WIRE_IMPI_TYPES] = {
    [WIRE_IMPI_PROTOACK] = WIRE_IMPI_NOTE_UNUSED_PROTOACK, [WIRE_IMPI_SYNCACK] = WIRE_IMPI_NOTE_UNUSED_SYNCACK,
    [WIRE_IMPI_CANCEL] = WIRE_IMPI_NOTE_UNUSED_CANCEL,     [WIRE_IMPI_CANCELYES] = WIRE_IMPI_NOTE_UNUSED_CANCEL,
    [WIRE_IMPI_CANCELNO] = WIRE_IMPI_NOTE_UNUSED_CANCEL,   [WIRE_IMPI_FINI] = WIRE_IMPI_NOTE_UNUSED_FINI,
};

/* Whether the octets are all zero or all ones, as an implementation fills what nobody reads. */
static bool is_filled(const unsigned char *octets, size_t len)
{
    bool alike = octets[0] == 0 || octets[0] == UINT8_MAX;

    for (size_t i = 1; i < len; i++) {
        alike = alike && octets[i] == octets[0];
    }
    return alike;
}

/* What is left there of something else shows what the sender forgot to clear. */
static void note_unused(struct wire_impi_channel *channel, enum wire_impi_side side,
                        const struct wire_impi_packet *packet)
{
    const struct wire_message *message = wire_impi_packet_message(packet->type);
    unsigned char octets[WIRE_IMPI_PACKET_OCTETS];

    if (!message || wire_impi_packet_encode(packet, octets, sizeof octets) != WIRE_OK) {
        return;
    }
    for (uint16_t i = 0; i < message->row_count; i++) {
        const struct wire_row *row = &message->rows[i];

        if (row->offset >= PROCESSES_END && !wire_impi_packet_uses(packet->type, row) &&
            !is_filled(octets + row->offset, row->width)) {
            struct wire_impi_finding *finding =
                wire_impi_note(&channel->notes, unused[packet->type], &channel->unused[side][packet->type]);

            if (finding) {
                finding->field = row->name;
            }
            return;
        }
    }
}

/* ---- all ---- */

void wire_impi_notes_header(struct wire_impi_channel *channel, enum wire_impi_side side, struct wire_impi_pair *pair,
                            const struct wire_impi_packet *packet)
{
    bool has_data = wire_impi_packet_has_data(packet->type);

    if (has_data && packet->cid == CID_WORLD_COLLECTIVE && packet->tag == TAG_BARRIER) {
        channel->barrier[side] = true;
    }
    //= IMPI-237
    if (packet->type == WIRE_IMPI_FINI && carries_barrier(channel) &&
        !(channel->barrier[WIRE_IMPI_CONNECTOR] && channel->barrier[WIRE_IMPI_ACCEPTOR])) {
        (void)wire_impi_note(&channel->notes, WIRE_IMPI_NOTE_FINALIZE_BARRIER, &channel->unfinalized);
    }
    //= IMPI-120
    if (!has_data && packet->len > 0) {
        (void)wire_impi_note(&channel->notes, WIRE_IMPI_NOTE_LENGTH_WITHOUT_DATA, &channel->lengths[side]);
    }
    //= IMPI-121
    //= IMPI-122
    //= IMPI-123
    //= IMPI-124
    if (!has_data) {
        note_unused(channel, side, packet);
    }
    //= IMPI-118
    if (has_data && pair && packet->reserved != 0) {
        note_pair(channel, pair, WIRE_IMPI_NOTE_RESERVED, &pair->notes.reserved);
    }
}

bool wire_impi_notes_message(struct wire_impi_channel *channel, struct wire_impi_pair *pair,
                             struct wire_impi_pair *back, const struct wire_impi_packet *packet)
{
    uint32_t datalen = channel->limits.datalen;

    //= IMPI-114
    if (packet->type == WIRE_IMPI_DATA && packet->srqid == 0 && ++pair->notes.zeros > 1) {
        pair->notes.unnamed.times = pair->notes.zeros - 1; /* the first counts too */
        note_pair(channel, pair, WIRE_IMPI_NOTE_SRQID_ZERO, &pair->notes.unnamed);
    }
    //= IMPI-149
    if (packet->type == WIRE_IMPI_DATASYNC && datalen && packet->msglen > datalen && packet->len < datalen) {
        note_pair(channel, pair, WIRE_IMPI_NOTE_FIRST_PACKET, &pair->notes.smaller);
    }
    note_order(channel, pair, packet);
    return note_context(channel, pair, back, packet);
}
