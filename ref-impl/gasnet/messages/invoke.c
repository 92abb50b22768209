/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Calling handlers: see invoke.h.
 */
#include "ref-impl/gasnet/messages/invoke.h"

#include "ref-impl/gasnet/base/fatal.h"

static void (*handlers[HANDLERS])();
static _Thread_local bool running;

bool invoke_register(unsigned number, void (*function)())
{
    if (handlers[number]) {
        return false;
    }
    handlers[number] = function;
    return true;
}

unsigned invoke_free_number(void)
{
    for (unsigned i = HANDLERS_OWN; i < HANDLERS; i++) {
        if (!handlers[i]) {
            return i;
        }
    }
    return 0;
}

bool invoke_running(void)
{
    return running;
}

/* The types of so many arguments, and the arguments. */
#define TYPES_0
#define VALUES_0
#define TYPES_1   TYPES_0, int32_t
#define VALUES_1  VALUES_0, a[0]
#define TYPES_2   TYPES_1, int32_t
#define VALUES_2  VALUES_1, a[1]
#define TYPES_3   TYPES_2, int32_t
#define VALUES_3  VALUES_2, a[2]
#define TYPES_4   TYPES_3, int32_t
#define VALUES_4  VALUES_3, a[3]
#define TYPES_5   TYPES_4, int32_t
#define VALUES_5  VALUES_4, a[4]
#define TYPES_6   TYPES_5, int32_t
#define VALUES_6  VALUES_5, a[5]
#define TYPES_7   TYPES_6, int32_t
#define VALUES_7  VALUES_6, a[6]
#define TYPES_8   TYPES_7, int32_t
#define VALUES_8  VALUES_7, a[7]
#define TYPES_9   TYPES_8, int32_t
#define VALUES_9  VALUES_8, a[8]
#define TYPES_10  TYPES_9, int32_t
#define VALUES_10 VALUES_9, a[9]
#define TYPES_11  TYPES_10, int32_t
#define VALUES_11 VALUES_10, a[10]
#define TYPES_12  TYPES_11, int32_t
#define VALUES_12 VALUES_11, a[11]
#define TYPES_13  TYPES_12, int32_t
#define VALUES_13 VALUES_12, a[12]
#define TYPES_14  TYPES_13, int32_t
#define VALUES_14 VALUES_13, a[13]
#define TYPES_15  TYPES_14, int32_t
#define VALUES_15 VALUES_14, a[14]
#define TYPES_16  TYPES_15, int32_t
#define VALUES_16 VALUES_15, a[15]

#define SHORT(m)                                                                                                       \
    case m:                                                                                                            \
        ((void (*)(gasnet_token_t TYPES_##m))function)(token VALUES_##m);                                              \
        break;
#define WITH_PAYLOAD(m)                                                                                                \
    case m:                                                                                                            \
        ((void (*)(gasnet_token_t, void *, size_t TYPES_##m))function)(token, payload, octets VALUES_##m);             \
        break;
#define EACH_COUNT(what)                                                                                               \
    what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7) what(8) what(9) what(10) what(11) what(12)         \
        what(13) what(14) what(15) what(16)

static void call_short(void (*function)(), gasnet_token_t token, unsigned count, const int32_t *a)
{
    switch (count) {
        EACH_COUNT(SHORT)
    }
}

static void call_with_payload(void (*function)(), gasnet_token_t token, void *payload)
{
    const int32_t *a = token->message->arguments;
    const size_t octets = token->message->octets;

    switch (token->message->count) {
        EACH_COUNT(WITH_PAYLOAD)
    }
}

void invoke_handler(struct gasnet_token *token)
{
    const struct message *message = token->message;
    void (*function)() = handlers[message->handler];

    if (message->handler == HANDLER_NONE) {
        return;
    }
    if (!function) {
        fatal_end("node %u calls handler %u, which is not registered here", message->node, message->handler);
    }
    running = true;
    if (message->kind == GASNETC_SHORT) {
        call_short(function, token, message->count, message->arguments);
    } else {
        call_with_payload(function, token,
                          message->kind == GASNETC_LONG ? (void *)(uintptr_t)message->destination : message->payload);
    }
    running = false;
}
