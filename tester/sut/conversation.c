/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Asking an interpreter what it is (conversation.h).
 */
#include "tester/sut/conversation.h"

#include "tester/base/memory.h"
#include "tester/base/pairs.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMAND_MS = 10000 };

struct wait {
    struct rank *rank;
    struct dialogue_command *command;
};

static bool replied(void *context)
{
    struct wait *wait = context;

    return wait->command->reply || wait->rank->dialogue.end != DIALOGUE_OPEN;
}

bool conversation_ask(struct conversation *self, const char *text)
{
    struct dialogue *dialogue = &self->rank->dialogue;
    uint32_t id = dialogue_send(dialogue, COMMAND_MS, NULL, text, NULL, 0);
    struct wait wait = {self->rank, id ? dialogue_find(dialogue, id) : NULL};

    free(self->reply);
    self->reply = NULL;
    if (wait.command) {
        sut_pump(self->sut, replied, &wait, wait.command->late_ms);
        self->reply = wait.command->reply ? memory_text(wait.command->reply) : NULL;
        dialogue_forget(dialogue, id);
    }
    if (!self->reply && dialogue->end == DIALOGUE_HUNG) {
        sut_problem(self->sut,
                    "preflight: %.*s did not return within %d ms: the library starts later than that, or not at all",
                    (int)strcspn(text, " "), text, COMMAND_MS);
    } else if (!self->reply) {
        sut_problem(self->sut, "preflight: %.*s: %s", (int)strcspn(text, " "), text,
                    dialogue->why ? dialogue->why : "the interpreter does not answer");
    }
    return self->reply != NULL;
}

bool conversation_ask_ok(struct conversation *self, const char *text)
{
    if (!conversation_ask(self, text)) {
        return false;
    }
    if (strncmp(self->reply, "ok", 2) != 0) {
        sut_problem(self->sut, "preflight: the interpreter refused \"%.60s\": %.200s", text, self->reply);
        return false;
    }
    return true;
}

bool conversation_check_hello(struct conversation *self)
{
    struct sut_facts *facts = &self->sut->facts;
    const char *hello = self->rank->dialogue.hello;
    char api[64], order[16];

    pairs_value(hello, "api", api, sizeof api);
    pairs_value(hello, "order", order, sizeof order);
    pairs_value(hello, "name", facts->interpreter, sizeof facts->interpreter);
    pairs_value(hello, "features", facts->features, sizeof facts->features);
    if (strcmp(api, self->api) != 0) {
        sut_problem(self->sut, "preflight: the interpreter %s was built for \"%s\", the profile needs one for \"%s\"",
                    facts->interpreter, api, self->api);
        return false;
    }
    if (strcmp(order, "little") != 0 && strcmp(order, "big") != 0) {
        sut_problem(self->sut, "preflight: the interpreter %s says \"%s\" of its byte order", facts->interpreter,
                    order);
        return false;
    }
    sut_note(self->sut, "preflight", "interpreter %s, %s-endian", facts->interpreter, order);
    return true;
}

bool conversation_check_commands(struct conversation *self, const char *const *functions, size_t count)
{
    struct sut_facts *facts = &self->sut->facts;

    if (!conversation_ask(self, "assay-probe")) {
        return false;
    }
    if (strncmp(self->reply, "error unknown-command", 21) != 0) {
        sut_problem(self->sut,
                    "preflight: the interpreter answers an unknown command with \"%.100s\": nothing that it says "
                    "can be trusted",
                    self->reply);
        return false;
    }
    if (!conversation_ask_ok(self, "commands")) {
        return false;
    }
    size_t room = strlen(self->reply) + 1;
    free(facts->verbs);
    facts->verbs = memory_zero(room);
    pairs_value(self->reply, "verbs", facts->verbs, room);
    for (size_t i = 0; i < count; i++) {
        if (!pairs_list_has(facts->verbs, functions[i])) {
            sut_problem(self->sut, "preflight: the interpreter %s lacks the function %s", facts->interpreter,
                        functions[i]);
            return false;
        }
    }
    return true;
}
