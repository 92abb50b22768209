/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From what a Portals library gave to the text of a reply. specs/interpreter.md, sections 3 and 4.1.
 */
#include "call.h"

#include <stdint.h>
#include <string.h>

/* Whether an integral type is signed, without a comparison that compilers complain about. */
#define IS_SIGNED(type) ((type)-1 < (type)1)

void result_add_code(struct line *line, int code)
{
    const char *name = constant_name(CONSTANT_RETURN_CODE, code);

    if (name)
        line_add(line, "%s", name);
    else
        line_add(line, "#%d", code);
}

bool result_code(struct call *call, int code)
{
    line_add(&call->result, " rc=");
    result_add_code(&call->result, code);
    call->stop = code != PTL_OK && code != PTL_EQ_DROPPED;
    return code == PTL_OK;
}

static void add_start(struct line *line, const void *start)
{
    if (!start)
        line_add(line, "null");
    else if (!names_add_address(line, start))
        line_add(line, "0x%llx", (unsigned long long)(uintptr_t)start);
}

static void add_queue(struct line *line, const ptl_handle_eq_t *queue)
{
    const ptl_handle_eq_t none = PTL_EQ_NONE;

    if (memcmp(queue, &none, sizeof none) == 0) {
        line_add(line, "none");
    } else if (!names_add_object(line, KIND_EQ, queue)) {
        line_add(line, "0x");
        line_add_hex(line, queue, sizeof *queue);
    }
}

void result_add_structure(struct line *line, const char *prefix, const ptl_md_t *structure)
{
    line_add(line, " %sstart=", prefix);
    add_start(line, structure->start);
    line_add(line, " %slength=", prefix);
    result_add_number(line, IS_SIGNED(ptl_size_t), (unsigned long long)structure->length);
    if (structure->threshold == PTL_MD_THRESH_INF)
        line_add(line, " %sthreshold=inf", prefix);
    else
        line_add(line, " %sthreshold=%d", prefix, structure->threshold);
    line_add(line, " %soptions=", prefix);
    constant_add_options(line, (unsigned int)structure->options);
    line_add(line, " %suser_ptr=0x%llx %seventq=", prefix, (unsigned long long)(uintptr_t)structure->user_ptr, prefix);
    add_queue(line, &VENDOR_QUEUE(structure));
    result_structure_extra(line, prefix, structure);
}

void result_add_event(struct line *line, const char *prefix, const ptl_event_t *event)
{
    const char *type = constant_name(CONSTANT_EVENT, (long long)event->type);
    struct line inner = {0};

    if (type)
        line_add(line, " %stype=%s", prefix, type);
    else
        line_add(line, " %stype=#%lld", prefix, (long long)event->type);
    line_add(line, " %sinitiator=", prefix);
    result_add_process(line, &event->initiator);
    line_add(line, " %sportal=", prefix);
    result_add_number(line, IS_SIGNED(ptl_pt_index_t), (unsigned long long)VENDOR_PORTAL(event));
    line_add(line, " %smatch_bits=0x%llx %srlength=", prefix, (unsigned long long)event->match_bits, prefix);
    result_add_number(line, IS_SIGNED(ptl_size_t), (unsigned long long)event->rlength);
    line_add(line, " %smlength=", prefix);
    result_add_number(line, IS_SIGNED(ptl_size_t), (unsigned long long)event->mlength);
    line_add(line, " %soffset=", prefix);
    result_add_number(line, IS_SIGNED(ptl_size_t), (unsigned long long)event->offset);
    result_event_extra(line, prefix, event);
    line_add(&inner, "%smem_desc.", prefix);
    if (inner.failed)
        line->failed = true;
    else
        result_add_structure(line, inner.text, &VENDOR_DESCRIPTOR(event));
    line_release(&inner);
}
