/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The layouts of match_bits.h. That of Assay's MPI is drawn in ref-impl/mpi/local/state.h and, for windows, in
 * ref-impl/mpi/windows/state.h; that of MPI on Puma is the paper's, with the order of its fields as PUMA-034 has it.
 */
#include "wire/portals/match_bits.h"

#include <stddef.h>
#include <string.h>

#define FORM(label, first, last, told_by, told, fields)                                                                \
    {                                                                                                                  \
        label, first, last, told_by, told, fields, sizeof(fields) / sizeof *(fields)                                   \
    }

#define BIT_63 ((uint64_t)1 << 63)

static const struct wire_value no_yes[] = {{0, "no"}, {1, "yes"}, {0, NULL}};
static const struct wire_value protocols[] = {{0, "short"}, {1, "long"}, {0, NULL}};
static const struct wire_value representations[] = {{0, "native"}, {1, "external32"}, {0, NULL}};
static const struct wire_value controls[] = {
    {0, "wake for a completion"},
    {1, "wake for an arrival"},
    {2, "credit"},
    {3, "cancel"},
    {4, "cancelled"},
    {5, "too late"},
    {6, "cancelled"},
    {7, "too late"},
    {8, "stop"},
    {9, "upper bits of numbers"},
    {10, "note what has arrived"},
    {11, "long messages noted"},
    {12, "long messages fetched"},
    {0, NULL},
};

/* What MPI_COMM_WORLD's slots are is the library's own; a slot is one communicator and kind of communication. */
#define SLOT_HELP "Number, within the job, of a communicator and of what it is used for: point to point or collective."

#define MESSAGE_FIELDS                                                                                                 \
    {"representation", "Representation", 62, 1, false, representations, "How the octets are written."},                \
        {"number",                                                                                                     \
         "Number",                                                                                                     \
         49,                                                                                                           \
         13,                                                                                                           \
         false,                                                                                                        \
         NULL,                                                                                                         \
         "Of a long message: under which it can be fetched, without upper bits; of a short one: its turn."},           \
        {"slot", "Context slot", 31, 18, false, NULL, SLOT_HELP},                                                      \
    {                                                                                                                  \
        "tag", "Tag", 0, 31, false, NULL, "The message's tag."                                                         \
    }

static const struct wire_match_field message_fields[] = {
    {"protocol", "Protocol", 63, 1, false, protocols, "A long message is fetched by its receiver."},
    MESSAGE_FIELDS,
};
static const struct wire_match_field fetch_fields[] = {
    {"number", "Number", 0, 32, false, NULL, "Under which the long message was announced."},
};
static const struct wire_match_field control_fields[] = {
    {"control", "Control", 32, 31, false, controls, "What the library says to its peer."},
    {"argument", "Argument", 0, 32, false, NULL, "Credits, another count, or a number."},
};
static const struct wire_match_field cancel_fields[] = {MESSAGE_FIELDS};
static const struct wire_match_field window_fields[] = {
    {"slot", "Context slot", 32, 32, false, NULL, SLOT_HELP},
};
static const struct wire_match_field answer_fields[] = {
    {"question", "Question", 0, 64, false, NULL, "Which of the initiator's questions is answered."},
};

static const struct wire_match_form assay_forms[] = {
    FORM("MPI message", 0, 0, 0, 0, message_fields),
    FORM("MPI message fetched", 1, 1, 0, 0, fetch_fields),
    FORM("wish to cancel a short MPI message", 2, 2, BIT_63, BIT_63, cancel_fields),
    FORM("control message", 2, 2, BIT_63, 0, control_fields),
    FORM("access to an MPI window", 3, 4, 0, 0, window_fields),
    {.label = "question to the owner of an MPI window", .first = 5, .last = 5},
    FORM("answer of the owner of an MPI window", 6, 6, 0, 0, answer_fields),
    FORM("MPI message fetched", 7, 22, 0, 0, fetch_fields),
};

static const struct wire_match_field puma_fields[] = {
    {"tag", "Tag", 32, 32, true, NULL, "The message's tag."},
    {"rank", "Rank", 16, 16, false, NULL, "The sender's rank in the communicator."},
    {"context", "Context", 3, 13, false, NULL, "Which communicator, and which kind of communication."},
    {"ready", "Ready", 2, 1, false, no_yes, "Only a receive that has been posted takes the message."},
    {"reply", "Reply", 1, 1, false, no_yes, "What the receiver has asked for."},
    {"long", "Long", 0, 1, false, no_yes, "The message is longer than a short one may be."},
};
static const struct wire_match_form puma_forms[] = {FORM("MPI message", 0, UINT32_MAX, 0, 0, puma_fields)};

const struct wire_match_layout wire_match_layouts[WIRE_MATCH_LAYOUTS] = {
    {"assay-mpi", "Assay's MPI", assay_forms, sizeof assay_forms / sizeof *assay_forms},
    {"puma-mpi", "MPI on Puma", puma_forms, sizeof puma_forms / sizeof *puma_forms},
};

const struct wire_match_layout *wire_match_layout(const char *name)
{
    for (unsigned i = 0; i < WIRE_MATCH_LAYOUTS; i++) {
        if (strcmp(wire_match_layouts[i].name, name) == 0) {
            return &wire_match_layouts[i];
        }
    }
    return NULL;
}

uint64_t wire_match_value(const struct wire_match_field *field, uint64_t bits)
{
    uint64_t sign = (uint64_t)1 << (field->width - 1);
    uint64_t value = (bits >> field->lowest) & ((sign << 1) - 1);

    return field->is_signed ? (value ^ sign) - sign : value;
}

/* A label within a line: with a small letter. */
static void add_label(struct wire_text *text, const char *label)
{
    char first[2] = {(char)(label[0] | 0x20), '\0'};

    wire_text_add(text, first);
    wire_text_add(text, label + 1);
    wire_text_add(text, " ");
}

/* Whether messages of that kind have match bits. */
static bool has_bits(const struct wire_portals_header *header)
{
    switch (header->operation) {
    case WIRE_PORTALS_PUT:
    case WIRE_PORTALS_ACK:
    case WIRE_PORTALS_GET:
    case WIRE_PORTALS_REPLY:
    case WIRE_PORTALS_GETPUT:
        return true;
    default:
        return false;
    }
}

const struct wire_match_form *wire_match_form(const struct wire_match_layout *layout,
                                              const struct wire_portals_header *header)
{
    for (unsigned i = 0; layout && has_bits(header) && i < layout->count; i++) {
        const struct wire_match_form *form = &layout->forms[i];

        if (header->portal >= form->first && header->portal <= form->last &&
            (header->match_bits & form->told_by) == form->told) {
            return form;
        }
    }
    return NULL;
}

void wire_match_value_text(struct wire_text *text, const struct wire_match_field *field, uint64_t value)
{
    for (const struct wire_value *named = field->values; named && named->name; named++) {
        if (named->value == value) {
            wire_text_add(text, named->name);
            return;
        }
    }
    if (field->is_signed) {
        wire_text_add_i64(text, (int64_t)value);
    } else {
        wire_text_add_u64(text, value);
    }
}

bool wire_match_text(struct wire_text *text, const struct wire_match_layout *layout,
                     const struct wire_portals_header *header)
{
    const struct wire_match_form *form = wire_match_form(layout, header);

    wire_text_add(text, form ? form->label : "");
    for (unsigned i = 0; form && i < form->count; i++) {
        wire_text_add(text, i == 0 ? ": " : ", ");
        add_label(text, form->fields[i].label);
        wire_match_value_text(text, &form->fields[i], wire_match_value(&form->fields[i], header->match_bits));
    }
    return form;
}
