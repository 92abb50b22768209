/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Judging and sealing frames; see cable.h. The CRC is looked at before anything else is believed, the kind included.
 */
#include "ref-impl/intercept/cable.h"

#include "wire/intercept/crc32.h"
#include "wire/intercept/frame.h"
#include "wire/octets/cursor.h"

#include <string.h>

static uint32_t crc_behind(const unsigned char *octets, size_t len)
{
    struct wire_reader reader = wire_reader_over(octets + len - WIRE_INTERCEPT_CRC_OCTETS, WIRE_INTERCEPT_CRC_OCTETS);

    return wire_read_u32(&reader);
}

static uint32_t crc_right(const unsigned char *octets, size_t len)
{
    return wire_intercept_crc32(0, octets, len - WIRE_INTERCEPT_CRC_OCTETS);
}

//= ICPT-005
//= ICPT-038
enum intercept_condition intercept_cable_judge(const unsigned char *octets, size_t len)
{
    size_t measured = 0;
    enum wire_status status;

    if (len < ICPT_ANSWER_OCTETS || len > WIRE_INTERCEPT_FRAME_MAX) {
        return ICPT_CORRUPT; /* IW-50: so is what is longer or shorter than a frame */
    }
    uint32_t right = crc_right(octets, len);
    uint32_t there = crc_behind(octets, len);
    if (there == ~right) {
        return ICPT_WITHDRAWN;
    }
    status = wire_intercept_measure(octets, len, &measured);
    if (there != right || (status == WIRE_OK && measured != len)) {
        return ICPT_CORRUPT;
    }
    return status == WIRE_OK ? ICPT_GOOD : ICPT_FOREIGN;
}

static void crc_write(unsigned char *octets, size_t len, uint32_t crc)
{
    struct wire_writer writer = wire_writer_over(octets + len - WIRE_INTERCEPT_CRC_OCTETS, WIRE_INTERCEPT_CRC_OCTETS);

    wire_write_u32(&writer, crc);
}

//= ICPT-281
void intercept_cable_seal(unsigned char *octets, size_t len, uint8_t sequence)
{
    octets[3] = sequence;
    crc_write(octets, len, crc_right(octets, len));
}

void intercept_cable_withdraw(unsigned char *octets, size_t len, uint8_t sequence)
{
    octets[3] = sequence;
    crc_write(octets, len, ~crc_right(octets, len));
}

//= ICPT-282
void intercept_cable_answer(unsigned char *octets, enum wire_intercept_kind kind, unsigned plane, uint8_t sequence)
{
    memset(octets, 0, ICPT_ANSWER_OCTETS);
    octets[0] = (unsigned char)kind;
    octets[1] = (unsigned char)(1U << plane);
    intercept_cable_seal(octets, ICPT_ANSWER_OCTETS, sequence);
}

bool intercept_cable_is_answer(const unsigned char *octets, unsigned plane)
{
    static const unsigned char nothing[WIRE_INTERCEPT_HEADER_OCTETS - 4];

    return octets[1] == 1U << plane && octets[2] == 0 && memcmp(octets + 4, nothing, sizeof nothing) == 0;
}
