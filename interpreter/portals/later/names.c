/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The constants of Portals 3.2 and 3.3. For a return code that the header under test lacks ../../probe.sh gives a
 * number that no library returns.
 */
#include "../constants.h"
#include "../vendor.h"

#define CONSTANT(group, name)                                                                                          \
    {                                                                                                                  \
        CONSTANT_##group, #name, (long long)name                                                                       \
    }
#define CODE(name)  CONSTANT(RETURN_CODE, name)
#define EVENT(name) CONSTANT(EVENT, name)

const struct constant constants[] = {
    CODE(PTL_OK),
    CODE(PTL_FAIL),
    CODE(PTL_SEGV),
    CODE(PTL_EQ_EMPTY),
    CODE(PTL_EQ_DROPPED),
    CODE(PTL_PT_FULL),
#if PORTALS_LATER >= 33
    CODE(PTL_NO_INIT),
    CODE(PTL_NO_SPACE),
    CODE(PTL_IFACE_INVALID),
    CODE(PTL_IFACE_DUP),
    CODE(PTL_HANDLE_INVALID),
    CODE(PTL_NI_INVALID),
    CODE(PTL_ME_INVALID),
    CODE(PTL_MD_INVALID),
    CODE(PTL_EQ_INVALID),
    CODE(PTL_MD_ILLEGAL),
    CODE(PTL_PROCESS_INVALID),
    CODE(PTL_PID_INVALID),
    CODE(PTL_PT_INDEX_INVALID),
    CODE(PTL_AC_INDEX_INVALID),
    CODE(PTL_SR_INDEX_INVALID),
    CODE(PTL_ME_LIST_TOO_LONG),
    CODE(PTL_MD_NO_UPDATE),
    CODE(PTL_ME_IN_USE),
    CODE(PTL_MD_IN_USE),
    CODE(PTL_UNKNOWN_ERROR),
    EVENT(PTL_EVENT_GETPUT_START),
    EVENT(PTL_EVENT_GETPUT_END),
    CONSTANT(OPTION, PTL_MD_IOVEC),
    CONSTANT(OPTION, PTL_MD_MAX_SIZE),
    CONSTANT(OPTION, PTL_MD_EVENT_START_DISABLE),
    CONSTANT(OPTION, PTL_MD_EVENT_END_DISABLE),
#else
    CODE(PTL_NOINIT),
    CODE(PTL_NOSPACE),
    CODE(PTL_INIT_DUP),
    CODE(PTL_INIT_INV),
    CODE(PTL_INV_HANDLE),
    CODE(PTL_INV_NI),
    CODE(PTL_INV_ME),
    CODE(PTL_INV_MD),
    CODE(PTL_INV_EQ),
    CODE(PTL_ILL_MD),
    CODE(PTL_INV_PROC),
    CODE(PTL_INV_PTINDEX),
    CODE(PTL_AC_INV_INDEX),
    CODE(PTL_INV_SR_INDX),
    CODE(PTL_INV_REG),
    CODE(PTL_ML_TOOLONG),
    CODE(PTL_NOUPDATE),
    CODE(PTL_INUSE),
    CODE(PTL_MD_INUSE),
    EVENT(PTL_EVENT_GET_FAIL),
    EVENT(PTL_EVENT_PUT_FAIL),
    EVENT(PTL_EVENT_REPLY_FAIL),
    EVENT(PTL_EVENT_SEND_FAIL),
#endif
    EVENT(PTL_EVENT_GET_START),
    EVENT(PTL_EVENT_GET_END),
    EVENT(PTL_EVENT_PUT_START),
    EVENT(PTL_EVENT_PUT_END),
    EVENT(PTL_EVENT_REPLY_START),
    EVENT(PTL_EVENT_REPLY_END),
    EVENT(PTL_EVENT_SEND_START),
    EVENT(PTL_EVENT_SEND_END),
    EVENT(PTL_EVENT_ACK),
    EVENT(PTL_EVENT_UNLINK),
    CONSTANT(UNLINK, PTL_RETAIN),
    CONSTANT(UNLINK, PTL_UNLINK),
    CONSTANT(POSITION, PTL_INS_BEFORE),
    CONSTANT(POSITION, PTL_INS_AFTER),
    CONSTANT(ACK, PTL_ACK_REQ),
    CONSTANT(ACK, PTL_NOACK_REQ),
    CONSTANT(OPTION, PTL_MD_OP_PUT),
    CONSTANT(OPTION, PTL_MD_OP_GET),
    CONSTANT(OPTION, PTL_MD_MANAGE_REMOTE),
    CONSTANT(OPTION, PTL_MD_TRUNCATE),
    CONSTANT(OPTION, PTL_MD_ACK_DISABLE),
    CONSTANT(REGISTER, PTL_SR_DROP_COUNT),
};

const size_t constant_count = sizeof constants / sizeof *constants;
