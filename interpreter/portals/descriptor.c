/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory descriptors and the structures that describe them: the document's section 3.7. Argument order as printed
 * there.
 */
#include "verbs.h"

#include <string.h>

static void run_structure(struct call *call)
{
    unsigned int options = (unsigned int)call_constant(call, "options", CONSTANT_OPTION);
    ptl_md_t structure, *md = &structure;

    memset(md, 0, sizeof *md);
    md->start = call_address(call, "start");
    md->length = (ptl_size_t)call_bits(call, "length", sizeof md->length, NULL, 0);
    md->threshold = (int)call_bits(call, "threshold", sizeof md->threshold, "inf",
                                   (unsigned long long)(long long)PTL_MD_THRESH_INF);
    md->options = options;
    if ((unsigned int)md->options != options)
        failure_set(&call->failure, "too-wide", "options: %#x do not fit into %u octets", options,
                    (unsigned)sizeof md->options);
    md->user_ptr = call_address(call, "user_ptr");
    call_handle(call, "eventq", KIND_EQ, &VENDOR_QUEUE(md));
    call_structure_extra(call, md);
    if (!call_failed(call))
        call_keep(call, "name", KIND_STRUCTURE, md, false);
}

static void run_poison(struct call *call)
{
    ptl_md_t structure;

    call_structure(call, "name", &structure);
    call_unwritten(&structure, sizeof structure);
    if (!call_failed(call))
        call_keep(call, "name", KIND_STRUCTURE, &structure, false);
}

static void run_attach(struct call *call)
{
    ptl_unlink_t unlink = (ptl_unlink_t)call_constant(call, "unlink", CONSTANT_UNLINK);
    ptl_handle_md_t handle, *handle_at = call_output(call, "handle", &handle);
    ptl_handle_me_t match;
    struct extra extra;
    ptl_md_t md;
    int code;

    call_extra(call, &extra);
    call_handle(call, "match", KIND_ME, &match);
    call_structure(call, "mem_desc", &md);
    if (call_failed(call))
        return;
    memset(&handle, 0, sizeof handle);
    call_enter(call, "PtlMDAttach");
    code = vendor_md_attach(&extra, match, md, unlink, handle_at);
    call_leave(call);
    if (result_code(call, code))
        call_keep(call, "handle", KIND_MD, &handle, false);
}

static void run_bind(struct call *call)
{
    ptl_handle_md_t handle, *handle_at = call_output(call, "handle", &handle);
    ptl_handle_ni_t interface;
    struct extra extra;
    ptl_md_t md;
    int code;

    call_extra(call, &extra);
    call_handle(call, "interface", KIND_NI, &interface);
    call_structure(call, "mem_desc", &md);
    if (call_failed(call))
        return;
    memset(&handle, 0, sizeof handle);
    call_enter(call, "PtlMDBind");
    code = vendor_md_bind(&extra, interface, md, handle_at);
    call_leave(call);
    if (result_code(call, code))
        call_keep(call, "handle", KIND_MD, &handle, false);
}

static void run_unlink(struct call *call)
{
    ptl_handle_md_t handle;
    int code;

    call_handle(call, "mem_desc", KIND_MD, &handle);
    if (call_failed(call))
        return;
    call_enter(call, "PtlMDUnlink");
    code = PtlMDUnlink(handle);
    call_leave(call);
    result_code(call, code);
}

/* new_value reads where the new values are: a structure's name, null, unmapped. */
static ptl_md_t *new_value(struct call *call, ptl_md_t *storage)
{
    if (call_is(call, "new", "null"))
        return NULL;
    if (call_is(call, "new", "unmapped"))
        return values_unmapped();
    call_structure(call, "new", storage);
    return storage;
}

static void run_update(struct call *call)
{
    ptl_md_t old, *old_at = call_output(call, "old", &old);
    ptl_md_t storage, *new_at = new_value(call, &storage);
    ptl_handle_md_t handle;
    ptl_handle_eq_t queue;
    int code;

    call_unwritten(&old, sizeof old);
    call_handle(call, "mem_desc", KIND_MD, &handle);
    call_handle(call, "testq", KIND_EQ, &queue);
    if (call_failed(call))
        return;
    call_enter(call, "PtlMDUpdate");
    code = PtlMDUpdate(handle, old_at, new_at, queue);
    call_leave(call);
    /* the old value is recorded whether the update was performed or not */
    if ((result_code(call, code) || code == VENDOR_NOUPDATE) && old_at == &old) {
        result_add_structure(&call->result, "old.", &old);
        call_keep(call, "old", KIND_STRUCTURE, &old, false);
    }
}

const struct verb portals_descriptor[] = {
    {"PtlMDAttach", "match mem_desc unlink handle" VENDOR_MD_ATTACH, run_attach, false},
    {"PtlMDBind", "interface mem_desc handle" VENDOR_MD_BIND, run_bind, false},
    {"PtlMDUnlink", "mem_desc", run_unlink, false},
    {"PtlMDUpdate", "mem_desc old new testq", run_update, false},
    {"md", "name start length threshold options user_ptr eventq" VENDOR_MD, run_structure, false},
    {"md-poison", "name", run_poison, false},
    {NULL, NULL, NULL, false},
};
