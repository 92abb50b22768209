/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The match bits of every message. The lowest four select the descriptor at the target, which ignores the rest; the
 * sender finds there what it has to do when the operation ends, for Portals gives no handle of an operation.
 *
 *      63            32 31        8 7    4 3    0
 *     +----------------+-----------+------+------+
 *     |  local offset  | operation | kind | to   |   puts, gets, data of long messages
 *     +----------------+-----------+------+------+
 *     |  chunk         | n  h  fl  | kind | to   |   active messages: arguments, handler, flags of 8 bits each
 *     +----------------+-----------+------+------+
 */
#ifndef REF_IMPL_GASNET_BASE_BITS_H
#define REF_IMPL_GASNET_BASE_BITS_H

#include <stdint.h>

enum bits_portal { PORTAL_SEGMENT = 38, PORTAL_MESSAGES = 39 };

enum bits_target { //= GASN-047 GASN-087
    TO_RAR = 0,    /* the segment, for puts and gets: nobody is told */
    TO_RARAM = 1,  /* the segment, for data of long requests */
    TO_RARSRC = 2, /* the segment, for data of long replies; the source of what lies there */
    TO_REQRB = 3,  /* requests; the catch-basin has the same */
    TO_REQSB = 4,  /* replies, into the chunk of the request */
    TO_SYSTEM = 5, /* credits, the end of the job */
    TO_START = 6   /* what nodes tell each other when they start */
};

/* Every descriptor looks at the lowest four bits alone. */
#define BITS_IGNORED (~(uint64_t)0xf) //= GASN-058 GASN-082 GASN-088

enum bits_kind {
    KIND_PUT = 1,
    KIND_GET = 2,
    KIND_MESSAGE = 4,
    KIND_DATA = 8,    /* of a long message */
    KIND_PUT_TOLD = 9 /* a put whose sender waits until its memory may be used again */
};

enum bits_flag { FLAG_SHORT = 1, FLAG_MEDIUM = 2, FLAG_LONG = 4, FLAG_REQUEST = 8, FLAG_PACKED = 16 }; //= GASN-086

/* bits_transfer - the bits of a put or get, or of data: `operation` has 24 bits. */
static inline uint64_t bits_transfer(enum bits_target to, enum bits_kind kind, uint32_t operation, uint32_t offset)
{
    return (uint64_t)to | (uint64_t)kind << 4 | (uint64_t)operation << 8 | (uint64_t)offset << 32; //= GASN-085
}

/* bits_kind_of, bits_operation, bits_offset - what they say. */
static inline enum bits_kind bits_kind_of(uint64_t bits)
{
    return (enum bits_kind)(bits >> 4 & 0xf);
}
static inline uint32_t bits_operation(uint64_t bits)
{
    return (uint32_t)(bits >> 8 & 0xffffff);
}
static inline uint32_t bits_offset(uint64_t bits)
{
    return (uint32_t)(bits >> 32);
}

#endif
