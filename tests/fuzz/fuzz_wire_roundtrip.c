/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: what decodes encodes to the same octets again, through the codec and, field by field, through the rows;
 * and hexadecimal text gives the octets back.
 */
#include "tests/fuzz/fuzz.h"
#include "wire/octets/hex.h"
#include "wire/octets/text.h"
#include "wire/portals/messages.h"

#include <string.h>

static void through_codec(const uint8_t *octets, const struct wire_portals_header *header, size_t header_octets)
{
    unsigned char again[WIRE_PORTALS_HEADER_MAX];
    struct wire_portals_header second = {0};
    size_t len = 0;

    FUZZ_DEMAND(wire_portals_encode(header, again, sizeof again, &len) == WIRE_OK);
    FUZZ_DEMAND(len == header_octets && memcmp(again, octets, len) == 0);
    FUZZ_DEMAND(wire_portals_encode(header, again, len - 1, &len) == WIRE_NO_SPACE);
    FUZZ_DEMAND(wire_portals_decode(again, header_octets, &second, NULL, NULL) == WIRE_OK);
}

static void through_rows(const uint8_t *octets, size_t size, const struct wire_message *message)
{
    unsigned char again[WIRE_PORTALS_HEADER_MAX] = {0};

    for (size_t i = 0; i < message->row_count; i++) {
        uint64_t value = 0;

        FUZZ_DEMAND(wire_row_get(&message->rows[i], octets, size, &value) == WIRE_OK);
        FUZZ_DEMAND(wire_row_set(&message->rows[i], again, message->octets, value) == WIRE_OK);
    }
    FUZZ_DEMAND(memcmp(again, octets, message->octets) == 0);
}

static void through_hex(const uint8_t *octets, size_t len)
{
    unsigned char again[WIRE_PORTALS_HEADER_MAX];
    char digits[2 * WIRE_PORTALS_HEADER_MAX + 1];
    struct wire_text text = wire_text_over(digits, sizeof digits);
    struct wire_hex hex = {.line = 1};
    size_t used = 0;
    size_t made = 0;

    wire_text_add_octets(&text, octets, len);
    FUZZ_DEMAND(!text.failed);
    FUZZ_DEMAND(wire_hex_feed(&hex, digits, text.len, &used, again, sizeof again, &made) == WIRE_OK);
    FUZZ_DEMAND(wire_hex_end(&hex) == WIRE_OK && used == text.len && made == len && memcmp(again, octets, len) == 0);
}

/* The octets as text: whatever it is, no more octets come out than half of its characters. */
static void as_text(const uint8_t *data, size_t size)
{
    struct wire_hex hex = {.line = 1};
    unsigned char out[64];
    size_t at = 0;
    size_t total = 0;

    while (at < size) {
        size_t used = 0;
        size_t made = 0;
        enum wire_status status =
            wire_hex_feed(&hex, (const char *)data + at, size - at, &used, out, sizeof out, &made);

        at += used;
        total += made;
        FUZZ_DEMAND(status != WIRE_OK || used > 0);
        if (status != WIRE_OK) {
            break;
        }
    }
    FUZZ_DEMAND(total <= size / 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_portals_header header;
    size_t header_octets = 0;

    memset(&header, 0xa5, sizeof header);
    as_text(data, size);
    if (wire_portals_decode(data, size, &header, &header_octets, NULL) == WIRE_OK) {
        through_codec(data, &header, header_octets);
        through_rows(data, size, wire_portals_message_of(wire_portals_kind(&header)));
        through_hex(data, header_octets);
    }
    return 0;
}
