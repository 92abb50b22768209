/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Taking command lines apart. specs/interpreter.md, section 2.2.
 */
#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "line.h"

void failure_set(struct failure *failure, const char *code, const char *format, ...)
{
    va_list arguments;

    if (failure->code)
        return;
    failure->code = code;
    va_start(arguments, format);
    vsnprintf(failure->reason, sizeof failure->reason, format, arguments);
    va_end(arguments);
}

/* word_cut ends the word at *rest with NUL and moves *rest to the next one; NULL when there is none. Words are
 * separated by single spaces, so an empty word is a mistake that the caller sees as "". */
static char *word_cut(char **rest)
{
    char *word = *rest, *space;

    if (!word)
        return NULL;
    space = strchr(word, ' ');
    if (space)
        *space++ = '\0';
    *rest = space;
    return word;
}

void command_read_head(char *line, struct command_head *head, struct failure *failure)
{
    unsigned long long number;
    char *rest = line, *word = word_cut(&rest);

    memset(head, 0, sizeof *head);
    head->thread = "";
    if (strncmp(word, "0x", 2) == 0 || !text_read_count(word, 1, 2147483647, &number)) {
        failure_set(failure, "syntax", "a command begins with a number from 1 to 2147483647, not '%.40s'", word);
        return;
    }
    head->id = (unsigned long)number;
    word = word_cut(&rest);
    if (!word || !text_read_count(word, 1, 3600000, &number)) {
        failure_set(failure, "syntax", "the deadline is a number from 1 to 3600000, not '%.40s'", word ? word : "");
        return;
    }
    head->deadline_ms = (unsigned long)number;
    if (rest && rest[0] == '@') {
        head->thread = word_cut(&rest) + 1;
        if (!text_is_name(head->thread))
            failure_set(failure, "syntax", "'%.40s' is not a thread's name", head->thread);
    }
    if (!rest)
        failure_set(failure, "syntax", "no verb");
    head->body = rest;
}

void command_read_body(char *body, struct command *command, struct failure *failure)
{
    char *word;

    memset(command, 0, sizeof *command);
    command->verb = word_cut(&body);
    if (!command->verb[0])
        failure_set(failure, "syntax", "no verb, or more than one space before it");
    while (!failure->code && (word = word_cut(&body)) != NULL) {
        char *equals = strchr(word, '=');
        if (!equals || equals == word) {
            failure_set(failure, "syntax", "'%.40s' is not of the form key=value", word);
            return;
        }
        *equals = '\0';
        if (command_value(command, word)) {
            failure_set(failure, "syntax", "%.40s is given twice", word);
        } else if (command->count == COMMAND_PAIRS) {
            failure_set(failure, "syntax", "more than %d pairs", COMMAND_PAIRS);
        } else {
            command->pairs[command->count].key = word;
            command->pairs[command->count++].value = equals + 1;
        }
    }
}

const char *command_value(const struct command *command, const char *key)
{
    for (size_t i = 0; i < command->count; i++)
        if (strcmp(command->pairs[i].key, key) == 0)
            return command->pairs[i].value;
    return NULL;
}

/* struct expected is one word of a verb's list of pairs. */
struct expected {
    const char *key;
    size_t len;
    bool optional, prefix;
};

/* expected_next reads the word at *list; false at the end. */
static bool expected_next(const char **list, struct expected *expected)
{
    const char *word = *list + strspn(*list, " ");
    size_t len = strcspn(word, " ");

    if (len == 0)
        return false;
    *list = word + len;
    expected->optional = word[0] == '[';
    if (expected->optional) {
        word++;
        len -= 2;
    }
    expected->prefix = word[len - 1] == '*';
    expected->key = word;
    expected->len = expected->prefix ? len - 1 : len;
    return true;
}

static bool expected_is(const struct expected *expected, const char *key)
{
    return strncmp(key, expected->key, expected->len) == 0 && (expected->prefix || !key[expected->len]);
}

static bool list_has(const char *list, const char *key)
{
    struct expected expected;

    while (expected_next(&list, &expected))
        if (expected_is(&expected, key))
            return true;
    return false;
}

void command_check(const struct command *command, const char *pairs, struct failure *failure)
{
    struct expected expected;

    for (size_t i = 0; i < command->count; i++)
        if (!list_has(pairs, command->pairs[i].key))
            failure_set(failure, "unknown-pair", "%s has no pair %.40s", command->verb, command->pairs[i].key);
    while (expected_next(&pairs, &expected)) {
        bool there = expected.optional;
        for (size_t i = 0; i < command->count && !there; i++)
            there = expected_is(&expected, command->pairs[i].key);
        if (!there)
            failure_set(failure, "missing", "%s needs %.*s", command->verb, (int)expected.len, expected.key);
    }
}
