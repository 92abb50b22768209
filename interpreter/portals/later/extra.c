/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What descriptors, events and calls of Portals 3.2 and 3.3 have beyond those of 3.0. specs/interpreter.md, section 8.
 */
#include "../call.h"

#include <string.h>

static bool given(const struct call *call, const char *key)
{
    return command_value(&call->command, key) != NULL;
}

void call_extra(struct call *call, struct extra *extra)
{
    memset(extra, 0, sizeof *extra);
    extra->position = PTL_INS_AFTER;
    extra->unlink = extra->nofit = PTL_RETAIN;
    extra->uid = PTL_UID_ANY;
    extra->jid = 0xffffffff;
    if (given(call, "position"))
        extra->position = (ptl_ins_pos_t)call_constant(call, "position", CONSTANT_POSITION);
    if (given(call, "unlink"))
        extra->unlink = (ptl_unlink_t)call_constant(call, "unlink", CONSTANT_UNLINK);
    if (given(call, "nofit"))
        extra->nofit = (ptl_unlink_t)call_constant(call, "nofit", CONSTANT_UNLINK);
    if (given(call, "uid"))
        extra->uid = (ptl_uid_t)call_bits(call, "uid", sizeof extra->uid, "any", PTL_UID_ANY);
    if (given(call, "jid"))
        extra->jid = (unsigned int)call_bits(call, "jid", sizeof extra->jid, "any", 0xffffffff);
    if (given(call, "hdr_data"))
        extra->hdr_data = call_bits(call, "hdr_data", sizeof extra->hdr_data, NULL, 0);
}

void call_structure_extra(struct call *call, ptl_md_t *structure)
{
#if PORTALS_LATER >= 33
    if (given(call, "max_size"))
        structure->max_size = (ptl_size_t)call_bits(call, "max_size", sizeof structure->max_size, NULL, 0);
#else
    /* without a bound of its own a descriptor has none */
    structure->max_offset = structure->length < 0xffffffff ? (unsigned int)structure->length : 0xffffffff;
    if (given(call, "max_offset"))
        structure->max_offset = (unsigned int)call_bits(call, "max_offset", sizeof structure->max_offset, NULL, 0);
#endif
}

void result_structure_extra(struct line *line, const char *prefix, const ptl_md_t *structure)
{
#if PORTALS_LATER >= 33
    line_add(line, " %smax_size=%llu", prefix, (unsigned long long)structure->max_size);
#else
    line_add(line, " %smax_offset=%llu", prefix, (unsigned long long)structure->max_offset);
#endif
}

void result_event_extra(struct line *line, const char *prefix, const ptl_event_t *event)
{
    line_add(line, " %shdr_data=0x%llx %slink=%llu %ssequence=%llu %suid=%llu", prefix,
             (unsigned long long)event->hdr_data, prefix, (unsigned long long)event->link, prefix,
             (unsigned long long)event->sequence, prefix, (unsigned long long)event->uid);
#if PORTALS_LATER >= 33
    line_add(line, " %sjid=%llu", prefix, (unsigned long long)event->jid);
#endif
    line_add(line, " %smd_handle=", prefix);
    if (!names_add_object(line, KIND_MD, &event->md_handle))
        line_add(line, "unknown");
    if (event->ni_fail_type == PTL_NI_OK)
        line_add(line, " %sni_fail_type=PTL_NI_OK", prefix);
    else
        line_add(line, " %sni_fail_type=#%lld", prefix, (long long)event->ni_fail_type);
}
