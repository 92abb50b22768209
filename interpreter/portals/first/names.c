/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The constants of Portals 3.0: the document's tables 4 and 5.
 */
#include "../constants.h"
#include "../vendor.h"

/* Of several names with one value the first one is given back, so the spellings of one thing stand in the order of
 * their rank. */
/* clang-format off */
const struct constant constants[] = {
    {CONSTANT_RETURN_CODE, "PTL_OK", (long long)PTL_OK},
#ifndef NO_PTL_FAIL
    {CONSTANT_RETURN_CODE, "PTL_FAIL", (long long)PTL_FAIL},
#endif
#ifndef NO_PTL_NOINIT
    {CONSTANT_RETURN_CODE, "PTL_NOINIT", (long long)PTL_NOINIT},
#endif
#ifndef NO_PTL_SEGV
    {CONSTANT_RETURN_CODE, "PTL_SEGV", (long long)PTL_SEGV},
#endif
#ifndef NO_PTL_NOSPACE
    {CONSTANT_RETURN_CODE, "PTL_NOSPACE", (long long)PTL_NOSPACE},
#endif
#ifndef NO_PTL_INIT_DUP
    {CONSTANT_RETURN_CODE, "PTL_INIT_DUP", (long long)PTL_INIT_DUP},
#endif
#ifndef NO_PTL_INIT_INV
    {CONSTANT_RETURN_CODE, "PTL_INIT_INV", (long long)PTL_INIT_INV},
#endif
#ifndef NO_PTL_INV_PSIZE
    {CONSTANT_RETURN_CODE, "PTL_INV_PSIZE", (long long)PTL_INV_PSIZE},
#endif
#ifndef NO_PTL_INV_ASIZE
    {CONSTANT_RETURN_CODE, "PTL_INV_ASIZE", (long long)PTL_INV_ASIZE},
#endif
#ifndef NO_PTL_INV_NI
    {CONSTANT_RETURN_CODE, "PTL_INV_NI", (long long)PTL_INV_NI},
#endif
#ifndef NO_PTL_INV_ME
    {CONSTANT_RETURN_CODE, "PTL_INV_ME", (long long)PTL_INV_ME},
#endif
#ifndef NO_PTL_INV_MD
    {CONSTANT_RETURN_CODE, "PTL_INV_MD", (long long)PTL_INV_MD},
#endif
#ifndef NO_PTL_INV_EQ
    {CONSTANT_RETURN_CODE, "PTL_INV_EQ", (long long)PTL_INV_EQ},
#endif
#ifndef NO_PTL_INV_HANDLE
    {CONSTANT_RETURN_CODE, "PTL_INV_HANDLE", (long long)PTL_INV_HANDLE},
#endif
#ifndef NO_PTL_INV_PROC
    {CONSTANT_RETURN_CODE, "PTL_INV_PROC", (long long)PTL_INV_PROC},
#endif
#ifndef NO_PTL_INV_PTINDEX
    {CONSTANT_RETURN_CODE, "PTL_INV_PTINDEX", (long long)PTL_INV_PTINDEX},
#endif
#ifndef NO_PTL_PT_INV_INDEX
    {CONSTANT_RETURN_CODE, "PTL_PT_INV_INDEX", (long long)PTL_PT_INV_INDEX},
#endif
#ifndef NO_PTL_AC_INV_INDEX
    {CONSTANT_RETURN_CODE, "PTL_AC_INV_INDEX", (long long)PTL_AC_INV_INDEX},
#endif
#ifndef NO_PTL_INV_SR_INDX
    {CONSTANT_RETURN_CODE, "PTL_INV_SR_INDX", (long long)PTL_INV_SR_INDX},
#endif
#ifndef NO_PTL_INV_SR_INDEX
    {CONSTANT_RETURN_CODE, "PTL_INV_SR_INDEX", (long long)PTL_INV_SR_INDEX},
#endif
#ifndef NO_PTL_INV_REG
    {CONSTANT_RETURN_CODE, "PTL_INV_REG", (long long)PTL_INV_REG},
#endif
#ifndef NO_PTL_ILL_MD
    {CONSTANT_RETURN_CODE, "PTL_ILL_MD", (long long)PTL_ILL_MD},
#endif
#ifndef NO_PTL_ML_TOOLONG
    {CONSTANT_RETURN_CODE, "PTL_ML_TOOLONG", (long long)PTL_ML_TOOLONG},
#endif
#ifndef NO_PTL_NOUPDATE
    {CONSTANT_RETURN_CODE, "PTL_NOUPDATE", (long long)PTL_NOUPDATE},
#endif
#ifndef NO_PTL_EQ_EMPTY
    {CONSTANT_RETURN_CODE, "PTL_EQ_EMPTY", (long long)PTL_EQ_EMPTY},
#endif
#ifndef NO_PTL_EQ_DROPPED
    {CONSTANT_RETURN_CODE, "PTL_EQ_DROPPED", (long long)PTL_EQ_DROPPED},
#endif
#ifndef NO_PTL_ADDR_UNKNOWN
    {CONSTANT_RETURN_CODE, "PTL_ADDR_UNKNOWN", (long long)PTL_ADDR_UNKNOWN},
#endif
/* The document has no code for these; headers of later texts do. */
#ifdef HAS_PTL_INUSE
    {CONSTANT_RETURN_CODE, "PTL_INUSE", (long long)PTL_INUSE},
#endif
#ifdef HAS_PTL_MD_INUSE
    {CONSTANT_RETURN_CODE, "PTL_MD_INUSE", (long long)PTL_MD_INUSE},
#endif
    {CONSTANT_EVENT, "PTL_EVENT_GET", (long long)PTL_EVENT_GET},
    {CONSTANT_EVENT, "PTL_EVENT_PUT", (long long)PTL_EVENT_PUT},
    {CONSTANT_EVENT, "PTL_EVENT_REPLY", (long long)PTL_EVENT_REPLY},
    {CONSTANT_EVENT, "PTL_EVENT_ACK", (long long)PTL_EVENT_ACK},
    {CONSTANT_EVENT, "PTL_EVENT_SENT", (long long)PTL_EVENT_SENT},
    {CONSTANT_UNLINK, "PTL_RETAIN", (long long)PTL_RETAIN},
    {CONSTANT_UNLINK, "PTL_UNLINK", (long long)PTL_UNLINK},
    {CONSTANT_POSITION, "PTL_INS_BEFORE", (long long)PTL_INS_BEFORE},
    {CONSTANT_POSITION, "PTL_INS_AFTER", (long long)PTL_INS_AFTER},
    {CONSTANT_ACK, "PTL_ACK_REQ", (long long)PTL_ACK_REQ},
    {CONSTANT_ACK, "PTL_NOACK_REQ", (long long)PTL_NOACK_REQ},
    {CONSTANT_OPTION, "PTL_MD_OP_PUT", (long long)PTL_MD_OP_PUT},
    {CONSTANT_OPTION, "PTL_MD_OP_GET", (long long)PTL_MD_OP_GET},
    {CONSTANT_OPTION, "PTL_MD_MANAGE_REMOTE", (long long)PTL_MD_MANAGE_REMOTE},
    {CONSTANT_OPTION, "PTL_MD_TRUNCATE", (long long)PTL_MD_TRUNCATE},
    {CONSTANT_OPTION, "PTL_MD_ACK_DISABLE", (long long)PTL_MD_ACK_DISABLE},
    {CONSTANT_REGISTER, "PTL_SR_DROP_COUNT", (long long)PTL_SR_DROP_COUNT},
};
/* clang-format on */

const size_t constant_count = sizeof constants / sizeof *constants;
