/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The messages between IMPI clients and the server: rows and codec. Fulfils sections 2.3.2 to 2.3.7 of the IMPI 0.0
 * document, as far as octets go. The lists of rows are the only place where the fields are written down; each is
 * expanded into its table and into the places of its members, by which one loop reads and one writes all of them.
 * Start-up happens once in a job: there is no need for the straight-line code of wire/impi/packet.c.
 */
#include "wire/impi/startup.h"

#include "wire/impi/labels.h"
#include "wire/octets/cursor.h"

#include <string.h>

//= IMPI-021
static const struct wire_value code_values[] = {
    {WIRE_IMPI_CMD_AUTH, "AUTH"}, {WIRE_IMPI_CMD_IMPI, "IMPI"}, {WIRE_IMPI_CMD_COLL, "COLL"},
    {WIRE_IMPI_CMD_DONE, "DONE"}, {WIRE_IMPI_CMD_FINI, "FINI"}, {0, NULL},
};

static const struct wire_value method_values[] = {{WIRE_IMPI_AUTH_NONE, "IMPI_AUTH_NONE"},
                                                  {WIRE_IMPI_AUTH_KEY, "IMPI_AUTH_KEY"},
                                                  {WIRE_IMPI_AUTH_TLS, "ASSAY_AUTH_TLS"},
                                                  {0, NULL}};

static const struct wire_value label_values[] = {
    {WIRE_IMPI_NO_LABEL, "IMPI_NO_LABEL"},
    {WIRE_IMPI_C_VERSION, "IMPI_C_VERSION"},
    {WIRE_IMPI_C_NHOSTS, "IMPI_C_NHOSTS"},
    {WIRE_IMPI_C_NPROCS, "IMPI_C_NPROCS"},
    {WIRE_IMPI_C_DATALEN, "IMPI_C_DATALEN"},
    {WIRE_IMPI_C_TAGUB, "IMPI_C_TAGUB"},
    {WIRE_IMPI_C_COLL_XSIZE, "IMPI_C_COLL_XSIZE"},
    {WIRE_IMPI_C_COLL_MAXLINEAR, "IMPI_C_COLL_MAXLINEAR"},
    {WIRE_IMPI_H_IPV6, "IMPI_H_IPV6"},
    {WIRE_IMPI_H_PORT, "IMPI_H_PORT"},
    {WIRE_IMPI_H_NPROCS, "IMPI_H_NPROCS"},
    {WIRE_IMPI_H_ACKMARK, "IMPI_H_ACKMARK"},
    {WIRE_IMPI_H_HIWATER, "IMPI_H_HIWATER"},
    {WIRE_IMPI_P_IPV6, "IMPI_P_IPV6"},
    {WIRE_IMPI_P_PID, "IMPI_P_PID"},
    {0, NULL},
};

/* clang-format off */

/* ROW(member, label, clause, offset, width, base, values, help); the member is the row's name. */

#define HEAD_ROWS(ROW, clause)                                                                                         \
    ROW(cmd, "Command", clause, 0, 4, WIRE_ENUM, code_values,                                                          \
        "Which command this is: four letters.")                                                                        \
    ROW(len, "Payload length", clause, 4, 4, WIRE_INT, NULL,                                                           \
        "Octets of payload that follow the command's head.")

//= IMPI-026
#define AUTH_ROWS(ROW)                                                                                                 \
    HEAD_ROWS(ROW, "2.3.3")                                                                                            \
    ROW(auth_mask, "Methods offered", "2.3.3", 8, 4, WIRE_HEX, NULL,                                                   \
        "Bit m stands for authentication method m: bit 0 for none, bit 1 for the key.")

//= IMPI-029
#define CHOICE_ROWS(ROW)                                                                                               \
    ROW(which, "Method chosen", "2.3.3", 0, 4, WIRE_ENUM, method_values,                                               \
        "The authentication method that the server has chosen.")                                                       \
    ROW(len, "Follow-on length", "2.3.3", 4, 4, WIRE_INT, NULL,                                                        \
        "Octets of the method's own messages that follow; none with the methods of version 0.0.")

//= IMPI-030
#define KEY_ROWS(ROW)                                                                                                  \
    ROW(key, "Key", "2.3.3", 0, 8, WIRE_DEC, NULL,                                                                     \
        "The client's key, which must be the server's.")

//= IMPI-040
#define RANK_ROWS(ROW)                                                                                                 \
    HEAD_ROWS(ROW, "2.3.4")                                                                                            \
    ROW(rank, "Rank of the client", "2.3.4", 8, 4, WIRE_INT, NULL,                                                     \
        "The client's rank in the job.")

//= IMPI-042
#define SIZE_ROWS(ROW)                                                                                                 \
    HEAD_ROWS(ROW, "2.3.4")                                                                                            \
    ROW(size, "Number of clients", "2.3.4", 8, 4, WIRE_INT, NULL,                                                      \
        "Clients in the job.")

//= IMPI-044
#define GIVEN_ROWS(ROW)                                                                                                \
    HEAD_ROWS(ROW, "2.3.5")                                                                                            \
    ROW(label, "Label", "2.3.5", 8, 4, WIRE_ENUM, label_values,                                                        \
        "What the values are.")

//= IMPI-046
#define SPREAD_ROWS(ROW)                                                                                               \
    GIVEN_ROWS(ROW)                                                                                                    \
    ROW(client_mask, "Clients", "2.3.5", 12, 4, WIRE_HEX, NULL,                                                        \
        "Bit i: the client of rank i has given values.")

#define AUTH_BARE_ROWS(ROW) HEAD_ROWS(ROW, "2.3.3")
#define IMPI_BARE_ROWS(ROW) HEAD_ROWS(ROW, "2.3.4")
#define COLL_BARE_ROWS(ROW) HEAD_ROWS(ROW, "2.3.5")
#define DONE_ROWS(ROW)      HEAD_ROWS(ROW, "2.3.6")
#define FINI_ROWS(ROW)      HEAD_ROWS(ROW, "2.3.7")
#define OTHER_ROWS(ROW)     HEAD_ROWS(ROW, "2.3.2")

/* FORM(rows, name, label, clause, code, payload row, octets that its length counts) in the order of enum form. */
#define FORMS(FORM)                                                                                                    \
    FORM(AUTH, "AUTH", "Authentication methods", "2.3.3", WIRE_IMPI_CMD_AUTH, 1, 4)                                    \
    FORM(AUTH_BARE, "AUTH", "Authentication methods", "2.3.3", WIRE_IMPI_CMD_AUTH, 1, 0)                               \
    FORM(CHOICE, "CHOICE", "Authentication chosen", "2.3.3", 0, 1, 0)                                                  \
    FORM(KEY, "KEY", "Authentication key", "2.3.3", 0, -1, 0)                                                          \
    FORM(RANK, "IMPI", "Joining the job", "2.3.4", WIRE_IMPI_CMD_IMPI, 1, 4)                                           \
    FORM(SIZE, "IMPI", "Size of the job", "2.3.4", WIRE_IMPI_CMD_IMPI, 1, 4)                                           \
    FORM(IMPI_BARE, "IMPI", "Joining the job", "2.3.4", WIRE_IMPI_CMD_IMPI, 1, 0)                                      \
    FORM(GIVEN, "COLL", "Values of a client", "2.3.5", WIRE_IMPI_CMD_COLL, 1, 4)                                       \
    FORM(SPREAD, "COLL", "Values of all clients", "2.3.5", WIRE_IMPI_CMD_COLL, 1, 8)                                   \
    FORM(COLL_BARE, "COLL", "Values", "2.3.5", WIRE_IMPI_CMD_COLL, 1, 0)                                               \
    FORM(DONE, "DONE", "No more labels", "2.3.6", WIRE_IMPI_CMD_DONE, 1, 0)                                            \
    FORM(FINI, "FINI", "End of the job", "2.3.7", WIRE_IMPI_CMD_FINI, 1, 0)                                            \
    FORM(OTHER, "OTHER", "Unknown command", "2.3.2", 0, 1, 0)

/* clang-format on */

/* The expansions: tables of rows, places of members, forms. */

#define TABLE_ROW(member, label_, clause_, offset_, width_, base_, values_, help_)                                     \
    {.name = #member,                                                                                                  \
     .label = label_,                                                                                                  \
     .clause = clause_,                                                                                                \
     .offset = offset_,                                                                                                \
     .width = width_,                                                                                                  \
     .base = base_,                                                                                                    \
     .values = values_,                                                                                                \
     .help = help_},
#define PLACE_ROW(member, label, clause, offset, width, base, values, help)                                            \
    {offsetof(struct wire_impi_command, member), sizeof(((struct wire_impi_command *)NULL)->member)},
#define PLUS_WIDTH(member, label, clause, offset, width, base, values, help) +(width)

/* Where a row's value stands in struct wire_impi_command. */
struct place {
    uint16_t at;
    uint16_t width;
};

#define FORM_TABLES(form, name, label, clause, code, payload, counted)                                                 \
    static const struct wire_row form##_rows[] = {form##_ROWS(TABLE_ROW)};                                             \
    static const struct place form##_places[] = {form##_ROWS(PLACE_ROW)};
FORMS(FORM_TABLES)

#define FORM_INDEX(form, name, label, clause, code, payload, counted) form##_FORM,
enum form { FORMS(FORM_INDEX) FORM_COUNT };

#define FORM_MESSAGE(form, name, label, clause, code, payload, counted)                                                \
    {                                                                                                                  \
        name,                                                                                                          \
        label,                                                                                                         \
        clause,                                                                                                        \
        code,                                                                                                          \
        0 form##_ROWS(PLUS_WIDTH),                                                                                     \
        form##_rows,                                                                                                   \
        sizeof form##_rows / sizeof form##_rows[0],                                                                    \
        payload,                                                                                                       \
        counted},
const struct wire_message wire_impi_startup_messages[WIRE_IMPI_STARTUP_FORMS] = {FORMS(FORM_MESSAGE)};

#define FORM_PLACES(form, name, label, clause, code, payload, counted) form##_places,
static const struct place *const places[FORM_COUNT] = {FORMS(FORM_PLACES)};

_Static_assert((int)FORM_COUNT == (int)WIRE_IMPI_STARTUP_FORMS, "the header tells how many forms there are");

/* The forms of each kind: from a client, from the server, bare from either. FORM_COUNT: there is none. An AUTH of the
 * server's would be a command without any meaning, hence bare. */
static const enum form forms[][3] = {
    [WIRE_IMPI_SAYS_AUTH] = {AUTH_FORM, AUTH_BARE_FORM, AUTH_BARE_FORM},
    [WIRE_IMPI_SAYS_CHOICE] = {FORM_COUNT, CHOICE_FORM, FORM_COUNT},
    [WIRE_IMPI_SAYS_KEY] = {KEY_FORM, FORM_COUNT, FORM_COUNT},
    [WIRE_IMPI_SAYS_IMPI] = {RANK_FORM, SIZE_FORM, IMPI_BARE_FORM},
    [WIRE_IMPI_SAYS_COLL] = {GIVEN_FORM, SPREAD_FORM, COLL_BARE_FORM},
    [WIRE_IMPI_SAYS_DONE] = {DONE_FORM, DONE_FORM, DONE_FORM},
    [WIRE_IMPI_SAYS_FINI] = {FINI_FORM, FINI_FORM, FINI_FORM},
    [WIRE_IMPI_SAYS_OTHER] = {OTHER_FORM, OTHER_FORM, OTHER_FORM},
};

/* The form of a message, or FORM_COUNT. */
static enum form form_of(enum wire_impi_direction direction, enum wire_impi_kind kind, bool bare)
{
    size_t column = bare ? 2 : direction == WIRE_IMPI_FROM_SERVER;

    return (size_t)kind < sizeof forms / sizeof forms[0] ? forms[kind][column] : FORM_COUNT;
}

const struct wire_message *wire_impi_startup_message(enum wire_impi_direction direction, enum wire_impi_kind kind,
                                                     bool bare)
{
    enum form form = form_of(direction, kind, bare);

    return form == FORM_COUNT ? NULL : &wire_impi_startup_messages[form];
}

const char *wire_impi_code_name(int32_t code)
{
    return wire_row_value_name(&OTHER_rows[0], (uint32_t)code);
}

static enum wire_impi_kind kind_of(int32_t code)
{
    switch (code) {
    case WIRE_IMPI_CMD_AUTH:
        return WIRE_IMPI_SAYS_AUTH;
    case WIRE_IMPI_CMD_IMPI:
        return WIRE_IMPI_SAYS_IMPI;
    case WIRE_IMPI_CMD_COLL:
        return WIRE_IMPI_SAYS_COLL;
    case WIRE_IMPI_CMD_DONE:
        return WIRE_IMPI_SAYS_DONE;
    case WIRE_IMPI_CMD_FINI:
        return WIRE_IMPI_SAYS_FINI;
    default:
        return WIRE_IMPI_SAYS_OTHER;
    }
}

/* Members are as wide as their rows; 4 and 8 octets is all there is. */
static enum wire_status read_form(enum form form, const void *octets, size_t len, struct wire_impi_command *command)
{
    const struct wire_message *message = &wire_impi_startup_messages[form];

    for (size_t i = 0; i < message->row_count; i++) {
        uint64_t value = 0;
        uint32_t narrow;
        enum wire_status status = wire_row_get(&message->rows[i], octets, len, &value);

        if (status != WIRE_OK) {
            return status;
        }
        narrow = (uint32_t)value;
        memcpy((char *)command + places[form][i].at,
               places[form][i].width == sizeof value ? (void *)&value : (void *)&narrow, places[form][i].width);
    }
    return WIRE_OK;
}

static enum wire_status write_form(enum form form, const struct wire_impi_command *command, void *buffer, size_t cap)
{
    const struct wire_message *message = &wire_impi_startup_messages[form];
    enum wire_status status = message->octets <= cap ? WIRE_OK : WIRE_NO_SPACE;

    for (size_t i = 0; i < message->row_count && status == WIRE_OK; i++) {
        uint64_t value = 0;
        uint32_t narrow = 0;
        bool wide = places[form][i].width == sizeof value;

        memcpy(wide ? (void *)&value : (void *)&narrow, (const char *)command + places[form][i].at,
               places[form][i].width);
        status = wire_row_set(&message->rows[i], buffer, cap, wide ? value : narrow);
    }
    return status;
}

enum wire_status wire_impi_command_decode(enum wire_impi_direction direction, const void *octets, size_t len,
                                          struct wire_impi_command *command, size_t *used)
{
    struct wire_impi_command got = {.kind = WIRE_IMPI_SAYS_OTHER};
    enum wire_status status = read_form(OTHER_FORM, octets, len, &got);
    const struct wire_message *whole;

    if (status != WIRE_OK) {
        return status;
    }
    //= IMPI-242
    if (got.len < 0) {
        return WIRE_TOO_LONG;
    }
    got.kind = kind_of(got.cmd);
    whole = wire_impi_startup_message(direction, got.kind, false);
    got.bare = got.len < whole->octets - WIRE_IMPI_HEAD_OCTETS;
    status = read_form(form_of(direction, got.kind, got.bare), octets, len, &got);
    if (status != WIRE_OK) {
        return status;
    }
    *command = got;
    *used = wire_impi_startup_message(direction, got.kind, got.bare)->octets;
    return WIRE_OK;
}

enum wire_status wire_impi_choice_decode(const void *octets, size_t len, struct wire_impi_command *command)
{
    struct wire_impi_command got = {.kind = WIRE_IMPI_SAYS_CHOICE};
    enum wire_status status = read_form(CHOICE_FORM, octets, len, &got);

    if (status == WIRE_OK && got.len < 0) {
        return WIRE_TOO_LONG;
    }
    if (status == WIRE_OK) {
        *command = got;
    }
    return status;
}

enum wire_status wire_impi_key_decode(const void *octets, size_t len, struct wire_impi_command *command)
{
    struct wire_impi_command got = {.kind = WIRE_IMPI_SAYS_KEY};
    enum wire_status status = read_form(KEY_FORM, octets, len, &got);

    if (status == WIRE_OK) {
        *command = got;
    }
    return status;
}

enum wire_status wire_impi_command_encode(enum wire_impi_direction direction, const struct wire_impi_command *command,
                                          void *buffer, size_t cap, size_t *used)
{
    enum form form = form_of(direction, command->kind, command->bare);
    enum wire_status status;

    if (form == FORM_COUNT) {
        return WIRE_UNKNOWN;
    }
    status = write_form(form, command, buffer, cap);
    if (status == WIRE_OK) {
        *used = wire_impi_startup_messages[form].octets;
    }
    return status;
}
