/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Fields from rows; see fields.h. Rows that say the same in several messages share a field.
 */
#include "dissector/intercept/fields.h"

#include "dissector/common/rowfield.h"

#include "wire/intercept/messages.h"
#include "wire/portals/messages.h"

#include <epan/proto.h>
#include <epan/wmem_scopes.h>

struct icpt_fields icpt_fields;
int icpt_tree_frame = -1, icpt_tree_message = -1;

struct field {
    int id;
    const struct wire_row *row; /* the first one that it stands for */
};

static GHashTable *fields_of; /* row -> struct field */

/* Registers the rows of a protocol's messages, with that before their names. */
static void rows_register(int proto, const struct wire_message *messages, size_t count, const char *prefix)
{
    GPtrArray *made = g_ptr_array_new();
    hf_register_info *infos;

    for (size_t m = 0; m < count; m++) {
        for (size_t r = 0; r < messages[m].row_count; r++) {
            const struct wire_row *row = &messages[m].rows[r];
            struct field *field = NULL;

            for (guint i = 0; i < made->len && !field; i++) {
                struct field *other = g_ptr_array_index(made, i);
                field = rowfield_alike(other->row, row) ? other : NULL;
            }
            if (!field) {
                field = wmem_new0(wmem_epan_scope(), struct field);
                *field = (struct field){-1, row};
                g_ptr_array_add(made, field);
            }
            g_hash_table_insert(fields_of, (gpointer)row, field);
        }
    }
    infos = wmem_alloc0_array(wmem_epan_scope(), hf_register_info, made->len);
    for (guint i = 0; i < made->len; i++) {
        struct field *field = g_ptr_array_index(made, i);

        infos[i].p_id = &field->id;
        infos[i].hfinfo =
            rowfield_of(field->row, wmem_strdup_printf(wmem_epan_scope(), "%s.%s", prefix, field->row->name));
    }
    proto_register_field_array(proto, infos, (int)made->len);
    g_ptr_array_free(made, TRUE);
}

/* clang-format off */
static hf_register_info own[] = {
    {&icpt_fields.message, {"Message", "intercept.message", FT_STRING, BASE_NONE, NULL, 0,
     "What the frame carries, by its name in the document.", HFILL}},
    {&icpt_fields.plane, {"Plane of the link", "intercept.plane", FT_UINT8, BASE_DEC, NULL, 0,
     "The plane over which the frame travels, as far as the capture tells.", HFILL}},
    {&icpt_fields.crc, {"CRC", "intercept.crc", FT_UINT32, BASE_HEX, NULL, 0,
     "CRC-32 of all octets before it.", HFILL}},
    {&icpt_fields.data, {"Data", "intercept.data", FT_BYTES, BASE_NONE, NULL, 0,
     "What the frame carries behind its fields.", HFILL}},
    {&icpt_fields.padding, {"Padding", "intercept.padding", FT_BYTES, BASE_NONE, NULL, 0,
     "Zeros up to a whole quadword.", HFILL}},
    {&icpt_fields.again, {"Sent again", "intercept.again", FT_BOOLEAN, BASE_NONE, NULL, 0,
     "The packet was sent before, on this link or on one that has died.", HFILL}},
    {&icpt_fields.late, {"Out of order", "intercept.late", FT_BOOLEAN, BASE_NONE, NULL, 0,
     "A packet or message with a higher number has come before.", HFILL}},
    {&icpt_fields.requirement, {"Broken requirement", "intercept.requirement", FT_STRING, BASE_NONE, NULL, 0,
     "What the frame breaks.", HFILL}},
    {&icpt_fields.begun_in, {"Message begun in", "intercept.begun_in", FT_FRAMENUM, BASE_NONE, NULL, 0,
     "The packet with the RTS or TRY_MATCH of the message.", HFILL}},
    {&icpt_fields.complete_in, {"Message complete in", "intercept.complete_in", FT_FRAMENUM, BASE_NONE, NULL, 0,
     "The packet with which all of the message is there.", HFILL}},
    {&icpt_fields.whole, {"Message data", "intercept.whole", FT_BYTES, BASE_NONE, NULL, 0,
     "All octets of the message that Portals has asked for.", HFILL}},
    {&icpt_fields.whole_len, {"Message length", "intercept.whole.octets", FT_UINT64, BASE_DEC, NULL, 0,
     "How many octets of the message Portals has asked for.", HFILL}},
};
/* clang-format on */

void icpt_fields_register(int proto)
{
    static gint *trees[] = {&icpt_tree_frame, &icpt_tree_message};

    fields_of = g_hash_table_new(NULL, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
        *own[i].p_id = -1;
    }
    proto_register_field_array(proto, own, (int)G_N_ELEMENTS(own));
    proto_register_subtree_array(trees, (int)G_N_ELEMENTS(trees));
    rows_register(proto, wire_intercept_messages, WIRE_INTERCEPT_COUNT, "intercept");
    rows_register(proto, wire_portals_messages, WIRE_PORTALS_COUNT, "intercept.portals");
}

void icpt_fields_rows(proto_tree *tree, tvbuff_t *tvb, const struct wire_message *message)
{
    for (size_t i = 0; i < message->row_count; i++) {
        const struct wire_row *row = &message->rows[i];
        const struct field *field = g_hash_table_lookup(fields_of, row);

        if (field && row->base != WIRE_VERSION && tvb_bytes_exist(tvb, (gint)row->offset, (gint)row->width)) {
            proto_tree_add_item(tree, field->id, tvb, (gint)row->offset, (gint)row->width, ENC_BIG_ENDIAN);
        }
    }
}
