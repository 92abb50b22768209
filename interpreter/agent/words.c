/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Splitting the template of the vendor's IMPI server into words (specs/interpreter.md, section 5). There is no shell:
 * blanks and quotes are all that it knows.
 */
#include "words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* quote_behind gives the quote that is open behind a character, NUL for none. */
static char quote_behind(char here, char quote)
{
    if (!quote && (here == '\'' || here == '"'))
        return here;
    if (quote && here == quote)
        return 0;
    return quote;
}

/* take_word copies the word at *text to `to` without its quotes and moves *text behind it. Gives the place behind the
 * copy and its end; NULL when a quote is not closed. */
static char *take_word(const char **text, char *to)
{
    const char *at = *text;
    char quote = '\0';

    for (; *at && (quote || *at != ' '); at++) {
        char next = quote_behind(*at, quote);
        if (next == quote) /* the character is no quote, or one inside others */
            *to++ = *at;
        quote = next;
    }
    *to++ = '\0';
    *text = at + strspn(at, " ");
    return quote ? NULL : to;
}

char **words_split(const char *text, const char **why)
{
    size_t len = strlen(text), count = 0;
    char **words = calloc(len / 2 + 2, sizeof *words);
    char *copy = malloc(len + 1), *to = copy;

    text += strspn(text, " ");
    *why = *text ? "no memory for its words" : "it is empty";
    while (words && to && *text) {
        words[count++] = to;
        to = take_word(&text, to);
        *why = "a quote is not closed";
    }
    if (words && to && count)
        return words;
    free(copy);
    free(words);
    return NULL;
}

void words_free(char **words)
{
    free(words[0]); /* the others are parts of the same copy */
    free(words);
}

const char *words_check_server(char *const *words)
{
    static const char *const without_value[] = {"{np}", "{client}", "{server}", "{hosts}", "{args}"};
    bool counted = false;

    for (; *words; words++) {
        counted |= strstr(*words, "{clients}") != NULL;
        for (size_t i = 0; i < sizeof without_value / sizeof *without_value; i++)
            if (strstr(*words, without_value[i]))
                return "it has a word of a client's template; a server's has {clients} and {options}";
    }
    return counted ? NULL : "it has no {clients}: a server must be told for how many clients to wait";
}
