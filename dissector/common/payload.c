/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Who dissects what travels inside messages; see payload.h.
 */
#include "dissector/common/payload.h"

#include <epan/proto_data.h>

#include <stdio.h>

/* What is kept with a packet: the last message with octets in it. Decode As asks without saying for which table, so
 * that it stands in one place for all of them. */
struct given {
    const struct payload_table *table;
    uint32_t number;
};

enum { KEY_GIVEN = 0x70000000 };

static int proto_first = -1;
static int proto_data, field_protocols; /* of Wireshark */

static const struct given *given_of(packet_info *pinfo)
{
    static const struct payload_table none = {.what = "number"};
    static const struct given nothing = {.table = &none};
    const struct given *given = p_get_proto_data(pinfo->pool, pinfo, proto_first, KEY_GIVEN);

    return given ? given : &nothing;
}

/* The number, as Decode As wants it, and in words, for which there is room for MAX_DECODE_AS_PROMPT_LEN octets. */
static void *number_of(packet_info *pinfo)
{
    return GUINT_TO_POINTER(given_of(pinfo)->number);
}

static void label_of(packet_info *pinfo, char *text)
{
    const struct given *given = given_of(pinfo);

    snprintf(text, MAX_DECODE_AS_PROMPT_LEN, "%s %u as", given->table->what, given->number);
}

void payload_register(struct payload_table *table, int proto)
{
    static build_valid_func value = number_of;
    decode_as_value_t *values = wmem_new0(wmem_epan_scope(), decode_as_value_t);
    decode_as_t *offer = wmem_new0(wmem_epan_scope(), decode_as_t);

    proto_first = proto_first < 0 ? proto : proto_first;
    table->dissectors = register_dissector_table(table->name, table->title, proto, FT_UINT32, BASE_DEC);
    *values = (decode_as_value_t){label_of, 1, &value};
    *offer = (decode_as_t){.name = proto_get_protocol_filter_name(proto),
                           .table_name = table->name,
                           .num_items = 1,
                           .values = values,
                           .populate_list = decode_as_default_populate_list,
                           .reset_value = decode_as_default_reset,
                           .change_value = decode_as_default_change};
    register_decode_as(offer);
}

static void given_note(const struct payload_table *table, uint32_t number, packet_info *pinfo)
{
    struct given *given = wmem_new(pinfo->pool, struct given);

    *given = (struct given){table, number};
    p_remove_proto_data(pinfo->pool, pinfo, proto_first, KEY_GIVEN);
    p_add_proto_data(pinfo->pool, pinfo, proto_first, KEY_GIVEN, given);
}

/* Whether anybody sees what becomes of it. */
static bool is_seen(proto_tree *tree)
{
    return tree && (proto_field_is_referenced(tree, proto_data) || proto_field_is_referenced(tree, field_protocols));
}

void payload_handoff(void)
{
    proto_data = proto_get_id_by_filter_name("data");
    field_protocols = proto_registrar_get_id_byname("frame.protocols");
}

void payload_give(const struct payload_table *table, uint32_t number, tvbuff_t *octets, packet_info *pinfo,
                  proto_tree *tree)
{
    bool seen = is_seen(tree);

    if (seen) {
        given_note(table, number, pinfo);
    }
    if (!dissector_try_uint(table->dissectors, number, octets, pinfo, tree) && seen) {
        call_data_dissector(octets, pinfo, tree);
    }
}
