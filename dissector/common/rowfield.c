/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Makes Wireshark's header fields from rows, so that the plugin has no list of its own of what a message contains.
 */
#include "dissector/common/rowfield.h"

#include <epan/wmem_scopes.h>

#include <string.h>

/* Wireshark's tables of named values, made from the rows'. With BASE_SPECIAL_VALS a value without a name is shown as
 * its number. */
static const void *values_make(const struct wire_row *row)
{
    size_t count = 0;
    value_string *narrow;
    val64_string *wide;

    while (row->values[count].name) {
        count++;
    }
    narrow = wmem_alloc0_array(wmem_epan_scope(), value_string, count + 1);
    wide = wmem_alloc0_array(wmem_epan_scope(), val64_string, count + 1);
    for (size_t i = 0; i < count; i++) {
        narrow[i].value = (guint32)row->values[i].value;
        narrow[i].strptr = row->values[i].name;
        wide[i].value = row->values[i].value;
        wide[i].strptr = row->values[i].name;
    }
    return row->width == 8 ? (const void *)wide : (const void *)narrow;
}

static enum ftenum number_type(const struct wire_row *row)
{
    bool has_sign = row->base == WIRE_INT;

    switch (row->width) {
    case 1:
        return has_sign ? FT_INT8 : FT_UINT8;
    case 2:
        return has_sign ? FT_INT16 : FT_UINT16;
    case 4:
        return has_sign ? FT_INT32 : FT_UINT32;
    default:
        return has_sign ? FT_INT64 : FT_UINT64;
    }
}

static enum ftenum type_of(const struct wire_row *row)
{
    switch (row->base) {
    case WIRE_IPV4:
        return FT_IPv4;
    case WIRE_HOST:
        return FT_IPv6;
    case WIRE_VERSION:
        return FT_STRING;
    case WIRE_DEC:
    case WIRE_INT:
    case WIRE_HEX:
    case WIRE_ENUM:
        break;
    }
    return number_type(row);
}

static int display_of(const struct wire_row *row)
{
    int named = row->values ? BASE_SPECIAL_VALS | (row->width == 8 ? BASE_VAL64_STRING : 0) : 0;

    switch (row->base) {
    case WIRE_IPV4:
    case WIRE_HOST:
    case WIRE_VERSION:
        return BASE_NONE;
    case WIRE_DEC:
    case WIRE_INT:
        return named | BASE_DEC;
    case WIRE_HEX:
    case WIRE_ENUM:
        break;
    }
    return named | BASE_HEX;
}

header_field_info rowfield_of(const struct wire_row *row, const char *abbrev)
{
    return (header_field_info){
        .name = row->label,
        .abbrev = abbrev,
        .type = type_of(row),
        .display = display_of(row),
        .strings = row->values ? values_make(row) : NULL,
        .blurb = row->help,
        HFILL,
    };
}

const char *rowfield_rule(const char *protocol, const char *group, const char *rule)
{
    char *name = wmem_strdup_printf(wmem_epan_scope(), "%s.%s.%s", protocol, group, rule);

    return g_strdelimit(name, "-", '_');
}

bool rowfield_alike(const struct wire_row *one, const struct wire_row *other)
{
    return strcmp(one->name, other->name) == 0 && strcmp(one->label, other->label) == 0 &&
           strcmp(one->help, other->help) == 0;
}
