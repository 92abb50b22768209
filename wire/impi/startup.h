/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What IMPI clients and the server say to each other (chapter 2.3 of the IMPI 0.0 document): commands of a code, a
 * length and so many octets of payload. Two things travel without a command: the server's choice of an authentication
 * method, which answers AUTH, and the client's key. Here are codes, rows, codec and the way to cut a stream; what the
 * labels of COLL mean stands in wire/impi/labels.h.
 *
 *     struct wire_impi_startup stream = wire_impi_startup_begin(WIRE_IMPI_FROM_CLIENT);
 *     while ((status = wire_impi_startup_next(&stream, &octets, &len, &piece)) == WIRE_OK) {
 *         if (piece.kind == WIRE_IMPI_COMMAND) ... piece.command ...
 *     }
 *     // WIRE_SHORT: all octets are used up, feed more. WIRE_TOO_LONG: a negative length, at stream.message_offset.
 *
 * A length that is wrong for its command is no matter of form: the command is then `bare`, its head alone, and the rest
 * is payload, so that a reader can step over it. What may be said when is judged by wire/impi/check_job.h.
 */
#ifndef WIRE_IMPI_STARTUP_H
#define WIRE_IMPI_STARTUP_H

#include "wire/octets/row.h"
#include "wire/octets/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Command codes (IMPI_CMD_..): four letters, the first in the most significant octet. */
enum wire_impi_code {
    WIRE_IMPI_CMD_AUTH = 0x41555448, /* authentication: which methods the client has */
    WIRE_IMPI_CMD_IMPI = 0x494D5049, /* joins a job: the client's rank; the job's size */
    WIRE_IMPI_CMD_COLL = 0x434F4C4C, /* a label's values: of one client; of all clients */
    WIRE_IMPI_CMD_DONE = 0x444F4E45, /* no more labels */
    WIRE_IMPI_CMD_FINI = 0x46494E49, /* all processes have ended */
};

/* Authentication methods (table 2.1): bit m of a mask offers method m. */
enum wire_impi_method {
    WIRE_IMPI_AUTH_NONE = 0,
    WIRE_IMPI_AUTH_KEY = 1,
    WIRE_IMPI_AUTH_TLS = 31, /* none of the document's: a secure channel (specs/impi-tls.md) */
};

/* Who speaks. */
enum wire_impi_direction { WIRE_IMPI_FROM_CLIENT, WIRE_IMPI_FROM_SERVER };

/* Kinds of message. Each is one entry of wire_impi_startup_messages, the five commands two: whole and bare. */
enum wire_impi_kind {
    WIRE_IMPI_SAYS_AUTH,   /* client */
    WIRE_IMPI_SAYS_CHOICE, /* server; no command */
    WIRE_IMPI_SAYS_KEY,    /* client; no command */
    WIRE_IMPI_SAYS_IMPI,
    WIRE_IMPI_SAYS_COLL,
    WIRE_IMPI_SAYS_DONE,
    WIRE_IMPI_SAYS_FINI,
    WIRE_IMPI_SAYS_OTHER, /* a command with a code that nobody has defined */
};

enum {
    WIRE_IMPI_HEAD_OCTETS = 8,    /* of a command's code and length; also of CHOICE and KEY */
    WIRE_IMPI_COMMAND_MAX = 16,   /* octets of the longest fixed part: a COLL of the server's */
    WIRE_IMPI_STARTUP_FORMS = 13, /* entries of wire_impi_startup_messages */
    WIRE_IMPI_CLIENTS_MAX = 32,   /* as many as a client mask has bits */
};

/* The fixed part of any message. `kind` says which members mean something; decoding leaves the others zero. */
struct wire_impi_command {
    enum wire_impi_kind kind;
    bool bare;            /* the payload is too short for the fixed part that belongs to the code: only cmd and len */
    int32_t cmd;          /* commands: enum wire_impi_code or any other value */
    int32_t len;          /* commands: octets of payload; CHOICE: octets of follow-on messages */
    uint32_t auth_mask;   /* AUTH: the first mask; more of them are payload */
    int32_t which;        /* CHOICE: enum wire_impi_method */
    uint64_t key;         /* KEY */
    int32_t rank;         /* IMPI of a client */
    int32_t size;         /* IMPI of the server: number of clients */
    int32_t label;        /* COLL */
    uint32_t client_mask; /* COLL of the server: bit i: client i has given values */
};

/* All forms of all messages, for both directions. Rows are named as the document names the fields. */
extern const struct wire_message wire_impi_startup_messages[WIRE_IMPI_STARTUP_FORMS];

/* wire_impi_startup_message - the form in which such a message travels in that direction, or NULL when it has none
 * (a KEY of the server's). */
const struct wire_message *wire_impi_startup_message(enum wire_impi_direction direction, enum wire_impi_kind kind,
                                                     bool bare);

/* wire_impi_code_name - "AUTH", "IMPI", "COLL", "DONE", "FINI", or NULL for any other code. */
const char *wire_impi_code_name(int32_t code);

/* wire_impi_command_decode - reads a command's fixed part from the beginning of `len` octets and says how many octets
 * it has. WIRE_SHORT: more are needed. WIRE_TOO_LONG: the length is negative. Outputs only on WIRE_OK. For CHOICE and
 * KEY, which are no commands, wire_impi_choice_decode and wire_impi_key_decode do the same. */
WIRE_MUST_USE enum wire_status wire_impi_command_decode(enum wire_impi_direction direction, const void *octets,
                                                        size_t len, struct wire_impi_command *command, size_t *used);
WIRE_MUST_USE enum wire_status wire_impi_choice_decode(const void *octets, size_t len,
                                                       struct wire_impi_command *command);
WIRE_MUST_USE enum wire_status wire_impi_key_decode(const void *octets, size_t len, struct wire_impi_command *command);

/* wire_impi_command_encode - writes the fixed part of any kind of message, `kind` and `bare` choosing the form, and its
 * length to `used`; the payload is the caller's to send. Writes cmd as it is given. Does not judge. WIRE_UNKNOWN: no
 * such message in this direction. WIRE_NO_SPACE: WIRE_IMPI_COMMAND_MAX always suffices. */
WIRE_MUST_USE enum wire_status wire_impi_command_encode(enum wire_impi_direction direction,
                                                        const struct wire_impi_command *command, void *buffer,
                                                        size_t cap, size_t *used);

enum wire_impi_startup_piece_kind {
    WIRE_IMPI_COMMAND, /* a whole fixed part */
    WIRE_IMPI_PAYLOAD, /* one or more octets of the payload behind it */
};

/* One direction of a connection between client and server. Initialise with wire_impi_startup_begin. */
struct wire_impi_startup {
    enum wire_impi_direction direction;
    uint64_t offset;                  /* octets consumed so far */
    uint64_t message_offset;          /* where the message at hand began */
    uint32_t payload_left;            /* octets of its payload still to come */
    struct wire_impi_command command; /* its fixed part, once whole */
    unsigned char kept[WIRE_IMPI_COMMAND_MAX];
    size_t kept_len;  /* octets of the fixed part at hand that have arrived */
    bool begun;       /* a message has been read */
    bool key_due;     /* AUTH was the latest message, and offers a KEY */
    bool method_told; /* the server's choice is known: */
    int32_t method;   /* this */
    bool broken;      /* a negative length: the next message cannot be found */
};

/* A piece of a message. Pointers are good until the next call with the same stream or until the fed octets go. */
struct wire_impi_startup_piece {
    enum wire_impi_startup_piece_kind kind;
    uint64_t offset; /* of the piece's first octet in the stream */
    const struct wire_impi_command *command;
    const struct wire_message *message; /* the rows of its fixed part */
    const unsigned char *octets;
    size_t len;
    uint32_t left; /* octets of payload still to come; 0: the message is complete */
};

/* wire_impi_startup_begin - a stream of which nothing has been seen. */
struct wire_impi_startup wire_impi_startup_begin(enum wire_impi_direction direction);

/* wire_impi_startup_method - tells a client's stream which method the server has chosen, before what follows AUTH is
 * fed. Without this, eight octets behind an AUTH that offers KEY are a key unless they begin with a command's code. */
void wire_impi_startup_method(struct wire_impi_startup *stream, int32_t which);

/* wire_impi_startup_next - takes octets from the front of *octets, advancing *octets and *len, and gives the next
 * piece, the payload without a copy. WIRE_SHORT: all are used up without completing a piece. WIRE_TOO_LONG: the message
 * at stream->message_offset has a negative length; every later call says so again. Any other length is believed: the
 * payload comes in pieces, and limits are the caller's. */
WIRE_MUST_USE enum wire_status wire_impi_startup_next(struct wire_impi_startup *stream, const unsigned char **octets,
                                                      size_t *len, struct wire_impi_startup_piece *piece);

/* wire_impi_startup_missing - octets that complete the message at hand as far as can be told, 0 between messages. */
uint64_t wire_impi_startup_missing(const struct wire_impi_startup *stream);

#endif
