/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * gasnet_arguments.h: the active message calls of gasnet.h for 0 to 16 arguments; included by that alone.
 *
 * GASNETC_MESSAGES makes the seven calls for M arguments: PARAMETERS_M are theirs, VALUES_M what is handed on. The list
 * of values begins with one that does not count, for there may be none.
 */
#ifndef GASNET_ARGUMENTS_H
#define GASNET_ARGUMENTS_H

#define GASNETC_BODY(call, to, kind, m, source, octets, destination)                                                   \
    {                                                                                                                  \
        const gasnet_handlerarg_t values[] = {GASNETC_VALUES_##m};                                                     \
        const struct gasnetc_arguments arguments = {handler, m, values + 1};                                           \
        const struct gasnetc_payload payload = {source, octets, destination};                                          \
        return call(to, kind, &arguments, &payload);                                                                   \
    }

#define GASNETC_MESSAGES(m)                                                                                            \
    static inline int gasnet_AMRequestShort##m(gasnet_node_t node, gasnet_handler_t handler GASNETC_PARAMETERS_##m)    \
        GASNETC_BODY(gasnetc_request, node, GASNETC_SHORT, m, NULL, 0,                                                 \
                     NULL) static inline int gasnet_AMRequestMedium##m(gasnet_node_t node, gasnet_handler_t handler,   \
                                                                       void *source,                                   \
                                                                       size_t octets GASNETC_PARAMETERS_##m)           \
            GASNETC_BODY(gasnetc_request, node, GASNETC_MEDIUM, m, source, octets,                                     \
                         NULL) static inline int gasnet_AMRequestLong##m(gasnet_node_t node, gasnet_handler_t handler, \
                                                                         void *source, size_t octets,                  \
                                                                         void *destination GASNETC_PARAMETERS_##m)     \
                GASNETC_BODY(gasnetc_request, node, GASNETC_LONG, m, source, octets,                                   \
                             destination) static inline int gasnet_AMRequestLongAsync##m(gasnet_node_t node,           \
                                                                                         gasnet_handler_t handler,     \
                                                                                         void *source, size_t octets,  \
                                                                                         void *destination             \
                                                                                             GASNETC_PARAMETERS_##m)   \
                    GASNETC_BODY(gasnetc_request, node, GASNETC_LONG_ASYNC, m, source, octets,                         \
                                 destination) static inline int gasnet_AMReplyShort##m(gasnet_token_t token,           \
                                                                                       gasnet_handler_t handler        \
                                                                                           GASNETC_PARAMETERS_##m)     \
                        GASNETC_BODY(                                                                                  \
                            gasnetc_reply, token, GASNETC_SHORT, m, NULL, 0,                                           \
                            NULL) static inline int gasnet_AMReplyMedium##m(gasnet_token_t token,                      \
                                                                            gasnet_handler_t handler, void *source,    \
                                                                            size_t octets GASNETC_PARAMETERS_##m)      \
                            GASNETC_BODY(gasnetc_reply, token, GASNETC_MEDIUM, m, source, octets,                      \
                                         NULL) static inline int                                                       \
                                gasnet_AMReplyLong##m(gasnet_token_t token, gasnet_handler_t handler, void *source,    \
                                                      size_t octets, void *destination GASNETC_PARAMETERS_##m)         \
                                    GASNETC_BODY(gasnetc_reply, token, GASNETC_LONG, m, source, octets, destination)

#define GASNETC_PARAMETERS_0
#define GASNETC_VALUES_0      0
#define GASNETC_PARAMETERS_1  GASNETC_PARAMETERS_0, gasnet_handlerarg_t a0
#define GASNETC_VALUES_1      GASNETC_VALUES_0, a0
#define GASNETC_PARAMETERS_2  GASNETC_PARAMETERS_1, gasnet_handlerarg_t a1
#define GASNETC_VALUES_2      GASNETC_VALUES_1, a1
#define GASNETC_PARAMETERS_3  GASNETC_PARAMETERS_2, gasnet_handlerarg_t a2
#define GASNETC_VALUES_3      GASNETC_VALUES_2, a2
#define GASNETC_PARAMETERS_4  GASNETC_PARAMETERS_3, gasnet_handlerarg_t a3
#define GASNETC_VALUES_4      GASNETC_VALUES_3, a3
#define GASNETC_PARAMETERS_5  GASNETC_PARAMETERS_4, gasnet_handlerarg_t a4
#define GASNETC_VALUES_5      GASNETC_VALUES_4, a4
#define GASNETC_PARAMETERS_6  GASNETC_PARAMETERS_5, gasnet_handlerarg_t a5
#define GASNETC_VALUES_6      GASNETC_VALUES_5, a5
#define GASNETC_PARAMETERS_7  GASNETC_PARAMETERS_6, gasnet_handlerarg_t a6
#define GASNETC_VALUES_7      GASNETC_VALUES_6, a6
#define GASNETC_PARAMETERS_8  GASNETC_PARAMETERS_7, gasnet_handlerarg_t a7
#define GASNETC_VALUES_8      GASNETC_VALUES_7, a7
#define GASNETC_PARAMETERS_9  GASNETC_PARAMETERS_8, gasnet_handlerarg_t a8
#define GASNETC_VALUES_9      GASNETC_VALUES_8, a8
#define GASNETC_PARAMETERS_10 GASNETC_PARAMETERS_9, gasnet_handlerarg_t a9
#define GASNETC_VALUES_10     GASNETC_VALUES_9, a9
#define GASNETC_PARAMETERS_11 GASNETC_PARAMETERS_10, gasnet_handlerarg_t a10
#define GASNETC_VALUES_11     GASNETC_VALUES_10, a10
#define GASNETC_PARAMETERS_12 GASNETC_PARAMETERS_11, gasnet_handlerarg_t a11
#define GASNETC_VALUES_12     GASNETC_VALUES_11, a11
#define GASNETC_PARAMETERS_13 GASNETC_PARAMETERS_12, gasnet_handlerarg_t a12
#define GASNETC_VALUES_13     GASNETC_VALUES_12, a12
#define GASNETC_PARAMETERS_14 GASNETC_PARAMETERS_13, gasnet_handlerarg_t a13
#define GASNETC_VALUES_14     GASNETC_VALUES_13, a13
#define GASNETC_PARAMETERS_15 GASNETC_PARAMETERS_14, gasnet_handlerarg_t a14
#define GASNETC_VALUES_15     GASNETC_VALUES_14, a14
#define GASNETC_PARAMETERS_16 GASNETC_PARAMETERS_15, gasnet_handlerarg_t a15
#define GASNETC_VALUES_16     GASNETC_VALUES_15, a15

GASNETC_MESSAGES(0)
GASNETC_MESSAGES(1)
GASNETC_MESSAGES(2)
GASNETC_MESSAGES(3)
GASNETC_MESSAGES(4)
GASNETC_MESSAGES(5)
GASNETC_MESSAGES(6)
GASNETC_MESSAGES(7)
GASNETC_MESSAGES(8)
GASNETC_MESSAGES(9)
GASNETC_MESSAGES(10)
GASNETC_MESSAGES(11)
GASNETC_MESSAGES(12)
GASNETC_MESSAGES(13)
GASNETC_MESSAGES(14)
GASNETC_MESSAGES(15)
GASNETC_MESSAGES(16)

#endif
