/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Writes a dissector for Wireshark's own tree: copies a source (packet-portals.c.in, packet-impi.c.in) and puts into
 * the place of each line @name@ what the rows of wire/ say, as C that can be read and searched: named values, fields,
 * and which of them a message has where. What is written needs nothing of wire/.
 *
 *     write portals|impi < packet-portals.c.in > packet-portals.c
 */
#include "wire/impi/labels.h"
#include "wire/impi/packet.h"
#include "wire/impi/startup.h"
#include "wire/portals/messages.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { FIELDS_MAX = 128, NAME_MAX_OCTETS = 96, LINE_MAX_OCTETS = 4096, PLACES_MAX = 256 };

/* A field, and the first row that it stands for. */
struct field {
    char name[NAME_MAX_OCTETS];   /* hf_portals_initiator_nid without hf_ */
    char filter[NAME_MAX_OCTETS]; /* portals.initiator.nid */
    const struct wire_row *row;
};

/* Rows of one message. */
struct table {
    const char *label, *name;
    uint32_t operation;
    unsigned octets, counted;
    int payload_row;
    const struct wire_row *rows;
    unsigned row_count;
};

static const char *protocol;
static struct field fields[FIELDS_MAX];
static size_t field_count;
static struct table tables[PLACES_MAX];
static size_t table_count;

/* Letters and digits as they are but small, all else as an underscore. */
static void plain(char *text)
{
    for (char *c = text; *c; c++) {
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '_';
    }
}

static bool is_alike(const struct wire_row *one, const struct wire_row *other)
{
    return strcmp(one->name, other->name) == 0 && strcmp(one->label, other->label) == 0 &&
           strcmp(one->help, other->help) == 0;
}

static const struct field *field_of(const struct wire_row *row)
{
    for (size_t i = 0; i < field_count; i++) {
        if (fields[i].row == row || (strcmp(row->name, "value") != 0 && is_alike(fields[i].row, row))) {
            return &fields[i];
        }
    }
    return NULL;
}

static bool is_named(const char *name)
{
    for (size_t i = 0; i < field_count; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds the field of a row, unless there is one like it. Rows that are alike in name only get numbers. */
static void add(const struct wire_row *row, const char *name)
{
    struct field *made = &fields[field_count];
    char bare[NAME_MAX_OCTETS];

    if (field_of(row) || field_count == FIELDS_MAX) {
        return;
    }
    made->row = row;
    snprintf(made->filter, sizeof made->filter, "%s.%.64s", protocol, name);
    snprintf(bare, sizeof bare, "%s_%.64s", protocol, name);
    plain(bare);
    snprintf(made->name, sizeof made->name, "%s", bare);
    for (unsigned number = 2; is_named(made->name); number++) {
        snprintf(made->name, sizeof made->name, "%.80s_%u", bare, number);
    }
    field_count++;
}

static void add_message(const struct wire_message *message)
{
    tables[table_count++] =
        (struct table){message->label,   message->name,        message->operation, message->octets,
                       message->counted, message->payload_row, message->rows,      message->row_count};
    for (unsigned i = 0; i < message->row_count; i++) {
        add(&message->rows[i], message->rows[i].name);
    }
}

static void collect_impi(void)
{
    for (unsigned i = 0; i < WIRE_IMPI_STARTUP_FORMS; i++) {
        add_message(&wire_impi_startup_messages[i]);
    }
    add_message(&wire_impi_packet_messages[0]);
    for (unsigned i = 0; i < WIRE_IMPI_LABELS; i++) {
        char name[NAME_MAX_OCTETS];

        snprintf(name, sizeof name, "%s", wire_impi_labels[i].name + strlen("IMPI_"));
        plain(name);
        add(&wire_impi_labels[i].element, name);
    }
}

static void collect(void)
{
    if (strcmp(protocol, "impi") == 0) {
        collect_impi();
        return;
    }
    for (unsigned i = 0; i < WIRE_PORTALS_COUNT; i++) {
        add_message(&wire_portals_messages[i]);
    }
}

/* ---- what is written ---- */

static void write_text(const char *text)
{
    putchar('"');
    for (const char *c = text; *c; c++) {
        printf(*c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    putchar('"');
}

static bool is_first_with_values(size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (fields[i].row->values == fields[at].row->values) {
            return false;
        }
    }
    return true;
}

static const char *values_name(const struct field *field)
{
    for (size_t i = 0; i < field_count; i++) {
        if (fields[i].row->values == field->row->values) {
            return fields[i].name;
        }
    }
    return "";
}

static void write_values(void)
{
    for (size_t i = 0; i < field_count; i++) {
        const struct wire_row *row = fields[i].row;

        if (!row->values || !is_first_with_values(i)) {
            continue;
        }
        printf("static const %s %s_vals[] = {\n", row->width == 8 ? "val64_string" : "value_string", fields[i].name);
        for (const struct wire_value *value = row->values; value->name; value++) {
            uint64_t number = row->width == 8 ? value->value : (uint32_t)value->value;
            printf("    { 0x%" PRIx64 "%s, ", number, row->width == 8 ? "ULL" : "");
            write_text(value->name);
            puts(" },");
        }
        puts("    { 0, NULL }\n};\n");
    }
}

static void write_declarations(void)
{
    for (size_t i = 0; i < field_count; i++) {
        printf("static int hf_%s = -1;\n", fields[i].name);
    }
}

static const char *type_of(const struct wire_row *row)
{
    static const char *const plain_types[] = {
        [1] = "FT_UINT8", [2] = "FT_UINT16", [4] = "FT_UINT32", [8] = "FT_UINT64"};
    static const char *const signed_types[] = {[1] = "FT_INT8", [2] = "FT_INT16", [4] = "FT_INT32", [8] = "FT_INT64"};

    switch (row->base) {
    case WIRE_IPV4:
        return "FT_IPv4";
    case WIRE_HOST:
        return "FT_IPv6";
    case WIRE_VERSION:
        return "FT_STRING";
    case WIRE_INT:
        return signed_types[row->width];
    case WIRE_DEC:
    case WIRE_HEX:
    case WIRE_ENUM:
        break;
    }
    return plain_types[row->width];
}

static const char *base_of(const struct wire_row *row)
{
    switch (row->base) {
    case WIRE_IPV4:
    case WIRE_HOST:
    case WIRE_VERSION:
        return "BASE_NONE";
    case WIRE_DEC:
    case WIRE_INT:
        return "BASE_DEC";
    case WIRE_HEX:
    case WIRE_ENUM:
        break;
    }
    return "BASE_HEX";
}

static void write_fields(void)
{
    for (size_t i = 0; i < field_count; i++) {
        const struct wire_row *row = fields[i].row;
        size_t len = strlen(row->help);

        printf("        { &hf_%s,\n          { ", fields[i].name);
        write_text(row->label);
        printf(", \"%s\",\n            %s, %s", fields[i].filter, type_of(row), base_of(row));
        if (row->values) {
            printf("%s, %s(%s_vals)", row->width == 8 ? "|BASE_VAL64_STRING|BASE_SPECIAL_VALS" : "|BASE_SPECIAL_VALS",
                   row->width == 8 ? "VALS64" : "VALS", values_name(&fields[i]));
        } else {
            printf(", NULL");
        }
        printf(", 0x0,\n            \"%.*s\", HFILL }},\n", (int)(len - (row->help[len - 1] == '.')), row->help);
    }
}

/* Which types of packet use a row; of other messages all do. */
static uint32_t types_of(const struct table *table, const struct wire_row *row)
{
    uint32_t types = 0;

    for (uint32_t type = 0; type < WIRE_IMPI_TYPES; type++) {
        types |= (uint32_t)wire_impi_packet_uses(type, row) << type;
    }
    return table->rows == wire_impi_packet_messages[0].rows ? types : UINT32_MAX;
}

static void write_messages(void)
{
    for (size_t i = 0; i < table_count; i++) {
        printf("/* %s */\nstatic const struct %s_field %s_fields_%zu[] = {\n", tables[i].label, protocol, protocol, i);
        for (unsigned row = 0; row < tables[i].row_count; row++) {
            const struct wire_row *at = &tables[i].rows[row];
            bool host = at->base == WIRE_HOST;
            printf("    { &hf_%s, %u, %u, %s", field_of(at)->name, at->offset, at->width,
                   host ? "ENC_NA" : "ENC_BIG_ENDIAN");
            if (strcmp(protocol, "impi") == 0) {
                printf(", 0x%" PRIx32, types_of(&tables[i], at));
            }
            puts(" },");
        }
        puts("};\n");
    }
    printf("static const struct %s_message %s_messages[] = {\n", protocol, protocol);
    for (size_t i = 0; i < table_count; i++) {
        const struct table *at = &tables[i];
        const struct wire_row *payload = at->payload_row < 0 ? NULL : &at->rows[at->payload_row];
        printf("    { 0x%" PRIx32 ", \"%s\", ", at->operation, at->name);
        write_text(at->label);
        printf(", %u, %d, %u, %s_fields_%zu, array_length(%s_fields_%zu) },\n", at->octets,
               payload ? (int)payload->offset : -1, at->counted, protocol, i, protocol, i);
    }
    puts("};");
}

static void write_labels(void)
{
    for (unsigned i = 0; i < WIRE_IMPI_LABELS; i++) {
        const struct wire_impi_label *label = &wire_impi_labels[i];
        printf("    { 0x%" PRIx32 ", \"%s\", &hf_%s, %u },\n", (uint32_t)label->code, label->name + strlen("IMPI_"),
               field_of(&label->element)->name, label->element.width);
    }
}

/* What stands for a line @name@. False: no such name. */
static bool write_place(const char *name)
{
    static const struct {
        const char *name;
        void (*write)(void);
    } places[] = {{"@values@", write_values},
                  {"@declarations@", write_declarations},
                  {"@fields@", write_fields},
                  {"@messages@", write_messages},
                  {"@labels@", write_labels}};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (strcmp(places[i].name, name) == 0) {
            places[i].write();
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    char line[LINE_MAX_OCTETS];

    if (argc != 2 || (strcmp(argv[1], "portals") != 0 && strcmp(argv[1], "impi") != 0)) {
        fputs("usage: write portals|impi < SOURCE\n", stderr);
        return 2;
    }
    protocol = argv[1];
    collect();
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] != '@') {
            puts(line);
        } else if (!write_place(line)) {
            fprintf(stderr, "write: no such place: %s\n", line);
            return 1;
        }
    }
    return fflush(stdout) || ferror(stdin) ? 1 : 0;
}
