/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Frames as a cable carries them: the few fields that a link or a switch looks at, read and written in place. A switch
 * changes sequence and CRC of a packet and nothing else, so it never decodes it (specs/intercept-wire.md, 3).
 */
#ifndef REF_IMPL_INTERCEPT_CABLE_H
#define REF_IMPL_INTERCEPT_CABLE_H

#include "wire/intercept/messages.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ICPT_PLANES = 4 };

/* What the octets that came over a cable are. */
enum intercept_condition {
    ICPT_GOOD,      /* a frame of one of the five kinds */
    ICPT_CORRUPT,   /* none of its fields may be believed (IW-11) */
    ICPT_WITHDRAWN, /* a switch had begun to forward it before it knew that it was corrupt (IW-26) */
    ICPT_FOREIGN,   /* of no known kind (IW-09) */
};

/* intercept_cable_judge - what the `len` octets are: exactly one frame, or anything else. */
enum intercept_condition intercept_cable_judge(const unsigned char *octets, size_t len);

/* intercept_cable_seal - gives the frame of `len` octets, CRC included, that sequence, and the CRC that follows.
 * intercept_cable_withdraw - the same, with the complement of the CRC. */
void intercept_cable_seal(unsigned char *octets, size_t len, uint8_t sequence);
void intercept_cable_withdraw(unsigned char *octets, size_t len, uint8_t sequence);

/* intercept_cable_answer - makes an acknowledgement or retransmission request of WIRE_INTERCEPT_HEADER_OCTETS +
 * WIRE_INTERCEPT_CRC_OCTETS octets for that plane and sequence. */
enum { ICPT_ANSWER_OCTETS = WIRE_INTERCEPT_HEADER_OCTETS + WIRE_INTERCEPT_CRC_OCTETS };
void intercept_cable_answer(unsigned char *octets, enum wire_intercept_kind kind, unsigned plane, uint8_t sequence);

/* intercept_cable_is_answer - whether a good frame of kind 4 or 5 is one for that plane, with nothing else in it (3.6).
 * */
bool intercept_cable_is_answer(const unsigned char *octets, unsigned plane);

/* intercept_cable_kind - the frame's kind. This and those below read a whole header. */
static inline unsigned intercept_cable_kind(const unsigned char *octets)
{
    return octets[0];
}

/* intercept_cable_planes - mask of the planes over which it may travel. */
static inline unsigned intercept_cable_planes(const unsigned char *octets)
{
    return octets[1];
}

/* intercept_cable_flags - WIRE_INTERCEPT_FLAG_.., added up. */
static inline unsigned intercept_cable_flags(const unsigned char *octets)
{
    return octets[2];
}

/* intercept_cable_sequence - its sequence on this link. */
static inline uint8_t intercept_cable_sequence(const unsigned char *octets)
{
    return octets[3];
}

/* intercept_cable_destination - IUCA of the receiver, or a group. */
static inline uint16_t intercept_cable_destination(const unsigned char *octets)
{
    return (uint16_t)(octets[4] << 8 | octets[5]);
}

/* intercept_cable_source - IUCA of the sender. */
static inline uint16_t intercept_cable_source(const unsigned char *octets)
{
    return (uint16_t)(octets[6] << 8 | octets[7]);
}

/* intercept_cable_is_announcement - whether a good frame is the packet to itself by which a card makes itself known
 * (IW-52). */
static inline bool intercept_cable_is_announcement(const unsigned char *octets)
{
    return intercept_cable_kind(octets) == WIRE_INTERCEPT_SHORT && octets[8] == WIRE_INTERCEPT_HANDLER_VNIC &&
           octets[10] == 0 && octets[11] == 0 && intercept_cable_destination(octets) == intercept_cable_source(octets);
}

/* intercept_cable_vnic - the receiving VNIC of a short message or command. */
static inline unsigned intercept_cable_vnic(const unsigned char *octets)
{
    return octets[8];
}

/* intercept_cable_length - octets of payload, of every kind. */
static inline size_t intercept_cable_length(const unsigned char *octets)
{
    return (size_t)(octets[10] << 8 | octets[11]);
}

#endif
