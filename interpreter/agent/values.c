/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a manager may put into a vendor's command. It is little, because the manager is not trusted with the vendor's
 * machine: numbers, an address, and the two options that the IMPI document gives to a server. Some cases need values
 * that a program has to refuse (a client rank "-1", an address without a port), so wrong ones pass as long as they are
 * harmless.
 */
#include "values.h"

#include <ctype.h>
#include <string.h>

#include "../common/connection.h"
#include "../common/line.h"

#define DIGITS  "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

enum { COUNT_OCTETS = 12, SERVER_OCTETS = 255, PORT_OCTETS = 10, AUTH_OCTETS = 64 };

unsigned long agent_values_number(const struct command *command, const char *key, unsigned long least,
                                  unsigned long most, struct failure *failure)
{
    const char *text = command_value(command, key);
    unsigned long long number;

    if (text && text_read_count(text, least, most, &number))
        return (unsigned long)number;
    failure_set(failure, "bad-value", "%s is a number from %lu to %lu, not '%.40s'", key, least, most,
                text ? text : "");
    return 0;
}

/* consists_of tells whether the text has `least` to `most` characters, all of them from the set. */
static bool consists_of(const char *text, const char *set, size_t least, size_t most)
{
    size_t len = strlen(text);

    return len >= least && len <= most && strspn(text, set) == len;
}

/* number_like takes a number and what looks a little like one. */
static const char *number_like(const struct command *command, const char *key, struct failure *failure)
{
    const char *text = command_value(command, key);
    const char *digits = text && text[0] == '-' ? text + 1 : text;

    if (text && (!consists_of(digits, DIGITS LETTERS, 0, COUNT_OCTETS) ||
                 (digits != text && !isdigit((unsigned char)digits[0]))))
        failure_set(failure, "bad-value", "%s is a number of at most %d digits, not '%.40s'", key, COUNT_OCTETS, text);
    return text;
}

static const char *server(const struct command *command, struct failure *failure)
{
    const char *text = command_value(command, "server");

    if (text && (text[0] == '-' || !consists_of(text, DIGITS LETTERS ".:-_[]", 0, SERVER_OCTETS)))
        failure_set(failure, "bad-value", "server is HOST:PORT");
    return text;
}

/* option_at takes one option and its value at *text and moves *text behind them; false when there is no such option. */
static bool option_at(const char **text, const char *name, const char *set, size_t most)
{
    size_t len = strlen(name), value_len;

    if (strncmp(*text, name, len) != 0)
        return false;
    value_len = strspn(*text + len, set);
    if (value_len == 0 || value_len > most || ((*text)[len + value_len] && (*text)[len + value_len] != ' '))
        return false;
    *text += len + value_len;
    return true;
}

/* options_are_good tells whether the text is `-port N` and `-auth LIST`, each at most once, in any order. */
static bool options_are_good(const char *text)
{
    bool port = false, authentication = false;

    while (*text) {
        if (!port && option_at(&text, "-port ", DIGITS, PORT_OCTETS))
            port = true;
        else if (!authentication && option_at(&text, "-auth ", DIGITS ",-", AUTH_OCTETS))
            authentication = true;
        else
            return false;
        if (*text && !*++text)
            return false; /* a space at the end */
    }
    return true;
}

static const char *options(struct command *command, struct failure *failure)
{
    for (size_t i = 0; i < command->count; i++) {
        char *text = command->pairs[i].value;
        if (strcmp(command->pairs[i].key, "options") != 0)
            continue;
        if (!text_decode(text) || !options_are_good(text))
            failure_set(failure, "bad-value", "options are -port N and -auth LIST, each once, percent-encoded");
        return text;
    }
    return NULL;
}

void agent_values_read(struct command *command, struct template_values *values, struct failure *failure)
{
    values->np = command_value(command, "np");
    values->hosts = command_value(command, "hosts");
    values->client = number_like(command, "client", failure);
    values->clients = number_like(command, "clients", failure);
    values->server = server(command, failure);
    values->options = options(command, failure);
    values->token = command_value(command, "token");
    if (values->np)
        agent_values_number(command, "np", 1, 1048576, failure);
    if (values->hosts)
        agent_values_number(command, "hosts", 1, 65536, failure);
    if (values->token && !connection_check_token(values->token))
        failure_set(failure, "bad-value", "token must be 16 to 128 characters of A-Z a-z 0-9 _ -");
}
