/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What codes and kinds of events are called, for programs that print them.
 */
#include "ref-impl/api3/later.h"

/* In the order of their values. */
#define NAME(constant) #constant

API const char *ptl_err_str[] = {
    NAME(PTL_OK),       NAME(PTL_FAIL),         NAME(PTL_NOINIT),      NAME(PTL_NOSPACE),    NAME(PTL_SEGV),
    NAME(PTL_INIT_DUP), NAME(PTL_INIT_INV),     NAME(PTL_INV_ASIZE),   NAME(PTL_INV_HANDLE), NAME(PTL_INV_NI),
    NAME(PTL_INV_ME),   NAME(PTL_INV_MD),       NAME(PTL_INV_EQ),      NAME(PTL_INUSE),      NAME(PTL_MD_INUSE),
    NAME(PTL_ILL_MD),   NAME(PTL_NOUPDATE),     NAME(PTL_ML_TOOLONG),  NAME(PTL_INV_PROC),   NAME(PTL_INV_PTINDEX),
    NAME(PTL_PT_FULL),  NAME(PTL_AC_INV_INDEX), NAME(PTL_INV_SR_INDX), NAME(PTL_EQ_EMPTY),   NAME(PTL_EQ_DROPPED),
};

API const char *ptl_event_str[] = {
    NAME(PTL_EVENT_GET_START),  NAME(PTL_EVENT_GET_END),  NAME(PTL_EVENT_GET_FAIL),    NAME(PTL_EVENT_PUT_START),
    NAME(PTL_EVENT_PUT_END),    NAME(PTL_EVENT_PUT_FAIL), NAME(PTL_EVENT_REPLY_START), NAME(PTL_EVENT_REPLY_END),
    NAME(PTL_EVENT_REPLY_FAIL), NAME(PTL_EVENT_ACK),      NAME(PTL_EVENT_SEND_START),  NAME(PTL_EVENT_SEND_END),
    NAME(PTL_EVENT_SEND_FAIL),  NAME(PTL_EVENT_UNLINK),
};
