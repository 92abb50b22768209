/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Makes Wireshark's header fields from the rows of the messages (wire/portals/messages.h), so that the plugin has no
 * list of its own of what a message contains. Rows that are alike in name, label and help, such as the initiator's ids
 * in every message, share a field; rows that are only alike in name, such as the length of a put and the requested
 * length of a reply, become two fields with one filter name, each with its own words.
 */
#include "dissector/portals/fields.h"

#include "dissector/common/rowfield.h"

#include "wire/portals/messages.h"

#include <epan/proto.h>
#include <epan/wmem_scopes.h>

#include <stdlib.h>
#include <string.h>

struct fields_own fields_own;
struct fields_trees fields_trees;

/* One field made from rows. The array is complete before Wireshark keeps pointers into it. */
struct field {
    int id;
    const struct wire_row *row; /* the first row that it stands for */
};

/* Which field a row has, and which field the process has to whose ids it belongs. */
struct place {
    const struct wire_row *row;
    struct field *field;
    struct field *process; /* or NULL */
};

static struct place *places;
static size_t place_count;

static void field_describe(hf_register_info *info, struct field *field)
{
    info->p_id = &field->id;
    info->hfinfo = rowfield_of(field->row, wmem_strdup_printf(wmem_epan_scope(), "portals.%s", field->row->name));
}

/* The first word of a label tells whose ids they are: "Initiator", or in a HELLO "Sender". */
static char *process_label(const struct wire_row *row)
{
    return wmem_strndup(wmem_epan_scope(), row->label, strcspn(row->label, " "));
}

static void process_describe(hf_register_info *info, struct field *field)
{
    const struct wire_row *row = field->row;

    info->p_id = &field->id;
    info->hfinfo = (header_field_info){
        .name = process_label(row),
        .abbrev = wmem_strdup_printf(wmem_epan_scope(), "portals.%.*s", (int)strcspn(row->name, "."), row->name),
        .type = FT_STRING,
        .display = BASE_NONE,
        .blurb = "A process, by rank and group as far as they are known, and by address.",
        HFILL,
    };
}

/* Rows of one process id: the same prefix before the dot and the same first word of the label. */
static bool processes_alike(const struct wire_row *one, const struct wire_row *other)
{
    size_t prefix = strcspn(one->name, ".");
    size_t word = strcspn(one->label, " ");

    return prefix == strcspn(other->name, ".") && strncmp(one->name, other->name, prefix) == 0 &&
           word == strcspn(other->label, " ") && strncmp(one->label, other->label, word) == 0;
}

/* Finds the field that stands for rows like this one, or takes the next free one. */
static struct field *field_for(struct field *fields, size_t *count, const struct wire_row *row,
                               bool (*alike)(const struct wire_row *, const struct wire_row *))
{
    for (size_t i = 0; i < *count; i++) {
        if (alike(fields[i].row, row)) {
            return &fields[i];
        }
    }
    fields[*count] = (struct field){-1, row};
    return &fields[(*count)++];
}

static int place_compare(const void *one, const void *other)
{
    uintptr_t a = (uintptr_t)((const struct place *)one)->row, b = (uintptr_t)((const struct place *)other)->row;

    return (a > b) - (a < b);
}

static void rows_register(int proto)
{
    struct field *fields, *processes;
    hf_register_info *infos;
    size_t rows = 0, field_count = 0, process_count = 0, info_count = 0;

    for (size_t m = 0; m < WIRE_PORTALS_COUNT; m++) {
        rows += wire_portals_messages[m].row_count;
    }
    places = wmem_alloc0_array(wmem_epan_scope(), struct place, rows);
    fields = wmem_alloc0_array(wmem_epan_scope(), struct field, rows);
    processes = wmem_alloc0_array(wmem_epan_scope(), struct field, rows);
    for (size_t m = 0; m < WIRE_PORTALS_COUNT; m++) {
        for (size_t r = 0; r < wire_portals_messages[m].row_count; r++) {
            const struct wire_row *row = &wire_portals_messages[m].rows[r];
            struct place *place = &places[place_count++];

            place->row = row;
            place->field = field_for(fields, &field_count, row, rowfield_alike);
            place->process = strchr(row->name, '.') ? field_for(processes, &process_count, row, processes_alike) : NULL;
        }
    }
    qsort(places, place_count, sizeof *places, place_compare);
    infos = wmem_alloc0_array(wmem_epan_scope(), hf_register_info, field_count + process_count);
    for (size_t i = 0; i < field_count; i++) {
        field_describe(&infos[info_count++], &fields[i]);
    }
    for (size_t i = 0; i < process_count; i++) {
        process_describe(&infos[info_count++], &processes[i]);
    }
    proto_register_field_array(proto, infos, (int)info_count);
}

static const struct place *place_of(const struct wire_row *row)
{
    const struct place key = {.row = row};

    return bsearch(&key, places, place_count, sizeof key, place_compare);
}

int fields_of_row(const struct wire_row *row)
{
    const struct place *place = place_of(row);

    return place ? place->field->id : -1;
}

int fields_of_process(const struct wire_row *row)
{
    const struct place *place = place_of(row);

    return place && place->process ? place->process->id : -1;
}

/* clang-format off */
static hf_register_info own_fields[] = {
    {&fields_own.data, {"Data", "portals.data", FT_BYTES, BASE_NONE, NULL, 0,
     "The payload of a put or a reply.", HFILL}},
    {&fields_own.data_octets, {"Data length", "portals.data.octets", FT_UINT64, BASE_DEC, NULL, 0,
     "Octets of payload that the header promises.", HFILL}},
    {&fields_own.continuation, {"Continuation data", "portals.continuation", FT_BYTES, BASE_NONE, NULL, 0,
     "Payload of a message that began in an earlier packet and is not reassembled.", HFILL}},
    {&fields_own.continuation_of, {"Message begins in", "portals.continuation_of", FT_FRAMENUM, BASE_NONE, NULL, 0,
     "The packet with the header of the message that goes on here.", HFILL}},
    {&fields_own.undecoded, {"Undecoded data", "portals.undecoded", FT_BYTES, BASE_NONE, NULL, 0,
     "Octets in which no message can be found.", HFILL}},
    {&fields_own.request_in, {"Request in", "portals.request_in", FT_FRAMENUM, BASE_NONE,
     FRAMENUM_TYPE(FT_FRAMENUM_REQUEST), 0, "The packet with the request that this message answers.", HFILL}},
    {&fields_own.response_in, {"Response in", "portals.response_in", FT_FRAMENUM, BASE_NONE,
     FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE), 0, "The packet with the acknowledgement or reply to this request.", HFILL}},
    {&fields_own.time, {"Response time", "portals.time", FT_RELATIVE_TIME, BASE_NONE, NULL, 0,
     "Time between a request and its acknowledgement or reply.", HFILL}},
    {&fields_own.requirement, {"Broken requirement", "portals.requirement", FT_STRING, BASE_NONE, NULL, 0,
     "Id of the requirement of the specification (P30-) or the rule of the TCP binding (PW-) that is broken.", HFILL}},
    {&fields_own.barrier_message, {"Barrier message", "portals.barrier.message", FT_UINT32, BASE_DEC, NULL, 0,
     "Which one it is of the messages of this barrier in the capture, from 1.", HFILL}},
    {&fields_own.barrier_total, {"Barrier messages", "portals.barrier.total", FT_UINT64, BASE_DEC, NULL, 0,
     "How many messages a barrier of this group takes.", HFILL}},
    {&fields_own.barrier_first, {"Barrier begins in", "portals.barrier.first", FT_FRAMENUM, BASE_NONE, NULL, 0,
     "The packet with the first message of this barrier in the capture.", HFILL}},
    {&fields_own.barrier_time, {"Time since barrier began", "portals.barrier.time", FT_RELATIVE_TIME, BASE_NONE, NULL,
     0, "Time since the first message of this barrier in the capture.", HFILL}},
};
/* clang-format on */

static int *const own_trees[] = {&fields_trees.message, &fields_trees.process};

void fields_register(int proto)
{
    fields_trees.message = -1;
    fields_trees.process = -1;
    for (size_t i = 0; i < G_N_ELEMENTS(own_fields); i++) {
        *own_fields[i].p_id = -1;
    }
    rows_register(proto);
    proto_register_field_array(proto, own_fields, (int)G_N_ELEMENTS(own_fields));
    proto_register_subtree_array(own_trees, (int)G_N_ELEMENTS(own_trees));
}
