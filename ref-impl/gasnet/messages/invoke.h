/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handlers: the table of them, and calling one. Numbers below HANDLERS_OWN are the library's, 0 is none.
 */
#ifndef REF_IMPL_GASNET_MESSAGES_INVOKE_H
#define REF_IMPL_GASNET_MESSAGES_INVOKE_H

#include <stdbool.h>

#include "ref-impl/gasnet/messages/message.h"

enum { HANDLERS_OWN = 128, HANDLERS = 256 };

/* The library's own. */
enum { HANDLER_NONE, HANDLER_BARRIER, HANDLER_FILL, HANDLER_FILLED };

/* What a handler is given to reply with: the message, how many credits its reply brings, whether it has replied. */
struct gasnet_token {
    const struct message *message;
    uint8_t credits;
    bool replied;
};

/* invoke_register - makes `function` the handler of that number; false when it has one.
 * invoke_free_number - a number of the program's that has none; 0 when all have one. */
bool invoke_register(unsigned number, void (*function)());
unsigned invoke_free_number(void);

/* invoke_handler - calls the handler of the token's message. One that does not exist ends the process.
 * invoke_running - whether this thread is in a handler. */
void invoke_handler(struct gasnet_token *token);
bool invoke_running(void);

#endif
