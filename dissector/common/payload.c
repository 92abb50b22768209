/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Who dissects what travels inside messages; see payload.h.
 */
#include "dissector/common/payload.h"

#include <epan/proto_data.h>

#include <stdio.h>

enum { KEY_NUMBER = 0x70000000 }; /* of what is kept with a packet */

void payload_register(struct payload_table *table, int proto)
{
    decode_as_value_t *values = wmem_new0(wmem_epan_scope(), decode_as_value_t);
    decode_as_t *offer = wmem_new0(wmem_epan_scope(), decode_as_t);

    table->proto = proto;
    table->dissectors = register_dissector_table(table->name, table->title, proto, FT_UINT32, BASE_DEC);
    *values = (decode_as_value_t){table->label, 1, &table->value};
    *offer = (decode_as_t){.name = proto_get_protocol_filter_name(proto),
                           .table_name = table->name,
                           .num_items = 1,
                           .values = values,
                           .populate_list = decode_as_default_populate_list,
                           .reset_value = decode_as_default_reset,
                           .change_value = decode_as_default_change};
    register_decode_as(offer);
}

void payload_give(const struct payload_table *table, uint32_t number, tvbuff_t *octets, packet_info *pinfo,
                  proto_tree *tree)
{
    p_add_proto_data(pinfo->pool, pinfo, table->proto, KEY_NUMBER, GUINT_TO_POINTER(number));
    if (!dissector_try_uint(table->dissectors, number, octets, pinfo, tree)) {
        call_data_dissector(octets, pinfo, tree);
    }
}

void *payload_value(const struct payload_table *table, packet_info *pinfo)
{
    return p_get_proto_data(pinfo->pool, pinfo, table->proto, KEY_NUMBER);
}

void payload_label(const struct payload_table *table, packet_info *pinfo, char *text)
{
    snprintf(text, MAX_DECODE_AS_PROMPT_LEN, "%s %u as", table->what, GPOINTER_TO_UINT(payload_value(table, pinfo)));
}
