/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a client says to the server; see session.h for the states, and chapters 2.3.2 to 2.3.7. The octets are cut into
 * messages by wire/impi/startup.h; here they get their meaning. The server's loop calls session_next until it says
 * SESSION_MORE.
 */
#include "ref-impl/impi/server/session.h"

#include "wire/octets/cursor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { AUTH_PAYLOAD_MAX = 1024 };

void session_begin(struct session *s, const struct auth *auth)
{
    *s = (struct session){.state = SESSION_SILENT, .auth = auth};
    s->stream = wire_impi_startup_begin(WIRE_IMPI_FROM_CLIENT);
}

void session_end(struct session *s)
{
    queue_free(&s->values);
}

/* Always true: there is an event. */
__attribute__((format(printf, 3, 4))) static bool told(struct session_event *event, enum session_event_kind kind,
                                                       const char *fmt, ...)
{
    va_list args;

    event->kind = kind;
    va_start(args, fmt);
    vsnprintf(event->text, sizeof event->text, fmt, args);
    va_end(args);
    return true;
}

/* A code as people can read it: its letters, or a number where it has none. */
static const char *code_text(int32_t code, char text[16])
{
    unsigned char letters[4] = {(unsigned char)((uint32_t)code >> 24), (unsigned char)((uint32_t)code >> 16),
                                (unsigned char)((uint32_t)code >> 8), (unsigned char)code};

    for (size_t i = 0; i < sizeof letters; i++) {
        if (letters[i] < ' ' || letters[i] > '~') {
            snprintf(text, 16, "0x%08" PRIx32, (uint32_t)code);
            return text;
        }
    }
    snprintf(text, 16, "%.4s", (const char *)letters);
    return text;
}

/* All of AUTH has been read. */
static bool methods_heard(struct session *s, struct session_event *event)
{
    int method = auth_choose(s->auth, s->command.auth_mask); //= IMPI-035

    if (method < 0 && s->auth->mask == auth_secure.mask) {
        return told(event, SESSION_BAD, "it offers 0x%x and no secure channel, which this server demands (-tls)",
                    (unsigned)s->command.auth_mask);
    }
    if (method < 0) {
        //= IMPI-033
        return told(event, SESSION_BAD, "no common authentication method: it offers 0x%x, this server has 0x%x",
                    (unsigned)s->command.auth_mask, (unsigned)s->auth->mask);
    }
    wire_impi_startup_method(&s->stream, method);
    s->state = method == WIRE_IMPI_AUTH_KEY ? SESSION_KEY_DUE : SESSION_AUTHENTICATED;
    event->kind = SESSION_CHOICE;
    event->method = method;
    return true;
}

/* The first command. */
static bool silent_hears(struct session *s, struct session_event *event)
{
    const struct wire_impi_command *command = &s->command;
    char code[16];

    //= IMPI-038
    //= IMPI-247
    if (command->kind != WIRE_IMPI_SAYS_AUTH) {
        return told(event, SESSION_BAD, "the first command must be AUTH, and is %s", code_text(command->cmd, code));
    }
    //= IMPI-036
    if (command->bare || command->len % 4 != 0 || command->len > AUTH_PAYLOAD_MAX) {
        return told(event, SESSION_BAD, "AUTH has %" PRId32 " octets of payload, not one mask of 4 octets or a few",
                    command->len);
    }
    return s->stream.payload_left == 0 && methods_heard(s, event);
}

static bool key_heard(struct session *s, struct session_event *event)
{
    if (s->command.kind != WIRE_IMPI_SAYS_KEY || !auth_key_same(s->auth, s->command.key)) {
        return told(event, SESSION_BAD, "wrong authentication key"); //= IMPI-031
    }
    s->state = SESSION_AUTHENTICATED;
    return false;
}

static bool unknown_heard(const struct session *s, struct session_event *event)
{
    char code[16];

    return told(event, SESSION_NOTE, "skips command %s, which is unknown, and its %" PRId32 " octets of payload",
                code_text(s->command.cmd, code), s->command.len); //= IMPI-022
}

static bool authenticated_hears(struct session *s, struct session_event *event)
{
    const struct wire_impi_command *command = &s->command;
    char code[16];

    if (command->kind == WIRE_IMPI_SAYS_OTHER) {
        return unknown_heard(s, event);
    }
    if (command->kind != WIRE_IMPI_SAYS_IMPI) {
        return told(event, SESSION_BAD, "the command after authentication must be IMPI, and is %s",
                    code_text(command->cmd, code));
    }
    if (command->len != 4) {
        return told(event, SESSION_BAD, "IMPI has %" PRId32 " octets of payload, not 4", command->len); //= IMPI-243
    }
    s->state = SESSION_JOINED;
    event->kind = SESSION_RANK;
    event->rank = command->rank;
    return true;
}

/* All values of a label are there. */
static bool label_heard(struct session *s, const unsigned char *octets, size_t len, struct session_event *event)
{
    event->kind = SESSION_LABEL;
    event->label = s->command.label;
    event->octets = octets;
    event->len = len;
    return true;
}

static bool coll_heard(struct session *s, struct session_event *event)
{
    const struct wire_impi_command *command = &s->command;

    //= IMPI-242
    if (command->bare || (size_t)command->len - 4 > SESSION_VALUES_MAX) {
        return told(event, SESSION_BAD, "COLL has %" PRId32 " octets of payload, not 4 to %zu", command->len,
                    SESSION_VALUES_MAX + 4);
    }
    if (s->state == SESSION_DONE) {
        return told(event, SESSION_NOTE, "submits label 0x%" PRIx32 " after DONE, which is ignored",
                    (uint32_t)command->label);
    }
    return s->stream.payload_left == 0 && label_heard(s, NULL, 0, event);
}

static bool done_heard(struct session *s, struct session_event *event)
{
    if (s->state == SESSION_DONE) {
        return told(event, SESSION_NOTE, "says DONE again, which is ignored");
    }
    s->state = SESSION_DONE;
    event->kind = SESSION_NO_MORE_LABELS;
    return true;
}

static bool joined_hears(struct session *s, struct session_event *event)
{
    char code[16];

    switch (s->command.kind) {
    case WIRE_IMPI_SAYS_COLL:
        return coll_heard(s, event);
    case WIRE_IMPI_SAYS_DONE:
        return done_heard(s, event);
    case WIRE_IMPI_SAYS_FINI:
        if (s->state != SESSION_DONE) {
            return told(event, SESSION_BAD, "says FINI before DONE");
        }
        s->state = SESSION_FINISHED;
        event->kind = SESSION_FINI;
        return true;
    case WIRE_IMPI_SAYS_OTHER:
        return unknown_heard(s, event);
    case WIRE_IMPI_SAYS_AUTH:
    case WIRE_IMPI_SAYS_IMPI:
    case WIRE_IMPI_SAYS_CHOICE:
    case WIRE_IMPI_SAYS_KEY:
        break;
    }
    return told(event, SESSION_BAD, "says %s a second time", code_text(s->command.cmd, code));
}

/* A command's fixed part is there. True: *event is filled. */
static bool command_heard(struct session *s, struct session_event *event)
{
    switch (s->state) {
    case SESSION_SILENT:
        return silent_hears(s, event);
    case SESSION_KEY_DUE:
        return key_heard(s, event);
    case SESSION_AUTHENTICATED:
        return authenticated_hears(s, event);
    case SESSION_JOINED:
    case SESSION_DONE:
        return joined_hears(s, event);
    case SESSION_FINISHED:
        break;
    }
    return false;
}

/* Payload is there, all of it or a part. Only that of AUTH and COLL is looked at. True: *event is filled. */
static bool payload_heard(struct session *s, const struct wire_impi_startup_piece *piece, struct session_event *event)
{
    if (s->state == SESSION_SILENT) {
        return piece->left == 0 && methods_heard(s, event);
    }
    if (s->state != SESSION_JOINED || s->command.kind != WIRE_IMPI_SAYS_COLL) {
        return false;
    }
    if (piece->left == 0 && queue_len(&s->values) == 0) {
        return label_heard(s, piece->octets, piece->len, event);
    }
    if (!queue_put(&s->values, piece->octets, piece->len)) {
        return told(event, SESSION_BAD, "no memory for the values of label 0x%" PRIx32, (uint32_t)s->command.label);
    }
    s->values_used = piece->left == 0;
    return piece->left == 0 && label_heard(s, queue_front(&s->values), queue_len(&s->values), event);
}

/* The head of a command is there, but not all of its fixed part: a length that can never be right is refused at once.
 * True: *event is filled. */
static bool head_heard(struct session *s, struct session_event *event)
{
    struct wire_reader r = wire_reader_over(s->stream.kept, s->stream.kept_len);
    int32_t code = (int32_t)wire_read_u32(&r);
    int32_t len = (int32_t)wire_read_u32(&r);
    bool long_auth = code == WIRE_IMPI_CMD_AUTH && len > AUTH_PAYLOAD_MAX;
    bool long_impi = code == WIRE_IMPI_CMD_IMPI && len > 4;
    bool long_coll = code == WIRE_IMPI_CMD_COLL && len > (int32_t)SESSION_VALUES_MAX + 4;
    char text[16];

    if (r.failed || s->state == SESSION_KEY_DUE || s->state == SESSION_FINISHED) {
        return false;
    }
    return (long_auth || long_impi || long_coll) &&
           told(event, SESSION_BAD, "%s announces %" PRId32 " octets of payload, which cannot be right",
                code_text(code, text), len);
}

//= IMPI-024
void session_next(struct session *s, const unsigned char **octets, size_t *len, struct session_event *event)
{
    struct wire_impi_startup_piece piece;

    *event = (struct session_event){.kind = SESSION_MORE};
    if (s->values_used) {
        queue_take(&s->values, queue_len(&s->values));
        s->values_used = false;
    }
    for (;;) {
        enum wire_status status = wire_impi_startup_next(&s->stream, octets, len, &piece);

        if (status == WIRE_SHORT) {
            (void)head_heard(s, event);
            return;
        }
        if (status != WIRE_OK) {
            (void)told(event, SESSION_BAD, "a command has a negative length");
            return;
        }
        s->command = *piece.command;
        if (piece.kind == WIRE_IMPI_COMMAND ? command_heard(s, event) : payload_heard(s, &piece, event)) {
            return;
        }
    }
}

const char *session_state_text(const struct session *s)
{
    switch (s->state) {
    case SESSION_SILENT:
    case SESSION_KEY_DUE:
        return "was authenticated";
    case SESSION_AUTHENTICATED:
        return "said which client it is";
    case SESSION_JOINED:
        return "said DONE";
    case SESSION_DONE:
    case SESSION_FINISHED:
        break;
    }
    return "said FINI";
}

bool session_in_message(const struct session *s)
{
    return wire_impi_startup_missing(&s->stream) != 0;
}
