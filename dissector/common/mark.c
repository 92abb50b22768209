/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Broken requirements in the information column of all protocols; see mark.h.
 */
#include "dissector/common/mark.h"

void mark_broken(packet_info *pinfo, const char *requirement)
{
    const char *mark = wmem_strdup_printf(pinfo->pool, " [%s]", requirement);
    const char *text = pinfo->cinfo ? col_get_text(pinfo->cinfo, COL_INFO) : NULL;

    if (text && g_str_has_suffix(text, mark)) {
        return;
    }
    col_append_str(pinfo->cinfo, COL_INFO, mark);
    col_set_fence(pinfo->cinfo, COL_INFO);
}
