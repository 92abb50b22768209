/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The vendor's own IMPI server beside its clients (own_server.h): whether its command can be one, whether it has come,
 * and which meetings need a connection to it. Part of the engine; IMPI chapter 2.2.
 */
#include "tester/sut/own_server.h"

#include "tester/base/pairs.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The quote that is open behind a character; 0: none. */
static char quote_behind(char here, char quote)
{
    if (!quote && (here == '\'' || here == '"')) {
        return here;
    }
    if (quote && here == quote) {
        return 0;
    }
    return quote;
}

static bool is_of_clients(const char *text)
{
    static const char *const words[] = {"{np}", "{client}", "{server}", "{hosts}", "{args}"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strncmp(text, words[i], strlen(words[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Says what is wrong, and where in the text. */
static const char *find_mistake(const char *text, size_t *at)
{
    char quote = '\0';

    for (*at = 0; text[*at]; ++*at) {
        if (text[*at] < 32 || text[*at] > 126) {
            return "there is a character that is not printable ASCII";
        }
        if (is_of_clients(text + *at)) {
            return "a word of a client's command stands there; a server's has {clients} and {options}";
        }
        quote = quote_behind(text[*at], quote);
    }
    if (quote) {
        return "a quote is not closed";
    }
    return strstr(text, "{clients}") ? NULL
                                     : "{clients} is missing: a server must be told for how many clients to wait";
}

bool own_server_check(const char *text, char *message, size_t message_octets)
{
    size_t at = 0;
    const char *mistake = strlen(text) > OWN_SERVER_MAX ? "it is too long" : find_mistake(text, &at);

    if (mistake) {
        snprintf(message, message_octets, "the command of the own server, at character %zu: %s", at + 1, mistake);
    }
    return !mistake;
}

/* Moves over what only separates words or keeps them together. */
static const char *next_letter(const char *at)
{
    return at + strspn(at, " '\"");
}

/* Whether two commands are made of the same words, as far as letters go. */
static bool same_words(const char *one, const char *other)
{
    for (one = next_letter(one), other = next_letter(other); *one && *one == *other;) {
        one = next_letter(one + 1);
        other = next_letter(other + 1);
    }
    return *one == *other;
}

bool own_server_take(struct sut *sut, const char *announced)
{
    struct sut_facts *facts = &sut->facts;

    if (!pairs_value(sut->agent.hello, "server", facts->own_server, sizeof facts->own_server)) {
        facts->own_server[0] = 0;
        if (announced) {
            sut_problem(sut, "the run was made with an own server, but the launch agent has none: start sut-agent with "
                             "--server, as the commands of the run say");
        }
        return !announced;
    }
    for (char *at = facts->own_server; *at; at++) {
        if (*at < 32 || *at > 126) {
            *at = '?'; /* it is shown, and signed */
        }
    }
    if (strcmp(facts->role, "client") != 0) {
        sut_note(sut, "warning", "the own server takes no part: an IMPI server is judged already");
        facts->own_server[0] = 0;
    } else if (announced && !same_words(announced, facts->own_server)) {
        sut_note(sut, "warning", "the launch agent has another command of an own server than the run was made with");
    }
    if (facts->own_server[0]) {
        sut_note(sut, "preflight", "an own server joins the meetings: %.500s", facts->own_server);
    }
    return true;
}

const char *own_server_lacks(const struct case_info *about, const struct sut_facts *facts)
{
    return about->joins_own_server && !facts->server_incoming ? facts->no_server_incoming : NULL;
}
