/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match entries and memory descriptors, and their ends: chapters 3.6 and 3.7 of the document.
 */
#include "tests/suts/pipes/library.h"

#include <stdlib.h>

static const unsigned known_options =
    PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE | PTL_MD_TRUNCATE | PTL_MD_ACK_DISABLE;

void entry_end(struct me *me)
{
    struct me **at = &me->head.ni->lists[me->portal];

    while (*at != me) {
        at = &(*at)->next;
    }
    *at = me->next;
    while (me->descriptors) {
        descriptor_end(me->descriptors, false);
    }
    object_end(me);
}

void descriptor_end(struct md *md, bool with_entry)
{
    struct me *me = md->me;

    if (me) {
        struct md **at = &me->descriptors;
        while (*at != md) {
            at = &(*at)->next;
        }
        *at = md->next;
    }
    object_end(md);
    if (me && with_entry && !me->descriptors && me->unlink == PTL_UNLINK) {
        entry_end(me);
    }
}

void interface_end(struct ni *ni)
{
    void *one;

    while ((one = object_of(KIND_ME, ni))) {
        entry_end(one);
    }
    while ((one = object_of(KIND_MD, ni))) {
        descriptor_end(one, false);
    }
    while ((one = object_of(KIND_EQ, ni))) {
        queue_end(one);
    }
    library.interfaces[ni->number] = NULL;
    library.drops[ni->number] = 0;
    free(ni->lists);
    free(ni->access);
    object_end(ni);
}

int descriptor_check(const ptl_md_t *value, const struct ni *ni)
{
    const struct eq *eq = object_find(KIND_EQ, VALUE(value->eventq));
    uintptr_t start = (uintptr_t)value->start;
    bool none = VALUE(value->eventq) == VALUE(PTL_EQ_NONE);

    if (value->length > 0 &&
        (!value->start || start + value->length < start || !memory_is_there(value->start, (size_t)value->length))) {
        return PTL_ILL_MD;
    }
    if (value->threshold < 0 || (value->options & ~known_options) || (!none && (!eq || eq->head.ni != ni))) {
        return PTL_ILL_MD;
    }
    return PTL_OK;
}

static int entry_new(struct ni *ni, const ptl_process_id_t *id, const ptl_match_bits_t bits[2], ptl_unlink_t unlink,
                     struct me **entry)
{
    struct me *me = object_new(KIND_ME, sizeof *me, ni);

    if (!me) {
        return PTL_NOSPACE;
    }
    me->id = *id;
    me->bits = bits[0];
    me->ignored = bits[1];
    me->unlink = unlink;
    *entry = me;
    return PTL_OK;
}

int PtlMEAttach(ptl_handle_ni_t interface, ptl_pt_index_t index, ptl_process_id_t matchid, ptl_match_bits_t match_bits,
                ptl_match_bits_t ignorebits, ptl_unlink_t unlink, ptl_handle_me_t *handle)
{
    const ptl_match_bits_t bits[2] = {match_bits, ignorebits};
    struct me *me;
    int code;

    enter();
    struct ni *ni = object_find(KIND_NI, VALUE(interface));
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (!handle || !memory_is_there(handle, sizeof *handle)) {
        code = PTL_SEGV;
    } else if (!ni) {
        code = PTL_INV_NI;
    } else if (index >= ni->portals) {
        code = PTL_INV_PTINDEX;
    } else if (!identity_is_valid(&matchid)) {
        code = PTL_INV_PROC;
    } else if ((code = entry_new(ni, &matchid, bits, unlink, &me)) == PTL_OK) {
        while (ni->lists[index]) {
            entry_end(ni->lists[index]);
        }
        me->portal = index;
        ni->lists[index] = me;
        *handle = HANDLE(ptl_handle_me_t, me);
    }
    return leave(code);
}

int PtlMEInsert(ptl_process_id_t matchid, ptl_match_bits_t match_bits, ptl_match_bits_t ignorebits, ptl_unlink_t unlink,
                ptl_ins_pos_t position, ptl_handle_me_t current, ptl_handle_me_t *handle)
{
    const ptl_match_bits_t bits[2] = {match_bits, ignorebits};
    struct me *me;
    int code;

    enter();
    struct me *beside = object_find(KIND_ME, VALUE(current));
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (!handle || !memory_is_there(handle, sizeof *handle)) {
        code = PTL_SEGV;
    } else if (!identity_is_valid(&matchid)) {
        code = PTL_INV_PROC;
    } else if (!beside) {
        code = PTL_INV_ME;
    } else if ((code = entry_new(beside->head.ni, &matchid, bits, unlink, &me)) == PTL_OK) {
        struct me **at = &beside->next;
        for (at = position == PTL_INS_BEFORE ? &beside->head.ni->lists[beside->portal] : at;
             position == PTL_INS_BEFORE && *at != beside;) {
            at = &(*at)->next;
        }
        me->portal = beside->portal;
        me->next = *at;
        *at = me;
        *handle = HANDLE(ptl_handle_me_t, me);
    }
    return leave(code);
}

int PtlMEUnlink(ptl_handle_me_t entry)
{
    enter();
    struct me *me = object_find(KIND_ME, VALUE(entry));
    int code = !library.up ? PTL_NOINIT : me ? PTL_OK : PTL_INV_ME;

    if (code == PTL_OK) {
        entry_end(me);
    }
    return leave(code);
}

static struct md *descriptor_new(struct ni *ni, const ptl_md_t *value, ptl_unlink_t unlink, struct me *me)
{
    struct md *md = object_new(KIND_MD, sizeof *md, ni);

    if (md) {
        md->value = *value;
        md->unlink = unlink;
        md->me = me;
    }
    return md;
}

/* Whether the address of a handle that may be NULL is bad. */
static bool is_bad(const ptl_handle_md_t *handle)
{
    return handle && !memory_is_there(handle, sizeof *handle);
}

int PtlMDAttach(ptl_handle_me_t match, ptl_md_t mem_desc, ptl_unlink_t unlink, ptl_handle_md_t *handle)
{
    int code = PTL_OK;

    enter();
    struct me *me = object_find(KIND_ME, VALUE(match));
    struct md *md = NULL;
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (is_bad(handle)) {
        code = PTL_SEGV;
    } else if (!me) {
        code = PTL_INV_ME;
    } else if ((code = descriptor_check(&mem_desc, me->head.ni)) == PTL_OK) {
        md = descriptor_new(me->head.ni, &mem_desc, unlink, me);
        code = md ? PTL_OK : PTL_NOSPACE;
    }
    if (md) {
        while (me->descriptors) {
            descriptor_end(me->descriptors, false);
        }
        me->descriptors = md;
        if (handle) {
            *handle = HANDLE(ptl_handle_md_t, md);
        }
    }
    return leave(code);
}

int PtlMDInsert(ptl_md_t mem_desc, ptl_unlink_t unlink, ptl_ins_pos_t position, ptl_handle_md_t current,
                ptl_handle_md_t *handle)
{
    int code = PTL_OK;

    enter();
    struct md *beside = object_find(KIND_MD, VALUE(current)), *md = NULL;
    if (!library.up) {
        code = PTL_NOINIT;
    } else if (is_bad(handle)) {
        code = PTL_SEGV;
    } else if (!beside || !beside->me) {
        code = PTL_INV_MD;
    } else if ((code = descriptor_check(&mem_desc, beside->head.ni)) == PTL_OK) {
        md = descriptor_new(beside->head.ni, &mem_desc, unlink, beside->me);
        code = md ? PTL_OK : PTL_NOSPACE;
    }
    if (md) {
        struct md **at = position == PTL_INS_BEFORE ? &beside->me->descriptors : &beside->next;
        while (position == PTL_INS_BEFORE && *at != beside) {
            at = &(*at)->next;
        }
        md->next = *at;
        *at = md;
        if (handle) {
            *handle = HANDLE(ptl_handle_md_t, md);
        }
    }
    return leave(code);
}

int PtlMDUnlink(ptl_handle_md_t mem_desc)
{
    enter();
    struct md *md = object_find(KIND_MD, VALUE(mem_desc));
    int code = !library.up ? PTL_NOINIT : md ? PTL_OK : PTL_INV_MD;

    if (code == PTL_OK) {
        descriptor_end(md, true);
    }
    return leave(code);
}
