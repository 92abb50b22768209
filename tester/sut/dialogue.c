/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Conversations with interpreters and agents (dialogue.h). Everything that the other side says is checked: a reply to a
 * command that was not given, a second reply, or a line that is neither reply nor notice ends the conversation as
 * broken.
 */
#include "tester/sut/dialogue.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/base/pairs.h"
#include "tester/base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long after a command's own deadline the manager waits for the interpreter's notice. */
enum { GRACE_MS = 8000 };

void dialogue_over(struct dialogue *dialogue, enum dialogue_end end, const char *why)
{
    if (dialogue->end == DIALOGUE_OPEN) {
        dialogue->end = end;
        dialogue->why = memory_text(why);
    }
}

static void dialogue_break(struct dialogue *dialogue, const char *problem, const char *line)
{
    char *why = memory_format("%s: \"%.120s\"", problem, line);

    dialogue_over(dialogue, DIALOGUE_BROKEN, why);
    dialogue->state = DIALOGUE_GONE;
    free(why);
}

static void dialogue_greet(struct dialogue *dialogue, const char *line)
{
    char versions[128], role[32];
    char *refusal = NULL;

    if (strncmp(line, "hello ", 6) != 0) {
        dialogue_break(dialogue, "its first line is not a hello", line);
        return;
    }
    dialogue->hello = memory_text(line + 6);
    pairs_value(dialogue->hello, "versions", versions, sizeof versions);
    pairs_value(dialogue->hello, "role", role, sizeof role);
    if (!pairs_list_has(versions, "1")) {
        refusal = memory_format("it speaks protocol versions \"%.60s\", this manager speaks 1", versions);
    } else if (strcmp(role, dialogue->role) != 0) {
        refusal = memory_format("its role is \"%.20s\", the token is for the role \"%s\"", role, dialogue->role);
    }
    if (refusal) {
        char *encoded = memory_text(refusal);
        for (char *at = encoded; *at; at++) {
            if (strchr(" \"%", *at)) {
                *at = '_';
            }
        }
        char *answer = memory_format("refuse reason=%s", encoded);
        session_send(dialogue->session, answer);
        dialogue_over(dialogue, DIALOGUE_BROKEN, refusal);
        dialogue->state = DIALOGUE_GONE;
        free(answer);
        free(encoded);
        free(refusal);
        return;
    }
    dialogue->state = DIALOGUE_READY;
    session_send(dialogue->session, "welcome version=1");
}

static void dialogue_notice(struct dialogue *dialogue, const char *words)
{
    char function[64], detail[64], *why = NULL;
    enum dialogue_end end = DIALOGUE_OPEN;

    pairs_value(words, "function", function, sizeof function);
    if (strncmp(words, "crash ", 6) == 0) {
        end = DIALOGUE_CRASHED;
        pairs_value(words, "signal", detail, sizeof detail);
        why = memory_format("crash: %s in %s", detail,
                            strcmp(function, "none") ? function : "the process, outside the library");
    } else if (strncmp(words, "hang ", 5) == 0) {
        end = DIALOGUE_HUNG;
        pairs_value(words, "ms", detail, sizeof detail);
        why = memory_format("hang: %s did not return within %s ms", function, detail);
    } else if (strncmp(words, "exit ", 5) == 0) {
        end = DIALOGUE_EXITED;
        pairs_value(words, "status", detail, sizeof detail);
        why = memory_format("the process ended by itself with status %s", detail);
    } else if (strncmp(words, "protocol ", 9) == 0) {
        char reason[256];
        end = DIALOGUE_BROKEN;
        pairs_value(words, "reason", reason, sizeof reason);
        why = memory_format("it refused a line of the manager: %s", reason);
    } else if (dialogue->events.notice) {
        dialogue->events.notice(dialogue->events.context, words);
    }
    if (why) {
        if (dialogue->end == DIALOGUE_OPEN && (end == DIALOGUE_CRASHED || end == DIALOGUE_HUNG)) {
            snprintf(dialogue->function, sizeof dialogue->function, "%s", function);
            pairs_value(words, "signal", dialogue->signal, sizeof dialogue->signal);
        }
        dialogue_over(dialogue, end, why);
        free(why);
    }
}

/* Takes a command out of those of the conversation. */
static void release(struct dialogue *dialogue, struct dialogue_command *command)
{
    struct dialogue_command **at = &dialogue->commands;

    while (*at != command) {
        at = &(*at)->next;
    }
    *at = command->next;
    free(command->reply);
    free(command);
}

static void dialogue_reply(struct dialogue *dialogue, const char *line)
{
    char *rest;
    unsigned long id = strtoul(line, &rest, 10);
    bool form = line[0] >= '1' && line[0] <= '9' && *rest == ' ' &&
                (strcmp(rest, " ok") == 0 || strncmp(rest, " ok ", 4) == 0 || strncmp(rest, " error ", 7) == 0);

    if (!form) {
        dialogue->cut = dialogue->end == DIALOGUE_OPEN;
        dialogue_break(dialogue, "it said what is neither a reply nor a notice", line);
        return;
    }
    struct dialogue_command *command = id <= UINT32_MAX ? dialogue_find(dialogue, (uint32_t)id) : NULL;
    if (command && command->forgotten) {
        release(dialogue, command);
        return;
    }
    if (!command || command->reply) {
        dialogue_break(dialogue, command ? "it replied twice" : "it replied to a command that was not given", line);
        return;
    }
    command->reply = memory_text(rest + 1);
}

/* The line behind one that is no reply: when it tells of the end of the process, that cut the reply off, and nobody has
 * broken the protocol (specs/interpreter.md, section 2.2). */
static void dialogue_explain(struct dialogue *dialogue, const char *line)
{
    char *broken = dialogue->why;

    dialogue->cut = false;
    if (strncmp(line, "! ", 2) != 0) {
        return;
    }
    dialogue->end = DIALOGUE_OPEN;
    dialogue->why = NULL;
    dialogue_notice(dialogue, line + 2);
    if (dialogue->end == DIALOGUE_OPEN) {
        dialogue->end = DIALOGUE_BROKEN;
        dialogue->why = broken;
    } else {
        free(broken);
    }
}

static void on_line(void *context, char *line)
{
    struct dialogue *dialogue = context;

    if (dialogue->events.came) {
        dialogue->events.came(dialogue->events.context, line);
    }
    if (dialogue->state == DIALOGUE_GREETING) {
        dialogue_greet(dialogue, line);
    } else if (dialogue->cut) {
        dialogue_explain(dialogue, line);
    } else if (dialogue->state == DIALOGUE_READY && strncmp(line, "! ", 2) == 0) {
        dialogue_notice(dialogue, line + 2);
    } else if (dialogue->state == DIALOGUE_READY) {
        dialogue_reply(dialogue, line);
    }
}

static void on_closed(void *context, const char *reason, bool broken)
{
    struct dialogue *dialogue = context;

    dialogue_over(dialogue, broken ? DIALOGUE_BROKEN : DIALOGUE_CLOSED, reason);
    dialogue->state = DIALOGUE_GONE;
    if (dialogue->events.over) {
        dialogue->events.over(dialogue->events.context);
    }
}

static void on_octets(void *context, bool incoming, const void *octets, size_t len)
{
    struct dialogue *dialogue = context;

    if (dialogue->events.octets) {
        dialogue->events.octets(dialogue->events.context, incoming, octets, len);
    }
}

void dialogue_open(struct dialogue *dialogue, struct loop *loop, struct registry_link *link, const char *role,
                   const struct dialogue_events *events)
{
    struct session_events hooks = {dialogue, on_line, on_closed, on_octets};

    *dialogue = (struct dialogue){.events = *events, .role = role, .state = DIALOGUE_GREETING};
    dialogue->session = session_open(loop, link, &hooks);
}

void dialogue_feed(struct dialogue *dialogue)
{
    session_feed(dialogue->session);
}

static bool send_line(struct dialogue *dialogue, const char *line)
{
    if (dialogue->events.sent) {
        dialogue->events.sent(dialogue->events.context, line);
    }
    return session_send(dialogue->session, line);
}

uint32_t dialogue_send(struct dialogue *dialogue, unsigned deadline_ms, const char *thread, const char *text,
                       const char *const *lines, size_t line_count)
{
    if (dialogue->state != DIALOGUE_READY) {
        return 0;
    }
    struct dialogue_command *command = memory_zero(sizeof *command);
    command->id = ++dialogue->last_id;
    command->late_ms = clock_now_ms() + deadline_ms + GRACE_MS;
    snprintf(command->verb, sizeof command->verb, "%.*s", (int)strcspn(text, " "), text);
    command->next = dialogue->commands;
    dialogue->commands = command;

    char *line = memory_format("%u %u %s%s%s%s", command->id, deadline_ms, thread ? "@" : "", thread ? thread : "",
                               thread ? " " : "", text);
    bool good = send_line(dialogue, line);
    free(line);
    for (size_t i = 0; good && i < line_count; i++) {
        good = send_line(dialogue, lines[i]);
    }
    return good ? command->id : 0;
}

struct dialogue_command *dialogue_find(struct dialogue *dialogue, uint32_t id)
{
    for (struct dialogue_command *command = dialogue->commands; command; command = command->next) {
        if (command->id == id) {
            return command;
        }
    }
    return NULL;
}

void dialogue_forget(struct dialogue *dialogue, uint32_t id)
{
    struct dialogue_command *command = dialogue_find(dialogue, id);

    if (command && command->reply) {
        release(dialogue, command);
    } else if (command) {
        command->forgotten = true;
    }
}

void dialogue_close(struct dialogue *dialogue)
{
    session_close(dialogue->session);
    dialogue->session = NULL;
    while (dialogue->commands) {
        release(dialogue, dialogue->commands);
    }
    free(dialogue->hello);
    free(dialogue->why);
    dialogue->hello = dialogue->why = NULL;
    dialogue->state = DIALOGUE_GONE;
}
