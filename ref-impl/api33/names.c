/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What codes and kinds of events are called, for programs that print them, as libraries of Portals 3.3 had it: two
 * functions and two arrays.
 */
#include <p3api/debug.h>
#include <portals3.h>
#include <stdatomic.h>

#include "ref-impl/api3/later.h"

/* In the order of their values. */
/* clang-format off */
#define CODES(X) X(PTL_OK) X(PTL_FAIL) X(PTL_NO_INIT) X(PTL_NO_SPACE) X(PTL_SEGV) X(PTL_IFACE_INVALID) \
    X(PTL_IFACE_DUP) X(PTL_HANDLE_INVALID) X(PTL_NI_INVALID) X(PTL_ME_INVALID) X(PTL_MD_INVALID) \
    X(PTL_EQ_INVALID) X(PTL_ME_IN_USE) X(PTL_MD_IN_USE) X(PTL_MD_ILLEGAL) X(PTL_MD_NO_UPDATE) \
    X(PTL_ME_LIST_TOO_LONG) X(PTL_PROCESS_INVALID) X(PTL_PID_INVALID) X(PTL_PT_INDEX_INVALID) X(PTL_PT_FULL) \
    X(PTL_AC_INDEX_INVALID) X(PTL_SR_INDEX_INVALID) X(PTL_EQ_EMPTY) X(PTL_EQ_DROPPED) X(PTL_UNKNOWN_ERROR)
#define KINDS(X) X(PTL_EVENT_GET_START) X(PTL_EVENT_GET_END) X(PTL_EVENT_PUT_START) X(PTL_EVENT_PUT_END) \
    X(PTL_EVENT_GETPUT_START) X(PTL_EVENT_GETPUT_END) X(PTL_EVENT_REPLY_START) X(PTL_EVENT_REPLY_END) \
    X(PTL_EVENT_SEND_START) X(PTL_EVENT_SEND_END) X(PTL_EVENT_ACK) X(PTL_EVENT_UNLINK)
/* clang-format on */

struct name {
    int value;
    const char *text;
};

#define NAME(constant) {constant, #constant},
#define TEXT(constant) #constant,

API const char *ptl_err_str[] = {CODES(TEXT)};
API const char *ptl_event_str[] = {KINDS(TEXT)};

static const struct name codes[] = {CODES(NAME)};
static const struct name kinds[] = {KINDS(NAME)};

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

API unsigned int PtlNIDebug(ptl_handle_ni_t ni_handle, unsigned int mask)
{
    static atomic_uint kept;

    (void)ni_handle;
    return atomic_exchange(&kept, mask);
}
