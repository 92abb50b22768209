/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: octets as one Intercept frame. Since a frame with a wrong CRC says nothing, the right one is put behind
 * the octets first. Whatever is taken encodes to its octets again, through the codec and, field by field, through the
 * rows; it can be judged and printed. The checker hears what follows, too.
 */
#include "tests/fuzz/fuzz.h"
#include "wire/intercept/check.h"
#include "wire/intercept/crc32.h"
#include "wire/intercept/frame.h"
#include "wire/intercept/rules.h"
#include "wire/octets/cursor.h"
#include "wire/octets/print.h"

#include <string.h>

enum { ENTRIES = 100 };

static void through_rows(const struct wire_message *message, const unsigned char *octets)
{
    unsigned char again[WIRE_INTERCEPT_FIXED_MAX] = {0};

    for (size_t i = 0; i < message->row_count; i++) {
        uint64_t value = 0;

        FUZZ_DEMAND(wire_row_get(&message->rows[i], octets, message->octets, &value) == WIRE_OK);
        FUZZ_DEMAND(wire_row_set(&message->rows[i], again, sizeof again, value) == WIRE_OK);
    }
    FUZZ_DEMAND(memcmp(again, octets, message->octets) == 0);
}

static void through_codec(const struct wire_intercept_frame *frame, const unsigned char *octets, size_t len)
{
    const struct wire_message *message = &wire_intercept_messages[frame->message];
    unsigned char again[WIRE_INTERCEPT_FRAME_MAX];
    char line[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(line, sizeof line);
    enum wire_intercept_rule rule = wire_intercept_judge(frame);
    size_t again_len = 0;

    FUZZ_DEMAND(wire_intercept_encode(frame, again, sizeof again, &again_len) == WIRE_OK);
    FUZZ_DEMAND(again_len == len && memcmp(again, octets, len) == 0);
    FUZZ_DEMAND(rule < WIRE_INTERCEPT_RULES && wire_intercept_rule_text(rule)->text);
    through_rows(message, octets);
    wire_print_json_open(&text, message, 0, octets, len);
    FUZZ_DEMAND(!text.failed);
    text = wire_text_over(line, sizeof line);
    wire_print_fields(&text, message, 0, octets, len);
    FUZZ_DEMAND(!text.failed);
}

/* All frames of the input, one behind the other, on the link of their source; CRCs are mended. The checker takes them
 * in any order, and a table that is too small for them. */
static void through_checker(const uint8_t *data, size_t size)
{
    static _Alignas(uint64_t) unsigned char memory[512 * 1024];
    const uint64_t key[2] = {1, 2};
    struct wire_intercept_check check;
    struct wire_intercept_heard heard;
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = 0;

    FUZZ_DEMAND(wire_intercept_check_octets(ENTRIES) <= sizeof memory);
    memset(memory, 0, sizeof memory);
    check = wire_intercept_check_begin(memory, ENTRIES, key);
    while (wire_intercept_measure(data, size, &len) == WIRE_OK && len <= size) {
        struct wire_writer crc = wire_writer_over(octets + len - WIRE_INTERCEPT_CRC_OCTETS, WIRE_INTERCEPT_CRC_OCTETS);

        memcpy(octets, data, len);
        wire_write_u32(&crc, wire_intercept_crc32(0, octets, len - WIRE_INTERCEPT_CRC_OCTETS));
        wire_intercept_check_hear(&check, octets[7] + 1U, octets[3] & 1, octets, len, &heard);
        FUZZ_DEMAND(heard.condition == WIRE_INTERCEPT_SOUND && heard.finding_count <= WIRE_INTERCEPT_FINDINGS_MAX);
        data += len;
        size -= len;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    struct wire_intercept_frame frame;
    struct wire_writer crc;
    size_t len = 0;
    size_t taken = 0;
    enum wire_status status = wire_intercept_measure(data, size, &len);

    FUZZ_DEMAND(status != WIRE_OK || len <= sizeof octets);
    if (status != WIRE_OK || size < len) {
        FUZZ_DEMAND(wire_intercept_decode(data, size, &frame, NULL) != WIRE_OK);
        return 0;
    }
    memcpy(octets, data, len);
    crc = wire_writer_over(octets + len - WIRE_INTERCEPT_CRC_OCTETS, WIRE_INTERCEPT_CRC_OCTETS);
    wire_write_u32(&crc, wire_intercept_crc32(0, octets, len - WIRE_INTERCEPT_CRC_OCTETS));
    FUZZ_DEMAND(wire_intercept_decode(octets, len, &frame, &taken) == WIRE_OK && taken == len);
    through_codec(&frame, octets, len);
    through_checker(data, size);
    return 0;
}
