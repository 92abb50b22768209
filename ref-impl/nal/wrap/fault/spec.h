/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the fault network shall do, as text and as numbers; see fault.h for the text's form.
 */
#ifndef REF_IMPL_NAL_WRAP_FAULT_SPEC_H
#define REF_IMPL_NAL_WRAP_FAULT_SPEC_H

#include "wire/portals/messages.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `kinds` where the spec names none. */
enum {
    FAULT_KINDS_ALL = 1 << WIRE_PORTALS_PUT | 1 << WIRE_PORTALS_ACK | 1 << WIRE_PORTALS_GET | 1 << WIRE_PORTALS_REPLY
};

struct fault_spec {
    double drop, dup, reorder; /* probabilities */
    uint32_t delay_ms;
    uint64_t seed;
    uint32_t kinds; /* bit 1 << operation for every kind of message that is touched */
};

/* fault_spec_parse - reads a spec. False leaves *spec undefined and says in `problem` what is wrong with it. */
bool fault_spec_parse(const char *text, struct fault_spec *spec, char *problem, size_t cap);

#endif
