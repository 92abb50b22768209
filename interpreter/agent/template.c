/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Replacing placeholders. There is no shell between the result and the system, so a value is never more than a part of
 * one argument.
 */
#include "template.h"

#include <stdlib.h>
#include <string.h>

#include "../common/line.h"

enum { WORDS_MOST = 4 }; /* as many as one argument can become */

/* placeholder_at finds which placeholder begins here; 0 when none does. Else *value is its value. */
static size_t placeholder_at(const char *text, const struct template_values *values, const char **value)
{
    const struct {
        const char *name, *value;
    } placeholders[] = {{"{np}", values->np},
                        {"{client}", values->client},
                        {"{server}", values->server},
                        {"{clients}", values->clients},
                        {"{hosts}", values->hosts}};

    for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++) {
        size_t len = strlen(placeholders[i].name);
        if (strncmp(text, placeholders[i].name, len) == 0) {
            *value = placeholders[i].value;
            return len;
        }
    }
    return 0;
}

/* expand_word gives a copy of one argument with its placeholders replaced. */
static char *expand_word(const char *word, const struct template_values *values, struct failure *failure)
{
    struct line text = {0};

    line_add_text(&text, "", 0);
    while (*word) {
        const char *value = NULL;
        size_t len = placeholder_at(word, values, &value);
        if (len && !value)
            failure_set(failure, "missing", "the template has %.*s, for which the manager has no value here%s",
                        (int)len, word, values->clients ? ": a template without {client} starts an IMPI server" : "");
        if (value)
            line_add_text(&text, value, strlen(value));
        else if (!len)
            line_add_text(&text, word, 1);
        word += len ? len : 1;
    }
    if (text.failed)
        failure_set(failure, "no-memory", "no memory for the arguments");
    return text.text;
}

static size_t count_words(char *const *words)
{
    size_t count = 0;

    while (words[count])
        count++;
    return count;
}

/* add_copy appends a copy of `len` characters and gives how many arguments that makes. */
static size_t add_copy(char **arguments, const char *text, size_t len, struct failure *failure)
{
    arguments[0] = strndup(text, len);
    if (!arguments[0])
        failure_set(failure, "no-memory", "no memory for the arguments");
    return 1;
}

/* add_args appends copies of the interpreter's arguments; none when the job has no interpreter. */
static size_t add_args(char **arguments, const struct template_values *values, struct failure *failure)
{
    const char *const args[WORDS_MOST] = {"--manager", values->manager, "--token", values->token};

    if (!values->token)
        return 0;
    for (size_t i = 0; i < WORDS_MOST; i++)
        add_copy(arguments + i, args[i], strlen(args[i]), failure);
    return WORDS_MOST;
}

/* add_options appends copies of the words of the options. */
static size_t add_options(char **arguments, const struct template_values *values, struct failure *failure)
{
    const char *word = values->options ? values->options : "";
    size_t count = 0;

    while (*word && count < WORDS_MOST) {
        size_t len = strcspn(word, " ");
        count += add_copy(arguments + count, word, len, failure);
        word += len + (word[len] == ' ');
    }
    return count;
}

/* add_word appends what one argument of the template becomes, and gives how many arguments that is. */
static size_t add_word(char **arguments, const char *word, const struct template_values *values,
                       struct failure *failure)
{
    const char *value = NULL;
    size_t len = placeholder_at(word, values, &value);

    if (strcmp(word, "{args}") == 0)
        return add_args(arguments, values, failure);
    if (strcmp(word, "{options}") == 0)
        return add_options(arguments, values, failure);
    if (len && !word[len] && value && !*value)
        return 0; /* the command is to be given without it */
    arguments[0] = expand_word(word, values, failure);
    return 1;
}

char **template_expand(char *const *words, const struct template_values *values, struct failure *failure)
{
    size_t words_count = count_words(words), room = (words_count + 1) * WORDS_MOST + 1, count = 0;
    char **arguments = calloc(room, sizeof *arguments);
    bool has_args = false;

    if (!arguments) {
        failure_set(failure, "no-memory", "no memory for the arguments");
        return NULL;
    }
    for (size_t i = 0; i < words_count && !failure->code; i++) {
        has_args |= strcmp(words[i], "{args}") == 0;
        count += add_word(arguments + count, words[i], values, failure);
    }
    if (!has_args && !failure->code)
        add_args(arguments + count, values, failure);
    if (!failure->code && !arguments[0])
        failure_set(failure, "missing", "nothing is left of the template");
    if (!failure->code)
        return arguments;
    for (size_t i = 0; i < room; i++)
        free(arguments[i]);
    free(arguments);
    return NULL;
}

void template_free(char **arguments)
{
    for (size_t i = 0; arguments[i]; i++)
        free(arguments[i]);
    free(arguments);
}
