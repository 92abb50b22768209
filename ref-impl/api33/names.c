/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What codes and kinds of events are called, for programs that print them. Libraries of Portals 3.3 had these two
 * functions, although no document that we know names them.
 */
#include <portals3.h>

#include "ref-impl/api3/later.h"

struct name {
    int value;
    const char *text;
};

#define NAME(constant)                                                                                                 \
    {                                                                                                                  \
        constant, #constant                                                                                            \
    }

static const struct name codes[] = {
    NAME(PTL_OK),
    NAME(PTL_FAIL),
    NAME(PTL_NO_INIT),
    NAME(PTL_NO_SPACE),
    NAME(PTL_SEGV),
    NAME(PTL_IFACE_INVALID),
    NAME(PTL_IFACE_DUP),
    NAME(PTL_HANDLE_INVALID),
    NAME(PTL_NI_INVALID),
    NAME(PTL_ME_INVALID),
    NAME(PTL_MD_INVALID),
    NAME(PTL_EQ_INVALID),
    NAME(PTL_ME_IN_USE),
    NAME(PTL_MD_IN_USE),
    NAME(PTL_MD_ILLEGAL),
    NAME(PTL_MD_NO_UPDATE),
    NAME(PTL_ME_LIST_TOO_LONG),
    NAME(PTL_PROCESS_INVALID),
    NAME(PTL_PID_INVALID),
    NAME(PTL_PT_INDEX_INVALID),
    NAME(PTL_PT_FULL),
    NAME(PTL_AC_INDEX_INVALID),
    NAME(PTL_SR_INDEX_INVALID),
    NAME(PTL_EQ_EMPTY),
    NAME(PTL_EQ_DROPPED),
    NAME(PTL_UNKNOWN_ERROR),
};

static const struct name kinds[] = {
    NAME(PTL_EVENT_GET_START),    NAME(PTL_EVENT_GET_END),    NAME(PTL_EVENT_PUT_START),   NAME(PTL_EVENT_PUT_END),
    NAME(PTL_EVENT_GETPUT_START), NAME(PTL_EVENT_GETPUT_END), NAME(PTL_EVENT_REPLY_START), NAME(PTL_EVENT_REPLY_END),
    NAME(PTL_EVENT_SEND_START),   NAME(PTL_EVENT_SEND_END),   NAME(PTL_EVENT_ACK),         NAME(PTL_EVENT_UNLINK),
};

static const char *find(const struct name *names, size_t count, int value)
{
    for (size_t i = 0; i < count; i++) {
        if (names[i].value == value) {
            return names[i].text;
        }
    }
    return NULL;
}

API const char *PtlErrorStr(unsigned int code)
{
    const char *found = find(codes, sizeof(codes) / sizeof(*codes), (int)code);

    return found ? found : "no code of Portals";
}

API const char *PtlEventKindStr(ptl_event_kind_t kind)
{
    const char *found = find(kinds, sizeof(kinds) / sizeof(*kinds), (int)kind);

    return found ? found : "no event of Portals";
}
