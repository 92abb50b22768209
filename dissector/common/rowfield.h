/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * From a row of wire/octets/row.h to a field of Wireshark: type, display, named values and words all stand in the row.
 */
#ifndef DISSECTOR_COMMON_ROWFIELD_H
#define DISSECTOR_COMMON_ROWFIELD_H

#include "dissector/common/wireshark_compat.h"

#include "wire/octets/row.h"

#include <epan/proto.h>

/* rowfield_of - the description of the field that shows `row`, with the filter name `abbrev`, which the field keeps.
 * Pairs of version numbers become text; the caller writes it. */
header_field_info rowfield_of(const struct wire_row *row, const char *abbrev);

/* rowfield_rule - the filter name of a rule, "portals.breach.wrong_target" of the rule "wrong-target"; never freed. */
const char *rowfield_rule(const char *protocol, const char *group, const char *rule);

/* rowfield_alike - whether two rows can share a field: same name, same words. Rows that are only alike in name, such as
 * a length that means something else in each message, become fields of one filter name, each with its own words. */
bool rowfield_alike(const struct wire_row *one, const struct wire_row *other);

#endif
