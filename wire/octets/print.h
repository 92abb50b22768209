/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages for people and for programs, printed by walking their rows. All printers add to a wire_text of the caller's
 * and fail as it does.
 *
 * As JSON a message is one line:
 *
 *     {"offset":0,"message":"put","fields":{"operation":"put","initiator.nid":"127.0.0.1",...,"data":"00ff"}}
 *
 * `offset` counts octets from the beginning of the input. The fields are the rows in their order, named like them:
 *   WIRE_DEC, WIRE_INT   a number; beyond 2^53, where JSON readers lose digits, a string of decimal digits
 *   WIRE_HEX             a string of 0x and two digits for each octet
 *   WIRE_IPV4, WIRE_HOST a string with dots or colons
 *   WIRE_VERSION         a string of two numbers with a dot between them
 *   WIRE_ENUM            the value's name as a string, or a number when it has none
 * A message that may have a payload ends with `data`: all of it, two digits an octet. So the line tells all that the
 * octets do, and encoding it gives them back.
 */
#ifndef WIRE_OCTETS_PRINT_H
#define WIRE_OCTETS_PRINT_H

#include "wire/octets/row.h"
#include "wire/octets/text.h"

enum {
    WIRE_PRINT_HEADER_MAX = 4096, /* characters that suffice for any header, in either form */
};

/* wire_print_value - a field's value for a person: "127.0.0.1", "put (1)", "PTL_MD_NONE (0xffffffffffffffff)". */
void wire_print_value(struct wire_text *text, const struct wire_row *row, uint64_t value);

/* wire_print_json_value - a field's value as JSON, as told above. */
void wire_print_json_value(struct wire_text *text, const struct wire_row *row, uint64_t value);

/* wire_print_row - a field of the message at `octets` for a person, like wire_print_value but also of a host. Fails
 * when `len` ends before the field does. wire_print_json_row does the same for JSON. */
void wire_print_row(struct wire_text *text, const struct wire_row *row, const void *octets, size_t len);
void wire_print_json_row(struct wire_text *text, const struct wire_row *row, const void *octets, size_t len);

/* wire_print_json_fields - the line of the message whose header is at `octets`, up to its last field: what stands in
 * the payload may follow, then wire_print_json_end. Fails when `len` is below the header's length. */
void wire_print_json_fields(struct wire_text *text, const struct wire_message *message, uint64_t offset,
                            const void *octets, size_t len);

/* wire_print_json_end - what closes a line behind its last field, without a line end. `error` is NULL, or what is wrong
 * with the message (it then appears as member `error` of the line; it must need no escapes). */
void wire_print_json_end(struct wire_text *text, const char *error);

/* wire_print_json_open - the line of the message whose header is at `octets`, up to where the payload's digits go:
 * these the caller prints with wire_text_add_octets, in pieces as it likes. Fails when `len` is below the header's
 * length. */
void wire_print_json_open(struct wire_text *text, const struct wire_message *message, uint64_t offset,
                          const void *octets, size_t len);

/* wire_print_json_close - the rest of the line that wire_print_json_open has begun; else like wire_print_json_end. */
void wire_print_json_close(struct wire_text *text, const struct wire_message *message, const char *error);

/* wire_print_json_members - instead of wire_print_json_close: closes the fields, for members of the line behind
 * them.
 * wire_print_json_member - one of these; the value must need no escapes. Then "}" ends the line. */
void wire_print_json_members(struct wire_text *text, const struct wire_message *message);
void wire_print_json_member(struct wire_text *text, const char *name, const char *value);

/* wire_print_line - one field for a person: label and value, indented, without a line end. */
void wire_print_line(struct wire_text *text, const struct wire_row *row, const void *octets, size_t len);

/* wire_print_fields - the header for a person: its name, then a line for each field with label and value. Fails when
 * `len` is below the header's length. */
void wire_print_fields(struct wire_text *text, const struct wire_message *message, uint64_t offset, const void *octets,
                       size_t len);

#endif
