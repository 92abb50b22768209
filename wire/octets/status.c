/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a status of wire/ is called.
 */
#include "wire/octets/status.h"

const char *wire_status_text(enum wire_status status)
{
    switch (status) {
    case WIRE_OK:
        return "ok";
    case WIRE_SHORT:
        return "ends inside a message";
    case WIRE_UNKNOWN:
        return "unknown operation";
    case WIRE_TOO_LONG:
        return "length above the maximum";
    case WIRE_MALFORMED:
        return "malformed";
    case WIRE_NO_SPACE:
        return "buffer too small";
    }
    return "unknown status";
}
