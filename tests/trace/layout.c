/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Usage: layout PROTOCOL FOLDER
 *
 * Prints the rows of every message of the protocol (a name as for `assay decode --proto`) as JSON, for whoever draws
 * them. Where the folder has a vector NAME.hex of the message, each field also shows the vector's octets and what they
 * mean. The rows are the only description of the messages, so a drawing made from this cannot differ from what the
 * codec does.
 */
#include "wire/impi/packet.h"
#include "wire/intercept/messages.h"
#include "wire/octets/hex.h"
#include "wire/octets/print.h"
#include "wire/octets/row.h"
#include "wire/octets/text.h"
#include "wire/portals/messages.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VECTOR_MAX = 4096 };

struct vector {
    unsigned char octets[VECTOR_MAX];
    size_t len;
};

/* Adds the octets of a piece of text. False: it is no vector, or too long for one. */
static bool vector_add(struct vector *vector, struct wire_hex *hex, const char *text, size_t text_len)
{
    size_t used = 0, made = 0;

    if (wire_hex_feed(hex, text, text_len, &used, vector->octets + vector->len, VECTOR_MAX - vector->len, &made) !=
        WIRE_OK) {
        return false;
    }
    vector->len += made;
    return used == text_len;
}

/* Reads the vector; a file that is not there makes an empty one. Ends the program when the file is broken. */
static void vector_read(struct vector *vector, const char *path)
{
    struct wire_hex hex = {.line = 1};
    FILE *file = fopen(path, "re");
    char line[512];
    bool good = true;

    vector->len = 0;
    if (!file && errno == ENOENT) {
        return;
    }
    while (file && good && fgets(line, sizeof line, file)) {
        good = vector_add(vector, &hex, line, strlen(line));
    }
    if (!file || !good || ferror(file) || wire_hex_end(&hex) != WIRE_OK) {
        fprintf(stderr, "layout: %s: %s (line %lu)\n", path, file ? "is not a vector" : strerror(errno), hex.line);
        exit(2);
    }
    fclose(file);
}

/* Where the messages of a protocol are described, and what stands before their names in the paths of vectors. */
struct protocol {
    const char *name, *vectors;
    const struct wire_message *messages;
    size_t count;
};

static const struct protocol protocols[] = {
    {"portals", "", wire_portals_messages, WIRE_PORTALS_COUNT},
    {"impi-packet", "impi-packet/", wire_impi_packet_messages, WIRE_IMPI_TYPES},
    {"intercept", "intercept/", wire_intercept_messages, WIRE_INTERCEPT_COUNT},
};

static const struct protocol *protocol_named(const char *name)
{
    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++) {
        if (strcmp(protocols[i].name, name) == 0) {
            return &protocols[i];
        }
    }
    return NULL;
}

/* The name of the message's vector: in small letters, whatever the specification prefers. */
static void vector_path(char *path, size_t size, const struct protocol *protocol, const char *folder, const char *name)
{
    char small[32];
    size_t len = 0;

    for (; name[len] && len + 1 < sizeof small; len++) {
        small[len] = (char)tolower((unsigned char)name[len]);
    }
    small[len] = '\0';
    snprintf(path, size, "%s/%s%s.hex", folder, protocol->vectors, small);
}

static json_t *octets_json(const unsigned char *octets, size_t len)
{
    char digits[2 * VECTOR_MAX + 1];
    struct wire_text text = wire_text_over(digits, sizeof digits);

    wire_text_add_octets(&text, octets, len);
    return json_string(digits);
}

/* One field, with the vector's octets where it has them. */
static json_t *row_json(const struct wire_row *row, const struct vector *vector)
{
    json_t *field = json_pack("{s:s, s:s, s:s, s:i, s:i, s:s}", "name", row->name, "label", row->label, "clause",
                              row->clause, "offset", (int)row->offset, "width", (int)row->width, "help", row->help);
    char shown[128];
    struct wire_text text = wire_text_over(shown, sizeof shown);

    if (wire_row_octets(row, vector->octets, vector->len)) {
        wire_print_row(&text, row, vector->octets, vector->len);
        json_object_set_new(field, "octets", octets_json(vector->octets + row->offset, row->width));
        json_object_set_new(field, "value", json_string(shown));
    }
    return field;
}

static json_t *message_json(const struct protocol *protocol, const struct wire_message *message, const char *folder)
{
    json_t *fields = json_array();
    struct vector vector;
    char path[1024];
    json_t *object;

    vector_path(path, sizeof path, protocol, folder, message->name);
    vector_read(&vector, path);
    for (size_t i = 0; i < message->row_count; i++) {
        json_array_append_new(fields, row_json(&message->rows[i], &vector));
    }
    object = json_pack("{s:s, s:s, s:s, s:i, s:o}", "name", message->name, "label", message->label, "clause",
                       message->clause, "octets", (int)message->octets, "fields", fields);
    if (message->payload_row >= 0) {
        json_object_set_new(object, "payload", json_string(message->rows[message->payload_row].name));
    }
    if (vector.len > message->octets) {
        json_object_set_new(object, "data", octets_json(vector.octets + message->octets, vector.len - message->octets));
    }
    return object;
}

int main(int argc, char **argv)
{
    const struct protocol *protocol = argc == 3 ? protocol_named(argv[1]) : NULL;
    json_t *messages = json_array();
    int failed;

    if (!protocol) {
        fputs("usage: layout PROTOCOL FOLDER\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < protocol->count; i++) {
        json_array_append_new(messages, message_json(protocol, &protocol->messages[i], argv[2]));
    }
    failed = json_dumpf(messages, stdout, JSON_INDENT(1));
    json_decref(messages);
    putchar('\n');
    return failed || fflush(stdout) != 0 ? 2 : 0;
}
