/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The calls that print what the library holds, which the document does not have: see p3api/debug.h.
 */
#include <p3api/debug.h>
#include <portals3.h>
#include <stdio.h>

#include "ref-impl/api3/later.h"
#include "ref-impl/core/dump.h"

static void print(const char *text)
{
    (void)fprintf(stderr, "%s\n", text);
}

API int PtlMEDump(ptl_handle_me_t me_handle)
{
    int code = api3_ready(NULL, 0);

    return code == PTL_OK ? api3_code(dump_entry(me_handle, print)) : code;
}

API int PtlTblDump(ptl_handle_ni_t ni_handle, int pt_index)
{
    int code = api3_ready(NULL, 0);

    return code == PTL_OK ? api3_code(dump_portal(ni_handle, (uint32_t)pt_index, print)) : code;
}

API int PtlNIEqDump(ptl_handle_ni_t ni_handle)
{
    int code = api3_ready(NULL, 0);

    return code == PTL_OK ? api3_code(dump_queues(ni_handle, print)) : code;
}
