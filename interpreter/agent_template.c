/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Replacing placeholders. There is no shell between the result and the system, so a value is never more than a part of
 * one argument.
 */
#include "agent_template.h"

#include <stdlib.h>
#include <string.h>

#include "line.h"

enum { ARGS_COUNT = 4 };

/* placeholder_at finds which placeholder begins here; 0 when none does. Else *value is its value. */
static size_t placeholder_at(const char *text, const struct template_values *values, const char **value)
{
    const struct {
        const char *name, *value;
    } placeholders[] = {{"{np}", values->np}, {"{client}", values->client}, {"{server}", values->server}};

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
            failure_set(failure, "missing", "the template has %.*s, but the command gives no value", (int)len, word);
        line_add_text(&text, len ? (value ? value : "") : word, len ? strlen(value ? value : "") : 1);
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

/* add_args appends copies of the interpreter's arguments. */
static size_t add_args(char **arguments, const struct template_values *values, struct failure *failure)
{
    const char *const args[ARGS_COUNT] = {"--manager", values->manager, "--token", values->token};

    for (size_t i = 0; i < ARGS_COUNT; i++) {
        arguments[i] = strdup(args[i]);
        if (!arguments[i])
            failure_set(failure, "no-memory", "no memory for the arguments");
    }
    return ARGS_COUNT;
}

char **template_expand(char *const *words, const struct template_values *values, struct failure *failure)
{
    size_t words_count = count_words(words), count = 0, args = 0;
    char **arguments = calloc((words_count + 1) * ARGS_COUNT + 1, sizeof *arguments);

    if (!arguments) {
        failure_set(failure, "no-memory", "no memory for the arguments");
        return NULL;
    }
    for (size_t i = 0; i < words_count && !failure->code; i++) {
        if (strcmp(words[i], "{args}") == 0)
            args += add_args(arguments + count, values, failure);
        else
            arguments[count] = expand_word(words[i], values, failure);
        count += strcmp(words[i], "{args}") == 0 ? ARGS_COUNT : 1;
    }
    if (args == 0 && !failure->code)
        add_args(arguments + count, values, failure);
    if (!failure->code)
        return arguments;
    for (size_t i = 0; i < (words_count + 1) * ARGS_COUNT; i++)
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
