/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: any octets of external32 become native elements, and these the same octets again; a long double, of
 * which this machine may have fewer digits, comes to rest after one turn. The first octet chooses the type.
 */
#include "tests/fuzz/fuzz.h"
#include "wire/impi/external32.h"

#include <string.h>

enum { OCTETS_MAX = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char native[4 * OCTETS_MAX], again[OCTETS_MAX], third[OCTETS_MAX];
    enum wire_external32 type;
    size_t octets, count;

    if (size < 1 || size > OCTETS_MAX) {
        return 0;
    }
    type = (enum wire_external32)(data[0] % WIRE_EXTERNAL32_TYPES);
    octets = wire_external32_octets(type);
    data++;
    size--;
    count = size / octets;
    FUZZ_DEMAND(count * octets == size || wire_external32_unpack(type, data, size, native, NULL) == WIRE_SHORT);
    FUZZ_DEMAND(wire_external32_unpack(type, data, count * octets, native, NULL) == WIRE_OK);
    FUZZ_DEMAND(wire_external32_pack(type, native, count, again, count * octets, NULL) == WIRE_OK);
    FUZZ_DEMAND(count == 0 ||
                wire_external32_pack(type, native, count, third, count * octets - 1, NULL) == WIRE_NO_SPACE);
    if (type != WIRE_EXTERNAL32_LONG_DOUBLE) {
        FUZZ_DEMAND(memcmp(again, data, count * octets) == 0);
        return 0;
    }
    FUZZ_DEMAND(wire_external32_unpack(type, again, count * octets, native, NULL) == WIRE_OK);
    FUZZ_DEMAND(wire_external32_pack(type, native, count, third, count * octets, NULL) == WIRE_OK);
    FUZZ_DEMAND(memcmp(third, again, count * octets) == 0);
    return 0;
}
