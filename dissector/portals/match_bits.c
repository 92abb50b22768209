/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Fields of one name are one field, portals.match_bits.tag, in whichever form and layout they stand.
 */
#include "dissector/portals/match_bits.h"

#include "wire/portals/match_bits.h"

#include <epan/proto.h>
#include <epan/wmem_scopes.h>

#include <string.h>

/* A field by its name, and its number in Wireshark. */
struct known {
    const struct wire_match_field *field;
    int id;
};

static struct known *known;
static size_t known_count;
static int tree_said = -1;
static int want; /* the preference: 0 nothing, or a layout, from 1 */

static enum_val_t choices[WIRE_MATCH_LAYOUTS + 2];

static struct known *known_as(const struct wire_match_field *field)
{
    for (size_t i = 0; i < known_count; i++) {
        if (strcmp(known[i].field->name, field->name) == 0) {
            return &known[i];
        }
    }
    return NULL;
}

static void field_register(int proto, hf_register_info *info, const struct wire_match_field *field)
{
    struct known *new = &known[known_count++];

    *new = (struct known){field, -1};
    info->p_id = &new->id;
    info->hfinfo = (header_field_info){
        .name = field->label,
        .abbrev = wmem_strdup_printf(wmem_epan_scope(), "portals.match_bits.%s", field->name),
        .type = FT_INT64,
        .display = BASE_DEC,
        .blurb = field->help,
        HFILL,
    };
    proto_register_field_array(proto, info, 1);
}

/* Of a form, those fields that no earlier one has. */
static void form_register(int proto, const struct wire_match_form *form)
{
    for (unsigned i = 0; i < form->count; i++) {
        if (!known_as(&form->fields[i])) {
            field_register(proto, wmem_new0(wmem_epan_scope(), hf_register_info), &form->fields[i]);
        }
    }
}

static size_t fields_of_all(void)
{
    size_t count = 0;

    for (unsigned i = 0; i < WIRE_MATCH_LAYOUTS; i++) {
        for (unsigned k = 0; k < wire_match_layouts[i].count; k++) {
            count += wire_match_layouts[i].forms[k].count;
        }
    }
    return count;
}

void match_bits_register(int proto, module_t *module)
{
    static int *const trees[] = {&tree_said};

    known = wmem_alloc0_array(wmem_epan_scope(), struct known, fields_of_all());
    choices[0] = (enum_val_t){"none", "nothing: a number", 0};
    for (int i = 0; i < WIRE_MATCH_LAYOUTS; i++) {
        const struct wire_match_layout *layout = &wire_match_layouts[i];

        for (unsigned k = 0; k < layout->count; k++) {
            form_register(proto, &layout->forms[k]);
        }
        choices[i + 1] = (enum_val_t){layout->name, layout->label, i + 1};
    }
    proto_register_subtree_array(trees, G_N_ELEMENTS(trees));
    prefs_register_enum_preference(module, "match_bits", "Match bits say",
                                   "Which library's messages travel here: its match bits tell of contexts and tags. No "
                                   "capture shows which it is.",
                                   &want, choices, FALSE);
}

static const struct wire_match_layout *layout_wanted(void)
{
    return want > 0 ? &wire_match_layouts[want - 1] : NULL;
}

void match_bits_show(const struct pdu *pdu, proto_item *item, const struct wire_row *row)
{
    const struct wire_match_form *form =
        strcmp(row->name, "match_bits") == 0 ? wire_match_form(layout_wanted(), &pdu->header) : NULL;
    proto_tree *tree;

    if (!form) {
        return;
    }
    proto_item_append_text(item, ", %s", form->label);
    tree = proto_item_add_subtree(item, tree_said);
    for (unsigned i = 0; i < form->count; i++) {
        const struct wire_match_field *field = &form->fields[i];
        uint64_t value = wire_match_value(field, pdu->header.match_bits);
        char words[WIRE_MATCH_TEXT_MAX];
        struct wire_text text = wire_text_over(words, sizeof words);

        wire_match_value_text(&text, field, value);
        proto_tree_add_int64_format_value(tree, known_as(field)->id, pdu->tvb, row->offset, row->width, (gint64)value,
                                          "%s", words);
    }
}

void match_bits_add(struct wire_text *text, const struct pdu *pdu)
{
    char line[WIRE_MATCH_TEXT_MAX];
    struct wire_text said = wire_text_over(line, sizeof line);

    if (wire_match_text(&said, layout_wanted(), &pdu->header)) {
        wire_text_add(text, ", ");
        wire_text_add(text, line);
    }
}
