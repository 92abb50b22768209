/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: whatever the octets, decoding, judging and printing stay within bounds, and their answers agree with
 * each other. The octets are copied to a block of just their size, so that a sanitiser sees every step beyond it.
 */
#include "tests/fuzz/fuzz.h"
#include "wire/octets/print.h"
#include "wire/portals/rules.h"

#include <stdlib.h>
#include <string.h>

static void check_decoded(const unsigned char *octets, size_t len, const struct wire_portals_header *header,
                          size_t header_octets, uint64_t payload)
{
    const struct wire_message *message = wire_portals_message_of(wire_portals_kind(header));
    static char buffer[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);
    uint64_t announced = 0;

    FUZZ_DEMAND(message && message->octets == header_octets && header_octets <= len);
    FUZZ_DEMAND(payload <= WIRE_PORTALS_LENGTH_MAX);
    if (message->payload_row >= 0) {
        FUZZ_DEMAND(wire_row_get(&message->rows[message->payload_row], octets, len, &announced) == WIRE_OK);
    }
    FUZZ_DEMAND(announced == payload);
    FUZZ_DEMAND(wire_portals_validate(header, &header->initiator, NULL) < WIRE_PORTALS_HEADER_VIOLATIONS);
    FUZZ_DEMAND(wire_portals_validate_hello(header, &header->target, NULL) < WIRE_PORTALS_HEADER_VIOLATIONS);
    wire_print_json_open(&text, message, 0, octets, len);
    wire_print_json_close(&text, message, NULL);
    FUZZ_DEMAND(!text.failed && strlen(buffer) == text.len);
    text = wire_text_over(buffer, sizeof buffer);
    wire_print_fields(&text, message, UINT64_MAX, octets, len);
    FUZZ_DEMAND(!text.failed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_portals_header header = {0};
    unsigned char *octets = malloc(size ? size : 1);
    size_t header_octets = 0;
    uint64_t payload = 0;
    enum wire_status status;

    FUZZ_DEMAND(octets);
    memcpy(octets, data, size);
    status = wire_portals_decode(octets, size, &header, &header_octets, &payload);
    if (status == WIRE_OK) {
        check_decoded(octets, size, &header, header_octets, payload);
    } else {
        FUZZ_DEMAND(status == WIRE_SHORT || status == WIRE_UNKNOWN || status == WIRE_TOO_LONG);
        FUZZ_DEMAND(status != WIRE_SHORT || size < WIRE_PORTALS_HEADER_MAX);
        FUZZ_DEMAND((wire_portals_header_violation_of(status) == WIRE_PORTALS_LEGAL) == (status == WIRE_SHORT));
    }
    free(octets);
    return 0;
}
